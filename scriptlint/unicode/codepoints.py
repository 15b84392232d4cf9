"""``CodePoints``: the one value type for a set of Unicode code points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

END: Final = 0x110000
"""One past the last code point."""

_PRINTED_INTERVALS = 12
_IN_CLASS = frozenset("\\]^-[&~|")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_INVISIBLE = ("C", "Z", "M")


class CodePoints:
    """An immutable set of code points over 0..10FFFF.

    Invariant: ``_bounds`` is a strictly increasing tuple ``(first0, end0, first1, end1, ...)`` with exclusive ends.
    The intervals are then sorted, disjoint and non-adjacent, so two sets are equal exactly when their bounds are.
    A code point is a member when an odd number of bounds is at or below it; that is why complement only adds or
    removes 0 and 110000.
    """

    __slots__ = ("_bounds", "_hash", "_size")

    EMPTY: ClassVar[CodePoints]
    ALL: ClassVar[CodePoints]

    _bounds: tuple[int, ...]
    _hash: int
    _size: int

    def __init__(self, intervals: Iterable[tuple[int, int] | int] = ()) -> None:
        """A set of inclusive ``(first, last)`` pairs and single code points, in any order, overlapping or not.

        Raises:
            ValueError: a bound lies outside 0..10FFFF, or a pair is the wrong way round.
        """
        pairs = sorted((i, i) if isinstance(i, int) else i for i in intervals)
        bounds: list[int] = []
        for first, last in pairs:
            if not 0 <= first <= last < END:
                raise ValueError(f"not an interval of code points: {first:#x}..{last:#x}")
            if bounds and first <= bounds[-1]:
                if last >= bounds[-1]:
                    bounds[-1] = last + 1
            else:
                bounds += (first, last + 1)
        self._set(tuple(bounds))

    def _set(self, bounds: tuple[int, ...]) -> None:
        object.__setattr__(self, "_bounds", bounds)
        object.__setattr__(self, "_size", -1)
        object.__setattr__(self, "_hash", 0)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("CodePoints is immutable")

    @classmethod
    def from_bounds(cls, bounds: tuple[int, ...]) -> CodePoints:
        """The set with these bounds, which must hold the invariant of the class (it is not checked)."""
        new = object.__new__(cls)
        new._set(bounds)
        return new

    @classmethod
    def of(cls, intervals: Iterable[tuple[int, int] | int]) -> CodePoints:
        """The set of these inclusive pairs and single code points."""
        return cls(intervals)

    @classmethod
    def chars(cls, text: str) -> CodePoints:
        """The set of the characters of a text."""
        return cls(map(ord, text))

    @classmethod
    def union(cls, sets: Iterable[CodePoints]) -> CodePoints:
        """The union of any number of sets, in one merge."""
        members = [s for s in sets if s._bounds]
        if len(members) < 2:
            return members[0] if members else cls.EMPTY
        if len(members) == 2:
            return members[0] | members[1]
        pairs: list[tuple[int, int]] = []
        for member in members:
            pairs += zip(member._bounds[::2], member._bounds[1::2], strict=True)
        pairs.sort()
        bounds: list[int] = []
        top = -1
        for first, end in pairs:
            if first > top:
                bounds += (first, end)
                top = end
            elif end > top:
                bounds[-1] = top = end
        return cls.from_bounds(tuple(bounds))

    @property
    def bounds(self) -> tuple[int, ...]:
        """Sorted ``(first, end, first, end, ...)``, ends exclusive."""
        return self._bounds

    @property
    def size(self) -> int:
        """How many code points are in the set."""
        if self._size < 0:
            object.__setattr__(self, "_size", sum(self._bounds[1::2]) - sum(self._bounds[::2]))
        return self._size

    @property
    def intervals(self) -> int:
        """How many intervals the set has."""
        return len(self._bounds) >> 1

    @property
    def first(self) -> int:
        """The smallest member; raises ``IndexError`` when the set is empty."""
        return self._bounds[0]

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return bool(self._bounds)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Inclusive ``(first, last)`` pairs in order."""
        bounds = self._bounds
        for i in range(0, len(bounds), 2):
            yield bounds[i], bounds[i + 1] - 1

    def points(self) -> Iterator[int]:
        """Every member in order."""
        for first, last in self:
            yield from range(first, last + 1)

    def __contains__(self, point: object) -> bool:
        if isinstance(point, str):
            point = ord(point)
        if not isinstance(point, int):
            return False
        return bisect_right(self._bounds, point) & 1 == 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodePoints):
            return NotImplemented
        return self._bounds == other._bounds

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash(self._bounds) or 1)
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...]]]:
        return CodePoints.from_bounds, (self._bounds,)

    def __invert__(self) -> CodePoints:
        bounds = self._bounds
        if not bounds:
            return CodePoints.ALL
        bounds = bounds[1:] if bounds[0] == 0 else (0, *bounds)
        bounds = bounds[:-1] if bounds[-1:] == (END,) else (*bounds, END)
        return CodePoints.from_bounds(bounds)

    def __and__(self, other: CodePoints) -> CodePoints:
        few, many = (self, other) if len(self._bounds) <= len(other._bounds) else (other, self)
        if few._bounds == (0, END):
            return many
        return CodePoints.from_bounds(tuple(_intersect(few._bounds, many._bounds)))

    def __or__(self, other: CodePoints) -> CodePoints:
        if not self._bounds:
            return other
        if not other._bounds:
            return self
        return ~(~self & ~other)

    def __sub__(self, other: CodePoints) -> CodePoints:
        if not self._bounds or not other._bounds:
            return self
        return self & ~other

    def __xor__(self, other: CodePoints) -> CodePoints:
        return (self | other) - (self & other)

    def isdisjoint(self, other: CodePoints) -> bool:
        """No code point is in both."""
        return not self & other

    def issubset(self, other: CodePoints) -> bool:
        """Every member of this set is in the other."""
        return self & other == self

    __le__ = issubset

    def sample(self, n: int = 1) -> tuple[int, ...]:
        """At most ``n`` members, the same at every call, spread over the set: the first, then evenly by rank."""
        size = self.size
        if n <= 0 or not size:
            return ()
        wanted = range(size) if size <= n else [i * size // n for i in range(n)]
        found: list[int] = []
        before = 0
        pairs = iter(self)
        first, last = next(pairs)
        for rank in wanted:
            while rank - before > last - first:
                before += last - first + 1
                first, last = next(pairs)
            found.append(first + rank - before)
        return tuple(found)

    def __str__(self) -> str:
        """A regex-like class: the shorter of the set and its complement, cut after a dozen intervals."""
        if not self._bounds:
            return "[]"
        outside = ~self
        if not outside._bounds:
            return "[^]"
        if outside.intervals < self.intervals or (outside.intervals == self.intervals and outside.size < self.size):
            return f"[^{_class_text(outside)}]"
        return f"[{_class_text(self)}]"

    def __repr__(self) -> str:
        return f"<CodePoints {self} ({self.size})>"


def _intersect(few: tuple[int, ...], many: tuple[int, ...]) -> list[int]:
    """Bounds of the intersection: each interval of ``few`` cuts a slice out of ``many`` by bisection.

    The slices of two intervals can't touch, because the intervals don't, so no merge is needed afterwards.
    """
    out: list[int] = []
    low = 0
    for k in range(0, len(few), 2):
        first, end = few[k], few[k + 1]
        i = bisect_right(many, first, low)
        j = bisect_left(many, end, i)
        if i & 1:
            out.append(first)
        out += many[i:j]
        if j & 1:
            out.append(end)
        low = j
    return out


def _char_text(point: int) -> str:
    char = chr(point)
    if char in _IN_CLASS:
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    if 0x21 <= point < 0x7F:
        return char
    if (point < 0x100 and not 0xA1 <= point <= 0xFF) or point == 0xAD:
        return f"\\x{point:02x}"
    from scriptlint.unicode.properties import category

    if category(point)[0] in _INVISIBLE:
        return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    return char


def _class_text(points: CodePoints) -> str:
    parts: list[str] = []
    for n, (first, last) in enumerate(points):
        if n == _PRINTED_INTERVALS:
            parts.append(f"… {points.intervals - n} more")
            break
        parts.append(_char_text(first))
        if last > first + 1:
            parts.append("-")
        if last > first:
            parts.append(_char_text(last))
    return "".join(parts)


CodePoints.EMPTY = CodePoints()
CodePoints.ALL = CodePoints(((0, END - 1),))
