"""Patterns made to hurt end soon, in a result or in the one typed error."""

from __future__ import annotations

import gc
import sys
import time

import pytest

from scriptlint.pattern import PatternError, PatternTooComplex, _analyze, analyze, facts

HOSTILE = {
    "nested 10,000 deep": "(" * 10_000 + ")" * 10_000 + "a" * 80_000,
    "open parentheses": "(" * 100_000,
    "groups": "(?:" * 10_000 + "a" + ")*" * 10_000,
    "brackets": "[" * 100_000,
    "nested sets": "(?V1)" + "[" * 20_000 + "a" + "]" * 20_000,
    "branches": "a|" * 50_000,
    "optional": "a?" * 50_000,
    "starred groups": "(a|b|c)*" * 12_000,
    "large classes": r"[\w\W\d]" * 12_000,
    "properties": "".join(rf"[\p{{L}}\x{i % 256:02x}]" for i in range(9_000)),
    "looks": "(?=a)" * 20_000,
    "references": r"(\w)\1" * 5_000,
    "counts": "(?:a{1,100}){1,100}" * 300,
    "words": "|".join(f"w{i}é" for i in range(9_000)),
    "cased ranges": "(?i)" + "[a-\U0010ffff]" * 10_000,
    "differences": "(?V1i)[" + "ß--" * 20_000 + "x]",
    "a huge count": "a{" + "9" * 50_000 + "}",
    "a huge name": "(?P<" + "n" * 90_000 + ">a)",
    "fuzzy": "(?:a){e<=1}" * 8_000,
    "calls": "(a)" + "(?1)" * 20_000,
    "mutual calls": "".join(f"(a(?{(i + 1) % 300 + 1})?)" for i in range(300)),
}


@pytest.mark.parametrize("dialect", ["re", "regex"])
@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE)
def test_hostile_patterns_end_within_a_second(pattern: str, dialect: str) -> None:
    # What other tests of this process left alive is theirs: set aside, the collector would
    # otherwise walk it on this pattern's time.
    gc.collect()
    gc.freeze()
    try:
        # Other processes make the same work longer, never shorter: the least of three tries counts.
        assert any(_seconds(pattern, dialect) < 1.0 for _ in range(3))
    finally:
        gc.unfreeze()


def _seconds(pattern: str, dialect: str) -> float:
    """CPU seconds of one analysis, with nothing remembered."""
    _analyze.cache_clear()
    begin = time.process_time()
    try:
        analyze(pattern, 0, dialect)  # type: ignore[arg-type]
    except PatternError as error:
        assert 0 <= error.position <= len(pattern)
    return time.process_time() - begin


def test_depth_ends_in_the_typed_error() -> None:
    with pytest.raises(PatternTooComplex, match="nested more than 50 deep at position 50"):
        analyze("(" * 10_000 + ")" * 10_000)


def test_the_deepest_allowed_pattern_leaves_room_for_its_caller() -> None:
    pattern = "a"
    for _ in range(49):
        pattern = f"(?:{pattern}|b)*c?"

    def deep(frames: int) -> None:
        if frames:
            deep(frames - 1)
        else:
            assert analyze(pattern, frames).may
            assert facts(pattern).max_length is None

    deep(min(300, sys.getrecursionlimit() // 4))
