"""Strings that remember where they are written, and places in code points.

``ast`` counts columns in UTF-8 bytes; everything that scriptlint reports counts code points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scriptlint.tokenizer.stages import Site
from scriptlint.tokenizer.values import Unsupported

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable


MAX_LITERAL = 200_000
"""Code points of a text put together from literals: no pattern is longer, and constants that double would be."""
MAX_SEGMENTS = 1_000


class Segment(NamedTuple):
    """A part of a text, ``start`` to ``end`` (code points), and the literal that it comes from."""

    start: int
    end: int
    node: ast.expr
    scope: Any


class Src(str):
    """A ``str`` with the literals that it was put together from."""

    segments: tuple[Segment, ...]
    whole: tuple[ast.expr, Any] | None
    dynamic: bool
    """Part of it is computed: escaped, formatted, taken from a list."""
    __slots__ = ("dynamic", "segments", "whole")

    @classmethod
    def of(cls, value: str, node: ast.expr, scope: Any) -> Src:
        """The value of one literal."""
        made = cls(value)
        made.segments = (Segment(0, len(value), node, scope),)
        made.whole = None
        made.dynamic = False
        return made

    @classmethod
    def joined(cls, parts: Iterable[Any], node: ast.expr | None, scope: Any, whole: bool = False) -> Src:
        """Parts one after the other; with ``whole`` the place is the expression that made it."""
        texts = [p if isinstance(p, str) else str(p) for p in parts]
        if sum(map(len, texts)) > MAX_LITERAL:
            raise Unsupported("a literal of that size")
        made = cls("".join(texts))
        segments: list[Segment] = []
        at = 0
        for t in texts:
            if isinstance(t, Src) and not whole:
                segments += [Segment(s.start + at, s.end + at, s.node, s.scope) for s in t.segments]
            at += len(t)
        made.segments = tuple(segments[:MAX_SEGMENTS])
        made.dynamic = whole or any(not isinstance(t, Src) or t.dynamic for t in texts)
        made.whole = (node, scope) if node is not None else None
        return made

    def place(self) -> Site | None:
        """Where it is written: the range of its literals in one statement, else the expression, else the first."""
        if self.whole is not None:
            return code_point_place(*self.whole)
        if not self.segments:
            return None
        first = self.segments[0]
        if len({id(s.node) for s in self.segments}) == 1:
            return code_point_place(first.node, first.scope)
        same = [s for s in self.segments if s.scope is first.scope]
        if len(same) == len(self.segments) and max(s.node.lineno for s in same) - first.node.lineno <= len(same) + 1:
            start, end = code_point_place(first.node, first.scope), code_point_place(same[-1].node, first.scope)
            if (start.line, start.column) < (end.end_line, end.end_column):
                return Site(start.path, start.line, start.column, end.end_line, end.end_column)
        longest = max(self.segments, key=lambda s: s.end - s.start)
        return code_point_place(longest.node, longest.scope)


class SrcBytes(bytes):
    """A ``bytes`` literal that remembers its place."""

    node: ast.expr
    scope: Any

    @classmethod
    def of(cls, value: bytes, node: ast.expr, scope: Any) -> SrcBytes:
        """The value of one literal."""
        made = cls(value)
        made.node, made.scope = node, scope
        return made

    def place(self) -> Site:
        """Where it is written."""
        return code_point_place(self.node, self.scope)


def code_point_place(node: ast.AST, scope: Any) -> Site:
    """The range of a node, 1-based, in code points. ``scope`` is the module it stands in."""
    line = getattr(node, "lineno", 1)
    end_line = getattr(node, "end_lineno", line) or line
    column = scope.column(line, getattr(node, "col_offset", 0))
    end_column = scope.column(end_line, getattr(node, "end_col_offset", 0) or 0)
    return Site(scope.path, line, column, end_line, end_column)
