"""A scan's counts as a table for people: one row a script, one group of columns a tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.corpus.retrieval import SelfRetrieval
    from scriptlint.corpus.scan import Outcome

_KEYS = (("blind", "blind"), ("weak", "weak"), ("loan", "loanword_only"), ("boiler", "boilerplate_only"))

_SHORT = {"loanword only": "loan", "boilerplate only": "boiler", "self-retrieval": "script"}


def counts_table(outcome: Outcome, columns: int = 100, by: str = "script") -> str:
    """Items, blind, weak, loanword-only and boilerplate-only entries by script (or ``by="source"``).

    With several tokenizers the columns are theirs and hold blind entries and their share.
    """
    scripts: list[str] = []
    grouped = [s.by_script() if by == "script" else s.by_source() for s in outcome.summaries]
    for group in grouped:
        scripts += [code for code in group if code not in scripts]
    first = grouped[0] if grouped else {}
    rows: list[list[str]] = []
    for code in scripts:
        label = _label(code) if by == "script" else code
        rows.append([label, f"{first.get(code, {}).get('items', 0):,}", *_cells([g.get(code, {}) for g in grouped])])
    totals = [s.totals() for s in outcome.summaries]
    rows.append(["total", f"{totals[0]['items']:,}" if totals else "0", *_cells(totals)])
    if len(outcome.names) == 1:
        head = [by, "items", "blind", "share", "weak", "loanword only", "boilerplate only"]
    else:
        head = [by, "items", *(f"blind: {name}" for name in outcome.names)]
    return _draw(head, rows, columns)


def _cells(counts: Sequence[dict[str, int]]) -> list[str]:
    if len(counts) == 1:
        c = counts[0]
        rest = [f"{c[key]:,}" for _, key in _KEYS[1:]]
        return [f"{c['blind']:,}", _share(c), *rest]
    return [f"{c['blind']:,} {_share(c):>7}" if c else "-" for c in counts]


def _share(counts: dict[str, int]) -> str:
    told = counts["items"] - counts["empty"]
    return f"{counts['blind'] / told:.1%}" if told else "-"


def _label(code: str) -> str:
    if code == "Zyyy":
        return "no letters"
    from scriptlint.corpus.facts import writing
    from scriptlint.unicode.scripts import name

    said = writing(code)
    if code == "Jpan":
        return "Japanese (Jpan)"
    return f"{name(code)} ({code})" if said == name(code) else f"{said} ({code})"


def retrieval_table(names: Sequence[str], results: Sequence[SelfRetrieval], columns: int = 100) -> str:
    """Share of fragments without a token in common, recall@1 and recall@10, by script and tokenizer."""
    shown = [r.as_json() for r in results]
    scripts = list(dict.fromkeys(code for result in shown for code in result if code != "all"))
    rows = []
    for code in [*scripts, "all"]:
        cells = [_recall(result.get(code)) for result in shown]
        fragments = next((int(r[code]["fragments"]) for r in shown if code in r), 0)
        rows.append([_label(code) if code != "all" else "all", f"{fragments:,}", *cells])
    return _draw(["self-retrieval", "fragments", *names], rows, columns)


def _recall(found: dict[str, float | int] | None) -> str:
    return f"{found['no_token']:.2f} {found['recall_1']:.2f} {found['recall_10']:.2f}" if found else "-"


def _draw(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    """Columns aligned, numbers to the right; where they don't fit, one block a row."""
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    if sum(widths) + 2 * len(widths) > columns:
        head = [_SHORT.get(word, word) for word in head]
        widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    if sum(widths) + 2 * len(widths) > columns:
        out = []
        for row in rows:
            out.append(row[0])
            out += [f"  {name}: {cell.strip()}" for name, cell in zip(head[1:], row[1:], strict=True)]
        return "\n".join(out) + "\n"
    lines = []
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * min(columns, sum(widths) + 2 * (len(widths) - 1)))
    lines.insert(len(lines) - 1, lines[1])
    return "\n".join(lines) + "\n"
