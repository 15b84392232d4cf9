"""The tables of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.report.display import pad, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.gate.metrics import Metrics
    from scriptlint.gate.sweep import Point, Swept
    from scriptlint.report.context import Context


def sweep_text(swept: Swept, by: str, groups: Sequence[str], most_wrong: float, k: int, context: Context) -> str:
    """One table for all queries and one for each group, and the best values under the limit on wrong items."""
    names = ", ".join(a.name for a in swept.axes)
    count = len(swept.points)
    built = f"index built {_times(swept.builds)}, {swept.searches:,} searches"
    lines = [context.style(f"Sweep of {names} in {visible(swept.condition)}: {count:,} settings, {built}", "bold")]
    best = swept.best(by, most_wrong)
    labels = [_label(p) for p in swept.points]
    first = max(map(len, [*labels, names]))
    for code in ["", *groups]:
        lines += ["", context.style(f"{code or 'all queries'}", "bold")]
        lines.append(f"{pad(names, first)}  gated R@{k}   wrong  Recall@{k}     MRR   Top-1")
        for label, p in zip(labels, swept.points, strict=True):
            if p.metrics is None:
                lines.append(f"{pad(label, first)}  {visible(p.failure)}")
                continue
            m = p.of(by, code)
            if m is not None:
                mark = "  best" if best.get(code) is p else ""
                lines.append(f"{pad(label, first)}{_cells(m)}{mark}")
    lines += ["", f"Best with at most {most_wrong:g} wrong items let through per query (--max-wrong):"]
    for code in ["", *groups]:
        found = best.get(code)
        what = f"{_named(found)}" if found is not None else "no value"
        lines.append(f"  {pad(code or 'all', 6)} {what}")
    return "\n".join(lines) + "\n"


def _cells(m: Metrics) -> str:
    if m.gated_recall is None or m.recall is None or m.mrr is None or m.top1 is None or m.wrong_let_through is None:
        return "  -"
    return (
        f"  {100 * m.gated_recall:>7.1f} %  {m.wrong_let_through:>6.2f}  {100 * m.recall:>6.1f} %  {m.mrr:>6.4f}"
        f"  {100 * m.top1:>4.1f} %"
    )


def _label(p: Point) -> str:
    return ", ".join(f"{v:g}" for v in p.constants.values())


def _named(p: Point) -> str:
    return ", ".join(f"{n} = {v:g}" for n, v in p.constants.items())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
