"""What the whole corpus tells is exact, however it is cut into units."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from scriptlint.corpus import census as module
from scriptlint.corpus.census import Census

if TYPE_CHECKING:
    import pytest

TOKENS = st.sets(st.sampled_from([f"t{n}" for n in range(12)]), max_size=5)


@given(st.lists(st.lists(TOKENS, min_size=1, max_size=30), min_size=1, max_size=5), st.sampled_from([0.1, 0.3, 0.6]))
def test_common_tokens(units: list[list[set[str]]], share: float) -> None:
    whole = Census(share)
    truth: Counter[str] = Counter()
    for unit in units:
        part = Census(share)
        for tokens in unit:
            part.add(0, tokens, tokens, " ".join(sorted(tokens)))
            truth.update(tokens)
        whole.merge(part.close())
    sure, doubt = whole.common()
    common = {t for t, n in truth.items() if n > whole.threshold}
    assert sure <= common <= sure | doubt
    items = [tokens for unit in units for tokens in unit]
    suspects = set(whole.suspects(common))
    for number, tokens in enumerate(items):
        assert not (tokens and tokens <= common) or number in suspects
        unit, at = whole.locate(number)
        assert units[unit][at] == tokens


def test_rare_tokens_are_dropped_and_doubt_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 0)
    whole = Census(0.5)
    for _ in range(3):
        part = Census(0.5)
        for n in range(100):
            part.add(0, {"all", f"own{n}", *(["few"] if n < 3 else [])}, {"all"}, f"text {n}")
        whole.merge(part.close())
    assert whole.counts["all"] == 300
    assert "few" in whole.counts
    assert "own1" not in whole.counts
    assert whole.common() == (frozenset({"all"}), frozenset())


def test_collisions() -> None:
    whole = Census()
    for unit in (
        [({"a", "b"}, "a b"), ({"c"}, "c")],
        [({"b", "a"}, "b, a!"), ({"c"}, "C "), (set(), ""), ({"a"}, "a")],
    ):
        part = Census()
        for tokens, text in unit:
            part.add(0, tokens, tokens, text)
        whole.merge(part.close())
    # The same text in another case is a copy; an empty set collides with nothing.
    assert whole.collisions() == [[0, 2]]
