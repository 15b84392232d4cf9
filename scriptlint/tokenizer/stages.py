"""Stages: the steps of a tokenizer, each of which can be run on text.

A tokenizer's value at any point is a list of pieces; it starts as the one piece that is the text. A stage maps
pieces to pieces. ``Union`` runs several chains on the same pieces and keeps what all of them give; ``Either`` runs
one of several, which one is not known. A stage that can't be run raises ``CannotRun``.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from scriptlint.pattern.engines import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Dialect = Literal["re", "regex"]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


class CannotRun(Exception):  # noqa: N818  (a result, not a fault)
    """A stage that has no model: what it does to text is not known."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a stage stands in the source: 1-based, columns in code points, ends exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regex: its text, flags, dialect, and the place of its literal."""

    text: str | bytes
    flags: int = 0
    dialect: Dialect = "re"
    site: Site | None = field(default=None, compare=False)

    def compiled(self) -> Any:
        """The engine's own pattern object; raises the engine's ``error``."""
        return compiled(self.text, self.flags, self.dialect)

    def shown(self) -> str:
        """The pattern as a listing prints it."""
        text = self.text if isinstance(self.text, str) else self.text.decode("latin-1")
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@runtime_checkable
class Stage(Protocol):
    """One step. ``describe`` is the short form that listings print."""

    def run(self, pieces: Sequence[str]) -> list[str]: ...

    def describe(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Case:
    """``str.lower``, ``upper``, ``casefold``, ... on every piece."""

    method: Literal["lower", "upper", "casefold", "title", "capitalize", "swapcase"]

    def run(self, pieces: Sequence[str]) -> list[str]:
        method = self.method
        return [getattr(p, method)() for p in pieces]

    def describe(self) -> str:
        return self.method


def Lower() -> Case:  # noqa: N802  (reads as the stage that it makes)
    """``str.lower`` on every piece."""
    return Case("lower")


def Casefold() -> Case:  # noqa: N802
    """``str.casefold`` on every piece."""
    return Case("casefold")


@dataclass(frozen=True, slots=True)
class Normalize:
    """``unicodedata.normalize(form, piece)``."""

    form: Form

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [unicodedata.normalize(self.form, p) for p in pieces]

    def describe(self) -> str:
        return f"normalize {self.form}"


@dataclass(frozen=True, slots=True)
class Encode:
    """``piece.encode(encoding, errors).decode(encoding)``: drops or replaces what the encoding lacks."""

    encoding: str
    errors: str = "strict"

    def run(self, pieces: Sequence[str]) -> list[str]:
        try:
            return [p.encode(self.encoding, self.errors).decode(self.encoding, "replace") for p in pieces]
        except (UnicodeError, LookupError) as error:
            raise CannotRun(str(error)) from error

    def describe(self) -> str:
        return f"encode {self.encoding} {self.errors}"


@dataclass(frozen=True, slots=True)
class Strip:
    """``str.strip`` and its kin; loses no letter unless ``chars`` holds some."""

    method: str = "strip"
    chars: str | None = None

    def run(self, pieces: Sequence[str]) -> list[str]:
        if self.method in ("strip", "lstrip", "rstrip"):
            return [getattr(p, self.method)(self.chars) for p in pieces]
        return [getattr(p, self.method)(self.chars or "") for p in pieces]

    def describe(self) -> str:
        return self.method if self.chars is None else f"{self.method} {self.chars!r}"


@dataclass(frozen=True, slots=True)
class Replace:
    """``str.replace(old, new)``."""

    old: str
    new: str

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p.replace(self.old, self.new) for p in pieces]

    def describe(self) -> str:
        return f"replace {self.old!r} by {self.new!r}"


@dataclass(frozen=True, slots=True)
class Translate:
    """``str.translate`` by a table of code points."""

    table: Mapping[int, int | str | None] = field(hash=False)

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p.translate(self.table) for p in pieces]

    def describe(self) -> str:
        return f"translate {len(self.table)} characters"


@dataclass(frozen=True, slots=True)
class Erase:
    """``sub(pattern, replacement)``: what matches goes, the replacement comes."""

    pattern: Pattern
    replacement: str | None = ""
    """``None``: a function, or text that is not known."""

    def run(self, pieces: Sequence[str]) -> list[str]:
        if self.replacement is None:
            raise CannotRun("a replacement that is computed")
        compiled = self.pattern.compiled()
        return [compiled.sub(self.replacement, p) for p in pieces]

    def describe(self) -> str:
        by = "a function" if self.replacement is None else repr(self.replacement)
        return f"erase {self.pattern.shown()!r} by {by}"


@dataclass(frozen=True, slots=True)
class Split:
    """``split``: by a pattern, by a text, or (neither) by white space."""

    pattern: Pattern | None = None
    separator: str | None = None

    def run(self, pieces: Sequence[str]) -> list[str]:
        if self.pattern is not None:
            compiled = self.pattern.compiled()
            return [t for p in pieces for t in compiled.split(p) if t]
        return [t for p in pieces for t in p.split(self.separator)]

    def describe(self) -> str:
        if self.pattern is not None:
            return f"split on {self.pattern.shown()!r}"
        return "split" if self.separator is None else f"split on {self.separator!r}"


