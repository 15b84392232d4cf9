"""Alphabets of languages: the main exemplar letters of CLDR for every language written in a recommended script."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.unicode._decode import packed
from scriptlint.unicode.properties import general_category
from scriptlint.unicode.scripts import script_extensions

if TYPE_CHECKING:
    from scriptlint.unicode.codepoints import CodePoints

__all__ = [
    "Language",
    "UnknownLanguageError",
    "exemplars",
    "language",
    "language_name",
    "languages",
    "major",
    "missing",
]

_MAJOR_SPEAKERS = 10_000
"""Thousands of speakers from which a language is well known enough to be named first."""


class UnknownLanguageError(LookupError):
    """The table has no language with this code."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language in one script. ``speakers`` are thousands of people; ``autonym`` may be empty."""

    code: str
    scripts: tuple[str, ...]
    name: str
    autonym: str
    speakers: int
    letters: CodePoints

    @property
    def major(self) -> bool:
        """At least ten million people use it."""
        return self.speakers >= _MAJOR_SPEAKERS


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, str, str, str, int, str]]:
    from scriptlint.unicode._tables.languages import LANGUAGES

    return {row[0]: row for row in LANGUAGES}


@lru_cache(maxsize=1024)
def language(code: str) -> Language:
    """A language by its BCP 47 code, such as ``ru`` or ``sr-Latn``.

    Raises:
        UnknownLanguageError: the table has no such language.
    """
    row = _rows().get(code)
    if row is None:
        raise UnknownLanguageError(f"unknown language {code!r}")
    return Language(row[0], tuple(row[1].split()), row[2], row[3], row[4], packed(row[5]))


@lru_cache(maxsize=64)
def languages(script: str) -> tuple[str, ...]:
    """Codes of the languages written in a script, most speakers first."""
    return tuple(code for code, row in _rows().items() if script in row[1].split())


def exemplars(code: str) -> CodePoints:
    """The letters and marks that a language needs: CLDR's main exemplar set, lower case, composed and marks apart."""
    return language(code).letters


def language_name(code: str) -> str:
    """The English name of a language."""
    return language(code).name


def major(code: str) -> bool:
    """At least ten million people use the language."""
    return language(code).major


@lru_cache(maxsize=512)
def _alphabet(code: str, script: str, marks: bool) -> CodePoints:
    kinds = general_category("L") | general_category("M") if marks else general_category("L")
    return exemplars(code) & script_extensions(script) & kinds


def missing(retained: CodePoints, script: str, *, marks: bool = False) -> dict[str, str]:
    """What each language of a script loses: code to lost letters in order, languages with most speakers first.

    Languages that lose nothing are left out. Marks count only with ``marks=True``, because losing them breaks words
    rather than alphabets.
    """
    lost: dict[str, str] = {}
    for code in languages(script):
        gone = _alphabet(code, script, marks) - retained
        if gone:
            lost[code] = "".join(map(chr, gone.points()))
    return lost
