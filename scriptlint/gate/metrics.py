"""Metrics of answers to queries: the ranking ones, and those on both sides of the gate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scriptlint.gate.queries import Query
    from scriptlint.gate.shapes import Pair

SHARES = ("top1", "recall", "mrr", "gated_recall", "gated_top1", "no_token", "loanword_only")
"""Metrics that are means over the queries with an answer, between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search gave for a query.

    ``results`` are (name, score), best first, up to the depth that was asked for. ``rank`` is that of the first right
    answer, from 1; 0 when it is not among them. ``score`` is that answer's. ``tokens`` counts the query's tokens and
    ``loanword`` says that all of them are ASCII although the query is not; both ``None`` when not known. ``error``
    says why there is no answer: such a query counts in no metric.
    """

    query: Query
    results: tuple[Pair, ...] = ()
    rank: int = 0
    score: float | None = None
    tokens: int | None = None
    loanword: bool | None = None
    error: str = ""

    def hit(self, k: int) -> bool:
        """A right answer is among the first k."""
        return 0 < self.rank <= k

    def gated(self, k: int, gate: float) -> bool:
        """A right answer is among the first k and at or above the gate."""
        gold = self.query.gold
        return any(score >= gate and name in gold for name, score in self.results[:k])

    def gated_first(self, gate: float) -> bool:
        """The first result is right and at or above the gate."""
        return self.rank == 1 and self.score is not None and self.score >= gate

    def wrong(self, k: int, gate: float) -> int:
        """Wrong items that are let through: among the first k, at or above the gate."""
        gold = self.query.gold
        return sum(score >= gate and name not in gold for name, score in self.results[:k])


def answer(query: Query, results: Sequence[Pair], tokens: Sequence[str] | None = None, *, error: str = "") -> Answer:
    """An answer with its rank. ``tokens`` are the query's."""
    rank, score = next(((n, s) for n, (name, s) in enumerate(results, 1) if name in query.gold), (0, None))
    loanword = None if tokens is None else is_loanword_only(query.text, tokens)
    return Answer(query, tuple(results), rank, score, None if tokens is None else len(tokens), loanword, error)


def is_loanword_only(text: str, tokens: Sequence[str]) -> bool:
    """Whether a text with letters beyond ASCII has tokens, and only ASCII ones."""
    if not tokens or not all(t.isascii() for t in tokens):
        return False
    return any(not c.isascii() and c.isalpha() for c in text)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Metrics of a group of queries. Shares are between 0 and 1; ``None`` where nothing was there to count.

    ``queries`` have a known answer, ``negatives`` have none, ``failed`` could not be asked. ``wrong_let_through`` is
    the mean number of wrong items let through for a query that has an answer, ``negatives_let_through`` the share of
    negatives that let anything through.
    """

    queries: int = 0
    negatives: int = 0
    failed: int = 0
    top1: float | None = None
    recall: float | None = None
    mrr: float | None = None
    gated_recall: float | None = None
    gated_top1: float | None = None
    no_token: float | None = None
    loanword_only: float | None = None
    wrong_let_through: float | None = None
    negatives_let_through: float | None = None
    by_language: Mapping[str, Metrics] = field(default_factory=dict)
    by_script: Mapping[str, Metrics] = field(default_factory=dict)

    def as_json(self, *, groups: bool = True) -> dict[str, Any]:
        """The JSON of ``scriptlint gate``."""
        out: dict[str, Any] = {"queries": self.queries, "negatives": self.negatives, "failed": self.failed}
        for name in (*SHARES, "wrong_let_through", "negatives_let_through"):
            value = getattr(self, name)
            out[name] = None if value is None else round(value, 6)
        if groups:
            for key in ("by_language", "by_script"):
                out[key] = {code: m.as_json(groups=False) for code, m in getattr(self, key).items()}
        return out


def metrics(answers: Iterable[Answer], gate: float, k: int) -> Metrics:
    """Metrics of all answers, with those per language and per script of the query."""
    listed = list(answers)
    languages: dict[str, list[Answer]] = {}
    scripts: dict[str, list[Answer]] = {}
    for a in listed:
        if a.query.lang:
            languages.setdefault(a.query.lang, []).append(a)
        scripts.setdefault(a.query.script, []).append(a)
    return _of(
        listed,
        gate,
        k,
        {code: _of(languages[code], gate, k) for code in sorted(languages)},
        {code: _of(scripts[code], gate, k) for code in sorted(scripts)},
    )


def _of(
    answers: Sequence[Answer],
    gate: float,
    k: int,
    languages: Mapping[str, Metrics] | None = None,
    scripts: Mapping[str, Metrics] | None = None,
) -> Metrics:
    good = [a for a in answers if not a.error]
    asked = [a for a in good if not a.query.negative]
    negatives = [a for a in good if a.query.negative]
    known = all(a.tokens is not None for a in asked)
    return Metrics(
        queries=len(asked),
        negatives=len(negatives),
        failed=len(answers) - len(good),
        top1=_mean(a.rank == 1 for a in asked),
        recall=_mean(a.hit(k) for a in asked),
        mrr=_mean(1 / a.rank if a.rank else 0.0 for a in asked),
        gated_recall=_mean(a.gated(k, gate) for a in asked),
        gated_top1=_mean(a.gated_first(gate) for a in asked),
        no_token=_mean(a.tokens == 0 for a in asked) if known else None,
        loanword_only=_mean(bool(a.loanword) for a in asked) if known else None,
        wrong_let_through=_mean(a.wrong(k, gate) for a in asked),
        negatives_let_through=_mean(a.wrong(k, gate) > 0 for a in negatives),
        by_language=languages or {},
        by_script=scripts or {},
    )


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None
