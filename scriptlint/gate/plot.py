"""Draws a sweep with matplotlib (the ``plot`` extra): curves for one constant, maps for two."""

# Paths are plain strings, as the command line gives them.
# ruff: noqa: PTH122

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.gate.sweep import Swept

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""Okabe and Ito's: told apart by people who see colours differently."""
MARKERS = "osD^vPX*"


def draw(
    swept: Swept, path: str, *, by: str, groups: Sequence[str], k: int, most_wrong: float | None = None
) -> list[str]:
    """Write the plot; gives the paths written: ``path``, or ``path`` with .svg and .png when it has no such ending."""
    import matplotlib as mpl

    mpl.use("Agg")
    # Ids in the SVG that do not differ from run to run, and text that stays text.
    with mpl.rc_context({"svg.hashsalt": "scriptlint", "svg.fonttype": "none", "font.size": 9}):
        figure = _curves(swept, by, groups, k, most_wrong) if len(swept.axes) == 1 else _maps(swept, by, groups, k)
        ending = os.path.splitext(path)[1].lower()
        paths = [path] if ending in (".svg", ".png") else [f"{path}.svg", f"{path}.png"]
        for one in paths:
            metadata = {"Date": None} if one.lower().endswith(".svg") else {"Software": None}
            figure.savefig(one, dpi=160, metadata=metadata)
    return paths


def _curves(swept: Swept, by: str, groups: Sequence[str], k: int, most_wrong: float | None) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 6.4), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    axis = swept.axes[0]
    for n, code in enumerate(groups):
        color, marker = COLORS[n % len(COLORS)], MARKERS[n % len(MARKERS)]
        found = [(p.constants[axis.name], m) for p in swept.points if (m := p.of(by, code)) is not None]
        at = [x for x, _ in found]
        upper.plot(
            at, [_percent(m.gated_recall) for _, m in found], color=color, marker=marker, ms=4, label=_name(by, code)
        )
        upper.plot(at, [_percent(m.recall) for _, m in found], color=color, ls="--", lw=1, alpha=0.7)
        lower.plot(at, [m.wrong_let_through for _, m in found], color=color, marker=marker, ms=4)
    upper.plot([], [], color="#555555", ls="--", lw=1, label=f"Recall@{k}, without the gate")
    upper.set_ylim(-3, 103)
    upper.set_ylabel(f"gated Recall@{k} (%)")
    upper.legend(loc="best", frameon=False)
    upper.set_title(f"{swept.condition}: what the gate lets through, by {axis.name}", loc="left")
    lower.set_ylabel("wrong items let\nthrough per query")
    lower.set_xlabel(axis.name)
    lower.set_ylim(bottom=0)
    if most_wrong is not None and most_wrong <= lower.get_ylim()[1]:
        lower.axhline(most_wrong, color="#555555", lw=0.8, ls=":")
        lower.set_ylim(top=max(lower.get_ylim()[1], 1.12 * most_wrong))
        lower.text(min(axis.values), most_wrong, "limit", va="bottom", color="#555555", size=8)
    for panel in (upper, lower):
        panel.grid(color="#dddddd", lw=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    return figure


def _maps(swept: Swept, by: str, groups: Sequence[str], k: int) -> Any:
    from matplotlib.figure import Figure

    across, up = swept.axes
    columns = min(3, len(groups)) or 1
    rows = -(-len(groups) // columns) or 1
    figure = Figure(figsize=(3.4 * columns + 1, 3.0 * rows + 0.4), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    at = {(p.constants[across.name], p.constants[up.name]): p for p in swept.points}
    image = None
    for n, panel in enumerate(panels.flat):
        if n >= len(groups):
            panel.set_visible(False)
            continue
        grid = []
        for y in up.values:
            found = (at[x, y].of(by, groups[n]) for x in across.values)
            grid.append([float("nan") if m is None else _percent(m.gated_recall) for m in found])
        image = panel.imshow(grid, origin="lower", aspect="auto", vmin=0, vmax=100, cmap="viridis")
        panel.set_title(_name(by, groups[n]), loc="left")
        _ticks(panel.set_xticks, across.values)
        _ticks(panel.set_yticks, up.values)
        panel.set_xlabel(across.name)
        panel.set_ylabel(up.name)
    if image is not None:
        figure.colorbar(image, ax=panels, label=f"gated Recall@{k} (%)")
    return figure


def _ticks(set_ticks: Any, values: Sequence[float]) -> None:
    step = max(1, -(-len(values) // 8))
    at = range(0, len(values), step)
    set_ticks(list(at), [f"{values[i]:g}" for i in at])


def _percent(share: float | None) -> float:
    return float("nan") if share is None else 100 * share


def _name(by: str, code: str) -> str:
    if by == "by_script":
        from scriptlint.unicode.scripts import UnknownScriptError, name

        try:
            return "Japanese (Han with kana)" if code == "Jpan" else name(code)
        except UnknownScriptError:
            return code
    from scriptlint.unicode.alphabets import language_name

    try:
        return language_name(code)
    except LookupError:
        return code
