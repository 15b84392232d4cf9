"""The script of an item: that of most of its description's letters.

Japanese is told from Chinese by kana: Han and kana letters count together, as ``Jpan`` when kana are among them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

NO_LETTER = "Zyyy"
CJK_DOMINANT = 8
"""Han and kana characters from which a description counts as CJK-dominant."""

_KANA = ("Hira", "Kana")
_CJK = frozenset(("Hani", *_KANA))
_DROP = bytes(b for b in range(256) if not chr(b).isascii() or not chr(b).isalpha())


class Profile(NamedTuple):
    """``script``: ISO 15924 code, ``Jpan`` for Japanese, ``Zyyy`` without letters. ``cjk``: whether the text is
    CJK-dominant."""

    script: str
    cjk: bool


def profile(text: str) -> Profile:
    """The script of a text. Equal to ``counted(text)``, whose counting it skips where a majority is plain."""
    if text.isascii():
        return _LATIN if _any_letter(text) else _NONE
    return _mixed(text)


_LATIN = Profile("Latn", False)
_NONE = Profile(NO_LETTER, False)
_LETTER = re.compile("[A-Za-z]")
_any_letter = _LETTER.search


def counted(text: str) -> Profile:
    """The script with most letters, Han and kana taken together (with the long vowel mark, which is Common)."""
    from scriptlint.unicode.scripts import count_by_script

    runs, has_kana = _cjk()
    cjk = len("".join(runs(text)))
    groups = {code: n for code, n in count_by_script(text).items() if code not in _CJK}
    if cjk:
        groups["Jpan" if has_kana(text) else "Hani"] = cjk
    if not groups:
        return _NONE
    return Profile(max(sorted(groups), key=groups.__getitem__), cjk >= CJK_DOMINANT)


def _mixed(text: str) -> Profile:
    """A majority that is plain; what is neither ASCII nor known here may be letters of any script."""
    ascii_part = text.encode("ascii", "ignore")
    latin = len(ascii_part.translate(None, _DROP))
    others = len(text) - len(ascii_part)
    if latin > others:
        return Profile("Latn", others >= CJK_DOMINANT and _cjk_letters(text) >= CJK_DOMINANT)
    # The high bytes of UTF-16 tell most letters of three scripts at once.
    high = text.encode("utf-16-le", "surrogatepass")[1::2]
    if len(high) == len(text):
        han = len(high) - len(high.translate(None, _HAN_BYTES))
        if han > latin + others - han:
            kana = _cjk()[1](text)
            return Profile("Jpan" if kana else "Hani", han >= CJK_DOMINANT or _cjk_letters(text) >= CJK_DOMINANT)
        if not han:
            for code, bytes_, odd in _BY_BYTE:
                own = len(high) - len(high.translate(None, bytes_))
                if own > latin + others - own and not odd(text):
                    left = others - own
                    return Profile(code, left >= CJK_DOMINANT and _cjk_letters(text) >= CJK_DOMINANT)
    beyond = _BEYOND(text)
    code = _first(beyond[0]) if beyond else ""
    if code:
        letters, wide = _runs_of(code)
        own_text = "".join(wide(text))
        rest = latin + others - len(own_text) + own_text.count(" ")
        # A majority can show in the beginning already.
        if len("".join(letters(text[:_BEGINNING]))) > rest or len("".join(letters(text))) > rest:
            return Profile(code, rest >= CJK_DOMINANT and _cjk_letters(text) >= CJK_DOMINANT)
    return counted(text)


_BEGINNING = 48
_HAN_BYTES = bytes(range(0x4E, 0xA0))
"""U+4E00 to U+9FFF: all of them are Han letters."""
_NEVER = re.compile("(?!)").search
_BY_BYTE = (
    ("Hang", bytes(range(0xAC, 0xD7)), _NEVER),
    # U+0482 to U+0489 are no letters.
    ("Cyrl", b"\x04", re.compile("[\u0482-\u0489]").search),
)


def _cjk_letters(text: str) -> int:
    return len("".join(_cjk()[0](text)))


_BEYOND = re.compile(r"[^\W\d_\x00-\x7f]").search


@lru_cache(maxsize=4096)
def _first(char: str) -> str:
    """The script of a letter; empty when it may be one of several."""
    from scriptlint.unicode.scripts import RECOMMENDED, script_of

    code = script_of(ord(char))
    return code if code in RECOMMENDED and code not in _CJK and code != "Latn" else ""


@cache
def _runs_of(code: str) -> tuple[Callable[[str], list[str]], Callable[[str], list[str]]]:
    """``findall`` of runs of a script's letters, and of wider ones that hold its marks and blanks, too."""
    from scriptlint.unicode.scripts import letters, marks, script

    own = "".join(f"{chr(first)}-{chr(last)}" for first, last in letters(code) & script(code))
    more = "".join(f"{chr(first)}-{chr(last)}" for first, last in marks(code) & script(code))
    return re.compile(f"[{own}]+").findall, re.compile(f"[ {own}{more}]+").findall


@cache
def _cjk() -> tuple[Callable[[str], list[str]], Callable[[str], object]]:
    """``findall`` of runs of Han and kana letters, and ``search`` for a kana letter."""
    from scriptlint.unicode.scripts import letters

    def ranges(code: str) -> str:
        return "".join(f"{chr(first)}-{chr(last)}" for first, last in letters(code))

    kana = "".join(ranges(code) for code in _KANA)
    return re.compile(f"[{ranges('Hani')}{kana}]+").findall, re.compile(f"[{kana}]").search
