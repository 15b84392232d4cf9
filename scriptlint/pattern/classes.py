"""What a class node matches, as code points: the place where the dialects' ideas of ``\\w``, case and ASCII live.

Case first, then negation: ``(?i)[^x]`` is what is left of everything after both cases of x are gone. The other order
would let it match everything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternTooComplex
from scriptlint.unicode.casing import ascii_closure, outcomes, re_closure, regex_closure
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.properties import general_category, property_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Classes", "unwrap", "word_set"]

_ASCII: Final = CodePoints(((0, 0x7F),))
_BYTES: Final = CodePoints(((0, 0xFF),))
_UPPER_HALF: Final = CodePoints(((0x80, 0xFF),))
_NEWLINE: Final = CodePoints((10,))
_LINE_ENDS: Final = CodePoints(((0x0A, 0x0D), 0x85, 0x2028, 0x2029))
_SEPARATORS: Final = CodePoints(((0x1C, 0x1F),))
_MAX_INTERVALS: Final = 500_000
"""Intervals that the classes of one pattern may cost, each counted when it is merged."""


def _property(name: str) -> CodePoints:
    table = property_table()
    return table.points(table.properties[name], 1)


@lru_cache(maxsize=16)
def _shorthand(dialect: n.Dialect, kind: str) -> CodePoints:
    """The Unicode meaning of a shorthand."""
    if kind == "h":
        return _property("BLANK")
    if kind == "d":
        return general_category("Nd")
    if kind == "s":
        # ``re`` asks ``str.isspace``, which adds the four information separators to White_Space.
        return _property("WHITESPACE") | _SEPARATORS if dialect == "re" else _property("WHITESPACE")
    if dialect == "regex":
        return _property("WORD")
    # ``re`` asks ``str.isalnum``: letters, and whatever has a numeric value; no mark has either.
    table = property_table()
    numeric = ~table.points(table.properties["NUMERICTYPE"], 0)
    return general_category("L") | numeric | CodePoints.chars("_")


def word_set(dialect: n.Dialect, ascii_only: bool) -> CodePoints:
    r"""What ``\w`` matches, and what ``\b`` takes for part of a word."""
    word = _shorthand(dialect, "w")
    return _in_ascii(word) if ascii_only else word


@lru_cache(maxsize=64)
def _in_ascii(points: CodePoints) -> CodePoints:
    return points & _ASCII


@lru_cache(maxsize=64)
def _inverse(points: CodePoints) -> CodePoints:
    return ~points


@lru_cache(maxsize=256)
def _property_points(name: str, value: int, ascii_only: bool, cased: bool) -> CodePoints:
    """A property of ``regex``. Under ASCII what lies beyond has value 0 of every property."""
    table = property_table()
    if cased and not ascii_only:
        # One case stands for all when case is ignored, and only for a property that stands alone.
        category = table.properties["GC"]
        if name == category and value in _cased_categories():
            name, value = category, table.values(category)["LC"]
        elif name in (table.properties["UPPERCASE"], table.properties["LOWERCASE"]):
            name, value = table.properties["CASED"], 1  # Even for ``Uppercase=No``.
    points = table.points(name, value)
    if ascii_only and name != table.properties["ANY"]:
        return _in_ascii(points) | (~_ASCII if value == 0 else CodePoints.EMPTY)
    return points


@lru_cache(maxsize=1)
def _cased_categories() -> frozenset[int]:
    values = property_table().values(property_table().properties["GC"])
    return frozenset(values[v] for v in ("LU", "LL", "LT"))


@lru_cache(maxsize=32)
def _upper_in(first: int, last: int, unicode: bool) -> CodePoints:
    """What ``re`` adds, ignoring case, for a range that leaves the basic plane.

    It then compares the upper case of the lowered character with the range, even under ASCII; where upper case is
    several characters it takes the first.
    """
    found = {x for x, upper in outcomes("upper").items() if first <= ord(upper[0]) <= last}
    if unicode:
        found |= {c for c, low in outcomes("lower").items() if ord(low[0]) in found}
    return CodePoints(found)


class Classes:
    """Evaluates the class nodes of one pattern."""

    def __init__(self, parsed: n.Parsed) -> None:
        self.dialect = parsed.dialect
        self.pattern_mode = parsed.mode
        self.universe = _BYTES if parsed.is_bytes else CodePoints.ALL
        self.is_bytes = parsed.is_bytes
        self.spent = 0
        self.cache: dict[tuple[object, ...], CodePoints] = {}

    def points(self, node: n.Node) -> CodePoints:
        """The code points that one class node, standing by itself, matches."""
        if isinstance(node, n.Char):
            return self.char(node.point, node.mode)
        if isinstance(node, n.Dot):
            return self.dot(node.mode)
        if isinstance(node, n.Shorthand):
            return self.shorthand(node)
        if isinstance(node, n.Property):
            return self.lone_property(node, node.mode)
        assert isinstance(node, n.Set)
        if self.dialect == "re":
            return self.re_set(node)
        return self.regex_set(node)

    # --- encodings ---------------------------------------------------------------------------------------------------

    def ascii_only(self, mode: int) -> bool:
        """Whether shorthands and properties see ASCII alone at a place."""
        encoding = mode & n.ENCODINGS
        if self.dialect == "re":
            return not encoding & n.UNICODE
        if encoding & n.ASCII:
            return True
        if encoding & n.UNICODE:
            return False
        return bool(self.pattern_mode & (n.ASCII | n.LOCALE))

    def close(self, points: CodePoints, mode: int) -> CodePoints:
        """A set with the other cases of its members, when case is ignored at a place."""
        if not mode & n.IGNORECASE:
            return points
        if self.dialect == "re":
            return re_closure(points) if mode & n.UNICODE else ascii_closure(points)
        # ``regex`` compares case in the encoding of the whole pattern, whatever a scoped flag says.
        return ascii_closure(points) if self.pattern_mode & (n.ASCII | n.LOCALE) else regex_closure(points)

    # --- single nodes ------------------------------------------------------------------------------------------------

    def char(self, point: int, mode: int) -> CodePoints:
        key = (point, mode & (n.IGNORECASE | n.ENCODINGS))
        found = self.cache.get(key)
        if found is None:
            found = self.close(CodePoints.from_bounds((point, point + 1)), mode) & self.universe
            self.cache[key] = found
        return found

    def dot(self, mode: int) -> CodePoints:
        if mode & n.DOTALL:
            return self.universe
        if mode & n.WORD:
            ends = _LINE_ENDS & _ASCII if self.pattern_mode & n.ASCII else _LINE_ENDS
            return self.universe - ends
        return self.universe - _NEWLINE

    def shorthand(self, node: n.Shorthand) -> CodePoints:
        key = (node.kind, node.negated, node.mode & n.ENCODINGS)
        found = self.cache.get(key)
        if found is None:
            found = _shorthand(self.dialect, node.kind)
            if self.ascii_only(node.mode):
                found = _in_ascii(found)
                if node.kind == "s" and self.dialect == "re":
                    found = found - _SEPARATORS
            if node.negated:
                found = _inverse(found)
            if self.is_bytes:
                found = found & self.universe
            self.cache[key] = found
        return found

    def lone_property(self, node: n.Property, mode: int) -> CodePoints:
        points = _property_points(node.name, node.value, self.ascii_only(node.mode), bool(mode & n.IGNORECASE))
        return (_inverse(points) if node.negated else points) & self.universe

    def wavering(self, node: n.Node, alone: CodePoints) -> CodePoints:
        """Code points that a property which ignores case takes when it stands alone but not in a set, or the reverse.

        ``regex`` turns branches of single characters, and the first characters of a pattern, into sets behind the
        scenes, so that on these code points the outcome depends on what stands around the property.
        """
        lone: n.Node = node
        negated = False
        if isinstance(node, n.Set):
            lone, negated = unwrap(node)
        if not isinstance(lone, (n.Property, n.Shorthand)):
            return CodePoints.EMPTY
        points, sense = self.leaf(lone, self.ascii_only(lone.mode))
        closed = self.close(points, n.IGNORECASE)
        return ((_inverse(closed) if negated != sense else closed) & self.universe) ^ alone

    # --- sets of re --------------------------------------------------------------------------------------------------

    def re_set(self, node: n.Set) -> CodePoints:
        plain: list[tuple[int, int] | int] = []
        classes: list[CodePoints] = []
        for item in node.items:
            if isinstance(item, n.Char):
                plain.append(item.point)
            elif isinstance(item, n.Range):
                plain.append((item.first, item.last))
            else:
                assert isinstance(item, n.Shorthand)
                classes.append(self.shorthand(item))
        points = self.close(CodePoints(plain), node.mode)
        if node.mode & n.IGNORECASE and not node.mode & n.LOCALE:
            for item in node.items:
                if isinstance(item, n.Range) and item.last > 0xFFFF:
                    points = points | _upper_in(item.first, item.last, bool(node.mode & n.UNICODE))
        points = self.merge([points, *dict.fromkeys(classes)])
        if node.negated:
            points = ~points
        return points & self.universe

    def merge(self, sets: list[CodePoints]) -> CodePoints:
        self.spent += sum(s.intervals for s in sets)
        if self.spent > _MAX_INTERVALS:
            raise PatternTooComplex(f"classes of more than {_MAX_INTERVALS} intervals")
        return CodePoints.union(sets)

    # --- sets of regex -----------------------------------------------------------------------------------------------

    def regex_set(self, node: n.Set) -> CodePoints:
        """A set with its own negation; one that holds a single member is that member."""
        lone, negated = unwrap(node)
        if isinstance(lone, n.Set):
            found = self.folded_set(lone, node.mode) if node.mode & n.IGNORECASE else self.content(lone)
            if found is None:
                return self.universe
            points = found
        elif isinstance(lone, n.Property):
            points = self.lone_property(lone, node.mode)
        elif isinstance(lone, n.Range):
            points = self.close(CodePoints(((lone.first, lone.last),)), node.mode)
        elif isinstance(lone, n.Char):
            points = self.char(lone.point, node.mode)
        else:
            points = self.points(lone)
        if negated:
            points = ~points
        return points & self.universe

    def content(self, node: n.Set) -> CodePoints | None:
        """What a set holds before its negation, minding case; ``None`` stands for the engine's "any character".

        The engine takes a union that holds a property and its complement for any character before it looks at the
        negation, so that even ``[^\\w\\W]`` matches everything; ``None`` carries that outwards.
        """
        if node.op == "union":
            return self.union(list(_flat(node)), self.plain)
        operands = [self.plain(item) for item in node.items]
        return self.operation(node.op, [CodePoints.ALL if p is None else p for p in operands])

    def folded_set(self, node: n.Set, mode: int) -> CodePoints | None:
        """The same, ignoring case: the engine tries all cases of a character on each member of the outermost set.

        Sets inside it are tried with one case at a time, and mind case themselves.
        """
        members = list(_flat(node)) if node.op != "difference" else node.items
        if node.op == "union":
            return self.union(members, lambda item: self.folded(item, mode), mode)
        if node.op == "difference" and len(members) > 2:
            # The engine joins what is taken away into one set, which is then an inner one.
            away = n.Set(node.start, node.end, "union", list(members[1:]), False, mode, False)
            members = [members[0], away]
        operands = [self.folded(item, mode) for item in members]
        return self.operation(node.op, [CodePoints.ALL if p is None else p for p in operands])

    def plain(self, node: n.ClassNode) -> CodePoints | None:
        """A member of a set, minding case."""
        lone, negated = unwrap(node)
        if isinstance(lone, n.Set):
            points = self.content(lone)
        else:
            points, sense = self.leaf(lone, self.ascii_only(_mode(lone)))
            negated ^= sense
        return None if points is None else ~points if negated else points

    def folded(self, node: n.ClassNode, mode: int) -> CodePoints | None:
        """A member of the outermost set, ignoring case; the encoding is then that of the whole pattern."""
        lone, negated = unwrap(node)
        if isinstance(lone, n.Set):
            points = self.content(lone)
            if points is None:
                return None
        else:
            points, sense = self.leaf(lone, bool(self.pattern_mode & (n.ASCII | n.LOCALE)))
            negated ^= sense
        points = self.close(points, mode)
        return ~points if negated else points

    def leaf(self, node: n.ClassNode, ascii_only: bool) -> tuple[CodePoints, bool]:
        """A member that is no set, and whether it is negated."""
        if isinstance(node, n.Char):
            return CodePoints.from_bounds((node.point, node.point + 1)), False
        if isinstance(node, n.Range):
            return CodePoints.from_bounds((node.first, node.last + 1)), False
        if isinstance(node, n.Property):
            return _property_points(node.name, node.value, ascii_only, False), node.negated
        assert isinstance(node, n.Shorthand)
        points = _shorthand("regex", node.kind)
        return (_in_ascii(points) if ascii_only else points), node.negated

    def union(
        self, members: list[n.ClassNode], evaluate: Callable[[n.ClassNode], CodePoints | None], mode: int = 0
    ) -> CodePoints | None:
        senses: dict[tuple[str, int], set[bool]] = {}
        for item in members:
            lone, negated = unwrap(item)
            key = _property_key(lone)
            if key is not None and isinstance(lone, (n.Property, n.Shorthand)):
                senses.setdefault(key, set()).add(negated != lone.negated)
        if any(len(s) == 2 for s in senses.values()):
            return None
        plain = [i for i in members if isinstance(i, (n.Char, n.Range))]
        intervals = [(i.first, i.last) if isinstance(i, n.Range) else (i.point, i.point) for i in plain]
        sets = [self.close(CodePoints(intervals), mode)]
        for item in members:
            if isinstance(item, (n.Char, n.Range)):
                continue
            points = evaluate(item)
            if points is None:
                return None
            sets.append(points)
        return self.merge(list(dict.fromkeys(sets)))

    def operation(self, op: n.SetOp, operands: list[CodePoints]) -> CodePoints:
        self.spent += sum(p.intervals for p in operands)
        if self.spent > _MAX_INTERVALS:
            raise PatternTooComplex(f"classes of more than {_MAX_INTERVALS} intervals")
        result = operands[0]
        for points in operands[1:]:
            if op == "intersection":
                result = result & points
            elif op == "difference":
                result = result - points
            else:
                result = result ^ points
        return result


def unwrap(node: n.ClassNode) -> tuple[n.ClassNode, bool]:
    """A set of one member is that member, with the negations of all the sets around it."""
    negated = False
    while isinstance(node, n.Set):
        negated ^= node.negated
        if len(node.items) != 1:
            return node, negated
        node = node.items[0]
    return node, negated


def _flat(node: n.Set) -> Iterator[n.ClassNode]:
    """Members of a set, with those of sets of the same operation inside it that are not negated."""
    for item in node.items:
        lone, negated = unwrap(item)
        if isinstance(lone, n.Set) and lone.op == node.op and not negated:
            yield from _flat(lone)
        else:
            yield item


def _mode(node: n.ClassNode) -> int:
    return 0 if isinstance(node, n.Range) else node.mode


def _property_key(node: n.ClassNode) -> tuple[str, int] | None:
    r"""What the engine compares to see that two members are complements: the property, not its encoding."""
    table = property_table()
    if isinstance(node, n.Property):
        return node.name, node.value
    if isinstance(node, n.Shorthand):
        if node.kind == "d":
            return table.properties["GC"], table.values(table.properties["GC"])["ND"]
        return table.properties[{"s": "WHITESPACE", "w": "WORD", "h": "BLANK"}[node.kind]], 1
    return None
