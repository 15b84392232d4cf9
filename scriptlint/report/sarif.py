"""SARIF 2.1.0, by sarif-om's objects and a serialiser of our own.

What the standard and its readers ask for, and this module keeps: columns in UTF-16 units, said so; all four region
fields and the snippet on every result; relative percent-encoded URIs; an explicit level everywhere; unique rules,
each with help; suppressions on all results or on none.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import attr
import sarif_om as om

from scriptlint import __version__
from scriptlint.finding import Confidence, Level
from scriptlint.report.display import storable, visible
from scriptlint.report.links import home, rule_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scriptlint.finding import Finding, Location, Problem
    from scriptlint.lines import Lines
    from scriptlint.registry import Registry, Rule
    from scriptlint.report.context import Context
    from scriptlint.results import Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "scriptlint/v1"

_PRECISION = {Confidence.HIGH: "high", Confidence.MEDIUM: "medium", Confidence.LOW: "low"}
_SEVERITY = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "recommendation"}
_ALWAYS = frozenset(("level",))
_SNIPPET = 2000


# sarif-om follows a draft that has ``state`` here; the standard has ``status``.
Suppression: Any = attr.make_class(
    "Suppression",
    {"status": attr.ib(default=None, metadata={"schema_property_name": "status"})},
    bases=(om.Suppression,),
)


def render(report: Report, context: Context) -> str:
    """One run of one tool, with every finding as a result."""
    return dumps(log(report, context))


def log(report: Report, context: Context) -> om.SarifLog:
    """The report as a SARIF log."""
    findings = [*report.findings, *(report.hidden if context.include_suppressed else ())]
    findings.sort(key=lambda f: (f.location, f.code))
    rules = [r for r in context.registry if r.meta.reads != "suppressions" or _used(r.code, findings)]
    index = {rule.code: n for n, rule in enumerate(rules)}
    suppressed = any(f.suppressed is not None for f in findings)
    results = [_result(f, index, context, suppressed) for f in findings]
    run = om.Run(
        tool=om.Tool(driver=_driver(context.registry, rules)),
        column_kind="utf16CodeUnits",
        original_uri_base_ids={
            "%SRCROOT%": om.ArtifactLocation(description=om.Message(text="The folder that scriptlint ran in."))
        },
        automation_details=om.RunAutomationDetails(id="scriptlint/"),
        invocations=[
            om.Invocation(
                execution_successful=not report.crashed,
                tool_execution_notifications=[_notification(p, context.lines) for p in report.problems] or None,
            )
        ],
        results=results,
    )
    return om.SarifLog(version="2.1.0", schema_uri=SCHEMA, runs=[run])


def _used(code: str, findings: Iterable[Finding]) -> bool:
    return any(f.code == code for f in findings)


def _driver(registry: Registry, rules: Sequence[Rule]) -> om.ToolComponent:
    return om.ToolComponent(
        name="scriptlint",
        version=__version__,
        semantic_version=__version__,
        information_uri=home(),
        rules=[_descriptor(registry, r) for r in rules],
    )


def _descriptor(registry: Registry, rule: Rule) -> om.ReportingDescriptor:
    words = "".join(w.capitalize() for w in rule.name.split("-"))
    full = " ".join(rule.section("What it does").split()) or rule.summary
    help_text = rule.section("Use instead") or rule.summary
    tags = sorted({"unicode", "search", *rule.meta.tags})[:10]
    return om.ReportingDescriptor(
        id=rule.code,
        name=words,
        short_description=om.MultiformatMessageString(text=_sentence(rule.summary)[:1024]),
        full_description=om.MultiformatMessageString(text=_sentence(full)[:1024]),
        help=om.MultiformatMessageString(text=storable(help_text), markdown=storable(rule.page)),
        help_uri=rule_url(registry, rule.code),
        default_configuration=om.ReportingConfiguration(level=rule.meta.level.value),
        properties={
            "tags": tags,
            "precision": "high",
            "problem.severity": _SEVERITY[rule.meta.level],
        },
    )


def _result(finding: Finding, index: dict[str, int], context: Context, suppressed: bool) -> om.Result:
    properties: dict[str, Any] = {"confidence": _PRECISION[finding.confidence]}
    for key, value in (
        ("scripts", list(finding.scripts)),
        ("tokenizer", finding.tokenizer),
        ("item", finding.item),
        ("help", finding.help),
        ("cell", finding.location.message),
    ):
        if value:
            properties[key] = clean(value)
    if finding.witness is not None:
        properties["witness"] = clean({"text": finding.witness.text, "tokens": list(finding.witness.tokens)})
    related = unique_places(finding.related)
    return om.Result(
        rule_id=finding.code,
        rule_index=index.get(finding.code, -1),
        level=finding.level.value,
        message=om.Message(text=_message(finding)),
        locations=[om.Location(physical_location=physical(finding.location, context.lines))],
        related_locations=[
            om.Location(
                id=n,
                physical_location=physical(place, context.lines),
                message=om.Message(text=visible(place.message)) if place.message else None,
            )
            for n, place in enumerate(related, 1)
        ]
        or None,
        partial_fingerprints={FINGERPRINT: finding.fingerprint} if finding.fingerprint else None,
        suppressions=_suppressions(finding, context) if suppressed else None,
        properties=properties,
    )


def _message(finding: Finding) -> str:
    """The first sentence is an alert's title, so the finding comes first, then the witness and the remedy."""
    from scriptlint.report.text import witness_text

    parts = [_sentence(visible(finding.message))]
    if finding.witness is not None:
        parts.append(_sentence(f"Witness: {witness_text(finding.witness)}"))
    if finding.help:
        parts.append(_sentence(visible(finding.help[:1].upper() + finding.help[1:])))
    # "[text](1)" is a link in a SARIF message; a regex that looks like one is not.
    return re.sub(r"\[(?=[^\[\]]*\]\()", r"\\[", " ".join(parts))


