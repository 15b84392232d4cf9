"""The syntax tree of a pattern: faithful to the text, every node with its span.

``start`` and ``end`` index the pattern (``end`` exclusive). What a class matches is not decided here: flags that hold
at a node are kept as ``Mode`` bits, and ``classes`` turns class nodes into ``CodePoints``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Dialect: TypeAlias = Literal["re", "regex"]
Greed: TypeAlias = Literal["greedy", "lazy", "possessive"]
SetOp: TypeAlias = Literal["union", "intersection", "difference", "symmetric"]

# Mode bits: the flags that change what a node matches, the same for both engines.
IGNORECASE: Final = 1
FULLCASE: Final = 2
ASCII: Final = 4
UNICODE: Final = 8
LOCALE: Final = 16
DOTALL: Final = 32
MULTILINE: Final = 64
WORD: Final = 128
ENCODINGS: Final = ASCII | UNICODE | LOCALE


# Only ``__init__`` is generated: the other methods would cost every start of the program more than they are worth.
@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Node:
    """A part of a pattern."""

    start: int
    end: int

    def __repr__(self) -> str:
        names = [name for kind in reversed(type(self).__mro__) for name in getattr(kind, "__slots__", ())]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Char(Node):
    """One code point, written as itself or by an escape."""

    point: int
    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Dot(Node):
    """``.``"""

    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Shorthand(Node):
    r"""``\d \s \w \h`` (``kind``, lower case), or their complements."""

    kind: str
    negated: bool
    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Property(Node):
    r"""``\p{..}``, ``\pL``, ``[:alpha:]``: ``name`` and ``value`` as ``PropertyTable`` numbers them."""

    name: str
    value: int
    negated: bool
    mode: int
    posix: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Range(Node):
    """``a-z`` in a set."""

    first: int
    last: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Set(Node):
    """``[..]``, or a part of one. ``bracketed`` is false for the operands of a set operation."""

    op: SetOp
    items: list[ClassNode]
    negated: bool
    mode: int
    bracketed: bool


ClassNode: TypeAlias = Char | Dot | Shorthand | Property | Range | Set


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Sequence(Node):
    """Parts one after another; none at all matches the empty text."""

    items: list[Node]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Alternation(Node):
    """``a|b``: ordered branches. ``reset`` is true for ``(?|..)``."""

    branches: list[Node]
    reset: bool = False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Group(Node):
    """``(..)`` with its number, or ``(?:..)`` and ``(?i:..)`` with number ``None``."""

    body: Node
    number: int | None
    name: str | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Atomic(Node):
    """``(?>..)``"""

    body: Node


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Repeat(Node):
    """A quantified part; ``high`` is ``None`` without an upper limit."""

    body: Node
    low: int
    high: int | None
    greed: Greed


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Look(Node):
    """``(?=..) (?!..) (?<=..) (?<!..)``"""

    body: Node
    behind: bool
    negated: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Conditional(Node):
    """``(?(1)yes|no)``; ``test`` is a group's number, a look-around, or ``None`` for ``DEFINE``."""

    test: int | Look | None
    yes: Node
    no: Node | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Backref(Node):
    """A reference to what a group matched."""

    group: int
    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Call(Node):
    """``(?R)``, ``(?1)``, ``(?&name)``: the group's pattern again; 0 is the whole pattern."""

    group: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Anchor(Node):
    r"""A place: ``^ $ A Z b B m M G K``, named by its letter."""

    kind: str
    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Newline(Node):
    r"""``\R``"""

    mode: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Grapheme(Node):
    r"""``\X``"""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class NamedList(Node):
    r"""``\L<name>``: the strings are given when the pattern is compiled."""

    name: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Fuzzy(Node):
    """An approximate part. ``errors`` maps e, i, s, d to their greatest number (``None`` without limit)."""

    body: Node
    errors: dict[str, int | None]
    test: Node | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Verb(Node):
    """``(*FAIL)``, ``(*PRUNE)``, ``(*SKIP)``"""

    name: str


@dataclass(slots=True)
class Parsed:
    """A whole pattern.

    ``groups`` counts the capturing groups, ``names`` maps group names to numbers, ``mode`` holds the flags in force at
    the end, which is what ``regex`` takes for the whole pattern; ``other_order`` names a flag (REVERSE, POSIX) under
    which matches are found in another order; ``warnings`` are the places whose syntax an engine warns about or
    silently reads as something else, with the name of the trap.
    """

    source: str
    is_bytes: bool
    dialect: Dialect
    version: int
    root: Node
    groups: int
    names: dict[str, int]
    mode: int
    other_order: str
    warnings: list[tuple[int, int, str]]
