"""The semantic tree: flags resolved, classes evaluated, spellings gone. ``reach``, ``facts`` and ``matcher`` read it.

Spans stay, so that whatever is said about a part can point at its text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from scriptlint.pattern import nodes as n
from scriptlint.pattern.classes import Classes, unwrap, word_set
from scriptlint.unicode.casing import regex_folding
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Alt",
    "Anchor",
    "Atom",
    "Call",
    "Cap",
    "Cls",
    "Cond",
    "Fail",
    "Fold",
    "Ir",
    "Lowered",
    "Opaque",
    "Ref",
    "Rep",
    "See",
    "Seq",
    "lower",
]  # fmt: skip

Span: TypeAlias = tuple[int, int]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Ir:
    """A part, with the span of the text that it comes from."""

    span: Span


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cls(Ir):
    """One code point of a set."""

    points: CodePoints


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Fold(Ir):
    """A literal under full case folding: text whose folding is ``folded``."""

    folded: str
    points: CodePoints


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Seq(Ir):
    """Parts in order."""

    items: list[Ir]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Alt(Ir):
    """Branches in order of preference."""

    items: list[Ir]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Rep(Ir):
    """A repeated part; ``high`` is ``None`` without limit."""

    body: Ir
    low: int
    high: int | None
    greed: n.Greed


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Atom(Ir):
    """A part that is not entered again once it has matched."""

    body: Ir


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class See(Ir):
    """A look-around."""

    body: Ir
    behind: bool
    negated: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cap(Ir):
    """A capturing group."""

    number: int
    body: Ir


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Ref(Ir):
    """What a group matched, again; ``fold`` when case is ignored."""

    number: int
    fold: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cond(Ir):
    """One of two parts, by a group (its number), a look-around, or never the first (``None``)."""

    test: int | See | None
    yes: Ir
    no: Ir


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Call(Ir):
    """The pattern of a group again."""

    number: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Anchor(Ir):
    r"""A place. ``kind`` as in ``nodes.Anchor``; ``word`` is the set that ``\b`` and its kin look at."""

    kind: str
    multiline: bool
    word: CodePoints | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Fail(Ir):
    """Never matches."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Opaque(Ir):
    """A construct that is only bounded: anything of ``points`` may be in its match."""

    points: CodePoints
    why: str
    nullable: bool


@dataclass(slots=True)
class Lowered:
    """The semantic tree of a pattern.

    ``caps`` holds the bodies of the capturing groups. ``limits`` are the constructs that the matcher can't run, which
    leave ``may`` sound and nothing proved; ``unsure`` those that make a piece of text that matches be left standing.
    ``order`` tells of flags that only choose among the matches. ``wavering`` are code points on which the engine
    itself is of two minds.
    """

    root: Ir
    parsed: n.Parsed
    classes: Classes
    caps: dict[int, Ir] = field(default_factory=dict)
    limits: list[tuple[int, int, str]] = field(default_factory=list)
    unsure: list[tuple[int, int, str]] = field(default_factory=list)
    order: list[tuple[int, int, str]] = field(default_factory=list)
    wavering: CodePoints = CodePoints.EMPTY


_DOTTED_I = 0x130
_LINE_ENDS = CodePoints(((0x0A, 0x0D), 0x85, 0x2028, 0x2029))
_ASCII_LINE_ENDS = CodePoints(((0x0A, 0x0D),))


