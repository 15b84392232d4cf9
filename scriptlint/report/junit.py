"""JUnit XML: a test suite per file, a failed case per finding; a clean run holds one case that passes."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from scriptlint.report.display import storable, visible

if TYPE_CHECKING:
    from scriptlint.report.context import Context
    from scriptlint.results import Report

# XML 1.0 can hold none of these, not even as references.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, context: Context) -> str:
    """The document."""
    from scriptlint.report.text import witness_text

    cases: list[tuple[str, str]] = []
    for problem in report.problems:
        at = f", line {problem.line}" if problem.line else ""
        text = visible(problem.message)
        cases.append((problem.path, _case("scriptlint.error", problem.line or 1, 1, "error", text, f"{text}{at}")))
    for finding in report.findings:
        place = finding.location
        body = [f"{visible(place.path)}:{place.line}:{place.column}: {finding.code} {finding.name}"]
        body.append(visible(finding.message))
        if finding.witness is not None:
            body.append(witness_text(finding.witness))
        if finding.help:
            body.append(visible(finding.help))
        name = f"scriptlint.{finding.code}.{finding.name}"
        message = visible(finding.message)
        cases.append((place.path, _case(name, place.line, place.column, "failure", message, "\n".join(body))))
    cases.sort(key=lambda case: case[0])
    suites = []
    for path, group in groupby(cases, key=lambda case: case[0]):
        texts = [text for _, text in group]
        failures = sum("<failure" in t for t in texts)
        suites.append(_suite(path, texts, failures, len(texts) - failures))
    if not suites:
        suites.append(
            _suite("scriptlint", ['    <testcase name="no findings" classname="scriptlint" time="0"/>\n'], 0, 0)
        )
    failures = sum("<failure" in text for _, text in cases)
    counts = f'tests="{max(len(cases), 1)}" failures="{failures}" errors="{len(cases) - failures}" time="0"'
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<testsuites name="scriptlint" {counts}>\n{"".join(suites)}</testsuites>\n'


def _suite(path: str, cases: list[str], failures: int, errors: int) -> str:
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0" time="0"'
    return f"  <testsuite name={_attribute(path)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _case(name: str, line: int, column: int, kind: str, message: str, body: str) -> str:
    inner = f"<{kind} message={_attribute(message)} type={_attribute(name)}>{_content(body)}</{kind}>"
    head = f'<testcase name={_attribute(f"{name}:{line}:{column}")} classname={_attribute(name)} time="0">'
    return f"    {head}\n      {inner}\n    </testcase>\n"


def _storable(text: str) -> str:
    return _FORBIDDEN.sub(lambda m: f"\\u{ord(m[0]):04x}", storable(text))


def _attribute(text: str) -> str:
    return quoteattr(_storable(visible(text)))


def _content(text: str) -> str:
    return escape(_storable(text))
