"""JSON, SARIF, GitHub, GitLab, JUnit and rdjson on hostile lines and texts."""

from __future__ import annotations

import json
import urllib.parse
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from html_page import parse
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.finding import Confidence, Finding, Level, Location, Problem, Witness
from scriptlint.lines import Lines
from scriptlint.registry import load_registry
from scriptlint.report import FORMATS, TERMINAL_FORMATS, render
from scriptlint.report.context import Context
from scriptlint.report.sarif import artifact, utf16_column
from scriptlint.results import Report

if TYPE_CHECKING:
    from pathlib import Path


MACHINE = [f for f in FORMATS if f not in TERMINAL_FORMATS]


def sarif(case: Any, **changes: Any) -> dict[str, Any]:
    return json.loads(render("sarif", case.report, replace(case.context, **changes)))


def validate(log: dict[str, Any], shared: Path) -> None:
    schema_path = shared / "data" / "sarif-2.1.0.json"
    if not schema_path.is_file():
        pytest.skip(f"no SARIF schema at {schema_path}")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [e.message for e in validator.iter_errors(log)] == []


@pytest.mark.parametrize("name", MACHINE)
def test_storable_and_one_document(name: str, case: Any, clean: Any) -> None:
    for one in (case, clean):
        text = render(name, one.report, one.context)
        text.encode("utf-8")
        assert "\x1b" not in text
        if name in ("json", "sarif", "gitlab", "rdjson"):
            json.loads(text)
        elif name == "junit":
            ET.fromstring(text)
        elif name == "html":
            parse(text)


def test_json_keys_and_values(case: Any) -> None:
    data = json.loads(render("json", case.report, case.context))
    assert list(data) == ["format", "version", "unicode", "findings", "errors", "summary"]
    assert data["format"] == "scriptlint/1"
    first = data["findings"][0]
    wanted = {
        *("code", "name", "level", "confidence", "message", "path", "line", "column", "end_line", "end_column"),
        *("scripts", "tokenizer", "item", "witness", "related", "fingerprint"),
    }
    assert wanted <= set(first)
    assert first["witness"] == {"text": "视频下载", "tokens": []}
    assert (first["line"], first["column"], first["end_column"]) == (1, 20, 31)
    assert data["errors"][0] == {"path": "broken.py", "line": 3, "message": "invalid syntax: unexpected\nindent"}
    assert data["summary"]["findings"] == len(data["findings"])
    assert data["summary"]["suppressed"] == data["summary"]["baselined"] == 1


def test_sarif_is_valid(case: Any, clean: Any, shared: Path) -> None:
    validate(sarif(case), shared)
    validate(sarif(case, include_suppressed=True, baseline="baseline.json"), shared)
    validate(sarif(clean), shared)


def utf16_slice(line: str, start: int, end: int | None) -> str:
    units = line.encode("utf-16-le", "surrogatepass")
    return units[(start - 1) * 2 : None if end is None else (end - 1) * 2].decode("utf-16-le", "surrogatepass")


def test_sarif_regions_cut_their_snippets(case: Any) -> None:
    results = sarif(case)["runs"][0]["results"]
    assert len(results) == 8
    for result in results:
        region = result["locations"][0]["physicalLocation"]["region"]
        first, last = region["startLine"], region["endLine"]
        lines = case.lines.of(next(iter({f.location.path for f in case.report.findings})))[first - 1 : last]
        parts = []
        for n, line in enumerate(lines, first):
            begin = region["startColumn"] if n == first else 1
            end = region["endColumn"] if n == last else None
            parts.append(utf16_slice(line, begin, end))
        assert "\n".join(parts) == region["snippet"]["text"]
    columns = [r["locations"][0]["physicalLocation"]["region"]["startColumn"] for r in results]
    assert columns[:3] == [20, 24, 14]  # an emoji and Extension B characters count two each


def test_sarif_says_what_readers_need(case: Any) -> None:
    log = sarif(case)
    run = log["runs"][0]
    assert list(log)[:2] == ["$schema", "version"]
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["automationDetails"]["id"] == "scriptlint/"
    assert run["originalUriBaseIds"]["%SRCROOT%"]
    rules = run["tool"]["driver"]["rules"]
    assert len({r["id"] for r in rules}) == len(rules)
    for rule in rules:
        assert rule["help"]["text"] and rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
        assert rule["defaultConfiguration"]["level"]
        assert len(set(rule["properties"]["tags"])) == len(rule["properties"]["tags"]) <= 10
    for result in run["results"]:
        assert result["level"] in ("note", "warning", "error")
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert set(result["partialFingerprints"]) == {"scriptlint/v1"}
        assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {
            "uri": "src/n%C3%A4h%20%E6%BC%A2%25.py",
            "uriBaseId": "%SRCROOT%",
        }
        assert "suppressions" not in result
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [n["level"] for n in notes] == ["error", "error"]
    assert "null" not in json.dumps(log).replace("nullable", "")


