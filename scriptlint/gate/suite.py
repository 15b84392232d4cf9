"""One function for test suites: queries, a search, a gate and k in; metrics out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scriptlint.gate.metrics import answer, metrics
from scriptlint.gate.queries import as_queries
from scriptlint.gate.shapes import pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from scriptlint.gate.metrics import Answer, Metrics
    from scriptlint.gate.queries import Query


@dataclass(frozen=True, slots=True)
class Measured:
    """What a search let through, and what it didn't. ``str()`` is a table."""

    gate: float
    k: int
    answers: tuple[Answer, ...]
    overall: Metrics

    def __getitem__(self, group: str) -> Metrics:
        """The metrics of a language (``zh``) or script (``Hani``); raises KeyError with the groups there are."""
        for groups in (self.overall.by_language, self.overall.by_script):
            if group in groups:
                return groups[group]
        raise KeyError(f"no query of {group!r}; there are {', '.join(self.groups)}")

    @property
    def groups(self) -> tuple[str, ...]:
        """Languages, then scripts."""
        return (*self.overall.by_language, *self.overall.by_script)

    def hidden(self, group: str = "") -> list[Answer]:
        """Answers that rank among the first k and are not let through, of a language, a script, or all queries."""
        if group:
            self[group]
        return [
            a
            for a in self.answers
            if a.hit(self.k)
            and not a.gated(self.k, self.gate)
            and (not group or group in (a.query.lang, a.query.script))
        ]

    def __str__(self) -> str:
        head = f"{'':8} queries  Recall@{self.k:<3} MRR     gated Recall@{self.k}"
        rows = [("all", self.overall), *self.overall.by_language.items()]
        return "\n".join([head, *(_row(name, m) for name, m in rows)])


def _row(name: str, m: Metrics) -> str:
    cells = (f"{v:<8.3f}" if v is not None else f"{'-':8}" for v in (m.recall, m.mrr, m.gated_recall))
    return f"{name:8} {m.queries:>7}  {' '.join(cells)}".rstrip()


def measure(
    queries: Iterable[Query | Mapping[str, Any]] | str | Path,
    search: Callable[[str], object],
    gate: float,
    k: int = 5,
    *,
    tokenize: Callable[[str], Iterable[str]] | None = None,
) -> Measured:
    """Ask ``search`` every query and measure what comes back.

    ``queries`` are a JSON Lines file, mappings with ``query``, ``gold`` and ``lang``, or Query objects. ``search``
    takes the query's text and gives names with scores, best first (pairs, mappings or objects); give more than k of
    them for an MRR beyond k. ``gate`` is the score from which a result is used. With ``tokenize`` the shares of
    queries without a token are counted too. What ``search`` raises is raised. Raises QueryError and ShapeError.
    """
    out = []
    for q in as_queries(queries):
        tokens = None if tokenize is None else list(tokenize(q.text))
        out.append(answer(q, pairs(search(q.text)), tokens))
    return Measured(gate, k, tuple(out), metrics(out, gate, k))
