"""The JSON and the tables of ``scriptlint gate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint import __version__
from scriptlint.gate.audit import place, target
from scriptlint.report.display import clip, pad, visible, width
from scriptlint.report.json import FORMAT, dumps, finding_dict, problem_dict
from scriptlint.report.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.gate.ascii import AsciiResult
    from scriptlint.gate.audit import Audit
    from scriptlint.gate.compare import Comparison, Difference, Limits
    from scriptlint.gate.metrics import Answer, Metrics
    from scriptlint.gate.run import Run
    from scriptlint.gate.sweep import Swept
    from scriptlint.report.context import Context
    from scriptlint.results import Report

SHOWN_RESULTS = 20
"""Results of a query that the JSON lists; the rank may lie beyond."""
READ_SHOWN = 8


def gate_json(
    report: Report, audit: Audit, swept: Swept | None, limits: Limits, most_wrong: float, context: Context
) -> str:
    """One object; docs/gate.md lists its keys."""
    from scriptlint.unicode import UNICODE_VERSION

    out: dict[str, Any] = {"format": FORMAT, "version": __version__, "unicode": UNICODE_VERSION}
    out |= gate_data(audit, swept, limits, most_wrong)
    out["findings"] = [finding_dict(f) for f in report.findings]
    out["errors"] = [problem_dict(p) for p in report.problems]
    out["summary"] = report.summary()
    return dumps(out)


def gate_data(audit: Audit, swept: Swept | None, limits: Limits, most_wrong: float) -> dict[str, Any]:
    """What was measured: the JSON but for the keys that every report has."""
    gates = {r.gate for r in audit.runs if not r.failure}
    out: dict[str, Any] = {
        "gate": gates.pop() if len(gates) == 1 else None,
        "gate_name": audit.gate.setup.gate if isinstance(audit.gate.setup.gate, str) else None,
        "k": audit.gate.setup.k,
        "items": audit.entries,
        "seed": audit.gate.seed,
        "conditions": [_condition(r, audit.gate.setup.k) for r in audit.runs],
        "comparisons": [_comparison(c, a, limits) for c, a in zip(audit.comparisons, audit.ascii, strict=True)],
    }
    if swept is not None:
        out["sweep"] = [p.as_json() for p in swept.points]
        out["sweep_of"] = {
            "condition": swept.condition,
            "constants": [a.name for a in swept.axes],
            "builds": swept.builds,
            "searches": swept.searches,
        }
        out["sweep_best"] = {
            "max_wrong": most_wrong,
            **{by: _best(swept, by, most_wrong) for by in ("by_language", "by_script")},
        }
    refused = [(r.condition.name, one) for r in audit.runs for one in r.refused]
    if swept is not None:
        refused += [pair for one in swept.refused if (pair := (swept.condition, one)) not in refused]
    out["refused"] = [
        {"condition": name, "what": one["what"], "target": target(one), "place": place(one["line"]) or None}
        for name, one in refused
    ]
    out["read"] = audit.read()
    return out


def _condition(run: Run, k: int) -> dict[str, Any]:
    condition = run.condition
    out: dict[str, Any] = {
        "name": condition.name, "path": condition.shown, "origin": condition.origin or None,
        "set": dict(condition.constants),
    }  # fmt: skip
    if run.failure:
        return {**out, "error": run.failure}
    out |= {"gate": run.gate, **run.metrics(k).as_json()}
    out["answers"] = [_answer(a, run.gate, k) for a in run.answers]
    return out


def _answer(a: Answer, gate: float, k: int) -> dict[str, Any]:
    q = a.query
    return {
        "query": q.text, "lang": q.lang or None, "script": q.script, "gold": list(q.gold), "path": q.path or None,
        "line": q.line or None, "rank": a.rank or None, "score": a.score, "gated": a.gated(k, gate),
        "wrong_let_through": a.wrong(k, gate), "tokens": a.tokens, "loanword_only": a.loanword,
        "results": [{"name": n, "score": _finite(s)} for n, s in a.results[:SHOWN_RESULTS]], "error": a.error or None,
    }  # fmt: skip


def _finite(score: float) -> float | None:
    return score if abs(score) != float("inf") else None


def _comparison(c: Comparison, result: AsciiResult, limits: Limits) -> dict[str, Any]:
    collapsed = c.collapsed(limits)
    return {
        "from": c.first,
        "to": c.second,
        "overall": None if c.overall is None else c.overall.as_json(),
        "by_language": {code: d.as_json() for code, d in c.by_language.items()},
        "by_script": {code: d.as_json() for code, d in c.by_script.items()},
        "collapse": bool(collapsed),
        "collapsed": [code or "all" for code, _ in collapsed],
        "ascii": result.as_json(),
    }


def _best(swept: Swept, by: str, most_wrong: float) -> dict[str, Any]:
    return {code or "all": dict(p.constants) for code, p in swept.best(by, most_wrong).items()}


# --- text ------------------------------------------------------------------------------------------------------------


def gate_text(audit: Audit, limits: Limits, context: Context) -> str:
    """The tables: conditions by groups of queries, differences, ASCII, what was read."""
    k = audit.gate.setup.k
    good = [r for r in audit.runs if not r.failure]
    lines = [context.style(_headline(audit), "bold"), ""]
    if good:
        lines += _metrics_table(good, k, context)
    for c, result in zip(audit.comparisons, audit.ascii, strict=True):
        lines += ["", *_difference_lines(c, limits, k, context), f"  {_ascii_line(result, context.width - 2)}"]
    read = audit.read()
    if read:
        more = len(read) - READ_SHOWN
        shown = ", ".join(visible(p) for p in read[:READ_SHOWN])
        lines += ["", f"Files read by the router: {shown}" + (f" and {more:,} more" if more > 0 else "")]
    return "\n".join(lines) + "\n"


def _headline(audit: Audit) -> str:
    asked = sum(not q.negative for q in audit.queries)
    negatives = len(audit.queries) - asked
    setup = audit.gate.setup
    gates = sorted({r.gate for r in audit.runs if not r.failure})
    gate = " or ".join(f"{g:g}" for g in gates) or "?"
    name = f"{setup.gate} = " if isinstance(setup.gate, str) else ""
    items = f", {counted(audit.entries, 'item')}" if audit.entries else ""
    queries = counted(asked, "query", "queries")
    return f"gate {name}{gate}, k = {setup.k}; {queries} with an answer, {negatives:,} without{items}"


def _metrics_table(runs: Sequence[Run], k: int, context: Context) -> list[str]:
    columns = [
        ("n", "queries"), ("Top-1", "top1"), (f"R@{k}", "recall"), ("MRR", "mrr"), (f"gated R@{k}", "gated_recall"),
        ("gated T-1", "gated_top1"), ("wrong", "wrong_let_through"), ("no token", "no_token"),
        ("loanword", "loanword_only"), ("negatives", "negatives_let_through"),
    ]  # fmt: skip
    rows: list[tuple[str, list[str], bool]] = []
    for run in runs:
        m = run.metrics(k)
        rows.append((clip(visible(run.condition.name), 30), [_cell(m, name) for _, name in columns], True))
        for code, g in (m.by_language or m.by_script).items():
            if g.queries or g.negatives:
                rows.append((f"  {code}", [_cell(g, name) for _, name in columns], False))
    first = max(width(label) for label, _, _ in rows)
    sizes = [max(len(title), *(len(cells[n]) for _, cells, _ in rows)) for n, (title, _) in enumerate(columns)]
    while len(sizes) > 5 and first + sum(s + 2 for s in sizes) > context.width:
        sizes.pop()

    def line(label: str, cells: Sequence[str]) -> str:
        return pad(label, first) + "".join(f"  {c:>{s}}" for c, s in zip(cells, sizes, strict=False))

    out = [line("", [title for title, _ in columns])]
    out += [context.style(line(label, cells), *(["bold"] if whole else [])) for label, cells, whole in rows]
    legend = "Shares in %. wrong: wrong items let through per query; negatives: those that let anything through."
    return [*out, context.style(legend, "dim")]


def _cell(m: Metrics, name: str) -> str:
    value = getattr(m, name)
    if value is None:
        return "-"
    if name == "queries":
        return f"{value:,}"
    return f"{value:.4f}" if name == "mrr" else f"{value:.2f}" if name == "wrong_let_through" else f"{100 * value:.1f}"


def _difference_lines(c: Comparison, limits: Limits, k: int, context: Context) -> list[str]:
    head = context.style(f"{visible(c.first)} -> {visible(c.second)}", "bold")
    if c.overall is None:
        return [f"{head}: no query was answered in both"]
    collapsed = {code for code, _ in c.collapsed(limits)}
    titles = (f"gated R@{k}", "95 % interval", "p", "lost", "gained", f"Recall@{k}", "MRR", "Top-1", "wrong")
    first = 8
    lines = [head, " " * first + "  {:>9}  {:>14}  {:>7}  {:>4}  {:>6}  {:>8}  {:>7}  {:>6}  {:>6}".format(*titles)]
    groups = [("all", "", c.overall), *((code, code, d) for code, d in (c.by_language or c.by_script).items())]
    for label, code, d in groups:
        mark = context.style("  gate closed", "red") if code in collapsed else ""
        lines.append(pad(label if not code else f"  {label}", first) + _cells(d) + mark)
    return lines


def _cells(d: Difference) -> str:
    low, high = d.interval
    p = f"{d.p_value:.4f}" if d.p_value >= 0.0001 else "<0.0001"
    return (
        f"  {_signed(100 * d.gated_recall, 1):>9}  {f'{_signed(100 * low, 1)} to {_signed(100 * high, 1)}':>14}  {p:>7}"
        f"  {d.lost:>4}  {d.gained:>6}  {_signed(100 * d.recall, 1):>8}  {_signed(d.mrr, 4):>7}"
        f"  {_signed(100 * d.top1, 1):>6}  {_signed(d.wrong_let_through, 2):>6}"
    )


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text.replace("+", "") if float(text) == 0 else text


def _ascii_line(result: AsciiResult, columns: int) -> str:
    if result.verdict == "differs":
        example = result.example or {}
        sides = f"{_shown(example.get('first'))} | {_shown(example.get('second'))}"
        why = f"{result.why}: " if result.why else ""
        return clip(f"ASCII: differs: {why}{visible(repr(example.get('text')))} -> {sides}", max(columns, 120))
    tests = f"{result.texts:,} texts tokenized alike, " if result.texts else ""
    same = f"{tests}{result.same:,} of {result.queries:,} ASCII queries with the same results and scores"
    if result.verdict == "proved":
        return f"ASCII: proved: the tokenizers do the same to all ASCII text ({same})"
    return f"ASCII: tested, not proved ({result.why}): {same}"


def _shown(side: Any) -> str:
    if side is None:
        return "?"
    parts = [f"{one[0]} {one[1]:.3f}" if isinstance(one, (list, tuple)) else str(one) for one in side]
    return ", ".join(visible(p) for p in parts) or "nothing"
