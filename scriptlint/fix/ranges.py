"""Scripts as ranges for a class: few, readable, and without the signs that end a word."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.unicode import alphabets
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.properties import general_category
from scriptlint.unicode.scripts import RECOMMENDED, UNSPACED, script_extensions

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["class_text", "marks", "spaced", "unspaced"]

ASCII = CodePoints.of([(0, 0x7F)])
_SIGNS = CodePoints.of([0xD7, 0xF7, 0x30FB, 0xFF65])
_MORE = {
    "Hani": CodePoints.of([(0xF900, 0xFAD9), (0x20000, 0x33479)]),
    "Kana": CodePoints.of([(0xFF66, 0xFF9F)]),
    "Hang": CodePoints.of([(0x1100, 0x11FF), (0x3131, 0x318E)]),
}
"""Stretches without a letter of any alphabet's table that texts hold all the same."""
_TIBETAN_SIGNS = CodePoints.of([(0xF0B, 0xF14)])
_COMBINING = CodePoints.of([(0x300, 0x36F)])
_WIDEST_GAP = 0x200


@lru_cache(maxsize=1)
def _separators() -> CodePoints:
    """What must not come into a word along with letters: blanks, dashes, brackets, quotes, ends of sentences."""
    from scriptlint.pattern import analyze

    kinds = CodePoints.union(general_category(k) for k in ("Z", "Cc", "Pd", "Ps", "Pe", "Pi", "Pf"))
    terminal = analyze(r"\p{Terminal_Punctuation}|\p{White_Space}", 0, "regex").may
    return kinds | terminal | _SIGNS | _TIBETAN_SIGNS | ASCII


@lru_cache(maxsize=1)
def _only_unspaced() -> CodePoints:
    both = CodePoints.union(script_extensions(c) for c in RECOMMENDED if c not in UNSPACED)
    return CodePoints.union(script_extensions(c) for c in UNSPACED) - both


def _bridged(wanted: CodePoints, allowed: CodePoints, most: int) -> CodePoints:
    """Neighbouring intervals made one where the gap is small and holds nothing that hurts."""
    out: list[tuple[int, int]] = []
    for first, last in wanted:
        gap = CodePoints.of([(out[-1][1] + 1, first - 1)]) if out else CodePoints.EMPTY
        if out and gap.size <= most and gap.issubset(allowed):
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return CodePoints.of(out)


@lru_cache(maxsize=64)
def _script(code: str) -> CodePoints:
    """The stretches of a script in which letters of a living language stand, its marks included."""
    kinds = general_category("L") | general_category("M")
    needed = CodePoints.union(alphabets.exemplars(lang) for lang in alphabets.languages(code))
    needed |= CodePoints.chars("".join(chr(p).upper() for p in needed.points()))
    everything = ((script_extensions(code) & kinds) | (needed & kinds)) - ASCII
    keep_out = _separators() if code in UNSPACED else _separators() | _only_unspaced()
    whole = _bridged(everything, ~keep_out, 0x80)
    alive = CodePoints.of([i for i in whole if not CodePoints.of([i]).isdisjoint(needed)])
    return alive | _MORE.get(code, CodePoints.EMPTY)


@lru_cache(maxsize=256)
def spaced(codes: tuple[str, ...]) -> CodePoints:
    """Letters and marks of scripts that are written with blanks."""
    found = CodePoints.union(_script(c) for c in codes)
    if found:
        # A decomposed letter, and what lower case makes of a dotted capital I, has its mark there in any script.
        found |= _COMBINING
    return _bridged(found, ~(_separators() | _only_unspaced()), _WIDEST_GAP)


@lru_cache(maxsize=256)
def unspaced(codes: tuple[str, ...]) -> CodePoints:
    """Letters and marks of scripts that are written without blanks."""
    found = CodePoints.union(_script(c) for c in codes) - _shared()
    return _bridged(found, ~_separators(), 0x20)


@lru_cache(maxsize=1)
def _shared() -> CodePoints:
    """Letters that scripts of both kinds use (tone letters): they stay with words."""
    return CodePoints.union(script_extensions(c) for c in RECOMMENDED if c not in UNSPACED) - CodePoints.of(
        [(0x2E80, 0xFFFF)]
    )


@lru_cache(maxsize=256)
def marks(codes: tuple[str, ...]) -> CodePoints:
    """The marks of scripts."""
    found = CodePoints.union(_script(c) & general_category("M") for c in codes)
    return _bridged(found, general_category("Cn") | general_category("M"), 0x20)


def class_text(points: CodePoints) -> str:
    """Members of a class, as escapes that both engines know."""
    return "".join(_escape(a) if a == b else f"{_escape(a)}-{_escape(b)}" for a, b in points)


def _escape(point: int) -> str:
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def split(codes: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Codes of spaced and of unspaced scripts."""
    return tuple(c for c in codes if c not in UNSPACED), tuple(c for c in codes if c in UNSPACED)
