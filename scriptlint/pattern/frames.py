"""What the two parsers share: a stack of open parentheses instead of recursion, and the budget.

A pattern can be nested ten thousand deep; a parser that recurses dies of it, one with a stack says so in an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternTooComplex

__all__ = ["MAX_DEPTH", "MAX_NODES", "Budget", "Frame"]

MAX_DEPTH: Final = 50
"""Open parentheses or nested sets at a time; hand-written patterns stay below twenty."""
MAX_NODES: Final = 50_000
"""Nodes of one tree."""


@dataclass(slots=True)
class Frame:
    """An open parenthesis: what it is, and the branches read so far.

    ``kind`` is one of top, group, atomic, look, yes-no, reset. ``mode`` and ``verbose`` are the flags to go back to.
    """

    kind: str
    start: int
    mode: int
    verbose: bool
    items: list[n.Node] = field(default_factory=list)
    branches: list[n.Node] = field(default_factory=list)
    branch_start: int = 0
    number: int | None = None
    name: str | None = None
    behind: bool = False
    negated: bool = False
    test: int | str | n.Look | None = None
    restore: int = 0
    can_repeat: bool = False
    widths: list[tuple[int, int]] = field(default_factory=list)
    branch_widths: list[tuple[int, int]] = field(default_factory=list)
    numbers_before: int = 0
    numbers_after: int = 0

    def end_branch(self, end: int) -> None:
        """Close the sequence that is being read and start another."""
        items = self.items
        node = items[0] if len(items) == 1 else n.Sequence(self.branch_start, end, items)
        self.branches.append(node)
        self.items = []
        self.branch_start = end + 1
        self.can_repeat = False

    def body(self) -> n.Node:
        """All branches as one node."""
        if len(self.branches) == 1:
            return self.branches[0]
        return n.Alternation(self.branches[0].start, self.branches[-1].end, self.branches, self.kind == "reset")


class Budget:
    """Counts nodes and depth and raises ``PatternTooComplex`` beyond the limits."""

    __slots__ = ("nodes",)

    def __init__(self) -> None:
        self.nodes = 0

    def spend(self, position: int, count: int = 1) -> None:
        """Take nodes from the budget."""
        self.nodes += count
        if self.nodes > MAX_NODES:
            raise PatternTooComplex(f"more than {MAX_NODES} parts", position)

    def depth(self, depth: int, position: int) -> None:
        """Check a depth."""
        if depth > MAX_DEPTH:
            raise PatternTooComplex(f"nested more than {MAX_DEPTH} deep", position)
