"""Deciding early decides the same, whatever the tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.corpus.judge import (
    BLIND,
    BOILERPLATE,
    CJK,
    EMPTY,
    LOANWORD,
    TRUNCATED,
    UNDECIDED,
    WEAK,
    Judge,
    Window,
)
from scriptlint.corpus.scriptof import counted, profile
from scriptlint.corpus.stopwords import STOP_WORDS
from scriptlint.corpus.tokens import Tokens
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.tokenizer.stages import Extract, Lower, Pattern, Split, Stage, run_chain

WORDS = st.sampled_from(
    ["use", "when", "pdf", "Excel", "api-docs", "2024", "v1", "视频转录", "文字", "かな", "カード", "한국어", "привет",
     "हिन्दी",
     "ไทย", "é", "_", "—", "ΣΊΣ", "İx", "the", "note taker", "a" * 50]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=14).flatmap(lambda w: st.sampled_from([" ".join(w), "".join(w), "、".join(w)]))
CHAINS: dict[str, tuple[Stage, ...]] = {
    **PRESETS,
    "split": (Lower(), Split()),
    "cased": (Extract(Pattern("[A-Za-z]+")),),
}


def slow(stages: tuple[Stage, ...], name: str, dirname: str, text: str) -> int:
    """The definitions, word by word."""

    def tokens(value: str) -> set[str]:
        return {t for t in run_chain(stages, [value]) if t}

    seen = counted(text)
    flags = CJK if seen.cjk else 0
    if not text.strip():
        return flags | EMPTY
    new = tokens(text) - tokens(name) - tokens(dirname)
    if not new:
        return flags | BLIND | WEAK
    flags |= WEAK if len(new) < 3 else 0
    flags |= LOANWORD if seen.script not in ("Latn", "Zyyy") and all(t.isascii() for t in new) else 0
    return flags | (BOILERPLATE if new <= STOP_WORDS else 0)


@pytest.mark.parametrize("chain", CHAINS)
@given(name=TEXTS, dirname=TEXTS, text=TEXTS)
def test_decide(chain: str, name: str, dirname: str, text: str) -> None:
    judge = Judge(Tokens(CHAINS[chain], chain))
    seen = profile(text)
    flags = judge.decide(name, dirname, text, seen)
    assert flags == slow(CHAINS[chain], name, dirname, text)
    quick = judge.quick()
    if quick and text.isascii() and quick(name, dirname, text):
        assert flags == 0
        assert seen.script == "Latn"
    full = Judge(Tokens(CHAINS[chain], chain), full=True).verdict(name, dirname, text, seen)
    assert full.flags == flags
    assert bool(full.new) == (not flags & (BLIND | EMPTY))


@given(st.one_of(TEXTS, st.text(max_size=60)))
def test_profile(text: str) -> None:
    assert profile(text) == counted(text)


@given(st.text(st.sampled_from("視頻ァかー々한ㄱ\ud7b0я\u0482\u0483\u4dc0éa1 。🎉𠮷ก"), max_size=30))
def test_profile_at_the_edges(text: str) -> None:
    assert profile(text) == counted(text)


@pytest.mark.parametrize(
    ("text", "script", "cjk"),
    [
        ("plain words", "Latn", False),
        ("视频转录 PDF", "Hani", False),
        ("視頻をデータへと", "Jpan", True),
        ("한국어 문서", "Hang", False),
        ("Привет", "Cyrl", False),
        ("नमस्ते दुनिया", "Deva", False),
        ("résumé", "Latn", False),
        ("2024 — 7", "Zyyy", False),
        (">", "Zyyy", False),
        ("", "Zyyy", False),
        ("使用 Playwright to capture screenshots", "Latn", False),
    ],
)
def test_scripts(text: str, script: str, cjk: int) -> None:
    assert profile(text) == (script, cjk)


def decide(chain: str, text: str, window: Window | None = None, common: frozenset[str] = frozenset()) -> int:
    judge = Judge(Tokens(PRESETS[chain], chain), window=window, common=common)
    return judge.decide("recap", "recap", text, profile(text))


def test_window() -> None:
    text = "Summarizes long recordings and keeps speakers apart. " * 2 + "触发词：视频转录、字幕下载"
    assert decide("cjk", text, Window(60, True)) & TRUNCATED
    assert decide("cjk", text, Window(60, False)) & TRUNCATED
    assert not decide("cjk", text, Window(300, True)) & TRUNCATED
    assert not decide("ascii", text, Window(60, True)) & TRUNCATED
    blind_head = "视频转录。" * 10 + " transcript subtitles speakers"
    assert decide("ascii", blind_head, Window(20, True)) & (BLIND | TRUNCATED) == BLIND | TRUNCATED
    assert decide("ascii", blind_head, Window(20, False)) & (BLIND | TRUNCATED) == TRUNCATED


def test_common_words_are_boilerplate() -> None:
    text = "Use when this capability is needed."
    assert not decide("ascii", text) & BOILERPLATE
    assert decide("ascii", text, common=frozenset({"capability", "needed"})) & BOILERPLATE


def test_a_slow_pattern_is_undecided() -> None:
    judge = Judge(Tokens((Extract(Pattern("(?:a+)+b")),), "slow", seconds=0.2))
    text = "a" * 60
    assert judge.verdict("x", "x", text, profile(text)).flags == UNDECIDED
