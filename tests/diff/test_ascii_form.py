"""Proofs that two tokenizers treat ASCII text alike: they hold, and they are found where they should be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as s

from scriptlint.finding import Confidence
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.ascii_form import NoForm, ascii_form
from scriptlint.tokenizer.model import Tokenizer
from scriptlint.tokenizer.same import same_on_ascii
from scriptlint.tokenizer.stages import Pattern

LOWER = st.Lower()


def of(*stages: st.Stage) -> Tokenizer:
    return Tokenizer("t", "t.py", 1, "tokenizer", Confidence.HIGH, stages)


def words(text: str, dialect: st.Dialect = "re", flags: int = 0) -> Tokenizer:
    return of(LOWER, st.Extract(Pattern(text, flags, dialect)))


PROVED = [
    (words("[a-z0-9]+"), words(r"[\p{L}\p{M}\p{N}]+", "regex")),
    (words("[a-z0-9]+"), words(r"[^\W_]+")),
    (words("[a-z0-9]+"), words("[A-Za-z0-9]+")),
    (words("[a-z0-9]+"), words(r"[a-z0-9\u0400-\u052f]+|[\u4e00-\u9fff]")),
    (words("[a-z0-9]+"), words(r"(?:(?![\u4e00-\u9fff])[a-z0-9\u0e01])+")),
    (words(r"\b\w\w+\b"), words(r"[\w\u0900-\u0963]{2,}")),
    (words("[a-z]+"), of(st.Normalize("NFKC"), st.Casefold(), st.Extract(Pattern("[a-zé]+")))),
    (
        words("[a-z]+"),
        of(LOWER, st.Union(((st.Extract(Pattern("[a-z]+")),), (st.Extract(Pattern("[가-힣]+")), st.NGrams(2))))),
    ),
    (
        of(LOWER, st.Split(), st.Length(3)),
        of(LOWER, st.Split(), st.Condition("len(t) > 2 or not t.isascii()")),
    ),
    (
        of(LOWER, st.Split(), st.Length(3)),
        of(LOWER, st.Split(), st.Condition("not (len(t) < 3 and t.isascii())")),
    ),
    (
        of(LOWER, st.Split(), st.Length(3), st.StopWords(frozenset(("the",)))),
        of(LOWER, st.Split(), st.Condition("(len(t) > 2 or not t.isascii()) and t != 'the'")),
    ),
    (of(st.Encode("ascii", "ignore"), st.Split()), of(st.Split())),
]
DIFFERENT = [
    (words("[a-z0-9]+"), words(r"\w+")),
    (words("[a-z]+"), words("[a-z]{2,}")),
    (words(r"\b[a-z]+\b"), words("[a-z]+")),
    (of(st.Extract(Pattern("[a-z]+"))), words("[a-z]+")),
    (words(r"ab|\b[a-z]+\b"), words(r"ab|[a-z]+")),
]


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_what_differs_is_never_proved(old: Tokenizer, new: Tokenizer) -> None:
    assert ascii_form(old.stages) != ascii_form(new.stages)


@pytest.mark.parametrize(("old", "new"), DIFFERENT[:4])
def test_first_difference(old: Tokenizer, new: Tokenizer) -> None:
    found = same_on_ascii(old, new)
    assert found.how == "different" and found.text and found.old != found.new


@pytest.mark.parametrize(("old", "new"), PROVED)
def test_proved(old: Tokenizer, new: Tokenizer) -> None:
    assert ascii_form(old.stages) == ascii_form(new.stages)
    if not any(isinstance(stage, st.Condition) for stage in new.stages):
        assert same_on_ascii(old, new).how == "proved"


def test_without_a_model_it_is_tried() -> None:
    with pytest.raises(NoForm):
        ascii_form((st.Step("a loop"),))
    assert same_on_ascii(of(st.Step("a loop")), of(st.Step("a loop"))).how == "unknown"
    other = of(LOWER, st.Extract(Pattern("(?:[a-z]|[0-9])+")))
    assert same_on_ascii(words("(?:[a-z0-9])+"), other).how == "proved"
    lazy = words("[a-z]+?(?![a-z])")
    assert same_on_ascii(words("[a-z]+"), lazy).how == "tested"


ATOMS = s.sampled_from(["[a-z]", r"\w", "[^a-z ]", "[a-zé]", "a", "[β-ω]", r"\d", "[A-Z]", ".", "(?:ab|c)", r"\b"])
TAILS = s.sampled_from(["", "+", "*", "?", "{2,}", "+?"])
BRANCH = s.lists(s.tuples(ATOMS, TAILS).map("".join), min_size=1, max_size=3).map("".join)
PATTERNS = s.lists(BRANCH, min_size=1, max_size=2).map("|".join).filter(lambda p: r"\b+" not in p and r"\b*" not in p)
STAGES = s.sampled_from(["extract", "split", "erase"])


def _stage(kind: str, text: str) -> st.Stage:
    pattern = Pattern(text)
    return {"extract": st.Extract(pattern), "split": st.Split(pattern), "erase": st.Erase(pattern, " ")}[kind]


@settings(max_examples=400, deadline=None)
@given(STAGES, PATTERNS, PATTERNS, s.booleans(), s.text(s.characters(max_codepoint=127), max_size=24))
def test_equal_forms_mean_equal_tokens(kind: str, one: str, other: str, lower: bool, text: str) -> None:
    import re

    try:
        head: tuple[st.Stage, ...] = (LOWER,) if lower else ()
        left, right = (*head, _stage(kind, one)), (*head, _stage(kind, other))
        same = ascii_form(left) == ascii_form(right)
    except (NoForm, re.error):
        return
    if same:
        assert st.run_chain(left, [text]) == st.run_chain(right, [text])