class _Lower:
    def __init__(self, parsed: n.Parsed) -> None:
        self.parsed = parsed
        self.classes = Classes(parsed)
        self.result = Lowered(Fail((0, 0)), parsed, self.classes)
        # Names of groups that a call or a reference can reach may be used before the group.
        self.by_type: dict[type[n.Node], Callable[..., Ir]] = {
            n.Sequence: self.sequence,
            n.Alternation: self.alternation,
            n.Group: self.group,
            n.Atomic: self.atomic,
            n.Repeat: self.repeat,
            n.Look: self.look,
            n.Conditional: self.conditional,
            n.Backref: self.backref,
            n.Call: self.call,
            n.Anchor: self.anchor,
            n.Newline: self.newline,
            n.Grapheme: self.grapheme,
            n.NamedList: self.named_list,
            n.Fuzzy: self.fuzzy,
            n.Verb: self.verb,
        }

    def lower(self, node: n.Node) -> Ir:
        method = self.by_type.get(type(node))
        return method(node) if method is not None else self.leaf(node)

    def leaf(self, node: n.Node) -> Ir:
        span = (node.start, node.end)
        points = self.classes.points(node)
        mode = getattr(node, "mode", 0)
        if mode & n.LOCALE:
            self.result.limits.append((*span, "LOCALE: what it matches depends on the machine"))
            return Opaque(span, points | (self.classes.universe & _UPPER_HALF), "locale", False)
        encoding = mode & n.ENCODINGS
        if encoding and encoding != self.parsed.mode & n.ENCODINGS and not isinstance(node, (n.Char, n.Dot)):
            # Engines look for the first character of a match with a set made under the flags of the whole pattern.
            outer = self.classes.points(_in_encoding(node, self.parsed.mode & n.ENCODINGS))
            self.result.wavering |= outer ^ points
        if mode & n.IGNORECASE:
            if self.parsed.dialect == "regex":
                self.result.wavering |= self.classes.wavering(node, points)
            if mode & n.FULLCASE:
                return self.full_case(node, span, points)
        return Cls(span, points)

    def full_case(self, node: n.Node, span: Span, points: CodePoints) -> Ir:
        """Under full case folding a character whose folding is longer also matches that text."""
        if isinstance(node, n.Char):
            folded = regex_folding(True).get(node.point)
            if folded is None or len(folded) == 1:
                return Cls(span, points)
            return Alt(span, [Cls(span, points), Fold(span, folded, points)])
        if not isinstance(node, n.Set) or not self.parsed.mode & n.UNICODE:
            return Cls(span, points)
        lone, negated = unwrap(node)
        if negated or isinstance(lone, (n.Property, n.Shorthand)):
            # A class that stands alone in its brackets is not expanded, nor is a complement.
            return Cls(span, points)
        if isinstance(lone, n.Char):
            return self.full_case(n.Char(node.start, node.end, lone.point, node.mode), span, points)
        plain = self.classes.points(_without_case(node))
        texts = [f for c, f in regex_folding(True).items() if len(f) > 1 and c in plain]
        if _DOTTED_I in plain:
            texts.append(chr(_DOTTED_I))  # It counts as expanding, though the engine's own folding leaves it alone.
        if not texts:
            return Cls(span, points)
        branches: list[Ir] = [Cls(span, points)]
        branches += (Fold(span, t, CodePoints.EMPTY) for t in dict.fromkeys(texts))
        return Alt(span, branches)

    def sequence(self, node: n.Sequence) -> Ir:
        items: list[Ir] = []
        run: list[n.Char] = []
        for child in node.items:
            if isinstance(child, n.Char) and child.mode & n.FULLCASE and child.mode & n.IGNORECASE:
                run.append(child)
                continue
            if run:
                self.flush(run, items)
                run = []
            lowered = self.lower(child)
            if isinstance(lowered, Seq):
                items += lowered.items
            else:
                items.append(lowered)
        if run:
            self.flush(run, items)
        if len(items) == 1:
            return items[0]
        return Seq((node.start, node.end), items)

    def flush(self, run: list[n.Char], items: list[Ir]) -> None:
        """A literal under full case folding: one part when some character folds to a piece of it, else its characters.

        Only then can one character of the text stand for several of the pattern, or the other way round.
        """
        table = regex_folding(True)
        folded = "".join(table.get(c.point, chr(c.point)) for c in run)
        if len(run) > 1 and any(len(f) > 1 and f in folded for f in set(table.values())):
            span = (run[0].start, run[-1].end)
            points = CodePoints.union(self.classes.points(c) for c in run)
            items.append(Fold(span, folded, points))
            return
        items += (self.lower(c) for c in run)

    def alternation(self, node: n.Alternation) -> Ir:
        return Alt((node.start, node.end), [self.lower(b) for b in node.branches])

    def group(self, node: n.Group) -> Ir:
        body = self.lower(node.body)
        if node.number is None or node.number < 0:
            # A named group inside itself has a number that nothing can refer to.
            return body
        self.result.caps.setdefault(node.number, body)
        return Cap((node.start, node.end), node.number, body)

    def atomic(self, node: n.Atomic) -> Ir:
        return Atom((node.start, node.end), self.lower(node.body))

    def repeat(self, node: n.Repeat) -> Ir:
        return Rep((node.start, node.end), self.lower(node.body), node.low, node.high, node.greed)

    def look(self, node: n.Look) -> See:
        span = (node.start, node.end)
        body = self.lower(node.body)
        if node.behind and self.parsed.dialect == "regex" and _order_matters(body):
            self.result.limits.append((*span, "look-behind that is matched backwards"))
        return See(span, body, node.behind, node.negated)

    def conditional(self, node: n.Conditional) -> Ir:
        test = self.look(node.test) if isinstance(node.test, n.Look) else node.test
        no: Ir = Seq((node.end, node.end), []) if node.no is None else self.lower(node.no)
        return Cond((node.start, node.end), test, self.lower(node.yes), no)

    def backref(self, node: n.Backref) -> Ir:
        return Ref((node.start, node.end), node.group, bool(node.mode & n.IGNORECASE))

    def call(self, node: n.Call) -> Ir:
        return Call((node.start, node.end), node.group)

    def anchor(self, node: n.Anchor) -> Ir:
        span = (node.start, node.end)
        kind, mode = node.kind, node.mode
        word: CodePoints | None = None
        if kind in "bBmM":
            word = word_set(self.parsed.dialect, self.classes.ascii_only(mode)) & self.classes.universe
            if mode & n.WORD:
                self.result.limits.append((*span, "default word boundaries (WORD)"))
                word = None
            elif mode & n.LOCALE:
                self.result.limits.append((*span, "LOCALE: what it matches depends on the machine"))
        if kind == "G":
            self.result.limits.append((*span, "search anchor \\G"))
        if kind == "K":
            self.result.unsure.append((*span, "\\K drops what was matched before it"))
        if kind in "^$" and mode & n.WORD:
            self.result.limits.append((*span, "line ends of Unicode (WORD)"))
        return Anchor(span, kind, bool(mode & n.MULTILINE), word)

    def newline(self, node: n.Newline) -> Ir:
        span = (node.start, node.end)
        ends = (_LINE_ENDS if node.mode & n.UNICODE else _ASCII_LINE_ENDS) & self.classes.universe
        pair = Seq(span, [Cls(span, CodePoints((13,))), Cls(span, CodePoints((10,)))])
        return Atom(span, Alt(span, [pair, Cls(span, ends)]))

    def grapheme(self, node: n.Grapheme) -> Ir:
        span = (node.start, node.end)
        # Any character stands in some cluster, and every cluster is matched whole.
        self.result.limits.append((*span, "grapheme cluster \\X"))
        return Opaque(span, self.classes.universe, "grapheme", False)

    def named_list(self, node: n.NamedList) -> Ir:
        span = (node.start, node.end)
        self.result.limits.append((*span, "named list: its strings are given elsewhere"))
        return Opaque(span, self.classes.universe, "named list", True)

    def fuzzy(self, node: n.Fuzzy) -> Ir:
        span = (node.start, node.end)
        self.result.limits.append((*span, "fuzzy match"))
        body = self.lower(node.body)
        test = self.classes.universe
        if node.test is not None:
            lowered = self.lower(node.test)
            if isinstance(lowered, Cls):
                test = lowered.points
        errors = node.errors
        only_deletions = set(errors) == {"d"} or all(errors.get(k) == 0 for k in "si")
        extra = CodePoints.EMPTY if only_deletions else test
        # Named kinds alone are allowed, unless ``e`` or a cost equation allows all.
        return Seq(span, [body, Opaque(span, extra, "fuzzy", True)])

    def verb(self, node: n.Verb) -> Ir:
        span = (node.start, node.end)
        if node.name == "FAIL":
            return Fail(span)
        self.result.limits.append((*span, f"(*{node.name}) steers the search"))
        self.result.unsure.append((*span, f"(*{node.name}) steers the search"))
        return Seq(span, [])


