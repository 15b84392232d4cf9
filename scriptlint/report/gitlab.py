"""GitLab Code Quality: a JSON list of findings with fingerprints."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from scriptlint.finding import Level
from scriptlint.report.display import visible
from scriptlint.report.json import dumps

if TYPE_CHECKING:
    from scriptlint.finding import Problem
    from scriptlint.report.context import Context
    from scriptlint.results import Report

_SEVERITY = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


def render(report: Report, context: Context) -> str:
    """The list, errors first."""
    rows: list[dict[str, Any]] = [_problem(p) for p in report.problems]
    for finding in report.findings:
        place = finding.location
        rows.append(
            {
                "description": visible(finding.message),
                "check_name": finding.code,
                "fingerprint": finding.fingerprint,
                "severity": _SEVERITY[finding.level],
                "location": {
                    "path": place.path,
                    "positions": {
                        "begin": {"line": place.line, "column": place.column},
                        "end": {"line": place.end_line, "column": place.end_column},
                    },
                },
            }
        )
    return dumps(rows)


def _problem(problem: Problem) -> dict[str, Any]:
    text = f"{problem.path}\0{problem.message}".encode("utf-8", "surrogatepass")
    line = problem.line or 1
    return {
        "description": visible(problem.message),
        "check_name": "unreadable-file",
        "fingerprint": hashlib.sha256(text).hexdigest()[:32],
        "severity": "blocker",
        "location": {"path": problem.path, "lines": {"begin": line, "end": line}},
    }
