"""GitHub workflow commands: each finding as an annotation, worst first, for GitHub shows but ten of a kind a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.finding import Level
from scriptlint.report.display import visible

if TYPE_CHECKING:
    from scriptlint.report.context import Context
    from scriptlint.results import Report

_COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(report: Report, context: Context) -> str:
    """One command a line. Columns are left out of ranges over several lines: GitHub refuses them there."""
    from scriptlint.report.text import witness_text

    lines = [
        f"::error title=scriptlint,file={_value(p.path)},line={p.line or 1}::{_data(visible(p.message))}\n"
        for p in report.problems
    ]
    for finding in sorted(report.findings, key=lambda f: (-f.level.rank, f.location, f.code)):
        place = finding.location
        where = f"file={_value(place.path)},line={place.line}"
        if place.line == place.end_line:
            where += f",col={place.column},endLine={place.end_line},endColumn={place.end_column}"
        else:
            where += f",endLine={place.end_line}"
        text = visible(finding.message)
        if finding.witness is not None:
            text = f"{text}\n{witness_text(finding.witness)}"
        if finding.help:
            text = f"{text}\n{visible(finding.help)}"
        title = _value(f"scriptlint ({finding.code} {finding.name})")
        lines.append(f"::{_COMMAND[finding.level]} title={title},{where}::{_data(text)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
