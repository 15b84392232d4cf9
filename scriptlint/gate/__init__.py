"""Measures what a score gate lets through: gated recall beside Recall@k and MRR, per script and per language.

For a test suite of one's own ``measure`` is enough: queries with known answers, a search, a gate and k in; metrics
out. It runs the search in this process. ``scriptlint gate`` runs routers in processes of their own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scriptlint.gate.metrics import Answer, Metrics
    from scriptlint.gate.queries import Query, QueryError, read_queries
    from scriptlint.gate.suite import Measured, measure

__all__ = ["Answer", "Measured", "Metrics", "Query", "QueryError", "measure", "read_queries"]

_HOMES = {
    "Answer": "metrics",
    "Measured": "suite",
    "Metrics": "metrics",
    "Query": "queries",
    "QueryError": "queries",
    "measure": "suite",
    "read_queries": "queries",
}


def __getattr__(name: str) -> object:
    # Loaded when asked for: a test module that imports this pays for nothing else.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"scriptlint.gate.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
