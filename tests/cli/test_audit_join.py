"""``audit`` joins its parts: a finding on a tokenizer says what it does to the configured corpora."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint import config
from scriptlint.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROUTER = 'import re\n\n\ndef tokenize(text):\n    return re.findall("[a-z0-9]+", text.lower())\n'
CALLER = "from app.words import WORD\n\n\ndef tokenize(text):\n    return WORD.findall(text.lower())\n"
SKILLS = {
    "skills/video-notes/SKILL.md": "---\nname: transcriber\ndescription: 把视频转录成文字稿\n---\n",
    "skills/plain/SKILL.md": "---\nname: plain\ndescription: keeps notes of meetings\n---\n",
    "more/essay/SKILL.md": "---\nname: essay\ndescription: правит деловые письма\n---\n",
}
CORPUS = '[[corpus]]\npaths = ["{}"]\ntokenizer = ["{}::tokenize"]\n'


@pytest.fixture(autouse=True)
def fresh_settings() -> None:
    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()


def audited(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    code = run(("audit", "--no-cache", "--format", "json", *arguments))
    out = capsys.readouterr().out
    assert code == 1
    return json.loads(out)["findings"]


def test_a_tokenizer_that_blinds_items_is_an_error(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    settings = 'paths = ["app"]\n' + CORPUS.format("skills", "app/router.py")
    project({"app/router.py": ROUTER, "scriptlint.toml": settings, **SKILLS})
    found = {(f["code"], f["tokenizer"]): f for f in audited(capsys)}
    lost = found["SCR001", "tokenize"]
    assert lost["level"] == "error"
    assert lost["message"].endswith("; 2 of 3 entries of the corpus are blind under it")
    assert found["SCR101", "tokenize"]["item"] in ("transcriber", "video-notes")
    alone = next(f for f in audited(capsys, "--only", "check") if f["code"] == "SCR001")
    assert (alone["level"], "blind" in alone["message"]) == ("warning", False)
    assert alone["fingerprint"] == lost["fingerprint"]  # so a baseline holds in both


def test_corpora_add_up_and_imported_patterns_count(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = 'import re\n\nWORD = re.compile("[a-z0-9]+")\n'
    settings = 'paths = ["app"]\n' + "".join(CORPUS.format(f, "app/router.py") for f in ("skills", "more"))
    project({"app/router.py": CALLER, "app/words.py": words, "scriptlint.toml": settings, **SKILLS})
    lost = [f for f in audited(capsys) if f["code"] == "SCR001" and f["tokenizer"] == "tokenize"]
    assert [f["level"] for f in lost] == ["error"]
    assert lost[0]["message"].endswith("; 3 of 4 entries of the corpus are blind under it")


def test_levels_of_the_settings_win(project: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    settings = 'paths = ["app"]\nlevels = { SCR001 = "note" }\n' + CORPUS.format("skills", "app/router.py")
    project({"app/router.py": ROUTER, "scriptlint.toml": settings, **SKILLS})
    lost = next(f for f in audited(capsys) if f["code"] == "SCR001")
    assert (lost["level"], "blind under it" in lost["message"]) == ("note", True)


def test_what_was_measured_is_in_the_json(project: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    settings = 'paths = ["app"]\n' + CORPUS.format("skills", "app/router.py")
    project({"app/router.py": ROUTER, "scriptlint.toml": settings, **SKILLS})
    run(("audit", "--no-cache", "--format", "json"))
    (counts,) = json.loads(capsys.readouterr().out)["corpora"]
    assert (counts["corpus"], counts["tokenizer"], counts["totals"]["blind"]) == ("skills", "tokenize", 2)


def test_a_baseline_of_items_shrinks(project: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    settings = 'paths = ["app"]\nbaseline = "old.json"\n' + CORPUS.format("skills", "app/router.py")
    top = project({"app/router.py": ROUTER, "scriptlint.toml": settings, **SKILLS})
    assert run(("audit", "--no-cache", "--write-baseline", "old.json")) == 0
    assert run(("audit", "--no-cache")) == 0
    skill = top / "skills" / "video-notes" / "SKILL.md"
    skill.write_text(skill.read_text(encoding="utf-8").replace("把视频", "video to text: 把视频"), encoding="utf-8")
    assert run(("scan", "skills", "--tokenizer", "word")) == 0  # another tokenizer says nothing about the entries
    assert run(("audit", "--no-cache", "--only", "check")) == 0
    assert '"SCR101"' in (top / "old.json").read_text(encoding="utf-8")
    capsys.readouterr()
    run(("audit", "--no-cache"))
    assert "2 findings no longer there, removed" in capsys.readouterr().out
    assert '"SCR101"' not in (top / "old.json").read_text(encoding="utf-8")