def _sentence(text: str) -> str:
    text = storable(text.strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _suppressions(finding: Finding, context: Context) -> list[Any]:
    if finding.suppressed is None:
        return []
    if finding.suppressed == "baseline":
        location = None
        if context.baseline:
            from scriptlint.config import show_path

            location = om.Location(
                physical_location=om.PhysicalLocation(artifact_location=artifact(show_path(context.baseline)))
            )
        return [Suppression(kind="external", status="accepted", location=location)]
    reason = finding.suppressed.removeprefix("inline").removeprefix(":").strip()
    return [Suppression(kind="inSource", status="accepted", justification=visible(reason) or None)]


def _notification(problem: Problem, lines: Lines) -> om.Notification:
    from scriptlint.finding import Location

    number = problem.line or 1
    place = Location(problem.path, number, 1, number, len(lines.line(problem.path, number)) + 1)
    return om.Notification(
        level="error",
        message=om.Message(text=_sentence(visible(problem.message))),
        locations=[om.Location(physical_location=physical(place, lines))],
    )


def unique_places(places: Sequence[Location]) -> list[Location]:
    """Related locations without repeats, which the schema refuses; at most as many as GitHub takes."""
    return list(dict.fromkeys(places))[:100]


def artifact(path: str) -> om.ArtifactLocation:
    """A path as a percent-encoded URI, relative to the source root; an absolute one keeps its file scheme."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a pair, which no encoding has: a name that Windows allows
        raw = path.encode("utf-8", "surrogatepass")
    name = quote(raw, safe="/-._~")
    if path.startswith("/"):
        return om.ArtifactLocation(uri=f"file://{name}")
    if name[1:2] == "%" and path[1:3] == ":/":  # a drive (Windows)
        return om.ArtifactLocation(uri=f"file:///{path[0]}:{name[4:]}")
    return om.ArtifactLocation(uri=name, uri_base_id="%SRCROOT%")


def physical(location: Location, lines: Lines) -> om.PhysicalLocation:
    """A place with its region in UTF-16 units and the text of the region as snippet."""
    line, end_line = max(1, location.line), max(1, location.line, location.end_line)
    start = utf16_column(lines.line(location.path, line), location.column)
    end = utf16_column(lines.line(location.path, end_line), location.end_column)
    if end_line == line:
        end = max(end, start)
    snippet = storable(lines.text(location))
    return om.PhysicalLocation(
        artifact_location=artifact(location.path),
        region=om.Region(
            start_line=line,
            start_column=start,
            end_line=end_line,
            end_column=end,
            snippet=om.ArtifactContent(text=snippet) if snippet and len(snippet) <= _SNIPPET else None,
        ),
    )


def utf16_column(line: str, column: int) -> int:
    """A 1-based column in UTF-16 units for one in code points."""
    before = line[: max(column, 1) - 1]
    return len(before) + sum(c > "\uffff" for c in before) + 1


def clean(value: Any) -> Any:
    """Plain data without lone surrogates."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(k)): clean(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(v) for v in value]
    return value


_FIELDS: dict[type, list[tuple[str, str, Any]]] = {}


def _fields(kind: type) -> list[tuple[str, str, Any]]:
    if kind not in _FIELDS:
        _FIELDS[kind] = [
            (
                f.name,
                f.metadata["schema_property_name"],
                f.default.factory() if isinstance(f.default, attr.Factory) else f.default,  # type: ignore[arg-type]
            )
            for f in attr.fields(kind)
        ]
    return _FIELDS[kind]


def to_dict(value: Any) -> Any:
    """sarif-om objects as plain data: what is unset or equal to the schema's default is left out, but for levels."""
    if attr.has(type(value)):
        out = {}
        for name, key, default in _fields(type(value)):
            held = getattr(value, name)
            if held is None or (key not in _ALWAYS and type(held) is type(default) and held == default):
                continue
            out[key] = to_dict(held)
        return out
    if isinstance(value, dict):
        return {k: to_dict(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_dict(v) for v in value]
    return value


def dumps(sarif: om.SarifLog) -> str:
    """The log as JSON text with the schema first, ending in a line break."""
    plain = to_dict(sarif)
    ordered = {"$schema": plain.pop("$schema"), "version": plain.pop("version"), **plain}
    return json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
