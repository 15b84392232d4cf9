"""What a rule is, and everything that a rule may import.

A rule is one file under ``rules/`` (or in a folder that ``extend-rules`` names) with five things in it:

- a module docstring that is its page: the first line is the summary, then the headings of ``HEADINGS``;
- ``META``: a :class:`Meta`;
- ``QUIET`` and ``LOUD``: tuples of :class:`Example`, at once tests, documentation and ``explain`` output;
- ``check(facts, settings)``: a pure generator of findings. What ``facts`` is, ``META.reads`` decides::

    "tokenizer"     Judged              one judged tokenizer
    "run"           tuple[Judged, ...]  every tokenizer of the run
    "source"        SourceFacts         one source file
    "item"          ItemFacts           one corpus item under one tokenizer
    "corpus"        CorpusFacts         a whole corpus under one tokenizer
    "gate"          GateFacts           the conditions of one gate run
    "suppressions"  SuppressionFacts    the suppression comments of one file, and what they did
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from scriptlint.finding import Confidence, Finding, Level, Location, Problem, Witness
from scriptlint.suppress import Comment, SuppressionFacts
from scriptlint.tokenizer import stages
from scriptlint.tokenizer.model import Judged, PatternSite, ScriptVerdict, SourceFacts, Tokenizer, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    # Facts of corpora are made above this module; rules need their types alone.
    from scriptlint.corpus.facts import CorpusFacts as CorpusFacts
    from scriptlint.corpus.facts import ItemFacts as ItemFacts
    from scriptlint.gate.facts import GateFacts as GateFacts
    from scriptlint.tokenizer.stages import Site

__all__ = [
    "HEADINGS",
    "Comment",
    "Confidence",
    "Example",
    "Finding",
    "Judged",
    "Level",
    "Location",
    "Meta",
    "PatternSite",
    "Problem",
    "Reads",
    "RuleSettings",
    "ScriptVerdict",
    "SourceFacts",
    "SuppressionFacts",
    "Tokenizer",
    "Verdict",
    "Witness",
    "and_list",
    "finding",
    "language_list",
    "lost_elsewhere",
    "main_site",
    "pattern_traps",
    "place_of",
    "prominent",
    "script_list",
    "shown",
    "stage_places",
    "stages",
]

Reads = Literal["tokenizer", "run", "source", "item", "corpus", "gate", "suppressions"]

HEADINGS = ("What it does", "Why it matters", "Example", "Use instead", "What it can't see")
"""The headings of a rule's page, in this order, each written as ``## Heading``."""


@dataclass(frozen=True, slots=True)
class Meta:
    """The card of a rule.

    ``name`` says the pattern, not the remedy, in kebab-case. ``options`` are the rule's own settings with their
    default values; ``[tool.scriptlint.rules.<name>]`` changes them, and a value must have the default's type.
    ``default`` is false for a rule that runs only when it is selected by its code or name.
    """

    code: str
    name: str
    level: Level
    reads: Reads
    options: Mapping[str, object] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    default: bool = True
    since: str = "0.1.0"


@dataclass(frozen=True, slots=True)
class Example:
    """A small input on which the rule stays quiet or speaks.

    A rule that reads source sets ``source`` (and ``path``, when the name matters). A rule that reads a corpus sets
    ``files`` (path -> text) and ``tokenizer`` (a preset's name, or ``FILE.py::name`` among ``files``). ``options``
    override the rule's own for this example alone; ``scripts`` are the wanted scripts, the default set when empty.
    """

    source: str = ""
    path: str = "example.py"
    note: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    tokenizer: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()

    @property
    def all_files(self) -> Mapping[str, str]:
        """Path -> text of everything in the example."""
        return {**({self.path: self.source} if self.source else {}), **self.files}


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What a rule may know of the settings. ``scripts`` are the wanted scripts (ISO 15924 codes)."""

    scripts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    pedantic: bool = False
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Rule code -> option -> value; what is not there has the default that the rule's META gives."""

    def option(self, meta: Meta, name: str) -> Any:
        """The value of a rule's own option: the configured one, else META's. Has the type of META's."""
        return self.options.get(meta.code, {}).get(name, meta.options[name])


def finding(
    meta: Meta,
    place: Location | Site,
    message: str,
    *,
    confidence: Confidence = Confidence.HIGH,
    level: Level | None = None,
    help: str = "",
    scripts: Iterable[str] = (),
    tokenizer: Tokenizer | str | None = None,
    item: str | None = None,
    witness: Witness | None = None,
    related: Sequence[Location] = (),
    statement: tuple[int, int] | None = None,
) -> Finding:
    """A finding of the rule ``meta`` at ``place``.

    When ``tokenizer`` is a Tokenizer its name is taken, and its statement too unless ``statement`` says otherwise.
    """
    name = tokenizer.name if isinstance(tokenizer, Tokenizer) else tokenizer
    if statement is None and isinstance(tokenizer, Tokenizer):
        statement = tokenizer.statement
    return Finding(
        code=meta.code,
        name=meta.name,
        level=level or meta.level,
        confidence=confidence,
        message=message,
        location=place_of(place),
        help=help,
        scripts=tuple(scripts),
        tokenizer=name,
        item=item,
        witness=witness,
        related=tuple(related),
        statement=statement,
    )