def test_sarif_suppressions_are_on_all_or_none(case: Any) -> None:
    results = sarif(case, include_suppressed=True, baseline="base line.json")["runs"][0]["results"]
    assert len(results) == 10
    assert all("suppressions" in r for r in results)
    told = [s for r in results for s in r["suppressions"]]
    assert (
        told
        == [
            {
                "kind": "external",
                "status": "accepted",
                "location": {
                    "physicalLocation": {"artifactLocation": {"uri": "base%20line.json", "uriBaseId": "%SRCROOT%"}}
                },
            },
            {"kind": "inSource", "status": "accepted", "justification": "only English"},
        ]
        or told[::-1]
    )


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a/b.py", "a/b.py"), ("../x.py", "../x.py"), ("a b/ü.py", "a%20b/%C3%BC.py"), ("a:b#c?.py", "a%3Ab%23c%3F.py")],
)
def test_uris(path: str, uri: str) -> None:
    place = artifact(path)
    assert place.uri == uri
    assert urllib.parse.unquote(place.uri) == path


def test_uris_of_names_that_no_encoding_has() -> None:
    assert artifact("a\udcff.py").uri == "a%FF.py"
    assert artifact("a\ud800.py").uri == "a%ED%A0%80.py"


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.integers(1, 45))
def test_utf16_columns(line: str, column: int) -> None:
    assert utf16_column(line, column) == len(line[: column - 1].encode("utf-16-le")) // 2 + 1


hostile = st.text(st.characters(), max_size=30)


@given(message=hostile, help=hostile, path=hostile, text=hostile, tokens=st.lists(hostile, max_size=3), source=hostile)
def test_no_text_breaks_a_format(message: str, help: str, path: str, text: str, tokens: list[str], source: str) -> None:
    finding = Finding(
        "SCR900",
        "unused-suppression",
        Level.WARNING,
        Confidence.HIGH,
        message,
        Location(path, 1, 1, 1, max(1, len(source))),
        help=help,
        witness=Witness(text, tuple(tokens)),
        fingerprint="0" * 32,
    )
    report = Report((finding,), problems=(Problem(path, message, 1),), files=1)
    context = Context(load_registry(), Lines({path: source.encode("utf-8", "surrogatepass")}))
    for name in FORMATS:
        out = render(name, report, context)
        out.encode("utf-8")
        if name == "junit":
            ET.fromstring(out)
        elif name == "html":
            parse(out)
        elif name == "github":
            assert out.count("\n") == 2
        elif name not in TERMINAL_FORMATS:
            json.loads(out)


def test_github_escapes(case: Any) -> None:
    lines = render("github", case.report, case.context).splitlines()
    assert len(lines) == len(case.report.findings) + len(case.report.problems)
    assert lines[0].startswith("::error title=scriptlint,file=broken.py,line=3::invalid syntax: unexpected\\nindent")
    assert lines[2].startswith(
        "::error title=scriptlint (SCR900 unused-suppression),file=src/näh 漢%25.py,line=2,col=23"
    )
    many = next(line for line in lines if "endLine" in line and "col=" not in line)
    assert ",endLine=" in many


def test_gitlab_fingerprints_are_unique(case: Any) -> None:
    rows = json.loads(render("gitlab", case.report, case.context))
    assert len({r["fingerprint"] for r in rows}) == len(rows) == 10
    assert {r["severity"] for r in rows} == {"blocker", "major", "minor", "info"}
    for row in rows:
        assert {"description", "check_name", "fingerprint", "severity", "location"} == set(row)


def test_junit_counts(case: Any, clean: Any) -> None:
    root = ET.fromstring(render("junit", case.report, case.context))
    assert root.attrib["tests"] == "10" and root.attrib["failures"] == "8" and root.attrib["errors"] == "2"
    assert sum(int(s.attrib["tests"]) for s in root) == 10
    assert len(root.findall(".//testcase")) == 10
    calm = ET.fromstring(render("junit", clean.report, clean.context))
    assert len(calm.findall(".//testcase")) == 1 and not calm.findall(".//failure")


def test_rdjson_columns_are_bytes(case: Any) -> None:
    rows = json.loads(render("rdjson", case.report, case.context))["diagnostics"]
    starts = [r["location"]["range"]["start"] for r in rows if "code" in r]
    lines = case.lines.of(rows[2]["location"]["path"])
    for start in starts[:7]:
        rest = lines[start["line"] - 1].encode()[start["column"] - 1 :]
        assert rest.startswith(b'"[a-z0-9]+"')
