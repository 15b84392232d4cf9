"""Folding is sound: what it says can't come out never does, and the stages are what it says they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scriptlint.tokenizer import stages as s
from scriptlint.tokenizer.fold import fold, traces
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.unicode import scripts

CLASSES = [
    r"[a-z0-9]+",
    r"\w+",
    r"[^\W_]+",
    r"\b\w\w+\b",
    r"[а-яё]+",
    r"[\u4e00-\u9fff]{2,}",
    r"(?i)[a-z]+",
    r"[^\W\d]+",
]
NOISE = [r"[^a-z0-9]+", r"[^\w\s]", r"\d+", r"[\u0300-\u036f]", r"\s+"]


def stage() -> st.SearchStrategy[s.Stage]:
    return st.one_of(
        st.sampled_from(["lower", "upper", "casefold"]).map(lambda m: s.Case(m)),  # type: ignore[arg-type]
        st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]).map(lambda f: s.Normalize(f)),  # type: ignore[arg-type]
        st.sampled_from(CLASSES).map(lambda p: s.Extract(s.Pattern(p))),
        st.sampled_from(NOISE).map(lambda p: s.Erase(s.Pattern(p), " ")),
        st.sampled_from(NOISE).map(lambda p: s.Split(s.Pattern(p))),
        st.just(s.Encode("ascii", "ignore")),
        st.just(s.Split()),
        st.integers(1, 3).map(s.Length),
        st.integers(1, 3).map(s.NGrams),
    )


CHARS = st.sampled_from("aZé ß9İßжЁא ب हि ก 搜ひカ검\u0301\u094d_-ſK𠮷ﾃ")


@settings(max_examples=400, deadline=None)
@given(st.lists(stage(), min_size=1, max_size=4), st.text(CHARS, max_size=12))
def test_what_can_not_come_out_does_not(chain: list[s.Stage], text: str) -> None:
    upper = fold(chain).upper
    hopeless = "".join(c for c in text if ord(c) not in upper)
    tokens = s.run_chain(chain, [hopeless])
    left = {c for t in tokens for c in t if ord(c) in traces()}
    # Composition across characters is not folded: a mark may live on in a composed letter.
    assert not left or any(isinstance(x, s.Normalize) and x.form in ("NFC", "NFKC") for x in chain)


@settings(max_examples=300, deadline=None)
@given(st.lists(stage(), min_size=1, max_size=3))
def test_lower_is_within_upper(chain: list[s.Stage]) -> None:
    folded = fold(chain)
    assert folded.lower.issubset(folded.upper)


@pytest.mark.parametrize(
    ("preset", "kept", "gone"),
    [
        ("ascii", {"Latn"}, {"Hani", "Hang", "Cyrl", "Deva"}),
        ("hangul", {"Latn", "Hang"}, {"Hani", "Cyrl"}),
        ("cjk", {"Latn", "Hang", "Hani", "Hira", "Kana"}, {"Cyrl", "Arab"}),
        ("word", {"Latn", "Hani", "Cyrl", "Deva"}, set()),
    ],
)
def test_presets(preset: str, kept: set[str], gone: set[str]) -> None:
    upper = fold(PRESETS[preset]).upper
    assert {c for c in kept if upper & scripts.letters(c)} == kept
    assert not {c for c in gone if upper & scripts.letters(c)}


def test_a_blank_left_by_a_decomposition_is_no_letter() -> None:
    chain = (s.Normalize("NFKD"), s.Encode("ascii", "ignore"))
    upper = fold(chain).upper
    assert [c for c in scripts.RECOMMENDED if upper & scripts.letters(c)] == ["Latn"]


def test_a_match_that_comes_back_is_not_lost() -> None:
    chain = (s.Erase(s.Pattern(r"([^\w\s])"), r" \1 "), s.Split())
    assert fold(chain).upper == traces()
