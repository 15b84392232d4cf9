"""The generated tables, compared with ``regex`` and ``unicodedata2`` on every code point and for every value."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache

import pytest
import regex
import unicodedata2
from regex import _regex as engine

from scriptlint.unicode import UNICODE_VERSION, CodePoints, alphabets, scripts, words
from scriptlint.unicode.properties import (
    UnknownPropertyError,
    category,
    general_category,
    property_table,
    property_value,
)


@lru_cache(maxsize=1)
def everything() -> str:
    return "".join(map(chr, range(0x110000)))


def matched(pattern: str) -> CodePoints:
    spans = (m.span() for m in regex.finditer(f"(?:{pattern})+", everything()))
    return CodePoints.from_bounds(tuple(b for span in spans for b in span))


def test_the_pinned_version_is_the_installed_one() -> None:
    assert unicodedata2.unidata_version == UNICODE_VERSION


def test_script_of_every_code_point() -> None:
    for code in scripts.CODES:
        assert scripts.script(code) == matched(rf"\p{{sc={code}}}"), code
    named = {scripts.script_of(c) for c in range(0x110000)}
    assert named == set(scripts.CODES)


def test_script_extensions_of_every_code_point() -> None:
    for code in scripts.CODES:
        assert scripts.script_extensions(code) == matched(rf"\p{{scx={code}}}"), code


def test_lookups_by_code_point_agree_with_the_sets() -> None:
    for code in (*scripts.RECOMMENDED, "Zyyy", "Zinh"):
        for point in scripts.script_extensions(code).sample(200):
            assert code in scripts.scripts_of(point)
        for point in scripts.script(code).sample(200):
            assert scripts.script_of(point) == code


def test_general_category_of_every_code_point() -> None:
    assert all(category(c) == unicodedata2.category(chr(c)) for c in range(0x110000))
    for prefix in ("L", "M", "N", "P", "S", "Z", "C", "Lu", "Mn", "Nd", "Cn"):
        assert general_category(prefix) == matched(rf"\p{{gc={prefix}}}")


def test_every_value_of_every_property() -> None:
    table = property_table()
    assert {name: number for name, (number, _) in engine.get_properties().items()}.keys() == table.properties.keys()
    tried = 0
    for name, (_, values) in engine.get_properties().items():
        first = table.properties[name]
        assert table.values(first) == values
        if first != name:
            continue
        for number, value in {n: v for v, n in values.items()}.items():
            assert table.points(first, number) == matched(rf"\p{{{name}={value}}}"), (name, value)
            tried += 1
    assert tried > 1_400


def test_properties_by_name() -> None:
    assert property_value("White_Space").size == 25
    assert property_value("east asian width", "wide") == property_value("EA", "W")
    with pytest.raises(UnknownPropertyError, match="unknown property 'Colour'"):
        property_value("Colour")
    with pytest.raises(UnknownPropertyError, match="no value 'Q'"):
        property_value("gc", "Q")


# --- what is built on them -------------------------------------------------------------------------------------------


def test_letters_and_marks_split_script_extensions() -> None:
    for code in scripts.RECOMMENDED:
        assert scripts.letters(code) == matched(rf"(?=\p{{scx={code}}})\p{{L}}")
        assert scripts.marks(code) == matched(rf"(?=\p{{scx={code}}})\p{{M}}")
        assert scripts.letters_total(code) == scripts.letters(code).size > 0


@pytest.mark.parametrize(
    "points",
    [
        CodePoints.ALL,
        CodePoints.EMPTY,
        CodePoints.chars("aéя猫かカ한हি"),
        ~general_category("L"),
        general_category("M"),
        CodePoints(((0x4E00, 0x9FFF), (0x3040, 0x30FF), (0xAC00, 0xD7A3))),
        CodePoints(range(0, 0x3000, 7)),
        CodePoints(range(0x300, 0x110000, 301)),
    ],
    ids=["all", "none", "few", "no letters", "marks", "cjk", "dense", "sparse"],
)
def test_the_sweep_counts_what_intersection_counts(points: CodePoints) -> None:
    counts = scripts.sweep(points)
    assert set(counts) == set(scripts.CODES) - {"Zyyy", "Zinh", "Zzzz"}
    for code, (letters, marks) in counts.items():
        assert letters == (scripts.letters(code) & points).size, code
        assert marks == (scripts.marks(code) & points).size, code


def test_recommended_and_unspaced_are_as_published() -> None:
    assert len(scripts.RECOMMENDED) == len(set(scripts.RECOMMENDED)) == 28
    assert all(scripts.usage(c) == "RECOMMENDED" for c in scripts.RECOMMENDED)
    assert scripts.usage("Bopo") == "LIMITED_USE"
    assert scripts.UNSPACED.intersection(scripts.RECOMMENDED) == {
        "Hani",
        "Hira",
        "Kana",
        "Khmr",
        "Laoo",
        "Mymr",
        "Thai",
    }


@pytest.mark.parametrize("text", ["Han", "han", "Hani", "HANI"])
def test_scripts_are_found_by_code_and_name(text: str) -> None:
    assert scripts.code(text) == "Hani"
    assert scripts.name("Hani") == "Han"
    assert scripts.name("Cans") == "Canadian Aboriginal"


def test_an_unknown_script_names_the_nearest() -> None:
    with pytest.raises(scripts.UnknownScriptError, match=r"unknown script 'Cyrilic'; did you mean Cyrillic \(Cyrl\)\?"):
        scripts.code("Cyrilic")
    with pytest.raises(scripts.UnknownScriptError, match="unknown script 'Qqqq'"):
        scripts.name("Qqqq")


def test_counts_of_a_text_leave_out_what_belongs_to_no_script() -> None:
    assert scripts.count_by_script("Привет, world 42 日本語のテスト！") == {
        "Cyrl": 6,
        "Latn": 5,
        "Hani": 3,
        "Hira": 1,
        "Kana": 3,
    }
    assert scripts.count_by_script("") == scripts.count_by_script("12 ...") == scripts.count_by_script("、 ٠") == {}
    assert scripts.count_by_script("ascii only") == {"Latn": 9}
    assert scripts.count_by_script("हिन्दी") == {"Deva": 3}  # Marks are no letters.


# --- alphabets and words ---------------------------------------------------------------------------------------------


def test_every_recommended_script_has_a_language_and_words() -> None:
    for code in scripts.RECOMMENDED:
        known = alphabets.languages(code)
        assert known, code
        speakers = [alphabets.language(c).speakers for c in known]
        assert speakers == sorted(speakers, reverse=True)
        assert all(alphabets.exemplars(c) & scripts.script_extensions(code) for c in known)
        assert len(words.words(code)) >= 3


def test_languages_have_english_names() -> None:
    assert alphabets.language_name("ru") == "Russian"
    assert alphabets.language("ru").autonym == "русский"
    assert alphabets.major("ru")
    assert not alphabets.major("gv")
    assert alphabets.languages("Cyrl")[:2] == ("ru", "uk")
    assert alphabets.language("ja").scripts == ("Hani", "Hira", "Kana")
    with pytest.raises(alphabets.UnknownLanguageError):
        alphabets.exemplars("tlh")


def test_missing_letters_per_language() -> None:
    basic = CodePoints(((0x430, 0x44F),))
    lost = alphabets.missing(basic, "Cyrl")
    assert lost["ru"] == "ё"
    assert lost["uk"] == "ʼєіїґ"
    assert "bg" not in lost
    latin = alphabets.missing(CodePoints.chars("abcdefghijklmnopqrstuvwxyz") | CodePoints(((0xC0, 0xFF),)), "Latn")
    assert latin["pl"] == "ąćęłńśźż"
    assert latin["hu"] == "őű"
    assert "en" not in latin
    assert alphabets.missing(scripts.letters("Deva"), "Deva") == {}
    assert "्" in alphabets.missing(scripts.letters("Deva"), "Deva", marks=True)["hi"]


def test_words_are_words_of_their_script() -> None:
    for code in scripts.RECOMMENDED:
        for word in (*words.words(code), words.single(code) or "", words.two(code) or ""):
            assert unicodedata2.normalize("NFC", word) == word
            for char in word:
                assert code in scripts.scripts_of(ord(char)) or scripts.script_of(ord(char)) in ("Zinh", "Zyyy"), word
    assert words.words("Hani")[0] == "视频下载"
    assert words.single("Hani") == "猫"
    assert len(words.two("Hani") or "") == 2
    assert all(words.two(c) for c in scripts.UNSPACED if c in scripts.RECOMMENDED)
    assert words.nfd_words("Latn")[1] == "cafe\u0301"
    assert words.words("Goth") == ()


@pytest.mark.parametrize("script", ["Deva", "Beng", "Taml", "Thai", "Khmr", "Mymr", "Thaa", "Sinh", "Tibt"])
def test_scripts_that_live_by_marks_show_one_in_their_first_word(script: str) -> None:
    assert any(category(ord(c))[0] == "M" for c in words.words(script)[0])


def test_loading_stays_cheap() -> None:
    """Every table, loaded from compiled files, in a fresh interpreter: the best of fifteen, in milliseconds."""
    program = (
        "import time, sys\n"
        "from scriptlint.unicode import CodePoints\n"
        "import bisect, collections, difflib, functools, dataclasses, itertools, typing\n"
        "begin = time.process_time()\n"
        "from scriptlint.unicode import scripts\n"
        "scripts.sweep(CodePoints.ALL)\n"
        "print((time.process_time() - begin) * 1000)\n"
    )
    taken = (float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(15))
    assert any(t < 15 for t in taken)  # 4 ms on a desk; the rest is room for a busy machine.
