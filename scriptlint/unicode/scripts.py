"""Scripts: which code points belong to them, how UAX #31 and CLDR class them, and counts per script.

A code point belongs to every script of its Script_Extensions (UAX #24). A script's letters are its code points of
General_Category L*, its marks those of M*.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scriptlint.unicode._decode import from_runs, integers, starts
from scriptlint.unicode._tables import scripts as _table
from scriptlint.unicode.properties import category, general_category

if TYPE_CHECKING:
    from scriptlint.unicode.codepoints import CodePoints

__all__ = [
    "CODES", "RECOMMENDED", "UNSPACED", "UnknownScriptError", "code", "count_by_script", "letters", "letters_total",
    "marks", "name", "script", "script_extensions", "script_of", "scripts_of", "sweep",
]  # fmt: skip

CODES: Final[tuple[str, ...]] = tuple(_table.CODES.split())
"""ISO 15924 codes of all scripts that have code points, with Zyyy (Common), Zinh (Inherited), Zzzz (Unknown)."""
RECOMMENDED: Final[tuple[str, ...]] = tuple(_table.RECOMMENDED.split())
"""The scripts of present-day general use (CLDR ``idUsage=RECOMMENDED``), in a reader's order."""
UNSPACED: Final[frozenset[str]] = frozenset(_table.UNSPACED.split())
"""Scripts written without blanks between words (CLDR ``lbLetters=YES``)."""

_NAMES: Final[dict[str, str]] = dict(zip(CODES, _table.NAMES.replace("_", " ").split("|"), strict=True))
_USAGE: Final[dict[str, str]] = dict(zip(CODES, _table.USAGE.split(), strict=True))
_COMMON: Final = frozenset(("Zyyy", "Zinh", "Zzzz"))


class UnknownScriptError(LookupError):
    """No script has this code or name; the message names the nearest one."""


def loose(text: str) -> str:
    """A name as Unicode compares names: upper case, without blanks, hyphens and underscores."""
    return text.translate({0x5F: None, 0x2D: None, 0x20: None}).upper()


def name(code: str) -> str:
    """The Unicode name of a script, with blanks: ``Hani`` gives ``Han``.

    Raises:
        UnknownScriptError: the code is not one of ``CODES``.
    """
    try:
        return _NAMES[code]
    except KeyError:
        raise _unknown(code) from None


def usage(code: str) -> str:
    """``RECOMMENDED``, ``LIMITED_USE``, ``EXCLUSION``, ``COMMON`` or ``INHERITED``, as CLDR says."""
    name(code)
    return _USAGE[code]


@lru_cache(maxsize=1)
def _by_name() -> dict[str, str]:
    return {loose(n): c for c, n in _NAMES.items()} | {c.upper(): c for c in CODES}


def code(name_or_code: str) -> str:
    """The ISO 15924 code of a script given by code or name, in any case: ``han``, ``Hani`` and ``Han`` give ``Hani``.

    Raises:
        UnknownScriptError: no such script.
    """
    found = _by_name().get(loose(name_or_code))
    if found is None:
        raise _unknown(name_or_code)
    return found


def _unknown(text: str) -> UnknownScriptError:
    near = get_close_matches(loose(text), _by_name(), n=1, cutoff=0.5)
    hint = f"; did you mean {_NAMES[_by_name()[near[0]]]} ({_by_name()[near[0]]})?" if near else ""
    return UnknownScriptError(f"unknown script {text!r}{hint}")


@lru_cache(maxsize=1)
def _script_runs() -> tuple[list[int], list[int]]:
    return starts(_table.SC_LENGTHS), integers(_table.SC_VALUES)


@lru_cache(maxsize=1)
def _extension_runs() -> tuple[list[int], list[int], tuple[tuple[str, ...], ...]]:
    sets = tuple(tuple(s.split()) for s in _table.SCX_SETS.split("|"))
    return starts(_table.SCX_LENGTHS), integers(_table.SCX_VALUES), sets


def script_of(point: int) -> str:
    """Script of a code point, as an ISO 15924 code; ``Zzzz`` when it is not assigned."""
    begin, values = _script_runs()
    return CODES[values[bisect_right(begin, point) - 1]]


def scripts_of(point: int) -> tuple[str, ...]:
    """Script_Extensions of a code point; its Script alone when it has no entry of its own."""
    begin, values, sets = _extension_runs()
    value = values[bisect_right(begin, point) - 1]
    return sets[value] if value >= 0 else (script_of(point),)