def place_of(site: Location | Site, message: str = "") -> Location:
    """A location for a stage's or pattern's place; ``message`` says what stands there."""
    said = message or (site.message if isinstance(site, Location) else "")
    return Location(site.path, site.line, site.column, site.end_line, site.end_column, said)


def and_list(words: Sequence[str], limit: int = 0, more: str = "more") -> str:
    """``a, b and c``; with a limit, ``a, b and 21 more``. Never hides a single last word behind "1 more"."""
    if limit and len(words) > limit + 1:
        return f"{', '.join(words[:limit])} and {len(words) - limit} {more}"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


PROMINENT = (
    *("Hani", "Hira", "Kana", "Cyrl", "Hang", "Arab", "Deva", "Beng", "Thai", "Grek", "Hebr", "Taml", "Telu", "Knda"),
    *("Mlym", "Gujr", "Guru", "Orya", "Sinh", "Ethi", "Geor", "Armn", "Mymr", "Khmr", "Laoo", "Tibt", "Thaa", "Latn"),
)
"""The scripts that a message names first: those whose readers are most often met."""


def prominent(codes: Iterable[str]) -> list[str]:
    """Script codes in the order in which messages name them."""
    rank = {code: i for i, code in enumerate(PROMINENT)}
    return sorted(codes, key=lambda c: rank.get(c, len(rank)))


def script_list(codes: Sequence[str], limit: int = 4, *, ordered: bool = False) -> str:
    """Script codes as their English names: ``Han, Hiragana, Katakana, Cyrillic and 21 more``."""
    from scriptlint.unicode.scripts import name

    return and_list([name(code) for code in (codes if ordered else prominent(codes))], limit)


def language_list(codes: Sequence[str], limit: int = 3) -> str:
    """Language codes as their English names: ``Russian, Ukrainian and 12 more``."""
    from scriptlint.unicode.alphabets import language_name

    return and_list([language_name(code) for code in codes], limit)


def shown(witness: Witness) -> str:
    """A witness inside a sentence: ``हिन्दी -> ह, न, द`` or ``猫 -> no tokens``."""
    return f"{witness.text} -> {', '.join(witness.tokens) if witness.tokens else 'no tokens'}"


def lost_elsewhere(tokenizer: Tokenizer, verdict: ScriptVerdict) -> tuple[Location, ...]:
    """Where a script is lost, as a related location, when that stands in another file than the tokenizer."""
    places = stage_places(tokenizer, verdict, "lost here")
    return tuple(p for p in places if p.path != tokenizer.path)


def stage_places(tokenizer: Tokenizer, verdict: ScriptVerdict, message: str) -> tuple[Location, ...]:
    """The place of the stage that loses a script, as a related location, when it is known."""
    for site in tokenizer.sites:
        if site.stage is not None and site.stage == verdict.lost_by:
            return (place_of(site.place, message),)
    return ()


def pattern_traps(tokenizer: Tokenizer) -> Iterator[tuple[str, str, Site]]:
    """Syntax in a tokenizer's patterns that means something else than it says: (kind, text, place)."""
    from scriptlint.pattern import PatternError, PatternTooComplex, facts

    for stage in stages.flat_stages(tokenizer.stages):
        pattern = stages.pattern_of(stage)
        if pattern is None or pattern.site is None:
            continue
        try:
            traps = facts(pattern.text, int(pattern.flags), pattern.dialect).traps
        except (PatternError, PatternTooComplex):
            continue
        for trap in traps:
            yield trap.kind, trap.text, pattern.site


_BLANKS = re.compile(r"(?:\\[snrt]| |\[(?:\\[snrtfv]| )+\])(?:[+*]|\{\d*,?\d*\})?")
"""A pattern of blanks alone: a clean-up, before or behind what makes the tokens."""


def main_site(tokenizer: Tokenizer, verdict: ScriptVerdict | None = None) -> Site | Location:
    """Where a finding on a tokenizer stands: the stage that loses the script, else its first pattern, else its line."""
    sites = [s for s in tokenizer.sites if s.place.path == tokenizer.path] or list(tokenizer.sites)
    if verdict is not None and verdict.lost_by is not None:
        for site in sites:
            if site.stage == verdict.lost_by:
                return site.place
    sites = [s for s in sites if not (s.role == "erase" and _BLANKS.fullmatch(s.pattern or ""))] or sites
    for site in sites:
        if site.pattern is not None:
            return site.place
    if sites:
        return sites[0].place
    return Location(tokenizer.path, tokenizer.line, 1, tokenizer.line, 1)