_UPPER_HALF = CodePoints(((0x80, 0xFF),))


def children(node: Ir) -> list[Ir]:
    """The parts directly under a part."""
    if isinstance(node, (Seq, Alt)):
        return node.items
    if isinstance(node, (Rep, Atom, See, Cap)):
        return [node.body]
    if isinstance(node, Cond):
        return [node.yes, node.no, *([node.test] if isinstance(node.test, See) else [])]
    return []


def _order_matters(node: Ir) -> bool:
    """The part may come to another result when it is matched from its end: ``regex`` does so behind a place."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, (Atom, Ref, Cond, Call)) or (isinstance(part, Rep) and part.greed == "possessive"):
            return True
        stack += children(part)
    return False


def _in_encoding(node: n.Node, encoding: int) -> n.Node:
    """A class as it would be under another of the flags ASCII, LOCALE and UNICODE."""
    if isinstance(node, n.Set):
        items = [_in_encoding(item, encoding) for item in node.items]
        mode = node.mode & ~n.ENCODINGS | encoding
        return n.Set(node.start, node.end, node.op, items, node.negated, mode, node.bracketed)  # type: ignore[arg-type]
    if isinstance(node, (n.Shorthand, n.Property, n.Char)):
        return replace(node, mode=node.mode & ~n.ENCODINGS | encoding)
    return node


def _without_case(node: n.Set) -> n.Set:
    return n.Set(node.start, node.end, node.op, node.items, node.negated, node.mode & ~n.IGNORECASE, node.bracketed)


def lower(parsed: n.Parsed) -> Lowered:
    """The semantic tree of a parsed pattern."""
    lowering = _Lower(parsed)
    result = lowering.result
    result.root = lowering.lower(parsed.root)
    if parsed.other_order:
        result.order.append((0, len(parsed.source), f"{parsed.other_order}: matches are found in another order"))
    return result
