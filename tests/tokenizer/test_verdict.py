"""Verdicts of the tokenizers that everybody writes, against a table worked out by hand."""

from __future__ import annotations

import pytest

from scriptlint.finding import Confidence
from scriptlint.tokenizer import stages as s
from scriptlint.tokenizer.model import Tokenizer, Verdict
from scriptlint.tokenizer.verdict import judge
from scriptlint.unicode.scripts import RECOMMENDED

X, S, U, P, R = Verdict.EXCLUDED, Verdict.SHREDDED, Verdict.UNSEGMENTED, Verdict.PARTIAL, Verdict.RETAINED


def tokenizer(*stages: s.Stage, kind: str = "tokenizer") -> Tokenizer:
    return Tokenizer("f", "f.py", 1, kind, Confidence.HIGH, stages)  # type: ignore[arg-type]


def extract(pattern: str, dialect: str = "re") -> s.Stage:
    return s.Extract(s.Pattern(pattern, 0, dialect))  # type: ignore[arg-type]


PAIRS = s.Union(((extract("[a-z0-9]+"),), (extract("[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3]{2,}"), s.NGrams(2))))
TABLE = {
    "ascii": ((s.Lower(), extract("[a-z0-9]+")), {"Latn": P, "Cyrl": X, "Hani": X, "Deva": X, "Hang": X}),
    "word": ((s.Lower(), extract(r"\w+")), {"Latn": R, "Cyrl": R, "Hani": U, "Deva": S, "Hang": R, "Thai": S, "Arab": S}),
    "letters": ((extract(r"\p{L}+", "regex"),), {"Latn": R, "Cyrl": R, "Hani": U, "Deva": S}),
    "letters and marks": ((extract(r"[\p{L}\p{M}]+", "regex"),), {"Deva": R, "Beng": R, "Thai": U, "Hani": U, "Arab": R}),
    "regex word": ((extract(r"\w+", "regex"),), {"Deva": R, "Thai": U, "Hani": U}),
    "pairs": ((s.Lower(), PAIRS), {"Hani": R, "Hira": R, "Kana": R, "Hang": R, "Cyrl": X}),
    "latin 1": ((extract("[a-zA-ZÀ-ÿ]+"),), {"Latn": P, "Cyrl": X}),
    "russian": ((s.Lower(), extract("[а-я]+")), {"Cyrl": P, "Latn": X}),
    "fold": ((s.Normalize("NFKD"), s.Encode("ascii", "ignore"), s.Split()), {"Cyrl": X, "Grek": X, "Hani": X}),
    "split": ((s.Split(),), {"Latn": R, "Cyrl": R, "Deva": R, "Hani": U, "Thai": U}),
    "a first letter of its own": ((extract(r"[A-Za-z]\w+"),), {"Latn": P, "Cyrl": X}),
    "a first letter of any alphabet": ((extract(r"[^\W\d]\w+"),), {"Latn": R, "Cyrl": R, "Grek": R}),
    "one character": ((extract(r"[a-z]+|[\u4e00-\u9fff]"),), {"Hani": R}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_table(name: str) -> None:
    stages, wanted = TABLE[name]
    judged = judge(tokenizer(*stages), RECOMMENDED)
    assert {c: judged.scripts[c].verdict for c in wanted} == wanted


@pytest.mark.parametrize("name", TABLE)
def test_verdict_and_witness_agree(name: str) -> None:
    stages, _ = TABLE[name]
    subject = tokenizer(*stages)
    for verdict in judge(subject, RECOMMENDED).scripts.values():
        witness = verdict.witness
        if witness is None:
            continue
        assert subject.run(witness.text) == list(witness.tokens)
        if verdict.verdict is X:
            assert not any(c in "".join(witness.tokens) for c in witness.text if c.isalpha())
        if verdict.verdict is R and not verdict.short_dropped:
            assert witness.tokens
        if verdict.verdict is U:
            assert max(map(len, witness.tokens)) >= 6


def test_short_words() -> None:
    judged = judge(tokenizer(s.Lower(), extract(r"\w+"), s.Length(3)), RECOMMENDED)
    assert judged.scripts["Hang"].short_dropped and judged.scripts["Hani"].short_dropped
    assert not judged.scripts["Latn"].short_dropped and not judged.scripts["Cyrl"].short_dropped
    assert judged.scripts["Hang"].short_witness is not None
    assert judged.scripts["Hang"].short_witness.tokens == ()


def test_a_latin_word_inside_a_run() -> None:
    assert judge(tokenizer(extract(r"\w+")), ["Hani"]).scripts["Hani"].glued
    assert not judge(tokenizer(s.Lower(), PAIRS), ["Hani"]).scripts["Hani"].glued


def test_words_cut_at_letters() -> None:
    verdict = judge(tokenizer(extract(r"[a-zA-ZÀ-ÿ]+|[0-9]+|[^\s]")), ["Latn"]).scripts["Latn"]
    assert verdict.verdict is P and verdict.cut
    assert "ł" in verdict.languages["pl"]


def test_what_can_not_be_run_is_unknown_unless_nothing_is_left_before_it() -> None:
    opaque = s.Opaque("stem()")
    assert judge(tokenizer(extract(r"\w+"), opaque), ["Cyrl"]).scripts["Cyrl"].verdict is Verdict.UNKNOWN
    assert judge(tokenizer(extract("[a-z]+"), opaque), ["Cyrl"]).scripts["Cyrl"].verdict is X


def test_a_key_is_not_asked_for_segments() -> None:
    judged = judge(tokenizer(s.Lower(), s.Erase(s.Pattern(r"\W+"), "-"), kind="normalizer"), RECOMMENDED)
    assert judged.scripts["Hani"].verdict is R
