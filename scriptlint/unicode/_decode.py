"""Readers of the literals in ``_tables``: all the loops are in C, so that a table costs well under a millisecond."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Iterable


def integers(literal: str) -> list[int]:
    """The integers of a literal."""
    return list(map(int, literal.split()))


def starts(lengths: str) -> list[int]:
    """Where each run begins, from the lengths of all runs; one more entry (110000) closes the last."""
    return list(accumulate(map(int, lengths.split()), initial=0))


def packed(steps: str) -> CodePoints:
    """A set from the steps between its bounds."""
    return CodePoints.from_bounds(tuple(accumulate(map(int, steps.split()))))


def mapping(keys: str, values: str) -> dict[int, str]:
    """A mapping of code points to text from its two literals."""
    return dict(zip(map(ord, keys), values.split("\0"), strict=True))


def from_runs(runs: Iterable[tuple[int, int]]) -> CodePoints:
    """A set from ``(start, end)`` runs, in order, ends exclusive, neighbours allowed to touch."""
    bounds: list[int] = []
    for start, end in runs:
        if bounds and bounds[-1] == start:
            bounds[-1] = end
        else:
            bounds += (start, end)
    return CodePoints.from_bounds(tuple(bounds))
