"""One self-contained HTML page: no network, no script, no fonts but the reader's own.

``render`` shows whatever a report holds: findings, the matrix of tokenizers, what corpora and a gate measured. All
text that comes from outside goes through ``markup``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.report.html.page import Section, page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scriptlint.report.context import Context
    from scriptlint.results import Report

    Probes = Mapping[str, Sequence[str] | None]

__all__ = ["render"]


def render(report: Report, context: Context, probes: Sequence[Probes] = ()) -> str:
    """The page. ``probes`` (parallel to the report's tokenizers) are texts and what each tokenizer makes of them."""
    return page(report, context, list(_sections(report, context, probes)))


def _sections(report: Report, context: Context, probes: Sequence[Probes]) -> Iterator[Section]:
    from scriptlint.report.html import findings

    if report.tokenizers:
        from scriptlint.report.html.tokenizers import tokenizers_section

        yield tokenizers_section(report.tokenizers, probes, context)
    if report.measured.get("corpora"):
        from scriptlint.report.html.corpus import corpus_section

        yield corpus_section(report.measured["corpora"])
    for data in report.measured.get("gate", ()):
        from scriptlint.report.html.gate import gate_section

        yield gate_section(data)
    yield from findings.sections(report, context)
