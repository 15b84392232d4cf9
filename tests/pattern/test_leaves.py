"""Classes of every kind and flag match the code points that the engine matches, all 1,114,112 of them tried."""

from __future__ import annotations

import re

import pytest
import regex
from random_patterns import Generator, Kind
from real_engines import dialect, flags_for, known, leaf_points

from scriptlint.pattern import analyze, parse
from scriptlint.pattern import nodes as n
from scriptlint.pattern.classes import Classes
from scriptlint.unicode import CodePoints

_RE_FLAGS = (0, re.I, re.I, re.A, re.I | re.A, re.S, re.I | re.S)
_REGEX_FLAGS = (
    0, regex.I, regex.I, regex.A, regex.I | regex.A, regex.S, regex.I | regex.S, regex.I | regex.W, regex.W,
    regex.W | regex.A,
)  # fmt: skip


def check(kind: Kind, leaf: str, flags: int) -> bool:
    """Compare one leaf; false when the engine does not take it."""
    flags = flags_for(kind, flags)
    theirs = leaf_points(kind, leaf, flags)
    if theirs is None:
        return False
    parsed = parse(leaf, flags, dialect(kind))
    node = parsed.root
    while isinstance(node, n.Group):
        node = node.body
    ours = Classes(parsed).points(node)
    told = f"{kind} {leaf!r} flags={flags}"
    if kind == "re":
        assert ours & known() == theirs & known(), told
    elif getattr(node, "mode", 0) & n.FULLCASE:
        # Under full folding one class also matches texts of several characters, some of which stand in line.
        assert ours.issubset(theirs), told
        assert theirs.issubset(analyze(leaf, flags, "regex").may), told
    else:
        assert ours == theirs, told
    return True


@pytest.mark.parametrize("kind", ["re", "V0", "V1"])
def test_random_leaves(kind: Kind, request: pytest.FixtureRequest) -> None:
    count = 5_000 if request.config.getoption("--long") else 150
    generator = Generator(18)
    rng = generator.rng
    done = 0
    for _ in range(count):
        leaf = generator.leaf(kind)
        flags = int(rng.choice(_RE_FLAGS if kind == "re" else _REGEX_FLAGS))
        scope = rng.choice(("", "", "", "", "", "", "i", "a", "ai", "s")) if rng.random() < 0.5 else ""
        ignores = bool(flags & re.I) or "i" in scope
        ascii_only = bool(flags & (re.A if kind == "re" else regex.A)) or "a" in scope
        if kind == "V1" and ignores and ascii_only:
            continue  # The engine forgets single characters under full case folding with ASCII: ``(?:Я)+``.
        if kind != "re" and "=No" in leaf and ignores:
            continue  # Repeated and single, the engine takes this property for different things.
        done += check(kind, f"(?{scope}:{leaf})" if scope else leaf, flags)
    assert done > count * 0.6


def size(pattern: str, flags: int = 0, name: str = "re") -> int:
    return analyze(pattern, flags, name).may.size  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "flags", "name", "expected"),
    [
        (r"\w", 0, "regex", 162_226),
        (r"\w", re.A, "re", 63),
        (r"\w", 0, "re", 160_420),
        (r"\d", 0, "regex", 770),
        (r"\s", 0, "re", 29),
        (r"\s", 0, "regex", 25),
        (r"[[:digit:]]", 0, "regex", 10),
        (r"[a-z]", re.I, "re", 56),
        (r"[a-z]", regex.I, "regex", 55),
        (r"[A-Z]", regex.I, "regex", 55),
        (r"[ -~]", re.I, "re", 99),
        (r"[\x00-\x7f]", re.I, "re", 132),
        (r"[a-z]", re.I | re.A, "re", 52),
        (r"\p{Han}", regex.A, "regex", 0),
        (r"\p{Lu}", regex.I, "regex", 4303),
        (r"\p{scx=Han}", 0, "regex", 103_660),
        (r"\p{sc=Han}", 0, "regex", 103_352),
        (r"[\w--\d]", 0, "regex", 162_227),
        (r"[\w--\d]", regex.V1, "regex", 162_226 - 770),
        (r"[^\w\W]", 0, "regex", 0x110000),
    ],
)
def test_the_traps_have_the_measured_sizes(pattern: str, flags: int, name: str, expected: int) -> None:
    assert size(pattern, int(flags), name) == expected


def test_case_crosses_over_where_each_engine_lets_it() -> None:
    crossing = CodePoints.chars("İıſ\u212a")
    assert analyze("[^a-z]", re.I).may.isdisjoint(crossing)
    assert "ı" in analyze("[^a-z]", regex.I, "regex").may
    assert analyze("ß", regex.I, "regex").may == CodePoints.chars("ßẞ\U0001df95")
    assert CodePoints.chars("sS").issubset(analyze("ß", regex.I | regex.F, "regex").may)


def test_bytes_stay_bytes() -> None:
    assert analyze(rb"\W").may == CodePoints(((0, 0xFF),)) - analyze(rb"\w").may
    assert analyze(rb"\p{L}", 0, "regex").may.size == 52
