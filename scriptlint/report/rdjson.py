"""Reviewdog's rdjson. Its columns count UTF-8 bytes by definition, so they are converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.finding import Level
from scriptlint.report.display import visible
from scriptlint.report.json import dumps
from scriptlint.report.links import rule_url

if TYPE_CHECKING:
    from scriptlint.finding import Location
    from scriptlint.report.context import Context
    from scriptlint.results import Report

_SEVERITY = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.NOTE: "INFO"}


def render(report: Report, context: Context) -> str:
    """One DiagnosticResult."""
    from scriptlint.report.text import witness_text

    rows: list[dict[str, Any]] = []
    for problem in report.problems:
        start = {"line": problem.line or 1}
        rows.append(
            {
                "message": visible(problem.message),
                "location": {"path": problem.path, "range": {"start": start}},
                "severity": "ERROR",
            }
        )
    for finding in report.findings:
        text = [visible(finding.message)]
        if finding.witness is not None:
            text.append(witness_text(finding.witness))
        if finding.help:
            text.append(visible(finding.help))
        row: dict[str, Any] = {
            "message": "\n".join(text),
            "location": _location(finding.location, context),
            "severity": _SEVERITY[finding.level],
            "code": {"value": finding.code},
        }
        url = rule_url(context.registry, finding.code)
        if url:
            row["code"]["url"] = url
        if finding.related:
            row["related_locations"] = [
                {"message": visible(r.message), "location": _location(r, context)} for r in finding.related
            ]
        rows.append(row)
    return dumps({"source": {"name": "scriptlint"}, "diagnostics": rows})


def _location(place: Location, context: Context) -> dict[str, Any]:
    return {
        "path": place.path,
        "range": {
            "start": {"line": place.line, "column": _bytes(place, place.line, place.column, context)},
            "end": {"line": place.end_line, "column": _bytes(place, place.end_line, place.end_column, context)},
        },
    }


def _bytes(place: Location, line: int, column: int, context: Context) -> int:
    before = context.lines.line(place.path, line)[: column - 1]
    # Past the line's end (or in a file that is gone) each missing character counts as one byte.
    return len(before.encode("utf-8", "surrogatepass")) + (column - 1 - len(before)) + 1
