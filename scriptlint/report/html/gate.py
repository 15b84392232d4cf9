"""The gate: what ranks well and is never let through, per condition; comparisons; the sweep as a curve and a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.report.html.chart import Curve, legend, line_chart
from scriptlint.report.html.markup import badge, bar, esc, percent, points, quoted, table
from scriptlint.report.html.page import Section
from scriptlint.report.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Data = Mapping[str, Any]

_FALL = 0.10
"""A fall of gated recall from which a group is marked."""
_ASCII = {
    "proved": ("good", "\u2713", "ASCII text gives the same tokens: proved"),
    "tested": ("good", "\u2713", "ASCII text gives the same tokens: tested"),
    "differs": ("bad", "\u2717", "ASCII text gives other tokens"),
}


def gate_section(data: Data) -> Section:
    """The section; ``data`` is what ``gate --format json`` writes."""
    k = data.get("k", 5)
    conditions = data.get("conditions", [])
    body = [_conditions(conditions, k)]
    for key, title in (("by_language", "By language of the query"), ("by_script", "By script of the query")):
        if any(c.get(key) for c in conditions):
            body.append(_groups(conditions, key, title, k, is_open=key == "by_language"))
    comparisons = data.get("comparisons", [])
    if comparisons:
        body.append("<h3>Comparisons</h3>")
        body += [_comparison(c, k) for c in comparisons]
    body += _sweep(data.get("sweep") or [], k)
    body += _best(data.get("sweep_best") or {})
    if data.get("refused"):
        rows = "".join(f"<li>{esc(_refused(r))}</li>" for r in data["refused"])
        body.append(f'<details class="card"><summary>Refused while it ran</summary><ul>{rows}</ul></details>')
    gate = data.get("gate")
    at = f" Results below <strong>{esc(gate)}</strong> are not used." if isinstance(gate, (int, float, str)) else ""
    lead = (
        f"<strong>Gated Recall@{k}</strong>: the share of queries whose right answer is among the first {k} "
        f"<em>and</em> at or above the gate.{at} Where it falls and Recall@{k} doesn\u2019t, right answers rank well "
        "and are hidden."
    )
    return Section("gate", "The gate", lead, "".join(body))


def _refused(refused: Any) -> str:
    if isinstance(refused, dict):
        return ", ".join(f"{key}: {value}" for key, value in refused.items())
    return str(refused)


def _conditions(conditions: Sequence[Data], k: int) -> str:
    head = [
        *("Condition", "queries", "Top-1", f"Recall@{k}", "MRR", f"gated Recall@{k}", "gated Top-1", "no token"),
        *("loanword only", "wrong a query", "negatives let through"),
    ]
    rows = []
    for c in conditions:
        mrr = "\u2013" if c.get("mrr") is None else f"{c['mrr']:.3f}"
        wrong = "\u2013" if c.get("wrong_let_through") is None else f"{c['wrong_let_through']:.2f}"
        rows.append(
            [
                f"<code>{esc(c.get('name', ''))}</code>",
                f"{c.get('queries', 0):,}",
                percent(c.get("top1")),
                percent(c.get("recall")),
                mrr,
                _gated(c),
                percent(c.get("gated_top1")),
                percent(c.get("no_token")),
                percent(c.get("loanword_only")),
                wrong,
                percent(c.get("negatives_let_through")),
            ]
        )
    return table("All queries, by condition", head, rows, kind="numbers")


def _gated(c: Data, tail: str = "") -> str:
    """Gated recall over a bar: let through, then what ranks in the first k and is hidden."""
    gated, recall = c.get("gated_recall"), c.get("recall")
    if gated is None:
        return "\u2013"
    hidden = max(0.0, (recall or 0.0) - gated)
    shown = f"<span><strong>{percent(gated)}</strong>{tail}</span>"
    return f'<span class="with-bar">{shown}{bar([("good", gated), ("bad", hidden)])}</span>'


def group_label(code: str) -> str:
    """A language or a script by its English name, with its code."""
    from scriptlint.unicode.alphabets import UnknownLanguageError, language_name
    from scriptlint.unicode.scripts import CODES, name

    if code in CODES:
        return f'{esc(name(code))} <span class="soft">{esc(code)}</span>'
    try:
        return f'{esc(language_name(code))} <span class="soft">{esc(code)}</span>'
    except UnknownLanguageError:
        return esc(code)


def _plain(code: str) -> str:
    from scriptlint.unicode.alphabets import UnknownLanguageError, language_name

    try:
        return language_name(code)
    except UnknownLanguageError:
        return code or "all"


def _groups(conditions: Sequence[Data], key: str, title: str, k: int, *, is_open: bool) -> str:
    codes = list(dict.fromkeys(code for c in conditions for code in c.get(key, {})))
    rows = []
    for code in codes:
        cells = []
        for c in conditions:
            group = c.get(key, {}).get(code)
            of = f' <span class="soft">of {percent(group.get("recall"))}</span>' if group else ""
            cells.append(_gated(group, of) if group else "\u2013")
        queries = next(c[key][code].get("queries", 0) for c in conditions if code in c.get(key, {}))
        rows.append([group_label(code), f"{queries:,}", *cells])
    head = ["Group", "queries", *(f"<code>{esc(c.get('name', ''))}</code>" for c in conditions)]
    caption = (
        f"Gated Recall@{k} of Recall@{k}. In the bar: let through, then what ranks in the first {k} and is hidden."
    )
    shown = table(caption, head, rows, kind="numbers")
    return f'<details class="card"{" open" if is_open else ""}><summary>{title}</summary>{shown}</details>'


def _comparison(c: Data, k: int) -> str:
    collapse = (
        badge("bad", "\u2717", "gate collapse") if c.get("collapse") else badge("good", "\u2713", "no gate collapse")
    )
    ascii_found = c.get("ascii") or {}
    verdict = _ASCII.get(ascii_found.get("verdict", ""))
    chips = collapse + (f" {badge(*verdict)}" if verdict else "")
    example = ascii_found.get("example")
    shown = f'<p class="soft">First difference: {_example(example)}</p>' if example else ""
    groups = [("", c.get("overall") or {}), *(c.get("by_language") or {}).items()]
    rows = [_difference(code, d) for code, d in groups if d]
    caption = "Differences, in percentage points (MRR as it is)"
    head = ["Queries", "Top-1", f"Recall@{k}", "MRR", f"gated Recall@{k}", "lost / gained", "p"]
    shown_rows = table(caption, head, rows, kind="numbers") if rows else "<p>No query was answered in both.</p>"
    return (
        f'<div class="card"><h4><code>{esc(c.get("from", ""))}</code> \u2192 <code>{esc(c.get("to", ""))}</code></h4>'
        f"<p>{chips}</p>{shown}"
        f"{shown_rows}</div>"
    )


def _example(example: Any) -> str:
    if isinstance(example, dict):
        return "; ".join(f"{esc(key)}: {quoted(str(value))}" for key, value in example.items())
    return quoted(str(example))


def _difference(code: str, d: Data) -> list[str]:
    gated = d.get("gated_recall")
    shown = points(gated)
    if gated is not None and gated < -_FALL:
        shown = f'<span class="down"><span aria-hidden="true">\u25bc</span> {shown}</span>'
    p = d.get("p_value")
    mrr = d.get("mrr")
    return [
        group_label(code) if code else "<strong>All</strong>",
        points(d.get("top1")),
        points(d.get("recall")),
        "\u2013" if mrr is None else f"{mrr:+.3f}".replace("-", "\u2212"),
        shown,
        f"{d['lost']:,} / {d['gained']:,}" if "lost" in d and "gained" in d else "\u2013",
        "\u2013" if p is None else "&lt; 0.001" if p < 0.001 else f"{p:.3f}",
    ]


def _sweep(sweep: Sequence[Data], k: int) -> Iterator[str]:
    """A curve over one constant; over two a table for each group."""
    if not sweep:
        return
    names = list(sweep[0].get("set", {}))
    yield f"<h3>Sweep of {' and '.join(f'<code>{esc(n)}</code>' for n in names)}</h3>"
    codes = list(dict.fromkeys(code for point in sweep for code in point.get("by_language", {})))
    if len(names) == 1:
        yield _curve(sweep, names[0], codes, k)
    elif len(names) == 2:
        yield from (_grid(sweep, names, code, k) for code in codes)


def _best(found: Data) -> Iterator[str]:
    """The best value of what was swept, for each group, under a limit on wrong items."""
    best = found.get("by_language") or {}
    if best:
        names = list(dict.fromkeys(name for values in best.values() for name in values))
        rows = [
            [
                "<strong>All</strong>" if code == "all" else group_label(code),
                *(f"{v:g}" if isinstance(v := values.get(name), (int, float)) else "\u2013" for name in names),
            ]
            for code, values in best.items()
        ]
        caption = f"Best value, with at most {esc(found.get('max_wrong', '?'))} wrong items a query"
        yield table(caption, ["Group", *(f"<code>{esc(name)}</code>" for name in names)], rows, kind="numbers")


def _curve(sweep: Sequence[Data], name: str, codes: Sequence[str], k: int) -> str:
    points_of = sorted(sweep, key=lambda p: float(p["set"][name]))
    curves = []
    for code in codes:
        found = [
            (float(p["set"][name]), p["by_language"][code]["gated_recall"])
            for p in points_of
            if p.get("by_language", {}).get(code, {}).get("gated_recall") is not None
        ]
        curves.append(Curve(_plain(code), tuple(found)))
    title = f"Gated Recall@{k} against {name}"
    ends = "; ".join(
        f"{c.name} from {100 * c.points[0][1]:.0f} % to {100 * c.points[-1][1]:.0f} %" for c in curves if c.points
    )
    drawn = line_chart(curves, title=title, description=ends, x_label=name, y_label=f"gated Recall@{k}")
    head = [f"<code>{esc(name)}</code>", *(group_label(code) for code in codes)]
    rows = []
    for p in points_of:
        cells = [_point(p.get("by_language", {}).get(code)) for code in codes]
        rows.append([f"{float(p['set'][name]):g}", *cells])
    caption = f"{title}; in brackets the wrong items that come through for a query"
    return (
        f'<figure>{legend(curves)}<div class="wide" tabindex="0" role="region" aria-label="{esc(title)}">{drawn}</div>'
        f"<figcaption>{esc(title)}, by language of the query.</figcaption></figure>"
        f'<details class="card"><summary>The same as a table, {counted(len(rows), "value")}</summary>'
        f"{table(esc(caption), head, rows, kind='numbers')}</details>"
    )


def _point(group: Data | None) -> str:
    if not group:
        return "\u2013"
    wrong = group.get("wrong_let_through")
    return percent(group.get("gated_recall")) + (
        f' <span class="soft">({wrong:.2f})</span>' if wrong is not None else ""
    )


def _grid(sweep: Sequence[Data], names: Sequence[str], code: str, k: int) -> str:
    first, second = names
    across = sorted({float(p["set"][second]) for p in sweep})
    found = {(float(p["set"][first]), float(p["set"][second])): p.get("by_language", {}).get(code) for p in sweep}
    rows = [
        [f"{value:g}", *(_point(found.get((value, other))) for other in across)]
        for value in sorted({float(p["set"][first]) for p in sweep})
    ]
    head = [f"<code>{esc(first)}</code> \\ <code>{esc(second)}</code>", *(f"{v:g}" for v in across)]
    shown = table(f"Gated Recall@{k}, {group_label(code)}", head, rows, kind="numbers")
    return f'<details class="card"><summary>{group_label(code)}</summary>{shown}</details>'
