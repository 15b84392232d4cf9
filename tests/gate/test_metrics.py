"""Metrics against numbers by hand, and against ir-measures on random runs."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import pytest

from scriptlint.gate.compare import Limits, bootstrap, compare, mcnemar
from scriptlint.gate.metrics import Answer, answer, is_loanword_only, metrics
from scriptlint.gate.queries import Query, QueryError, read_queries, with_aliases
from scriptlint.gate.shapes import ShapeError, pairs

if TYPE_CHECKING:
    from pathlib import Path


def asked(text: str, gold: str, results: list[tuple[str, float]], lang: str = "") -> Answer:
    return answer(Query(text, (gold,) if gold else (), lang), results, [text])


def test_by_hand() -> None:
    answers = [
        asked("a", "x", [("x", 7.0), ("y", 6.5)], "en"),
        asked("b", "x", [("y", 9.0), ("x", 5.9)], "en"),
        asked("c", "x", [("y", 5.0)], "zh"),
        asked("d", "", [("y", 6.0)], "zh"),
        asked("e", "", [("y", 5.9)], "zh"),
    ]
    m = metrics(answers, 6.0, 5)
    assert (m.queries, m.negatives, m.failed) == (3, 2, 0)
    assert m.top1 == pytest.approx(1 / 3) and m.recall == pytest.approx(2 / 3) and m.mrr == pytest.approx(0.5)
    assert m.gated_recall == m.gated_top1 == pytest.approx(1 / 3)
    assert m.wrong_let_through == pytest.approx(2 / 3)
    assert m.negatives_let_through == 0.5
    assert m.by_language["zh"].queries == 1 and m.by_language["zh"].recall == 0.0
    assert m.by_language["en"].recall == 1.0


def test_nothing_is_counted_where_nothing_is() -> None:
    m = metrics([], 6.0, 5)
    assert m.recall is None and m.wrong_let_through is None and m.as_json()["recall"] is None


def test_a_query_that_failed_counts_in_no_metric() -> None:
    good = asked("a", "x", [("x", 7.0)])
    bad = answer(Query("b", ("x",)), (), error="KeyError")
    m = metrics([good, bad], 6.0, 5)
    assert (m.queries, m.failed, m.recall) == (1, 1, 1.0)


def test_either_name_of_an_item_is_a_hit() -> None:
    names = [("bilibili", "bilibili-video"), ("other", "shared"), ("x", "shared")]
    (q,) = with_aliases([Query("q", ("bilibili",))], names)
    assert q.gold == ("bilibili", "bilibili-video")
    (q,) = with_aliases([Query("q", ("x",))], names)
    assert q.gold == ("x",), "a name that several items bear would make others right"


def test_loanwords() -> None:
    assert is_loanword_only("知乎视频转录保存成markdown笔记", ["markdown"])
    assert not is_loanword_only("知乎视频", [])
    assert not is_loanword_only("markdown notes", ["markdown", "notes"])
    assert not is_loanword_only("知乎markdown", ["markdown", "知乎"])


def test_against_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="the test extra has ir-measures")
    from ir_measures import RR, Qrel, R, ScoredDoc, Success

    pick = Random(7)
    answers, qrels, run = [], [], []
    for n in range(60):
        names = [f"d{i}" for i in range(40)]
        pick.shuffle(names)
        found = names[: pick.randint(0, 30)]
        gold = pick.choice(names)
        results = [(name, 20.0 - rank) for rank, name in enumerate(found)]
        answers.append(answer(Query(f"q{n}", (gold,)), results))
        qrels.append(Qrel(f"q{n}", gold, 1))
        run += [ScoredDoc(f"q{n}", name, score) for name, score in results]
    for gate in (-math.inf, 12.0, 17.5):
        m = metrics(answers, gate, 5)
        # What is below the gate is not used: a run without it has the gated recall as its recall.
        used = [d for d in run if d.score >= gate]
        theirs = ir_measures.calc_aggregate([R @ 5, RR, Success @ 1], qrels, run)
        gated = ir_measures.calc_aggregate([R @ 5, Success @ 1], qrels, used)
        assert m.recall == pytest.approx(theirs[R @ 5])
        assert m.mrr == pytest.approx(theirs[RR])
        assert m.top1 == pytest.approx(theirs[Success @ 1])
        assert m.gated_recall == pytest.approx(gated[R @ 5])
        assert m.gated_top1 == pytest.approx(gated[Success @ 1])


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(16, 0) == pytest.approx(2 / 2**16)
    assert mcnemar(9, 1) == pytest.approx(2 * 11 / 2**10)
    assert mcnemar(1500, 0) == pytest.approx(0.0)


def test_bootstrap_is_seeded() -> None:
    values = [-1, 0, 0, 0, -1, 0, 1, 0] * 5
    assert bootstrap(values, 1) == bootstrap(values, 1)
    low, high = bootstrap(values, 1)
    assert low < sum(values) / len(values) < high
    assert bootstrap([1, 1, 1]) == (1.0, 1.0)


def collapse(before: list[Answer], after: list[Answer]) -> list[str]:
    found = compare(("a", before, 6.0), ("b", after, 6.0), 5)
    return [code for code, _ in found.collapsed(Limits())]


def test_collapse() -> None:
    def run(score: float, first: str = "x", lang: str = "zh") -> list[Answer]:
        return [asked(f"词{n}", "x", [(first, score), ("z", 1.0)], lang) for n in range(10)]

    assert collapse(run(8.0), run(2.8)) == ["zh", "Hani", ""]
    assert collapse(run(8.0), run(7.0)) == []
    assert collapse(run(2.8), run(8.0)) == [], "opening a gate is no collapse"
    assert collapse(run(8.0), run(2.8, first="y")) == [], "ranking metrics see that one"
    assert collapse(run(8.0)[:4], run(2.8)[:4]) == [], "too few queries to say"
    # A language that falls is told even when all others keep the whole nearly still.
    others = run(8.0, lang="en") * 12
    assert "zh" in collapse([*run(8.0), *others], [*run(2.8), *others])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"query": "a"}', "gold is missing"),
        ('{"query": "a", "golds": ["x"]}', "did you mean 'golds'"),
        ('{"query": "", "gold": []}', "query must be text"),
        ('{"query": "a", "gold": [1]}', "gold must be a list of names"),
        ('{"query": "a", "gold": [], "lang": 3}', "lang must be"),
        ("[1]", "must be an object"),
        ("{", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_queries_that_cannot_be_used(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"query": "ok", "gold": "x"}\n\n' + line + "\n", encoding="utf-8")
    with pytest.raises(QueryError, match=said) as error:
        read_queries(path)
    assert "q.jsonl:3:" in str(error.value) and "\n" not in str(error.value)


def test_query_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="No such file"):
        read_queries(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(QueryError, match="holds no query"):
        read_queries(tmp_path / "empty.jsonl")
    (tmp_path / "bad.jsonl").write_bytes(b'{"query": "a", "gold": []}\n\xff\n')
    with pytest.raises(QueryError, match=":2: is not UTF-8"):
        read_queries(tmp_path / "bad.jsonl")


def test_a_line_separator_may_stand_in_a_query(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('\ufeff{"query": "a\u2028b", "gold": []}\n', encoding="utf-8")
    assert read_queries(path)[0].text == "a\u2028b"


class _Hit:
    name, score = "x", 2


@pytest.mark.parametrize(
    "found",
    [
        [("x", 2.0)],
        [(2, "x")],
        [["x", 0, 2.0]],
        [{"name": "x", "score": 2}],
        [{"id": "x", "similarity": 2.0}],
        [{"item": {"name": "x"}, "score": 2}],
        [({"name": "x"}, 2.0)],
        [_Hit()],
        {"x": 2.0},
        {"results": [{"title": "x", "relevance": 2.0}]},
        iter([("x", 2)]),
    ],
)
def test_shapes_of_results(found: object) -> None:
    assert pairs(found) == [("x", 2.0)]


@pytest.mark.parametrize(
    "found", [["x"], "x", 3, [("x",)], [{"name": "x"}], [("x", float("nan"))], [{"score": 1}], [None]]
)
def test_shapes_that_say_too_little(found: object) -> None:
    with pytest.raises(ShapeError):
        pairs(found)


def test_fields_can_be_named() -> None:
    assert pairs([{"skill_id": "x", "name": 3, "sim": 2, "score": "high"}], "skill_id", "sim") == [("x", 2.0)]
    assert pairs({}) == pairs([]) == pairs(None) == []
