"""Every machine format, made by the real commands on hostile files, against a schema."""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from html_page import parse

from scriptlint import config
from scriptlint.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMAS = Path(__file__).parent / "schemas"
FILES: dict[str, str | bytes] = {
    "emoji 漢%.py": (
        "import re\r\n\r\n\r\ndef a(text):\r\n"
        '    note = "\U0001f600漢"; return re.findall("[a-z0-9]+", text.lower())\r\n'
        '\r\n\r\ndef b(text):\r\n\tnote = "\U00020000\U00020000"; return re.findall(r"[a-zа-я0-9]+", text.lower())\r\n'
    ),
    "control.py": (
        'import re\n\nX = "\x1b[31m\x07\u202e\u2028"; WORD = re.compile("[a-z\x01\x0b]+")\n\n\n'
        "def tokens(text):\n    return WORD.findall(text.lower())\n"
    ),
    "surrogate.py": 'import re\n\n\ndef words(text):\n    return re.findall("[a-z\\ud800]+", text.lower())\n',
    "key.py": 'import re\n\n\ndef slug(name):\n    return re.sub("[^a-z0-9]+", "-", name.lower()) or "\\udc80"\n',
    "not_utf8.py": b'import re\nT = re.findall("[a-z]+", "\xed\xa0\x80")\n',
    "syntax.py": 'import re\nre.findall("[a-z]+", (\n',
    "skills/a/SKILL.md": '---\r\nname: b\r\ndescription: "\U0001f600 把视频\\ud800 转录\\x07"\r\n---\r\n',
    "plugin.json": b'{"name": "p", "description": "\\ud800 \xe8\xa7\x86\xe9\xa2\x91 \\u0007"}',
    "scriptlint.toml": 'paths = ["."]\n[[corpus]]\npaths = ["."]\ntokenizer = "control.py::tokens"\n',
}


@pytest.fixture
def report(project: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """What ``audit --format NAME`` writes about the hostile project."""
    top = project(FILES)
    if sys.platform == "linux":
        folder = os.fsencode(top) + b"/bad\xff"
        os.makedirs(folder)
        with open(folder + b"/x.py", "wb") as file:
            file.write(FILES["surrogate.py"].encode())  # type: ignore[union-attr]
    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()

    def made(name: str) -> str:
        assert run(("audit", "--no-cache", "--format", name, "-o", "report")) == 1
        capsys.readouterr()
        return Path("report").read_bytes().decode("utf-8")

    return made


def against(schema: Path, value: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    loaded = json.loads(schema.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(loaded)
    kind.check_schema(loaded)
    assert [f"{e.json_path}: {e.message}" for e in kind(loaded).iter_errors(value)] == []


def test_gitlab(report: Callable[[str], str]) -> None:
    rows = json.loads(report("gitlab"))
    against(SCHEMAS / "gitlab.json", rows)
    assert len({r["fingerprint"] for r in rows}) == len(rows) > 10


def test_rdjson(report: Callable[[str], str]) -> None:
    found = json.loads(report("rdjson"))
    against(SCHEMAS / "rdjson.json", found)
    lines = FILES["emoji 漢%.py"].encode().split(b"\r\n")  # type: ignore[union-attr]
    ranges = [d["location"]["range"] for d in found["diagnostics"] if d["location"]["path"] == "emoji 漢%.py"]
    assert ranges
    for place in ranges:
        cut = lines[place["start"]["line"] - 1][place["start"]["column"] - 1 : place["end"]["column"] - 1]
        assert re.fullmatch(rb'r?"\[.*\]\+"', cut), cut


def test_junit(report: Callable[[str], str]) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    text = report("junit")
    schema = xmlschema.XMLSchema(str(SCHEMAS / "junit.xsd"))
    assert [str(e.reason) for e in schema.iter_errors(text)] == []


def test_sarif(report: Callable[[str], str], shared: Path) -> None:
    log = json.loads(report("sarif"))
    cut = 0
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        path = urllib.parse.unquote_to_bytes(place["artifactLocation"]["uri"])
        with open(path, "rb") as file:
            lines = re.split("\r\n|\r|\n", file.read().decode("utf-8-sig"))
        if region["startLine"] == region["endLine"]:
            units = lines[region["startLine"] - 1].encode("utf-16-le")
            text = units[(region["startColumn"] - 1) * 2 : (region["endColumn"] - 1) * 2].decode("utf-16-le")
            assert text == region["snippet"]["text"]
            cut += 1
    assert cut > 10
    schema = shared / "data" / "sarif-2.1.0.json"
    if schema.is_file():
        against(schema, log)


def test_html(report: Callable[[str], str]) -> None:
    page = parse(report("html"))
    said = page.all("main")[0].name
    assert "\\x1b[31m\\x07\\u202e\\u2028" in said and "\x1b" not in said and "emoji 漢%.py" in said


@pytest.mark.parametrize("name", ["json", "github"])
def test_the_others_hold_no_control_characters(report: Callable[[str], str], name: str) -> None:
    text = report(name)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u202e]", text.replace("\n", "")) or name == "json"
    assert text.count("\n") > 10
    if name == "json":
        json.loads(text)
