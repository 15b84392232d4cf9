"""Questions about a pattern that are not about code points: length, anchors, groups, required letters, odd syntax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from scriptlint.pattern import ir as r
from scriptlint.pattern import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.unicode.codepoints import CodePoints

__all__ = ["ClassFact", "PatternFacts", "Trap", "TrapKind", "facts_of"]

TrapKind: TypeAlias = Literal[
    "set-operation", "nested-set", "posix-class", "property-escape", "letter-gap", "ascii-property", "any-set"
]
_LIMIT: Final = 4294967295


@dataclass(frozen=True, slots=True)
class ClassFact:
    """A class as it stands in the pattern: ``[..]``, a shorthand, a property, ``.``.

    ``text`` is its source, ``points`` what it matches, ``negated`` whether it was written as a complement.
    """

    start: int
    end: int
    text: str
    points: CodePoints
    negated: bool


@dataclass(frozen=True, slots=True)
class Trap:
    """Syntax that means something else than it says, with its span.

    ``set-operation``: ``--``, ``&&``, ``||``, ``~~`` that are plain members. ``nested-set``: ``[`` inside a set that
    is a plain member. ``posix-class``: ``[:alpha:]`` that is a set of those characters. ``property-escape``:
    a ``\\p`` that is no property. ``letter-gap``: ``A-z``, which holds six signs. ``ascii-property``: a property that
    the ASCII flag shrinks. ``any-set``: a negated set that holds a class and its complement, and so matches anything.
    """

    start: int
    end: int
    kind: TrapKind
    text: str


@dataclass(frozen=True, slots=True)
class PatternFacts:
    """What a rule may want to know about a pattern.

    ``min_length`` and ``max_length`` count code points of a match (``None``: no limit, or not known).
    ``anchored_start`` and ``anchored_end``: every match begins (ends) at an end of the text. ``boundary`` tells of any
    word boundary (``\\b``, ``\\B``, ``\\m``, ``\\M``). ``literals`` are the runs of literal characters that every match
    holds; ``required_letters`` are the letters among them. ``names`` maps group names to numbers.
    """

    min_length: int
    max_length: int | None
    anchored_start: bool
    anchored_end: bool
    boundary: bool
    boundaries: tuple[tuple[int, int], ...]
    literals: tuple[str, ...]
    required_letters: str
    classes: tuple[ClassFact, ...]
    traps: tuple[Trap, ...]
    groups: int
    names: dict[str, int]
    group_bodies: dict[int, tuple[int, int]]
    version: int


def facts_of(low: r.Lowered) -> PatternFacts:
    """All facts of a lowered pattern."""
    parsed = low.parsed
    least, most = _Lengths(low).of(low.root)
    boundaries: list[tuple[int, int]] = []
    classes: list[ClassFact] = []
    bodies: dict[int, tuple[int, int]] = {}
    for node in walk(parsed.root):
        if isinstance(node, n.Anchor) and node.kind in "bBmM":
            boundaries.append((node.start, node.end))
        elif isinstance(node, (n.Set, n.Shorthand, n.Property, n.Dot)):
            negated = not isinstance(node, n.Dot) and node.negated
            text = parsed.source[node.start : node.end]
            classes.append(ClassFact(node.start, node.end, text, low.classes.points(node), negated))
        elif isinstance(node, n.Group) and node.number is not None and node.number > 0:
            bodies[node.number] = (node.body.start, node.body.end)
    literals = tuple(_literals(low.root))
    return PatternFacts(
        min_length=least,
        max_length=most,
        anchored_start=_anchored(low.root, first=True),
        anchored_end=_anchored(low.root, first=False),
        boundary=bool(boundaries),
        boundaries=tuple(boundaries),
        literals=literals,
        required_letters="".join(c for run in literals for c in run if c.isalpha()),
        classes=tuple(classes),
        traps=tuple(sorted(_traps(low), key=lambda t: (t.start, t.end, t.kind))),
        groups=parsed.groups,
        names=dict(parsed.names),
        group_bodies=bodies,
        version=parsed.version,
    )


def walk(node: n.Node) -> Iterator[n.Node]:
    """A node and all nodes under it, members of sets left out, in the order of the text."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(children(node))


def children(node: n.Node) -> list[n.Node]:
    """The parts directly under a node."""
    if isinstance(node, n.Sequence):
        return list(node.items)
    if isinstance(node, n.Alternation):
        return list(node.branches)
    if isinstance(node, (n.Group, n.Atomic, n.Repeat, n.Look, n.Fuzzy)):
        return [node.body]
    if isinstance(node, n.Conditional):
        arms = [node.yes] if node.no is None else [node.yes, node.no]
        return [node.test, *arms] if isinstance(node.test, n.Look) else arms
    return []


# --- lengths ---------------------------------------------------------------------------------------------------------


class _Lengths:
    """Least and greatest number of code points of a match; calls are measured once each."""

    def __init__(self, low: r.Lowered) -> None:
        self.low = low
        self.calls: dict[int, tuple[int, int | None]] = {}

    def of(self, node: r.Ir) -> tuple[int, int | None]:
        if isinstance(node, r.Cls):
            return 1, 1
        if isinstance(node, r.Seq):
            parts = [self.of(item) for item in node.items]
            return sum(p[0] for p in parts), _total(p[1] for p in parts)
        if isinstance(node, r.Alt):
            parts = [self.of(item) for item in node.items if not isinstance(item, r.Fail)]
            return _either(parts) if parts else (0, 0)
        if isinstance(node, r.Rep):
            least, most = self.of(node.body)
            if most == 0 or node.high == 0:
                return 0, 0
            return least * node.low, None if node.high is None or most is None else most * node.high
        if isinstance(node, (r.Cap, r.Atom)):
            return self.of(node.body)
        if isinstance(node, r.Cond):
            return _either([self.of(node.yes), self.of(node.no)] if node.test is not None else [self.of(node.no)])
        if isinstance(node, r.Fold):
            # Three characters of the text at most fold to what one does, and one to three at most.
            return (len(node.folded) + 2) // 3, len(node.folded)
        if isinstance(node, (r.Ref, r.Call)):
            least, most = self.call(node.number)
            return (0 if isinstance(node, r.Ref) and node.fold else least), most
        if isinstance(node, r.Opaque):
            return (0 if node.nullable else 1), None
        return 0, 0

    def call(self, number: int) -> tuple[int, int | None]:
        if number not in self.calls:
            # A group that calls itself can be as long as it likes, and stops somewhere without the call.
            self.calls[number] = (0, None)
            body = self.low.root if number == 0 else self.low.caps.get(number)
            self.calls[number] = (0, 0) if body is None else self.of(body)
        return self.calls[number]


def _total(parts: Iterator[int | None]) -> int | None:
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _either(parts: list[tuple[int, int | None]]) -> tuple[int, int | None]:
    greatest: int | None = 0
    for _, most in parts:
        greatest = None if most is None or greatest is None else max(greatest, most)
    return min(p[0] for p in parts), greatest


# --- anchors and literals --------------------------------------------------------------------------------------------


def _anchored(node: r.Ir, *, first: bool) -> bool:
    """Every match begins at the start (``first``) or ends at the end of the whole text."""
    if isinstance(node, (r.Cap, r.Atom)):
        return _anchored(node.body, first=first)
    if isinstance(node, r.Alt):
        return all(_anchored(b, first=first) for b in node.items)
    if isinstance(node, r.Rep):
        return node.low > 0 and _anchored(node.body, first=first)
    if isinstance(node, r.Seq):
        for item in node.items if first else reversed(node.items):
            if _anchored(item, first=first):
                return True
            if not isinstance(item, (r.Anchor, r.See)):
                return False
        return False
    if isinstance(node, r.Anchor):
        return (node.kind in ("A", "^" if first else "Z") and not (node.kind == "^" and node.multiline)) or (
            not first and node.kind in ("$", "Z") and not (node.kind == "$" and node.multiline)
        )
    return False


def _literals(node: r.Ir) -> Iterator[str]:
    """Runs of characters that every match holds; a letter in either case counts as its first form."""
    if isinstance(node, (r.Cap, r.Atom)):
        yield from _literals(node.body)
    elif isinstance(node, r.Rep):
        if node.low > 0:
            yield from _literals(node.body)
    elif isinstance(node, r.Fold):
        yield node.folded
    elif isinstance(node, (r.Seq, r.Cls)):
        run = ""
        for item in node.items if isinstance(node, r.Seq) else [node]:
            char = _literal(item)
            if char:
                run += char
                continue
            if run:
                yield run
                run = ""
            yield from () if isinstance(item, r.Cls) else _literals(item)
        if run:
            yield run


def _literal(node: r.Ir) -> str:
    """The character of a class that is one letter in all its cases; empty text for any other part."""
    if not isinstance(node, r.Cls) or not 0 < node.points.size <= 4:
        return ""
    chars = [chr(c) for c in node.points.points()]
    folded = {c.casefold() for c in chars}
    least = min(folded, key=lambda f: (len(f), f))
    return chars[0] if len(chars) == 1 else least if len({f for f in folded if len(f) == 1}) == 1 else ""


# --- traps -----------------------------------------------------------------------------------------------------------


def _traps(low: r.Lowered) -> Iterator[Trap]:
    parsed = low.parsed
    source = parsed.source
    for start, end, what in parsed.warnings:
        if what.startswith("set "):
            yield Trap(start, end, "set-operation", source[start:end])
    for node in walk(parsed.root):
        if isinstance(node, n.Set):
            yield from _set_traps(node, low)
        elif isinstance(node, n.Property):
            yield from _property_trap(node, low)
        elif isinstance(node, n.Char) and _is_lost_property(node, source):
            yield Trap(node.start, node.end, "property-escape", source[node.start : node.end])


def _set_traps(node: n.Set, low: r.Lowered) -> Iterator[Trap]:
    parsed = low.parsed
    source = parsed.source
    text = source[node.start : node.end]
    posix = parsed.dialect == "re" and text.startswith(("[[:", "[^[:"))
    if posix and (source[node.end - 2 : node.end] == ":]"):
        yield Trap(node.start, node.end, "posix-class", text)
    for start, end, what in parsed.warnings:
        if what == "nested set" and node.start <= start < node.end and not posix:
            yield Trap(start, end, "nested-set", source[start:end])
    if node.negated and parsed.dialect == "regex" and low.classes.points(node) == low.classes.universe:
        yield Trap(node.start, node.end, "any-set", text)
    for item in node.items:
        if isinstance(item, n.Range):
            if item.first <= 0x5A and item.last >= 0x61 and item.first >= 0x41 and item.last <= 0x7A:
                yield Trap(item.start, item.end, "letter-gap", source[item.start : item.end])
        elif isinstance(item, n.Set):
            yield from _set_traps(item, low)
        elif isinstance(item, n.Property):
            yield from _property_trap(item, low)
        elif isinstance(item, n.Char) and _is_lost_property(item, source):
            yield Trap(item.start, item.end, "property-escape", source[item.start : item.end])


def _property_trap(node: n.Property, low: r.Lowered) -> Iterator[Trap]:
    if not node.posix and low.classes.ascii_only(node.mode) and not low.parsed.is_bytes:
        yield Trap(node.start, node.end, "ascii-property", low.parsed.source[node.start : node.end])


def _is_lost_property(node: n.Char, source: str) -> bool:
    return node.point in (0x50, 0x70) and source[node.start : node.start + 2] in ("\\p", "\\P")
