"""Stages: the steps of a tokenizer, each of which can be run on text.

A tokenizer's value at any point is a list of pieces; it starts as the one piece that is the text. A stage maps
pieces to pieces. ``Union`` runs several chains on the same pieces and keeps what all of them give.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Dialect = Literal["re", "regex"]


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
        return _compile(self.text, self.flags, self.dialect)


@lru_cache(maxsize=1024)
def _compile(text: str | bytes, flags: int, dialect: Dialect) -> Any:
    if dialect == "re":
        return re.compile(text, flags)
    import regex

    return regex.compile(text, flags)


class Stage(Protocol):
    """One step. ``describe`` is the short form that listings print."""

    def run(self, pieces: Sequence[str]) -> list[str]: ...

    def describe(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Lower:
    """``str.lower`` on every piece."""

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p.lower() for p in pieces]

    def describe(self) -> str:
        return "lower"


@dataclass(frozen=True, slots=True)
class Casefold:
    """``str.casefold`` on every piece."""

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [p.casefold() for p in pieces]

    def describe(self) -> str:
        return "casefold"


@dataclass(frozen=True, slots=True)
class Normalize:
    """``unicodedata.normalize(form, piece)``."""

    form: Literal["NFC", "NFD", "NFKC", "NFKD"]

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [unicodedata.normalize(self.form, p) for p in pieces]

    def describe(self) -> str:
        return f"normalize {self.form}"


@dataclass(frozen=True, slots=True)
class Extract:
    """What ``findall`` or ``finditer`` gives: every match (``group`` 0) or a group of it."""

    pattern: Pattern
    group: int | str = 0

    def run(self, pieces: Sequence[str]) -> list[str]:
        compiled = self.pattern.compiled()
        group = self.group
        return [m[group] for p in pieces for m in compiled.finditer(p) if m[group] is not None]

    def describe(self) -> str:
        return f"extract {self.pattern.text!r}"


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
class Union:
    """Several chains over the same pieces: one tokenizer, judged as one."""

    chains: tuple[tuple[Stage, ...], ...]

    def run(self, pieces: Sequence[str]) -> list[str]:
        return [t for chain in self.chains for t in run_chain(chain, pieces)]

    def describe(self) -> str:
        return " | ".join(" > ".join(s.describe() for s in chain) for chain in self.chains)


def run_chain(stages: Iterable[Stage], pieces: Sequence[str]) -> list[str]:
    """Run stages one after the other."""
    out = list(pieces)
    for stage in stages:
        out = stage.run(out)
    return out
