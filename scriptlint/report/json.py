"""JSON for scripts: format ``scriptlint/1``, grown only by adding keys. docs/json.md describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scriptlint import __version__
from scriptlint.report.display import storable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.finding import Finding, Location, Problem, Witness
    from scriptlint.report.context import Context
    from scriptlint.results import Report
    from scriptlint.tokenizer.model import Judged, PatternSite, ScriptVerdict

FORMAT = "scriptlint/1"


def render(report: Report, context: Context) -> str:
    """The report as one JSON object."""
    from scriptlint.unicode import UNICODE_VERSION

    shown = [*report.findings, *(report.hidden if context.include_suppressed else ())]
    shown.sort(key=lambda f: (f.location, f.code))
    return dumps(
        {
            "format": FORMAT,
            "version": __version__,
            "unicode": UNICODE_VERSION,
            "findings": [finding_dict(f) for f in shown],
            "errors": [problem_dict(p) for p in report.problems],
            "summary": report.summary(),
            **report.measured,
        }
    )


def dumps(value: Any) -> str:
    """JSON text, indented, UTF-8 as it is but for lone surrogates, ending in a line break."""
    return json.dumps(_clean(value), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(k)): _clean(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(v) for v in value]
    return value


def place_dict(location: Location) -> dict[str, Any]:
    """Path and 1-based range, columns in code points, end exclusive."""
    return {
        "path": location.path,
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
    }


def finding_dict(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {
        "code": finding.code,
        "name": finding.name,
        "level": finding.level.value,
        "confidence": finding.confidence.value,
        "message": finding.message,
        "help": finding.help,
        **place_dict(finding.location),
        "cell": finding.location.message or None,
        "scripts": list(finding.scripts),
        "tokenizer": finding.tokenizer,
        "item": finding.item,
        "witness": witness_dict(finding.witness),
        "related": [{**place_dict(r), "message": r.message} for r in finding.related],
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
    }


def witness_dict(witness: Witness | None) -> dict[str, Any] | None:
    """A witness, or null."""
    return None if witness is None else {"text": witness.text, "tokens": list(witness.tokens)}


def problem_dict(problem: Problem) -> dict[str, Any]:
    """Something that could not be read."""
    return {"path": problem.path, "line": problem.line, "message": problem.message}


def tokenizer_dict(judged: Judged, probes: Mapping[str, list[str] | None]) -> dict[str, Any]:
    """One tokenizer with its verdicts. ``probes`` are texts and the tokens it makes of them (``None``: unknown)."""
    tokenizer = judged.tokenizer
    return {
        "name": tokenizer.name,
        "path": tokenizer.path,
        "line": tokenizer.line,
        "kind": tokenizer.kind,
        "confidence": tokenizer.confidence.value,
        "stages": [stage.describe() for stage in tokenizer.stages],
        "reasons": list(tokenizer.reasons),
        "sites": [_site_dict(s) for s in tokenizer.sites],
        "scripts": {code: _verdict_dict(v) for code, v in judged.scripts.items()},
        "probes": dict(probes),
    }


def _site_dict(site: PatternSite) -> dict[str, Any]:
    place = site.place
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "role": site.role,
        "pattern": site.pattern,
        "flags": list(site.flags),
        "dialect": site.dialect,
    }


def _verdict_dict(verdict: ScriptVerdict) -> dict[str, Any]:
    return {
        "verdict": verdict.verdict.value,
        "exact": verdict.exact,
        "letters": verdict.letters,
        "retained": verdict.retained,
        "short_dropped": verdict.short_dropped,
        "glued": verdict.glued,
        "languages": dict(verdict.languages),
        "witness": witness_dict(verdict.witness),
    }
