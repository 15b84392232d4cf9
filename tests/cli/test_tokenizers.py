"""``tokenizers``: the table in three widths, probes, JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

FILES = {
    "router.py": 'import re\nTOKEN = re.compile("[a-z0-9]+")\nWIDE = re.compile("[a-z漢视频]+")\n',
    "scriptlint.toml": "select = ['SCR900']\n",
    "words.txt": "視频 hello\r\n\r\nsecond\n",
}


def test_widths(
    project: Callable[..., Path],
    run: Callable[..., Any],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project(FILES)
    for columns in ("200", "90", "40"):
        monkeypatch.setenv("COLUMNS", columns)
        done = run("tokenizers", "router.py", "--probe", "视频 hello")
        assert done.code == 0
        golden(f"tokenizers-{columns}.txt", done.out)


def test_json(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project(FILES)
    done = run(
        *("tokenizers", "router.py", "--format", "json", "--scripts", "Hani,Latn"),
        *("--probe", "视频 hello", "--probe", "x\ud800", "--probe-file", "words.txt"),
    )
    data = json.loads(done.out)
    assert data["format"] == "scriptlint/1"
    first, second = data["tokenizers"]
    assert first["name"] == "TOKEN" and first["kind"] == "tokenizer"
    assert first["stages"][0] == "lower"
    assert first["sites"][0]["pattern"] == "[a-z0-9]+" and first["sites"][0]["role"] == "extract"
    assert list(first["scripts"]) == ["Hani", "Latn"]
    assert first["scripts"]["Hani"]["verdict"] == "excluded"
    assert first["probes"] == {
        "视频 hello": ["hello"],
        "x\\ud800": ["x"],
        "視频 hello": ["hello"],
        "second": ["second"],
    }
    assert second["probes"]["视频 hello"] == ["视频", "hello"]


def test_json_of_a_folder_names_files_as_the_folder_does(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    root = project({"there/app/router.py": FILES["router.py"]})
    for folder in ("there", "./there/", str(root / "there")):
        data = json.loads(run("tokenizers", folder, "--format", "json").out)
        assert data["root"] == "there"
        assert {t["path"] for t in data["tokenizers"]} == {"app/router.py"}
        assert {s["path"] for t in data["tokenizers"] for s in t["sites"]} == {"app/router.py"}
    assert json.loads(run("tokenizers", "--format", "json").out)["tokenizers"][0]["path"] == "there/app/router.py"


def test_bad_probe_file(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({**FILES, "bad.txt": b"\xff"})
    assert run("tokenizers", "router.py", "--probe-file", "gone.txt").code == 2
    done = run("tokenizers", "router.py", "--probe-file", "bad.txt")
    assert done.code == 2 and done.err.startswith("error: bad.txt: ")


def test_none(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"a.py": "x = 1\n"})
    done = run("tokenizers", "a.py")
    assert (done.code, done.out) == (0, "No tokenizers.\n")
