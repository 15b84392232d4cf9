"""A tokenizer as the rest of scriptlint sees it, and the verdict on it.

``source`` finds tokenizers, ``verdict`` judges them, ``rules`` read both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.finding import Confidence, Problem, Witness
    from scriptlint.source.constants import ScoreFacts
    from scriptlint.tokenizer.stages import Dialect, Site, Stage

Kind = Literal["tokenizer", "normalizer", "match"]
Role = Literal["extract", "separate", "erase", "filter", "match", "call"]


@dataclass(frozen=True, slots=True)
class PatternSite:
    """A place that takes part in a tokenizer: a regex literal, or a call that decides what text stays.

    ``place`` is the literal's range (or the call's, when there is no literal). ``pattern`` is the assembled text;
    ``None`` when the place holds no regex. ``flags`` are the engine's names ("IGNORECASE").
    """

    place: Site
    role: Role
    pattern: str | None = None
    flags: tuple[str, ...] = ()
    dialect: Dialect = "re"
    stage: int | None = None
    """Index into the tokenizer's flat stage list (``flat_stages``), when it is one of them."""


class Program(Protocol):
    """A tokenizer as it is written, ready to be run."""

    def run(self, text: str) -> list[str]:
        """Tokens of a text. Raises ``Unsupported`` or ``Raised`` when it can't be run."""
        ...

    def run_among(self, text: str) -> list[str]:
        """Tokens of a word that stands among others: a bound on how many there are lets it pass."""
        ...


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tree of stages with a name and a place.

    ``name`` is the qualified name of the function (or module constant) it lives in: ``BM25.tokenize``.
    ``reasons`` say why it was taken for a tokenizer, in words for a person. ``statement`` is the range of lines
    (first, last, inclusive) on which a suppression comment works.
    """

    name: str
    path: str
    line: int
    kind: Kind
    confidence: Confidence
    stages: tuple[Stage, ...]
    sites: tuple[PatternSite, ...] = ()
    reasons: tuple[str, ...] = ()
    statement: tuple[int, int] | None = None
    program: Program | None = field(default=None, compare=False, repr=False)
    """Runs it as it is written; without one, the stages are run."""
    attributes: Mapping[str, object] = field(default_factory=dict)
    """Facts that a rule may want and no stage carries: ``fallback`` (a constant for an empty key), ..."""

    def run(self, text: str) -> list[str] | None:
        """The tokens that its model makes of a text; ``None`` when a step can't be run."""
        from scriptlint.tokenizer.run import run

        return run(self, text)


class Verdict(StrEnum):
    """What becomes of a script, worst first (``unknown`` stands outside the order)."""

    EXCLUDED = "excluded"
    SHREDDED = "shredded"
    UNSEGMENTED = "unsegmented"
    PARTIAL = "partial"
    RETAINED = "retained"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ScriptVerdict:
    """What one tokenizer does to one script.

    ``letters`` is how many letters the script has, ``retained`` how many of them can come out (``None``: unknown).
    ``lost_by`` is the index in ``flat_stages`` of the stage that loses it. ``languages`` names the languages that
    lose letters, with the letters (``{"ru": "ё"}``), for ``partial``.
    """

    script: str
    verdict: Verdict
    exact: bool
    letters: int
    retained: int | None
    witness: Witness | None = None
    short_dropped: bool = False
    short_witness: Witness | None = None
    glued: bool = False
    lost_by: int | None = None
    cut: bool = False
    """For ``partial``: no letter is lost, but words are cut at letters."""
    languages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadPattern:
    """A pattern that its engine rejects: ``message`` is the engine's, ``position`` counts in the pattern's text."""

    place: Site
    message: str
    position: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """A keyword between ``\\b`` that decides over a text; ``keyword`` is one of them when it is known."""

    place: Site
    function: str
    keyword: str = ""


@dataclass(frozen=True)
class SourceFacts:
    """What was read from one file. ``module`` is the file as a scope, for whoever goes on from here."""

    path: str
    tokenizers: tuple[Tokenizer, ...] = ()
    problems: tuple[Problem, ...] = ()
    bad_patterns: tuple[BadPattern, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    module: Any = field(default=None, repr=False, compare=False)
    scores: ScoreFacts | None = field(default=None, compare=False)
    """Factors, thresholds and tables of words; ``None`` for a file that was not parsed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A tokenizer with its verdicts, keyed by ISO 15924 script code, in the order of the wanted scripts."""

    tokenizer: Tokenizer
    scripts: Mapping[str, ScriptVerdict]

    def with_verdict(self, verdict: Verdict) -> tuple[ScriptVerdict, ...]:
        """The scripts that got this verdict."""
        return tuple(v for v in self.scripts.values() if v.verdict is verdict)
