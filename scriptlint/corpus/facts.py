"""What the corpus rules read: an item under one tokenizer, and the corpus as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.finding import Location

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.corpus.items import Item, Oddity
    from scriptlint.corpus.summary import Summary


NOWHERE = Location("", 1, 1, 1, 1)

_LANGUAGES = {"Hani": "Chinese", "Jpan": "Japanese", "Hang": "Korean", "Latn": "Latin"}


@dataclass(frozen=True, slots=True)
class Loss:
    """The stage of a tokenizer that drops an item's text. ``place`` is its regex literal, when it has one."""

    stage: str
    scripts: tuple[str, ...]
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """What a window takes from an item. ``before`` is true when the tokenizer gets the cut text alone, false when
    only what is shown is cut; ``None`` when that isn't known.

    ``lost`` are tokens that only the part past the window gives, ``scripts`` the scripts whose every token is there.
    ``left`` counts the new tokens that stay.
    """

    size: int
    before: bool | None
    lost: tuple[str, ...]
    scripts: tuple[str, ...]
    left: int
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One item under one tokenizer.

    ``entry`` is the name under which this index entry is found: an item with two names has facts for each.
    ``script`` is that of most letters (``Jpan``, ``Zyyy``), ``letters`` counts the description's letters by script.
    ``own`` are the tokens of its names, ``new`` the first of the ``new_count`` tokens that the description adds.
    ``losses`` name the stages that drop the description's scripts, ``words`` the places of the embedded words that
    are all the item is found by.
    """

    item: Item
    entry: str
    tokenizer: str
    script: str
    letters: Mapping[str, int]
    own: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    new_count: int = 0
    blind: bool = False
    loanword_only: bool = False
    boilerplate_only: bool = False
    undecided: bool = False
    common: tuple[str, ...] = ()
    """Those of ``new`` that are no stop words but stand in more than a set share of the corpus."""
    losses: tuple[Loss, ...] = ()
    words: tuple[Location, ...] = ()
    cut: Cut | None = None
    sample: str = ""
    """A few words of what is lost, or of the description's beginning; ``sample_tokens`` are the tokens made of it."""
    sample_tokens: tuple[str, ...] = ()
    place: Location = NOWHERE
    """Where a finding on the item stands: its description, else its name, else the file's first line."""

    @property
    def writing(self) -> str:
        """What the description is written in, for a sentence: ``Chinese``, ``Cyrillic``."""
        return writing(self.script)

    @property
    def lost(self) -> tuple[str, ...]:
        """Scripts of the description of which no letter becomes part of a token, most letters first."""
        gone = {code for loss in self.losses for code in loss.scripts}
        return tuple(sorted(gone, key=lambda code: (-self.letters.get(code, 0), code)))


def writing(script: str) -> str:
    """The name of a script, or of the language when the script has one main language."""
    if script in _LANGUAGES:
        return _LANGUAGES[script]
    from scriptlint.unicode.scripts import name

    return name(script)


@dataclass(frozen=True, slots=True)
class Collision:
    """Items with different descriptions and the same set of tokens. ``places`` go with ``items``."""

    items: tuple[Item, ...]
    tokens: tuple[str, ...]
    places: tuple[Location, ...]
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """A whole corpus under one tokenizer. ``oddities`` are given with the first tokenizer of a run alone: they
    don't depend on it."""

    tokenizer: str
    summary: Summary
    oddities: tuple[Oddity, ...] = ()
    collisions: tuple[Collision, ...] = field(default=())
