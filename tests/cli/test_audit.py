"""``audit``: what the settings name of check and scan, in one report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SKILL = "---\nname: video-notes\ndescription: 把视频转录成文字稿 😀\n---\n"
FILES = {
    "app/src/a.py": 'import re\nTOKEN = re.compile("[a-z0-9]+")\n',
    "app/skills/video-notes/SKILL.md": SKILL,
    "app/skills/plain/SKILL.md": "---\nname: plain\ndescription: keeps notes of meetings\n---\n",
}
CORPUS = '\n[[corpus]]\npaths = ["app/skills"]\ntokenizer = "ascii"\n'


def made(acme: Callable[..., Path], settings: str = "") -> Path:
    return acme(FILES, f'extend-select = ["SCR1"]\npaths = ["app/src"]\n{settings}{CORPUS}')


def test_both_kinds_in_one_log(acme: Callable[..., Path], run: Callable[..., Any], shared: Path) -> None:
    made(acme)
    done = run("audit", "--format", "json")
    data = json.loads(done.out)
    assert done.code == 1
    assert [(f["code"], f["path"]) for f in data["findings"]] == [
        ("SCR101", "app/skills/video-notes/SKILL.md"),
        ("ACME1", "app/src/a.py"),
    ]
    assert data["summary"]["items"] == 2
    log = json.loads(run("audit", "--format", "sarif").out)
    assert len(log["runs"]) == 1
    results = log["runs"][0]["results"]
    assert {r["ruleId"] for r in results} == {"SCR101", "ACME1"}
    schema = shared / "data" / "sarif-2.1.0.json"
    if schema.is_file():
        jsonschema = pytest.importorskip("jsonschema")
        loaded = json.loads(schema.read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(loaded)(loaded)
        assert [e.message for e in validator.iter_errors(log)] == []
    text = run("audit").out
    assert "Found 2 findings in 1 file, 2 items, 1 tokenizer." in text


def test_only(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    made(acme)
    assert {f["code"] for f in json.loads(run("audit", "--only", "scan", "--format", "json").out)["findings"]} == {
        "SCR101"
    }
    assert {f["code"] for f in json.loads(run("audit", "--only", "check", "--format", "json").out)["findings"]} == {
        "ACME1"
    }


def test_paths_mean_the_same_from_another_folder(
    acme: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    top = made(acme)
    here = json.loads(run("audit", "--format", "json").out)["findings"]
    monkeypatch.chdir(top / "app" / "src")
    there = json.loads(run("audit", "--format", "json").out)["findings"]
    assert [f["fingerprint"] for f in there] == [f["fingerprint"] for f in here]
    assert [f["path"] for f in there] == ["../skills/video-notes/SKILL.md", "a.py"]


def test_suppression_and_baseline_of_items(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    top = made(acme)
    assert run("audit", "--write-baseline", "b.json").err == "b.json: wrote 2 findings\n"
    done = run("audit", "--baseline", "b.json")
    assert done.code == 0 and "(2 in the baseline)" in done.out
    skill = top / "app" / "skills" / "video-notes" / "SKILL.md"
    skill.write_text(SKILL.replace("description", "# scriptlint: ignore[SCR101] found by name\ndescription"))
    assert [f["code"] for f in json.loads(run("audit", "--format", "json").out)["findings"]] == ["ACME1"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('[[corpus]]\npaths = ["gone"]\ntokenizer = "ascii"\n', "gone: no such file or folder"),
        ('[[corpus]]\npaths = ["app/skills"]\ntokenizer = "asci"\n', "did you mean 'ascii'?"),
    ],
)
def test_bad_corpora(acme: Callable[..., Path], run: Callable[..., Any], settings: str, said: str) -> None:
    acme(FILES, settings)
    done = run("audit")
    assert done.code == 2 and said in done.err and "Traceback" not in done.err
