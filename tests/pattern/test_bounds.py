"""Random patterns on random texts: ``may`` and ``sure`` hold, and what is called exact is seen to happen."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import regex
from random_patterns import Generator, Kind
from real_engines import compiled, consumed, dialect, flags_for, known, module

from scriptlint.pattern import PatternTooComplex, Reach, analyze, parse
from scriptlint.pattern.ir import lower
from scriptlint.pattern.witness import prove
from scriptlint.unicode import CodePoints

_TEXTS = 5


def cases(kind: Kind, seed: int, count: int):  # type: ignore[no-untyped-def]
    """Random patterns that the engine takes: pattern, flags, the compiled pattern, our reach."""
    generator = Generator(seed)
    rng = generator.rng
    engine = module(kind)
    for _ in range(count):
        pattern = generator.pattern(kind, rng.choice((2, 3, 4)))
        odd = () if kind == "re" else (regex.R, regex.P, regex.W)
        flags = flags_for(kind, rng.choice((0, 0, 0, engine.I, engine.A, engine.S, engine.M, *odd)))
        program = compiled(kind, pattern, flags)
        if not program:
            continue
        try:
            yield generator, pattern, flags, program, analyze(pattern, flags, dialect(kind))
        except PatternTooComplex:
            continue


@pytest.mark.parametrize("kind", ["re", "V0", "V1"])
def test_bounds_hold(kind: Kind, request: pytest.FixtureRequest) -> None:
    count = 60_000 if request.config.getoption("--long") else 1_500
    seen = Counter[str]()
    for generator, pattern, flags, program, reach in cases(kind, 5, count):
        seen["patterns"] += 1
        for _ in range(_TEXTS):
            text = generator.text()
            inside = consumed(kind, program, text)
            if inside is None:
                break  # Too slow, or the engine fell over; it will again on the next text.
            told = f"{kind} {pattern!r} flags={flags} on {text!r}"
            for i, char in enumerate(text):
                assert i not in inside or char in reach.may, f"{told}: {char!r} is matched, and not in may"
                assert i in inside or char not in reach.sure, f"{told}: {char!r} stands, and is in sure"
                seen["characters"] += 1
    assert seen["patterns"] > 0.8 * count
    assert seen["characters"] > 10 * count


@pytest.mark.parametrize("kind", ["re", "V0", "V1"])
def test_exact_is_shown_by_the_engine(kind: Kind, request: pytest.FixtureRequest) -> None:
    count = 60_000 if request.config.getoption("--long") else 1_200
    seen = Counter[str]()
    for _, pattern, flags, program, reach in cases(kind, 7, count):
        seen["patterns"] += 1
        if not reach.exact:
            assert reach.reasons, pattern
            continue
        seen["exact"] += 1
        for kind_of_points, text in witnesses(pattern, flags, kind, reach):
            shown = chr(kind_of_points.first)
            for point in {kind_of_points.first, *kind_of_points.sample(3)}:
                tried = text.replace(shown, chr(point))
                if kind == "re" and not CodePoints.chars(tried).issubset(known()):
                    continue
                inside = consumed(kind, program, tried)
                if inside is None:
                    continue
                told = f"{kind} {pattern!r} flags={flags} on {tried!r}: {chr(point)!r} is in may"
                assert any(tried[i] == chr(point) for i in inside), told
                seen["points"] += 1
    assert seen["exact"] > 0.7 * seen["patterns"]
    assert seen["points"] > seen["exact"]


def witnesses(pattern: str, flags: int, kind: Kind, reach: Reach) -> list[tuple[CodePoints, str]]:
    """A text for each kind of code point in ``may``; those in ``sure`` are consumed alone."""
    low = lower(parse(pattern, flags, dialect(kind)))
    alone = [(CodePoints((c,)), chr(c)) for c in reach.sure.sample(3)]
    return alone + prove(low, reach.may - reach.sure).texts


@pytest.mark.parametrize("pattern", [r"\d(?:x)??", "a|ab", r"\w*+a", "a*(?:ab)?", r"(?>a|ab)c"])
def test_what_is_never_consumed_is_never_called_exact(pattern: str) -> None:
    reach = analyze(pattern)
    assert not reach.exact
    assert all(0 <= r.start < r.end <= len(pattern) and r.why for r in reach.reasons)


@pytest.mark.parametrize(
    ("pattern", "flags", "name", "may", "sure"),
    [
        ("[a-z0-9]+", 0, "re", "[0-9a-z]", "[0-9a-z]"),
        ("[a-z]{2,}", 0, "re", "[a-z]", "[]"),
        (r"\b[a-z]+\b", 0, "re", "[a-z]", "[]"),
        (r"(?<![a-z])[a-z]+(?![a-z])", 0, "re", "[a-z]", "[a-z]"),
        (r"\s*,\s*", 0, "re", r"[\t-\r\x1c-\x20,\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]", "[,]"),
        ("(?![aeiou])[a-z]", 0, "re", "[b-df-hj-np-tv-z]", "[b-df-hj-np-tv-z]"),
        ("[a-z](?<![aeiou])", 0, "re", "[b-df-hj-np-tv-z]", "[]"),
        ("(?V1)[[a-z]--[aeiou]]+", 0, "regex", "[b-df-hj-np-tv-z]", "[b-df-hj-np-tv-z]"),
        ("(?i)straße", 0, "regex", "[AER-Taer-tßſẞ𝾕]", "[]"),
        ("(?if)straße", 0, "regex", "[AER-Taer-tßſẞﬅﬆ𝾕]", "[]"),
        ("a(?R)?b", 0, "regex", "[ab]", "[]"),
        ("(?(DEFINE)(?<d>x))(?&d)", 0, "regex", "[x]", "[]"),
    ],
)
def test_known_reaches(pattern: str, flags: int, name: str, may: str, sure: str) -> None:
    reach = analyze(pattern, flags, name)  # type: ignore[arg-type]
    assert (str(reach.may), str(reach.sure), reach.exact) == (may, sure, True)


def test_whole_words_between_boundaries_are_sure_only_for_the_engines_own_word() -> None:
    assert analyze(r"\b\w+\b").sure == analyze(r"\w").may
    assert not analyze(r"\b\w+\b", re.A).may - analyze(r"\w", re.A).may
    assert not analyze(r"\b[^\W\d]+\b").sure


@pytest.mark.parametrize(
    "pattern", [r"\X", r"(?:cat){e<=1}", r"\L<words>", r"(?L)\w", r"\G\w+", "a(*SKIP)b|[ab]", "(?r)ab", "(?p)a|ab"]
)
def test_what_is_modelled_in_part_is_never_exact(pattern: str) -> None:
    reach = analyze(pattern, 0, "regex")
    assert not reach.exact
    assert reach.reasons[0].why


def test_fuzzy_lets_in_what_its_constraint_allows() -> None:
    assert analyze("(?:cat){e<=1}", 0, "regex").may == CodePoints.ALL
    assert analyze("(?:cat){s<=1:[x]}", 0, "regex").may == CodePoints.chars("catx")
    assert analyze("(?:cat){d<=1}", 0, "regex").may == CodePoints.chars("cat")
    assert analyze("(?:cat){e<=0}", 0, "regex").exact


def test_flags_are_the_engines_own() -> None:
    assert analyze("k", re.IGNORECASE).may == CodePoints.chars("kK\u212a")
    assert analyze("[[a]--[a]]", regex.V1, "regex").may == CodePoints.EMPTY
    with pytest.raises(ValueError, match="unknown dialect"):
        analyze("a", 0, "pcre")  # type: ignore[arg-type]
