"""``probe SPEC TEXT``: quiet on what falls nowhere, exact about what falls where."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as s

from scriptlint.probe import by_script, fallen, probe
from scriptlint.source import load_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROUTER = "fixtures/router/baseline.py::tokenize"
FILES = {
    "words.py": "def tokenize(text):\n    return text.lower().split()\n",
    "odd.py": (
        "import re\n\n"
        "def tokenize(text):\n"
        '    return [t for t in re.findall(r"\\w+", text.lower()) if len(t) > 2 or not t.isascii()]\n'
    ),
}


def test_nothing_falls_where_blanks_are_the_only_separators(project: Callable[..., Path]) -> None:
    project(FILES)
    found = probe(load_tokenizer("words.py::tokenize"), "Хочу हिन्दी 视频 Ab")
    assert found.fell == "" and not found.differs
    assert found.tokens == ("хочу", "हिन्दी", "视频", "ab")
    assert all(not step.fell for step in found.steps)


def test_what_falls_at_which_stage(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    found = probe(load_tokenizer(ROUTER), "我们 the café 검색")
    assert found.tokens == found.model == ("caf", "검색")
    assert found.fell == "我们theé"
    lower, ways = found.steps
    assert lower.fell == "" and lower.pieces == ("我们 the café 검색",)
    assert ways.fell == "我们theé"
    extract, stop = ways.ways[0]
    assert extract.fell == "我们é검색" and stop.fell.startswith("th")


def test_a_stage_that_runs_only_as_written(project: Callable[..., Path]) -> None:
    project(FILES)
    found = probe(load_tokenizer("odd.py::tokenize"), "a हि Redis")
    assert found.steps[-1].pieces is None and found.steps[-1].why
    assert found.model is None and found.tokens == ("ह", "redis")


@given(s.text(max_size=12), s.text(max_size=12))
def test_fallen_adds_up(kept: str, lost: str) -> None:
    assert fallen([kept], [kept]) == ""
    assert set(fallen([kept + lost], [kept])) <= set(lost)
    assert "".join(sorted("".join(by_script(lost).values()))) == "".join(sorted(lost))


@pytest.mark.parametrize("columns", ["100", "44"])
def test_whole_output(
    columns: str,
    root: Path,
    run: Callable[..., Any],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("COLUMNS", columns)
    shown = run("probe", ROUTER, "我们下周 Redis 검색 the café")
    table = run("probe", ROUTER, "--isolated", "--scripts", "Latn,Cyrl,Deva,Thai,Hani,Hang")
    assert (shown.code, table.code) == (0, 0)
    golden(f"probe-{columns}.txt", shown.out + "\n" + table.out)


def test_json(root: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    done = run("probe", "ascii", "é我\ud800", "--format", "json", "--isolated", "--scripts", "Hani")
    data = json.loads(done.out)
    assert data["format"] == "scriptlint/1" and data["imported"] is None
    assert data["tokenizer"]["scripts"]["Hani"]["verdict"] == "excluded"
    (text,) = data["texts"]
    assert [p["point"] for p in text["fell"]] == ["U+00E9", "U+6211"] and text["tokens"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("probe",), "name a tokenizer"),
        (("probe", "asci"), "did you mean 'ascii'?"),
        (("probe", "gone.py::x"), "can't be read"),
        (("probe", "words.py::nope"), "no tokenizer 'nope'"),
        (("probe", "--import", "nltk"), "write it as module:function"),
    ],
)
def test_bad_input(
    arguments: tuple[str, ...], said: str, project: Callable[..., Path], run: Callable[..., Any]
) -> None:
    project(FILES)
    done = run(*arguments)
    assert done.code == 2 and said in done.err and "Traceback" not in done.err
