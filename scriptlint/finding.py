"""What every part of scriptlint reports: a finding, with the places and the witness that prove it.

Lines and columns are 1-based, columns count code points, ends are exclusive. Paths are relative to the
working directory and use ``/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is; the words are SARIF's."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for the mildest, so that levels can be compared."""
        return _LEVEL_RANK[self]


_LEVEL_RANK = {Level.NOTE: 0, Level.WARNING: 1, Level.ERROR: 2}


class Confidence(StrEnum):
    """How sure we are that the place matters; findings below ``high`` show up under ``--pedantic`` alone."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for the least sure, so that confidences can be compared."""
        return _CONFIDENCE_RANK[self]


_CONFIDENCE_RANK = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A range in a file. ``message`` says what stands there (related locations only)."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """A short real text and the tokens that the tokenizer, run, makes of it."""

    text: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth a person's attention.

    ``statement`` is the range of lines (first, last, inclusive) on which a suppression comment works.
    ``scripts`` are ISO 15924 codes ("Hani"). ``tokenizer`` and ``item`` name what the finding is about.
    ``fingerprint`` is filled in by the engine: stable over line moves, distinct within a run.
    """

    code: str
    name: str
    level: Level
    confidence: Confidence
    message: str
    location: Location
    help: str = ""
    scripts: tuple[str, ...] = ()
    tokenizer: str | None = None
    item: str | None = None
    witness: Witness | None = None
    related: tuple[Location, ...] = ()
    statement: tuple[int, int] | None = None
    fingerprint: str = ""
    suppressed: str | None = None
    """Why it is suppressed: ``None`` when it is not, else ``inline: <reason>`` or ``baseline``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read: told, never fatal. ``line`` is ``None`` when the whole file is meant."""

    path: str
    message: str
    line: int | None = None
