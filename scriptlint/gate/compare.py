"""Two conditions over the same queries: paired differences, an exact sign test, a bootstrap interval."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scriptlint.gate.metrics import Answer

SEED = 20260814
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed in a group of queries, second condition minus first; shares as in ``Metrics``.

    ``lost`` and ``gained`` count queries whose right answer is no longer, or newly, let through; ``p_value`` is
    McNemar's exact one on them. ``interval`` holds 95 % of the bootstrapped differences in gated recall.
    """

    queries: int
    recall: float
    mrr: float
    top1: float
    gated_recall: float
    gated_top1: float
    wrong_let_through: float
    lost: int
    gained: int
    p_value: float
    interval: tuple[float, float]

    def as_json(self) -> dict[str, Any]:
        """The JSON of a comparison's group."""
        names = ("recall", "mrr", "top1", "gated_recall", "gated_top1", "wrong_let_through")
        out: dict[str, Any] = {"queries": self.queries, **{n: round(getattr(self, n), 6) for n in names}}
        interval = [round(v, 6) for v in self.interval]
        return {
            **out, "lost": self.lost, "gained": self.gained, "p_value": self.p_value, "gated_recall_interval": interval
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """When gated recall counts as collapsed: all in shares, ``queries`` is the least size of a group."""

    gated: float = 0.10
    recall: float = 0.05
    mrr: float = 0.10
    queries: int = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences between two conditions, overall and per group; ``None`` where no query was answered in both."""

    first: str
    second: str
    overall: Difference | None
    by_language: Mapping[str, Difference] = field(default_factory=dict)
    by_script: Mapping[str, Difference] = field(default_factory=dict)

    def collapsed(self, limits: Limits) -> list[tuple[str, Difference]]:
        """Groups whose gated recall fell while their ranking stayed: languages, scripts, then ``""`` for all."""
        groups = [*self.by_language.items(), *self.by_script.items()]
        if self.overall is not None:
            groups.append(("", self.overall))
        return [(name, d) for name, d in groups if _collapsed(d, limits)]


def _collapsed(d: Difference, limits: Limits) -> bool:
    small = 1e-9  # a fall of exactly the limit is within it, whatever the last bit says
    return (
        d.queries >= limits.queries
        and -d.gated_recall > limits.gated + small
        and -d.recall <= limits.recall + small
        and -d.mrr <= limits.mrr + small
    )


def compare(
    first: tuple[str, Sequence[Answer], float], second: tuple[str, Sequence[Answer], float], k: int, seed: int = SEED
) -> Comparison:
    """Compare two runs: name, answers (to the same queries in the same order), gate."""
    together = [
        (a, b) for a, b in zip(first[1], second[1], strict=True) if not a.error and not b.error and not a.query.negative
    ]
    languages: dict[str, list[tuple[Answer, Answer]]] = {}
    scripts: dict[str, list[tuple[Answer, Answer]]] = {}
    for pair in together:
        if pair[0].query.lang:
            languages.setdefault(pair[0].query.lang, []).append(pair)
        scripts.setdefault(pair[0].query.script, []).append(pair)

    def of(pairs: Sequence[tuple[Answer, Answer]]) -> Difference:
        return _difference(pairs, first[2], second[2], k, seed)

    return Comparison(
        first[0],
        second[0],
        of(together) if together else None,
        {code: of(languages[code]) for code in sorted(languages)},
        {code: of(scripts[code]) for code in sorted(scripts)},
    )


def _difference(pairs: Sequence[tuple[Answer, Answer]], gate_a: float, gate_b: float, k: int, seed: int) -> Difference:
    n = len(pairs)
    gated = [b.gated(k, gate_b) - a.gated(k, gate_a) for a, b in pairs]
    lost, gained = gated.count(-1), gated.count(1)

    def inverse(a: Answer) -> float:
        return 1 / a.rank if a.rank else 0.0

    return Difference(
        n,
        recall=sum(b.hit(k) - a.hit(k) for a, b in pairs) / n,
        mrr=sum(inverse(b) - inverse(a) for a, b in pairs) / n,
        top1=sum((b.rank == 1) - (a.rank == 1) for a, b in pairs) / n,
        gated_recall=sum(gated) / n,
        gated_top1=sum(b.gated_first(gate_b) - a.gated_first(gate_a) for a, b in pairs) / n,
        wrong_let_through=sum(b.wrong(k, gate_b) - a.wrong(k, gate_a) for a, b in pairs) / n,
        lost=lost,
        gained=gained,
        p_value=mcnemar(lost, gained),
        interval=bootstrap(gated, seed),
    )


def mcnemar(lost: int, gained: int) -> float:
    """Two-sided exact p-value: how likely such an uneven split is if losing and gaining were equally likely."""
    n = lost + gained
    tail = sum(comb(n, i) for i in range(min(lost, gained) + 1))
    return min(1.0, float(2 * tail / 2**n))


def bootstrap(values: Sequence[float], seed: int = SEED, resamples: int = RESAMPLES) -> tuple[float, float]:
    """The middle 95 % of the means of ``resamples`` samples drawn with replacement."""
    n = len(values)
    if len(set(values)) <= 1:
        mean = sum(values) / n if n else 0.0
        return mean, mean
    pick = Random(seed)
    means = sorted(sum(pick.choices(values, k=n)) / n for _ in range(resamples))
    edge = int(0.025 * resamples)
    return means[edge], means[-1 - edge]
