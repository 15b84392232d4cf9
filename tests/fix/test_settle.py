"""One run of ``--fix`` leaves nothing for the next, and says what is true of the files as they are then."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BASE = 'import re\n\n\ndef tokenize(text):\n    return re.findall(r"[a-z0-9]+", text.lower())\n'
TWICE = (
    "import re\n\n\ndef tokenize(text):\n    text = re.sub(r'[^a-z0-9 ]', ' ', text.lower())\n"
    "    return [t for t in re.findall(r'\\w+', text) if len(t) > 2]\n"
)
WORD = "import re\n\nWORD = re.compile('[a-z]+')\n\n\ndef tokenize(text):\n    return WORD.findall(text)\n"
USER = (
    "import re\nfrom {} import WORD\n\n\ndef others(text):\n    text = re.sub('[^a-z ]', '', text)\n"
    "    return [t for t in WORD.findall(text) if len(t) > 2]\n"
)
CHECK = ("check", "--isolated", "--no-cache")


def last(text: str) -> str:
    return text.splitlines()[-1]


def test_all_rounds_in_one_run(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project({"a.py": TWICE})
    shown = run(*CHECK, "--diff", ".")
    assert (folder / "a.py").read_text() == TWICE
    assert shown.out.count("--- a.py") == 1 and last(shown.err).startswith("Would repair 1 tokenizer (2 repairs)")
    done = run(*CHECK, "--fix", ".")
    after = (folder / "a.py").read_text()
    assert last(done.err).startswith("Repaired 1 tokenizer (2 repairs)")
    gone = [line[1:] for line in shown.out.splitlines()[2:] if line.startswith("-")]
    come = [line[1:] for line in shown.out.splitlines()[2:] if line.startswith("+")]
    assert all(line in TWICE for line in gone) and all(line in after for line in come)
    again = run(*CHECK, "--fix", ".")
    assert (again.out, again.code) == (done.out, done.code) and last(again.err).startswith("Repaired 0 tokenizers")
    assert (folder / "a.py").read_text() == after


@pytest.mark.parametrize("word", ["a", "z"])
def test_a_pattern_that_another_file_repairs(word: str, project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project({f"{word}.py": WORD, "m.py": USER.format(word)})
    done = run(*CHECK, "--fix", ".")
    after = (folder / "m.py").read_text()
    assert "isascii" in after and last(done.err).startswith("Repaired 2 tokenizers (3 repairs)")
    again = run(*CHECK, "--fix", ".")
    assert again.out == done.out and (folder / "m.py").read_text() == after


def test_exit_codes(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    for flags, code in (((), 0), (("--exit-non-zero-on-fix",), 1), (("--exit-non-zero-on-fix", "--exit-zero"), 0)):
        project({"a.py": BASE})
        done = run(*CHECK, "--fix", *flags, ".")
        assert done.code == code and done.out.startswith("No findings")


def test_a_file_that_does_not_settle_is_told(
    project: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptlint.fix.apply.MOST_ROUNDS", 1)
    project({"a.py": TWICE})
    done = run(*CHECK, "--fix", ".")
    assert "a.py: not settled after 1 round of repairs: another run would change more\n" in done.err


def test_a_read_only_file_stays_and_the_others_are_written(
    project: Callable[..., Path], run: Callable[..., Any]
) -> None:
    folder = project({"a.py": BASE, "b.py": BASE})
    os.chmod(folder / "a.py", 0o444)
    done = run(*CHECK, "--fix", ".")
    assert done.code == 2 and "error: --fix a.py: Permission denied\n" in done.err
    assert last(done.err) == "Repaired 1 tokenizer." and "a.py: tokenize:" not in done.err
    assert (folder / "a.py").read_text() == BASE != (folder / "b.py").read_text()
    assert "a.py:5:23: SCR001" in done.out and "b.py:5:23: SCR" not in done.out


def test_a_link_stays_one(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project({"real/a.py": BASE})
    os.symlink("real/a.py", folder / "link.py")
    run(*CHECK, "--fix", "link.py")
    assert (folder / "link.py").is_symlink() and (folder / "real/a.py").read_text() != BASE


def test_notebooks_stay(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": BASE.splitlines(keepends=True)}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    folder = project({"n.ipynb": text})
    done = run(*CHECK, "--fix", "n.ipynb")
    assert done.code == 1 and (folder / "n.ipynb").read_text() == text


def test_a_diff_gives_back_the_bytes_of_a_file(
    project: Callable[..., Path], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from scriptlint.cli.app import run as app

    data = f"# coding: latin-1\n{BASE}".replace("[a-z", "[é-éa-z").encode("latin-1")
    project({"a.py": data})
    app((*CHECK, "--diff", "a.py"))
    (old,) = re.findall(rb"(?m)^-(.*re\.findall.*)$", capfdbinary.readouterr().out)
    assert old in data


def test_what_the_baseline_hides_is_left_alone_in_every_round(
    project: Callable[..., Path], run: Callable[..., Any]
) -> None:
    source = TWICE.replace("[^a-z0-9 ]", "[^\\w ]")
    folder = project({"a.py": source, "scriptlint.toml": 'baseline = "base.json"\n'})
    run("check", "--no-cache", "--select", "SCR002,SCR003", "--write-baseline", "base.json", "a.py")
    run("check", "--no-cache", "--fix", "a.py")
    assert (folder / "a.py").read_text() == source.replace("len(t) > 2", "len(t) > 2 or not t.isascii()")
