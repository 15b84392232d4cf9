"""Factors for some scripts, thresholds and tables of words, read from source."""

from __future__ import annotations

import pytest

from scriptlint.source.constants import ScoreFacts, score_facts
from scriptlint.source.module import SourceModule

GATE = "GATE_MIN = 6.0\nF = 0.35\ndef gate(score):\n    return score >= GATE_MIN\n"


def read(source: str) -> ScoreFacts:
    return score_facts(SourceModule("a.py", source.encode())) or ScoreFacts()


TESTS = {
    "range": ('"가" <= t[0] <= "힣"', "Hang"),
    "two halves": ('"가" <= t[0] and t[0] <= "힣"', "Hang"),
    "ord": ("0x4e00 <= ord(t[0]) <= 0x9fff", "Hani"),
    "pattern": ('re.search("[а-яё]", t)', "Cyrl"),
    "any": ('any("一" <= c <= "鿿" for c in t)', "Hani"),
    "helper": ("is_han(t)", "Hani"),
    "helper with return": ("is_thai(t)", "Thai"),
    "name": ('"HANGUL" in unicodedata.name(t[0])', "Hang"),
    "startswith": ('unicodedata.name(t[0]).startswith("CJK")', "Hani"),
    "compiled": ("HAN.fullmatch(t)", "Hani"),
    "range object": ("ord(t) in range(0x4e00, 0xa000)", "Hani"),
}
HELPERS = (
    'import re, unicodedata\nHAN = re.compile("[一-鿿]+")\n'
    'def is_han(t):\n    return len(t) == 2 and "一" <= t[0] <= "鿿"\n'
    'def is_thai(t):\n    if "ก" <= t[0] <= "๛":\n        return True\n    return False\n'
)
SHAPES = {
    "times": "    w = 1.5\n    if {}:\n        w *= F\n    return w\n",
    "product": "    if {}:\n        return base(t) * F\n    return base(t)\n",
    "choice": "    return base(t) * (F if {} else 1.0)\n",
    "weight": "    if {}:\n        return 0.35\n    return 1.0\n",
    "loop": "    for x in t:\n        if len(x) > 2 and {}:\n            s = base(x) * F\n    return s\n",
}


@pytest.mark.parametrize(("test", "script"), TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_factors(test: str, script: str, shape: str) -> None:
    facts = read(HELPERS + GATE + "def weigh(t):\n" + shape.format(test))
    assert [s.scripts for s in facts.scaled] == [(script,)], facts
    assert facts.scaled[0].factor == 0.35
    assert facts.thresholds[0].shown == "GATE_MIN = 6"


@pytest.mark.parametrize(
    "source",
    [
        HELPERS + "F = 0.35\ndef weigh(t):\n    return F if is_han(t) else 1.0\n",
        HELPERS + GATE + "def weigh(t):\n    return 1.0 if is_han(t) else 1\n",
        HELPERS + GATE + "def weigh(t):\n    return F if len(t) > 300 else 1.0\n",
        HELPERS + GATE + "def weigh(n):\n    return n * F if n > 1000 else n\n",
        HELPERS + GATE + 'def weigh(t):\n    return F if "a" <= t[0] <= "z" else 1.0\n',
        HELPERS + "MAX_LEN = 9\ndef weigh(t, score):\n    if len(t) > MAX_LEN or score > 0: return 1\n"
        "    return F if is_han(t) else 1.0\n",
    ],
    ids=["no threshold", "no factor", "length", "plain numbers", "ascii", "no gate"],
)
def test_no_factors(source: str) -> None:
    facts = read(source)
    assert not (facts.scaled and facts.thresholds)


def test_tables() -> None:
    words = {"번역": "translate", "요약": ["summary", "digest"], "검색": "search", "翻訳": "translate"}
    (bridge,) = read(f"SYN = {words!r}\ndef expand(query):\n    return SYN.get(query)\n").bridges
    assert dict(bridge.pairs) == {("Hang", "Latn"): 3, ("Hani", "Latn"): 1} and bridge.used
    (pairs,) = read("P = [('번역', 'translate'), ('요약', 'summary'), ('검색', 'search')]\n").bridges
    assert dict(pairs.pairs) == {("Hang", "Latn"): 3} and not pairs.used
    assert read("L = {'а': 'a', 'б': 'b', 'в': 'v', 'щ': 'shch'}\n").bridges == ()
    assert read("S = {'lorry': 'truck', 'flat': 'apartment', 'lift': 'elevator'}\n").bridges == ()