@lru_cache(maxsize=256)
def script(code: str) -> CodePoints:
    """The code points whose Script is ``code``."""
    name(code)
    begin, values = _script_runs()
    wanted = CODES.index(code)
    return from_runs((begin[i], begin[i + 1]) for i, v in enumerate(values) if v == wanted)


@lru_cache(maxsize=1)
def _with_entry() -> CodePoints:
    begin, values, _ = _extension_runs()
    return from_runs((begin[i], begin[i + 1]) for i, v in enumerate(values) if v >= 0)


@lru_cache(maxsize=256)
def script_extensions(code: str) -> CodePoints:
    """The code points that have ``code`` among their Script_Extensions."""
    begin, values, sets = _extension_runs()
    wanted = {i for i, s in enumerate(sets) if code in s}
    own = from_runs((begin[i], begin[i + 1]) for i, v in enumerate(values) if v in wanted)
    return (script(code) - _with_entry()) | own


@lru_cache(maxsize=256)
def letters(code: str) -> CodePoints:
    """The letters (General_Category L*) of a script, by Script_Extensions."""
    return script_extensions(code) & general_category("L")


@lru_cache(maxsize=256)
def marks(code: str) -> CodePoints:
    """The combining marks (General_Category M*) of a script, by Script_Extensions."""
    return script_extensions(code) & general_category("M")


def letters_total(code: str) -> int:
    """How many letters a script has."""
    return letters(code).size


@lru_cache(maxsize=1)
def _segments() -> tuple[list[int], list[int], list[tuple[int, ...]]]:
    """Starts, ends (exclusive) and slots of all runs of letters and marks that belong to a script.

    Slot ``2 * n`` counts letters of ``CODES[n]``, slot ``2 * n + 1`` its marks.
    """
    found: list[tuple[int, int, tuple[int, ...]]] = []
    number = {c: n for n, c in enumerate(CODES)}
    begin, values, sets = _extension_runs()
    own, own_values = _script_runs()
    for odd, kind in enumerate("LM"):
        for first, last in general_category(kind):
            point = first
            while point <= last:
                i = bisect_right(begin, point) - 1
                end = min(begin[i + 1], last + 1)
                if values[i] >= 0:
                    codes = [number[c] for c in sets[values[i]]]
                else:
                    j = bisect_right(own, point) - 1
                    codes = [own_values[j]]
                    end = min(end, own[j + 1])
                slots = tuple(2 * n + odd for n in codes if CODES[n] not in _COMMON)
                if slots:
                    found.append((point, end, slots))
                point = end
    found.sort()
    return [f[0] for f in found], [f[1] for f in found], [f[2] for f in found]


@lru_cache(maxsize=512)
def _sweep(points: CodePoints) -> tuple[int, ...]:
    begin, ends, slots = _segments()
    counts = [0] * (2 * len(CODES))
    bounds = points.bounds
    total = len(begin)
    i = 0
    for k in range(0, len(bounds), 2):
        first, end = bounds[k], bounds[k + 1]
        i = bisect_right(ends, first, i)
        j = i
        while j < total and begin[j] < end:
            low, high = begin[j], ends[j]
            n = (high if high < end else end) - (low if low > first else first)
            for slot in slots[j]:
                counts[slot] += n
            j += 1
        # The last segment may reach into the next interval, so the search starts at it, not after it.
        i = max(i, j - 1)
    return tuple(counts)


def sweep(points: CodePoints) -> dict[str, tuple[int, int]]:
    """For every script: how many of its letters and how many of its marks are in a set, in one pass over the set.

    Common, Inherited and Unknown are left out: they never make a script retained.
    """
    counts = _sweep(points)
    return {c: (counts[2 * n], counts[2 * n + 1]) for n, c in enumerate(CODES) if c not in _COMMON}


class _LetterScript(dict[str, str]):
    """Character to script of the letters met so far; empty text for what is no letter of a script."""

    def __missing__(self, char: str) -> str:
        point = ord(char)
        found = script_of(point) if category(point)[0] == "L" else ""
        self[char] = found = "" if found in _COMMON else found
        return found


_LETTER_SCRIPT = _LetterScript()


def count_by_script(text: str) -> dict[str, int]:
    """Letters of a text per Script; Common and Inherited are left out. Made for very many short texts."""
    counts: dict[str, int] = {}
    table = _LETTER_SCRIPT
    if text.isascii():  # Nothing but Latin letters is possible, and ``str`` counts them faster.
        n = sum(map(str.isalpha, text))
        return {"Latn": n} if n else counts
    for char, n in Counter(text).items():
        found = table[char]
        if found:
            counts[found] = counts.get(found, 0) + n
    return counts
