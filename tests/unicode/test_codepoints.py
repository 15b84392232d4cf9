"""``CodePoints`` against plain sets, and its invariant."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.unicode import CodePoints

_END = 0x110000
# Small numbers touch and overlap often; the ends of the space are where complement can go wrong.
_point = st.one_of(st.integers(0, 40), st.integers(_END - 20, _END - 1))
_pairs = st.lists(st.tuples(_point, st.integers(0, 6)).map(lambda p: (p[0], min(p[0] + p[1], _END - 1))), max_size=8)
_UNIVERSE = frozenset((*range(60), *range(_END - 30, _END)))


def plain(points: CodePoints) -> set[int]:
    return {c for c in _UNIVERSE if c in points}


def canonical(points: CodePoints) -> bool:
    bounds = points.bounds
    return len(bounds) % 2 == 0 and all(a < b for a, b in pairwise(bounds))


@given(_pairs)
def test_holds_what_it_is_made_of(pairs: list[tuple[int, int]]) -> None:
    points = CodePoints.of(pairs)
    expected = {c for first, last in pairs for c in range(first, last + 1)}
    assert canonical(points)
    assert plain(points) == expected
    assert set(points.points()) == expected
    assert points.size == len(points) == len(expected)
    assert bool(points) == bool(expected)
    assert points == CodePoints(points) == CodePoints(expected)
    assert hash(points) == hash(CodePoints(expected))
    assert pickle.loads(pickle.dumps(points)) == points


@given(_pairs, _pairs)
def test_operations_are_those_of_sets(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    a, b = CodePoints(left), CodePoints(right)
    x, y = plain(a), plain(b)
    for ours, theirs in ((a | b, x | y), (a & b, x & y), (a - b, x - y), (a ^ b, x ^ y), (~a, _UNIVERSE - x)):
        assert canonical(ours)
        assert plain(ours) == theirs
    assert (~a).size == _END - a.size
    assert ~~a == a
    assert a.isdisjoint(b) == x.isdisjoint(y)
    assert a.issubset(b) == (a <= b) == x.issubset(y)
    assert CodePoints.union([a, b, a]) == a | b
    assert CodePoints.union([]) == CodePoints.EMPTY


@given(_pairs, st.integers(-1, 30))
def test_sample_is_stable_ordered_and_inside(pairs: list[tuple[int, int]], n: int) -> None:
    points = CodePoints(pairs)
    sample = points.sample(n)
    assert sample == points.sample(n)
    assert len(sample) == max(0, min(n, points.size))
    assert list(sample) == sorted(set(sample))
    assert all(c in points for c in sample)


def test_constants_and_complements() -> None:
    assert CodePoints.ALL.size == _END
    assert ~CodePoints.ALL == CodePoints.EMPTY
    assert ~CodePoints.EMPTY == CodePoints.ALL
    assert list(CodePoints(((5, 7), 8, (3, 4)))) == [(3, 8)]
    assert "a" in CodePoints.chars("abc")
    assert 0x61 in CodePoints.chars("abc")
    assert None not in CodePoints.ALL


@pytest.mark.parametrize("pair", [(5, 4), (-1, 3), (0, _END), (_END, _END)])
def test_a_bad_interval_is_an_error(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not an interval of code points"):
        CodePoints((pair,))


def test_it_is_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        CodePoints.ALL.size = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (CodePoints.EMPTY, "[]"),
        (CodePoints.ALL, "[^]"),
        (CodePoints.chars("abcx"), "[a-cx]"),
        (CodePoints.chars("ab"), "[ab]"),
        (~CodePoints.chars("\n"), r"[^\n]"),
        (CodePoints.chars("]-^\\ é\u0301"), r"[\x20\-\\-\^é\u0301]"),
        (CodePoints((0x1F600, 0xE0001, 0x378)), r"[\u0378😀\U000e0001]"),
        (CodePoints(range(0, 60, 2)), None),
    ],
)
def test_it_prints_the_shorter_of_itself_and_its_complement(points: CodePoints, text: str | None) -> None:
    printed = str(points)
    if text is None:
        assert printed.endswith("… 18 more]")
    else:
        assert printed == text
    assert repr(points) == f"<CodePoints {printed} ({points.size})>"
