"""What lower, upper, casefold and normalisation do to sets, against the functions themselves."""

from __future__ import annotations

import sys
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
import unicodedata2

from scriptlint.unicode import CodePoints
from scriptlint.unicode.casing import (
    ascii_ignore,
    image,
    lower_preimage,
    lowered,
    outcomes,
    preimage,
    re_closure,
    regex_closure,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.unicode.casing import Operation

_METHODS: dict[Operation, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "casefold": str.casefold}
_FORMS: tuple[Operation, ...] = ("NFC", "NFD", "NFKC", "NFKD")
_TARGETS = {
    "ascii": CodePoints(((0, 0x7F),)),
    "a-z": CodePoints(((0x61, 0x7A),)),
    "kana": CodePoints(((0x3040, 0x30FF),)),
    "jamo": CodePoints(((0x1100, 0x11FF),)),
    "a few jamo": CodePoints((0x1100, 0x1161, 0x11A8)),
    "syllables": CodePoints(((0xAC00, 0xD7A3),)),
    "marks": CodePoints(((0x300, 0x36F), 0x3C3)),
}


def outcome(op: Operation, char: str) -> str:
    if op == "lower" and char == "Σ":
        return "σς"  # The end of a word decides.
    return _METHODS[op](char) if op in _METHODS else unicodedata2.normalize(op, char)


@lru_cache(maxsize=8)
def changes(op: Operation) -> tuple[CodePoints, dict[int, str], CodePoints]:
    """What the function changes among the code points it knows, and those on which our table is newer."""
    everything = range(sys.maxunicode + 1)
    # Normalisation is pinned; the methods of ``str`` are the interpreter's.
    known = everything if op in _FORMS else [c for c in everything if unicodedata.category(chr(c)) != "Cn"]
    changed = {c: text for c in known if (text := outcome(op, chr(c))) != chr(c)}
    ours = {c: text for c, text in outcomes(op).items() if op in _FORMS or unicodedata.category(chr(c)) != "Cn"}
    newer = {c for c in {*ours, *changed} if ours.get(c, chr(c)) != changed.get(c, chr(c))}
    if op in ("NFD", "NFKD"):
        newer -= set(range(0xAC00, 0xD7A4))  # Arithmetic, not in the table.
    return CodePoints(known), changed, CodePoints(newer)


@pytest.mark.parametrize("op", [*_METHODS, *_FORMS])
def test_images_and_preimages_of_every_code_point(op: Operation) -> None:
    known, changed, newer = changes(op)
    same = known - CodePoints(changed)
    letters = set("".join(changed.values()))
    assert newer.size < (1 if op in _FORMS else 12)
    for name, target in _TARGETS.items():
        inside = {x for x in letters if x in target}
        some = CodePoints(c for c, text in changed.items() if any(x in inside for x in text))
        every = CodePoints(c for c, text in changed.items() if all(x in inside for x in text))
        became = CodePoints.chars("".join(text for c, text in changed.items() if c in target))
        assert (preimage(op, target, "any") & known) - newer == ((same & target) | some) - newer, name
        assert (preimage(op, target, "all") & known) - newer == ((same & target) | every) - newer, name
        assert (image(op, target) & known) - newer == (((same & target) | became) & known) - newer, name


def test_what_survives_lowering_into_ascii() -> None:
    az = CodePoints(((0x61, 0x7A), (0x30, 0x39)))
    assert lower_preimage(az) - CodePoints(((0, 0x7F),)) == CodePoints.chars("İ\u212a")
    assert lower_preimage(az, "all") - CodePoints(((0, 0x7F),)) == CodePoints.chars("\u212a")
    assert lowered(CodePoints.chars("ΣA")) == CodePoints.chars("σςa")
    assert (preimage("casefold", az) - CodePoints(((0, 0x7F),))).size == 20
    assert ascii_ignore(CodePoints.chars("aé猫")) == CodePoints.chars("a")


def test_decomposition_takes_korean_and_kana_apart() -> None:
    syllables = CodePoints(((0xAC00, 0xD7A3),))
    assert not preimage("NFD", syllables)
    assert image("NFD", CodePoints.chars("각")) == CodePoints.chars("\u1100\u1161\u11a8")
    assert image("NFD", CodePoints.chars("が")) == CodePoints.chars("か\u3099")
    assert image("NFKD", CodePoints.chars("ﬁ")) == CodePoints.chars("fi")


def test_case_closures_differ_by_dialect() -> None:
    az = CodePoints(((0x61, 0x7A),))
    assert re_closure(az).size == 56
    assert regex_closure(az).size == 55
    assert "ı" in re_closure(az)
    assert "ı" not in regex_closure(az)
