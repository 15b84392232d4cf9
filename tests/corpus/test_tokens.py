"""The quick ways of running a tokenizer give what ``run_chain`` gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.corpus.tokens import HEAD, NotRunnable, Tokens, TooSlow
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.tokenizer.stages import (
    Casefold,
    Extract,
    Join,
    Length,
    Lower,
    NGrams,
    Normalize,
    Opaque,
    Pattern,
    Split,
    Stage,
    StopWords,
    Union,
    run_chain,
)

TEXTS = st.text(st.sampled_from("abXY 01_-.,éİΣςß视频转かカ가나яहि्ก\u0301\n🎉𠮷"), max_size=120)
CHAINS: dict[str, tuple[Stage, ...]] = {
    **PRESETS,
    "stopped": (Lower(), Extract(Pattern("[a-z0-9]+")), StopWords(frozenset({"ab", "a"})), Length(2)),
    "cased": (Extract(Pattern(r"\w+")),),
    "bounded": (Lower(), Extract(Pattern(r"(?u)\b\w\w+\b"))),
    "grams": (Casefold(), Extract(Pattern(r"\w+")), NGrams(3)),
    "escaped": (Lower(), Extract(Pattern(r"[\uac00-\ud7a3]{2,}")), NGrams(2)),
    "split": (Normalize("NFKC"), Lower(), Split(), Length(1, 5)),
    "joined": (Lower(), Split(), Join("-"), Extract(Pattern("[a-z]+"))),
    "group": (Extract(Pattern("(a)|(b+)"), 2),),
    "star": (Extract(Pattern("[ab]*")),),
    "flags": (Extract(Pattern("[a-z]+", re.IGNORECASE)),),
    "nested": (Lower(), Union(((Split(), Union(((Extract(Pattern("[a-z]+")),), (NGrams(2),)))),))),
}


@pytest.mark.parametrize("name", CHAINS)
@given(text=TEXTS)
def test_ways_agree(name: str, text: str) -> None:
    tokens = Tokens(CHAINS[name])
    truth = [t for t in run_chain(CHAINS[name], [text]) if t]
    assert tokens.tokens(text) == truth
    assert list(tokens.stream(text)) == truth
    if tokens.chains is not None:
        assert sorted(tokens.bag(text.lower() if tokens.lowers else text)) == sorted(truth)
        if len(text) > HEAD:
            assert set(tokens.head(text)) <= set(truth)


def test_shapes_are_recognised() -> None:
    quick = {name for name, stages in CHAINS.items() if Tokens(stages).chains is not None}
    assert quick == {"ascii", "hangul", "cjk", "word", "stopped", "cased", "bounded", "escaped", "flags"}
    assert not Tokens(CHAINS["star"]).linear
    assert not Tokens((Extract(Pattern("(?:a+)+b")),)).linear


def test_time_limit() -> None:
    tokens = Tokens((Extract(Pattern("(?:a+)+b")),), "slow", seconds=0.2)
    with pytest.raises(TooSlow), tokens.limited():
        tokens.tokens("a" * 60)


def test_a_step_without_a_model_is_told() -> None:
    with pytest.raises(NotRunnable, match="calls a service"):
        Tokens((Lower(), Opaque("calls a service")))
