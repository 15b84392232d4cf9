"""The same patterns are accepted and rejected as by the engine, with the same groups and names."""

from __future__ import annotations

import ast
import json
import random
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import regex
from real_engines import compiled, dialect, flags_for

from scriptlint.pattern import PatternError, PatternTooComplex, parse

if TYPE_CHECKING:
    from random_patterns import Kind

_COMMON = [
    *"abc09zé猫 \n#-]^[)|(?*+{},.$:=!<>P\\", "\\w", "\\d", "\\b", "\\1", "\\2", "[a-z]", "[^", "(?:", "(?i)", "(?i:",
    "(?P<n>", "(?P=n)", "(?=", "(?<=", "(?<!", "(?(1)", "{2,3}", "{,3}", "{2}", "*?", "++", "(?>", "\\x41", "\\u0041",
    "\\07", "\\777", "\\N{DIGIT ONE}", "(?#", "(?x)", "(?-i:", "(?a:", "(?u)", "\\Z", "\\A", "[a-", "-z]", "&&", "--",
    "[[:alpha:]]", "(?s-m:", ")", ")", "\\]",
]  # fmt: skip
_REGEX_ONLY = [
    "\\p{Han}", "\\p{sc=", "\\P{L}", "\\pL", "(?|", "(?R)", "(?1)", "(?&n)", "\\g<1>", "\\g<n>", "(?V1)", "(?V0)",
    "(?r)", "{e<=1}", "{s<=1:[a-z]}", "{1<=e<=2}", "{2i+1d<=4}", "(*FAIL)", "(?(DEFINE)", "(?<n>", "\\K", "\\m", "\\X",
    "\\R", "\\h", "||", "~~", "[[", "(?(?=", "(?+1)", "(?-1)", "(?e)", "(?b:", "[:^digit:]", "(?P>n)", "(?L)", "(?w)",
    "{d<3,i}", "\\p{^Lu}", "\\p{IsGreek}", "\\p{nv=1/2}", "(*SKIP)", "\\p{L&}",
]  # fmt: skip
_RE_FLAGS = (0, 0, 2, 64, 256, 16, 8, 32, 66, 4)
_REGEX_FLAGS = tuple(
    map(int, (0, 0, regex.V1, regex.W, regex.R, regex.I, regex.X, regex.A, regex.L, regex.I | regex.X))
)


_HUGE_COUNT = re.compile(r"\d{5}")


def compare(kind: Kind, pattern: str | bytes, flags: int) -> bool:
    """Compare both; true when the engine took the pattern. What it falls over says nothing."""
    flags = flags_for(kind, flags)
    if kind != "re" and _HUGE_COUNT.search(str(pattern)):
        return False  # The engine lays such repeats out in memory.
    theirs = compiled(kind, pattern, flags)
    if theirs is False or (kind != "re" and "\\L" in str(pattern)):  # Named lists are given when compiling.
        return False
    told = f"{kind} {pattern!r} flags={flags}"
    try:
        ours = parse(pattern, flags, dialect(kind))
    except PatternTooComplex:
        return False
    except PatternError as error:
        assert theirs is None, f"{told}: rejected with {error}"
        return False
    assert theirs is not None, f"{told}: accepted"
    assert (ours.groups, ours.names) == (theirs.groups, dict(theirs.groupindex)), told
    return True


def compare_all(patterns: list[str]) -> None:
    assert patterns
    for pattern in patterns:
        raw = pattern.encode("latin-1", "ignore")
        for flags in (0, 2, 64, 256):
            compare("re", pattern, flags)
            compare("re", raw, flags)
        for flags in (0, int(regex.I), int(regex.X), int(regex.A)):
            for kind in ("V0", "V1"):
                compare(kind, pattern, flags)
                compare(kind, raw, flags)


def engine_test_patterns() -> list[str]:
    """Patterns that the interpreter's and the package's own tests carry, where they are shipped."""
    found: list[str] = []
    try:
        from test import re_tests
    except ImportError:
        pass
    else:
        found += [row[0] for row in re_tests.tests]
    spec = find_spec("regex")
    file = Path(spec.origin).parent / "tests" / "test_regex.py" if spec and spec.origin else None
    if file and file.exists():
        tree = ast.parse(file.read_text("utf-8"))
        texts = (x.value for x in ast.walk(tree) if isinstance(x, ast.Constant) and isinstance(x.value, str))
        found += [text for text in texts if len(text) < 200]
    return list(dict.fromkeys(found))


def labelled_patterns(shared: Path) -> list[str]:
    found: list[str] = []
    for line in (shared / "labels" / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        found += [row[k] for k in ("pattern_value", "effective_pattern") if row.get(k)]
    return list(dict.fromkeys(found))


def test_patterns_of_the_engines_own_tests() -> None:
    patterns = engine_test_patterns()
    if not patterns:
        pytest.skip("neither CPython's re_tests nor the tests of regex are installed")
    compare_all(patterns)


@pytest.mark.shared
def test_labelled_patterns(shared: Path) -> None:
    compare_all(labelled_patterns(shared))


@pytest.mark.shared
def test_patterns_of_the_reported_cases(shared: Path) -> None:
    patterns: list[str] = []
    for line in (shared / "cases" / "reports.jsonl").read_text("utf-8").splitlines():
        repro = json.loads(line).get("repro") or ""
        source = repro if isinstance(repro, str) else json.dumps(repro)
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        patterns += [x.value for x in ast.walk(tree) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    compare_all(list(dict.fromkeys(p for p in patterns if len(p) < 300)))


@pytest.mark.parametrize("kind", ["re", "V0", "V1"])
def test_random_patterns_and_mutations(kind: Kind, request: pytest.FixtureRequest) -> None:
    long = request.config.getoption("--long")
    rng = random.Random(3)
    pool = engine_test_patterns() or ["(a|b)*c", "[a-z]+"]
    pieces = _COMMON if kind == "re" else _COMMON + _REGEX_ONLY
    flag_sets = _RE_FLAGS if kind == "re" else _REGEX_FLAGS
    taken = 0
    for number in range(400_000 if long else 20_000):
        if rng.random() < 0.5:
            pattern = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 9)))
        else:
            pattern = mutated(rng, rng.choice(pool), pieces)
        raw: str | bytes = pattern.encode() if rng.random() < 0.1 else pattern
        if number % 5_000 == 0:
            regex.purge()  # It remembers every pattern that it has seen.
        taken += compare(kind, raw, rng.choice(flag_sets))
    assert taken > 2_000


def mutated(rng: random.Random, pattern: str, pieces: list[str]) -> str:
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(pattern) + 1)
        roll = rng.random()
        if roll < 0.4:
            pattern = pattern[:at] + pattern[at + 1 :]
        elif roll < 0.8:
            pattern = pattern[:at] + rng.choice(pieces) + pattern[at:]
        else:
            other = rng.randrange(len(pattern) + 1)
            first, last = min(at, other), max(at, other)
            pattern = pattern[:first] + pattern[last:first:-1] + pattern[last:]
    return pattern


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("a(b", 1, "missing ), unterminated subpattern"),
        ("[a-", 0, "unterminated character set"),
        (r"ab\p{L}", 2, r"bad escape \p"),
        ("a**", 2, "multiple repeat"),
        ("ab(?i)c", 2, "global flags not at the start of the expression"),
        ("[z-a]", 1, "bad character range z-a"),
    ],
)
def test_a_rejection_says_where(pattern: str, position: int, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(pattern)
    assert (caught.value.position, caught.value.message) == (position, message)
    assert str(caught.value) == f"{message} at position {position}"
