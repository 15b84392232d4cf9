"""Sweeps: their values, what they rebuild, and what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scriptlint.gate.sweep import Axis, SweepError, sweep
from scriptlint.gate.touch import Touch, touch

from .conftest import ITEMS, QUERIES, ROUTER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scriptlint.gate.run import Condition, Setup


def test_axes() -> None:
    assert Axis.parse("D=0.35:0.7:0.05").values == (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
    assert Axis.parse("D=1:0:-0.5").values == (1, 0.5, 0)
    assert Axis.parse("a.b=1,2.5").values == (1, 2.5)
    assert Axis.parse("D=3").values == (3,)
    assert all(isinstance(v, int) for v in Axis.parse("N=1:5:1").values), "whole numbers stay whole"


@pytest.mark.parametrize(
    "text",
    [
        "D",
        "D=",
        "=1:2:1",
        "D=1:2",
        "D=1:2:0",
        "D=1:2:-1",
        "D=a:b:c",
        "D=0:1:1e-9",
        "D=1:2:3:4",
        "D=nan",
        "1x=1",
        "D=1:2,3",
    ],
)
def test_axes_that_make_no_sense(text: str) -> None:
    with pytest.raises(SweepError, match="--sweep"):
        Axis.parse(text)


TOUCHED = """\
import re
GATE_MIN = 2.0
SCALE = 1.0
SIZE = 2
BASE = 2
HALF = BASE / 2
DEFAULT = 5
USED = 1
def helper(t):
    return t[:SIZE]
def tokenize(t):
    return re.findall("x", helper(t))
def build(items):
    return [tokenize(i) for i in items]
def score(q):
    return SCALE * HALF
def search(index, q, k=DEFAULT):
    return score(q)
def early():
    return USED
LATE = early()
"""


def test_touch() -> None:
    def of(name: str) -> Touch:
        return touch(TOUCHED, name, "build", ["search", "tokenize"])

    assert of("GATE_MIN") is Touch.NOTHING
    assert of("SCALE") is Touch.SEARCH
    assert of("SIZE") is Touch.BUILD
    assert [of(n) for n in ("BASE", "DEFAULT", "USED", "UNKNOWN")] == [Touch.LOAD] * 4
    assert touch(TOUCHED + "x = globals()\n", "SCALE", "build", ["search"]) is Touch.LOAD
    assert touch("from m import *\n" + TOUCHED, "SCALE", "build", ["search"]) is Touch.LOAD
    assert touch("class R:\n    def find(self):\n        return A\nA = 1\n", "A", "R", [".find"]) is Touch.BUILD


def test_a_sweep(condition: Callable[..., Condition], setup: Setup) -> None:
    found = sweep(condition(), [Axis.parse("DISCOUNT=0.25:1:0.25")], setup, QUERIES, ITEMS)
    gated = [p.of("by_language", "zh").gated_recall for p in found.points]  # type: ignore[union-attr]
    assert gated == [0.0, 1.0, 1.0, 1.0]
    assert found.builds == 1 and found.searches == 4 * len(QUERIES)
    assert [p.metrics.recall for p in found.points if p.metrics] == [1.0] * 4
    best = found.best("by_language", 0.0)
    assert best["zh"].constants == {"DISCOUNT": 0.5}
    assert found.best("by_language", -1.0) == {}


def test_the_gate_itself_needs_no_search(condition: Callable[..., Condition], setup: Setup) -> None:
    found = sweep(condition(), [Axis.parse("GATE_MIN=1:5:1")], setup, QUERIES, ITEMS)
    assert found.builds == 1 and found.searches == len(QUERIES)
    assert [p.gate for p in found.points] == [1, 2, 3, 4, 5]
    shares = [p.metrics.gated_recall for p in found.points if p.metrics]
    assert shares == sorted(shares, reverse=True)


def test_a_grid_in_any_order_and_number_of_processes(condition: Callable[..., Condition], setup: Setup) -> None:
    axes = [Axis.parse("GATE_MIN=1:3:1"), Axis.parse("DISCOUNT=0.5,1")]
    one = sweep(condition(), axes, setup, QUERIES, ITEMS, jobs=1)
    many = sweep(condition(), axes, setup, QUERIES, ITEMS, jobs=4)
    assert [p.as_json() for p in one.points] == [p.as_json() for p in many.points]
    assert [tuple(p.constants.values()) for p in one.points] == [(g, d) for g in (1, 2, 3) for d in (0.5, 1)]
    assert one.searches == 2 * len(QUERIES), "the gate changes fastest, and needs no search"
    with pytest.raises(SweepError, match="twice"):
        sweep(condition(), [axes[0], axes[0]], setup, QUERIES, ITEMS)


def test_values_that_the_router_cannot_take(condition: Callable[..., Condition], setup: Setup) -> None:
    source = ROUTER.replace("    return items\n", "    1 / DISCOUNT\n    return items\n")
    found = sweep(condition(source), [Axis.parse("DISCOUNT=0,1")], setup, QUERIES, ITEMS)
    assert "ZeroDivisionError" in found.points[0].failure and found.points[1].metrics is not None
    found = sweep(condition(), [Axis.parse("NONE=0,1")], setup, QUERIES, ITEMS)
    assert all("has no 'NONE'" in p.failure for p in found.points)


def test_plots(condition: Callable[..., Condition], setup: Setup, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra has matplotlib")
    from scriptlint.gate.plot import draw

    found = sweep(condition(), [Axis.parse("DISCOUNT=0.5,1")], setup, QUERIES, ITEMS)
    paths = draw(found, str(tmp_path / "a"), by="by_language", groups=["zh", "en"], k=5, most_wrong=1.0)
    assert [p.rpartition(".")[2] for p in paths] == ["svg", "png"]
    first = (tmp_path / "a.svg").read_bytes()
    assert b"Chinese" in first and b"gated Recall@5" in first
    draw(found, str(tmp_path / "a"), by="by_language", groups=["zh", "en"], k=5, most_wrong=1.0)
    assert (tmp_path / "a.svg").read_bytes() == first
    grid = sweep(condition(), [Axis.parse("GATE_MIN=1,2"), Axis.parse("DISCOUNT=0.5,1")], setup, QUERIES, ITEMS)
    assert draw(grid, str(tmp_path / "b.svg"), by="by_script", groups=["Hani", "Latn"], k=5) == [
        str(tmp_path / "b.svg")
    ]
    assert b"Han" in (tmp_path / "b.svg").read_bytes()