@dataclass(frozen=True, slots=True)
class Extract:
    """What ``findall`` or ``finditer`` gives: every match (``group`` 0) or a group of it.

    ``first`` keeps the first match alone (``search``, ``match``); ``anchor`` is the method then.
    """

    pattern: Pattern
    group: int | str = 0
    first: str = ""

    def run(self, pieces: Sequence[str]) -> list[str]:
        compiled = self.pattern.compiled()
        group = self.group
        if self.first:
            found = (getattr(compiled, self.first)(p) for p in pieces)
            return [m[group] for m in found if m and m[group] is not None]
        return [m[group] for p in pieces for m in compiled.finditer(p) if m[group] is not None]

    def describe(self) -> str:
        return f"extract {self.pattern.shown()!r}"


@dataclass(frozen=True, slots=True)
class KeepIf:
    """Keeps the pieces that a test lets through: a pattern, or a method of ``str`` (``isalnum``)."""

    pattern: Pattern | None = None
    method: str = "match"
    negated: bool = False

    def run(self, pieces: Sequence[str]) -> list[str]:
        if self.pattern is not None:
            test = getattr(self.pattern.compiled(), self.method)
            return [p for p in pieces if bool(test(p)) is not self.negated]
        return [p for p in pieces if bool(getattr(p, self.method)()) is not self.negated]

    def describe(self) -> str:
        word = "drop if" if self.negated else "keep if"
        return f"{word} {self.method}" + (f" {self.pattern.shown()!r}" if self.pattern else "")


@dataclass(frozen=True, slots=True)
class Length:
    """Keeps the pieces whose length in code points lies between two bounds (inclusive)."""

    least: int = 0
    most: int | None = None

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p for p in pieces if len(p) >= self.least and (self.most is None or len(p) <= self.most)]

    def describe(self) -> str:
        if self.most is None:
            return f"at least {self.least} characters"
        return f"{self.least} to {self.most} characters"


@dataclass(frozen=True, slots=True)
class StopWords:
    """Drops the pieces that are in a list; a list that is not known is taken as empty."""

    words: frozenset[str] = frozenset()
    known: bool = True

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p for p in pieces if p not in self.words]

    def describe(self) -> str:
        return f"stop words ({len(self.words)})" if self.known else "stop words (not known here)"


@dataclass(frozen=True, slots=True)
class NGrams:
    """Overlapping pieces of ``n`` code points; a piece shorter than ``n`` gives nothing."""

    n: int

    def run(self, pieces: Sequence[str]) -> list[str]:
        n = self.n
        return [p[i : i + n] for p in pieces for i in range(len(p) - n + 1)]

    def describe(self) -> str:
        return f"{self.n}-grams"


@dataclass(frozen=True, slots=True)
class Chars:
    """Every code point a piece of its own."""

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [c for p in pieces for c in p]

    def describe(self) -> str:
        return "characters"


@dataclass(frozen=True, slots=True)
class Join:
    """Pieces become one text again."""

    separator: str = ""

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [self.separator.join(pieces)]

    def describe(self) -> str:
        return f"join by {self.separator!r}"


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of the program that is shown as it is written; only running the program tells what it lets through.

    ``meant`` is the whole test with the lengths that its names stand for, for whoever proves something about it.
    """

    source: str
    meant: str = ""

    def run(self, pieces: Sequence[str]) -> list[str]:
        raise CannotRun(f"a condition: {self.source}")

    def describe(self) -> str:
        return f"keep if {self.source}"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A step that can't be read."""

    why: str

    def run(self, pieces: Sequence[str]) -> list[str]:
        raise CannotRun(self.why)

    def describe(self) -> str:
        return f"? {self.why}"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the program (a loop, a helper) that is run as it is written; ``inside`` names what was seen in it."""

    what: str

    def run(self, pieces: Sequence[str]) -> list[str]:
        raise CannotRun(self.what)

    def describe(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class Union:
    """Several chains over the same pieces: one tokenizer, judged as one."""

    chains: tuple[tuple[Stage, ...], ...]

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [t for chain in self.chains for t in run_chain(chain, pieces)]

    def describe(self) -> str:
        return " | ".join(" > ".join(s.describe() for s in chain) or "as it is" for chain in self.chains)


@dataclass(frozen=True, slots=True)
class Either:
    """One of several chains; which one depends on something that is not known here."""

    chains: tuple[tuple[Stage, ...], ...]

    def run(self, pieces: Sequence[str]) -> list[str]:
        raise CannotRun("one of several ways")

    def describe(self) -> str:
        return " or ".join(" > ".join(s.describe() for s in chain) or "as it is" for chain in self.chains)


def run_chain(stages: Iterable[Stage], pieces: Sequence[str]) -> list[str]:
    """Run stages one after the other. Raises ``CannotRun``."""
    out = list(pieces)
    for stage in stages:
        out = stage.run(out)
    return out


def flat_stages(stages: Iterable[Stage]) -> Iterator[Stage]:
    """Every stage, those inside a ``Union`` or ``Either`` after it, depth first."""
    for stage in stages:
        yield stage
        if isinstance(stage, (Union, Either)):
            for chain in stage.chains:
                yield from flat_stages(chain)


def pattern_of(stage: Stage) -> Pattern | None:
    """The pattern of a stage that has one."""
    found = getattr(stage, "pattern", None)
    return found if isinstance(found, Pattern) else None
