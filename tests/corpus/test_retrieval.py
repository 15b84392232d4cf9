"""Self-retrieval: seeded fragments, and recall that follows what a tokenizer keeps."""

from __future__ import annotations

import pytest

from scriptlint.corpus.retrieval import Entry, Fragment, draw, self_retrieval
from scriptlint.corpus.tokens import Tokens
from scriptlint.tokenizer.presets import PRESETS

pytest.importorskip("bm25s")

ENTRIES = [
    Entry("video-notes", "video-notes", "把视频转录成文字稿，按章节整理要点"),
    Entry("bookkeeping", "bookkeeping", "从账单里自动分类记账，统计每月支出"),
    Entry("pdf-merge", "pdf-merge", "Merge several documents into a portfolio, keeping bookmarks"),
    Entry("letters", "letters", "Пишет деловые письма и претензии на русском языке"),
    Entry("empty", "empty", " "),
]


def test_fragments_are_seeded_and_local() -> None:
    found = draw(ENTRIES, 3, seed=1)
    assert found == draw(ENTRIES, 3, seed=1)
    assert found != draw(ENTRIES, 3, seed=2)
    assert draw(ENTRIES[:2], 3, seed=1) == [f for f in found if f.item < 2]
    assert {f.item for f in found} == {0, 1, 2, 3}
    for fragment in found:
        text = ENTRIES[fragment.item].description
        assert fragment.text in text
        if fragment.script == "Hani":
            assert 2 <= len(fragment.text) <= 6
        assert "pdf" not in fragment.text.lower()


@pytest.mark.parametrize(
    ("preset", "script", "found"),
    [
        ("ascii", "Hani", 0.0),
        ("cjk", "Hani", 1.0),
        ("ascii", "Cyrl", 0.0),
        ("word", "Cyrl", 1.0),
        ("ascii", "Latn", 1.0),
    ],
)
def test_recall(preset: str, script: str, found: float) -> None:
    result = self_retrieval(ENTRIES, Tokens(PRESETS[preset], preset), draw(ENTRIES)).as_json()[script]
    assert result["recall_10"] == found
    assert result["no_token"] == 1 - found


def test_copies_count_as_found() -> None:
    entries = [Entry("a", "a", "same words here"), Entry("b", "b", "Same words  here"), Entry("c", "c", "other text")]
    result = self_retrieval(entries, Tokens(PRESETS["word"], "word"), [Fragment("same words", 1, "Latn")])
    assert result.as_json()["all"]["recall_1"] == 1.0


def test_no_token_at_all() -> None:
    result = self_retrieval([Entry("", "", "视频")], Tokens(PRESETS["ascii"], "ascii"), [Fragment("视频", 0, "Hani")])
    assert result.as_json()["Hani"] == {"fragments": 1, "no_token": 1.0, "recall_1": 0.0, "recall_10": 0.0}
