"""``probe --import``: behaviour alone, in a guarded process."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.imported_worker import CallableError, pieces

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODULE = """
import re, time, subprocess, os, sys

def words(text):
    print("noise on stdout")
    return text.split()

def ascii_words(text):
    return re.findall("[a-z]+", text.lower())

def numbers(text):
    return [1, 2, 3]

def naughty(text):
    for act in (lambda: open("written.txt", "w"), lambda: subprocess.run(["true"]), lambda: os.remove("owned.py")):
        try:
            act()
        except OSError:
            pass
    return text.split()

def slow(text):
    time.sleep(60)

def dies(text):
    os._exit(3)

def leaves(text):
    sys.exit("bye")

class Segmenter:
    def cut(self, text):
        yield from text

class Needs:
    def __init__(self, what):
        pass
"""


def test_verdicts_come_from_behaviour(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"owned.py": MODULE})
    words = run("probe", "--import", "owned:words", "--isolated", "--scripts", "Latn,Cyrl,Hani", "--format", "json")
    data = json.loads(words.out)
    assert {c: v["verdict"] for c, v in data["tokenizer"]["scripts"].items()} == {
        "Latn": "retained",
        "Cyrl": "retained",
        "Hani": "unsegmented",
    }
    assert data["refused"] == [] and data["failed"] == {}
    lossy = run("probe", "--import", "owned:ascii_words", "--isolated", "--scripts", "Latn,Cyrl", "--format", "json")
    scripts = json.loads(lossy.out)["tokenizer"]["scripts"]
    assert scripts["Cyrl"]["verdict"] == "excluded" and scripts["Cyrl"]["retained"] == 0
    assert scripts["Latn"]["verdict"] == "partial" and "fr" in scripts["Latn"]["languages"]


def test_what_is_refused_is_told(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project({"owned.py": MODULE})
    done = run("probe", "--import", "owned:naughty", "search")
    assert done.code == 0 and "1 token: search" in done.out
    for told in ("refused: write: written.txt", "refused: process: true", "refused: delete: owned.py"):
        assert told in done.err
    assert [p.name for p in folder.iterdir()] == ["owned.py"]


def test_a_class_with_a_method(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"owned.py": MODULE})
    assert "2 tokens: 我 | 们" in run("probe", "--import", "owned:Segmenter", "我们").out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("owned:word", "did you mean 'words'?"),
        ("nowhere:f", "no module named 'nowhere'"),
        ("owned:numbers", "it gives numbers, not text"),
        ("owned:Needs", "can't be made without arguments"),
        ("owned:re", "not callable"),
        ("owned:dies", "exit code 3"),
        ("owned:leaves", "SystemExit: bye"),
        ("broken:f", "importing broken failed: ZeroDivisionError"),
    ],
)
def test_what_cannot_be_used(name: str, said: str, project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"owned.py": MODULE, "broken.py": "1 / 0\n"})
    done = run("probe", "--import", name, "text")
    assert done.code == 2 and said in done.err and done.err.count("\n") == 1


def test_time_limit(project: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptlint.gate.session.GRACE", 0.1)
    monkeypatch.setattr("scriptlint.gate.session.START", 5.0)
    project({"owned.py": MODULE})
    done = run("probe", "--import", "owned:slow", "--timeout", "0.2", "text")
    assert done.code == 2 and "took longer than 0.2 s" in done.err


def test_pieces_of_what_libraries_give() -> None:
    text = "naïve 我们"
    encoding = SimpleNamespace(tokens=["na", "Ã¯", "Ã¯", "[UNK]"], offsets=[(0, 2), (2, 3), (2, 3), (6, 8)])
    assert list(pieces(encoding, text)) == ["na", "ï"]
    assert list(pieces(SimpleNamespace(encodings=[encoding]), text)) == ["na", "ï"]
    assert list(pieces([("word", "NN"), SimpleNamespace(text="b"), b"c", None, {"d"}], text)) == ["word", "b", "c", "d"]
    assert list(pieces((t for t in ("a", "")), text)) == ["a"]
    with pytest.raises(CallableError):
        list(pieces([object()], text))
