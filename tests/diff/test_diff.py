"""``diff OLD NEW`` over files, folders and revisions."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "import re\n\ndef tokenize(text):\n    return re.findall({}, text.lower())\n"
ASCII = HEAD.format('r"[a-z0-9]+"')
WORD = HEAD.format('r"\\w+"')
WIDE = HEAD.format('r"[a-z0-9\\u0400-\\u052f]+"')


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(project: Callable[..., Path]) -> Path:
    folder = project({"src/a.py": ASCII, "src/b.py": WORD, "other/c.py": ASCII, "src/naïve name.py": ASCII})
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "src/a.py").write_text(WIDE)
    (folder / "other/c.py").write_text(WORD)
    git(folder, "commit", "-q", "-a", "-m", "two")
    return folder


def test_the_same_is_quiet(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"a.py": ASCII, "b.py": ASCII, "c.py": ASCII.replace("text", "line")})
    done = run("diff", "a.py", "b.py")
    assert (done.code, done.out, done.err) == (0, "No tokenizer differs.\n", "")
    done = run("diff", "a.py", "c.py", "--fail-on", "difference")
    assert (done.code, done.out) == (0, "No tokenizer differs (1 tokenizer as before).\n")


def test_revisions_and_paths(repository: Path, run: Callable[..., Any]) -> None:
    done = run("diff", "HEAD~1", "HEAD")
    assert done.code == 0 and "2 tokenizers changed" in done.out
    done = run("diff", "HEAD~1", "HEAD", "src", "--format", "json", "--isolated", "--scripts", "Cyrl,Latn")
    data = json.loads(done.out)
    (only,) = data["tokenizers"]
    assert only["new"]["path"] == "src/a.py" and only["ascii"]["result"] == "proved"
    assert [(c["script"], c["old"]) for c in only["gained"]] == [("Cyrl", "excluded")]
    assert only["gained"][0]["before"] == [] and data["losses"] is False
    back = run("diff", "HEAD", "HEAD~1", "src")
    assert back.code == 1 and "lost" in back.out
    assert run("diff", "HEAD", "HEAD~1", "src", "--exit-zero").code == 0


def test_a_revision_and_the_working_tree(repository: Path, run: Callable[..., Any]) -> None:
    (repository / "src/a.py").write_text("def tokenize(text: broken\n")
    done = run("diff", "HEAD", ".")
    assert done.code == 1 and "src/a.py:1: error: not valid Python" in done.err
    assert "tokenize (removed)" in done.out.replace("\x1b", "")


def test_imports_come_from_the_revision(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    use = "import re\nfrom shared import WORD\n\ndef tokenize(text):\n    return re.findall(WORD, text.lower())\n"
    folder = project({"shared.py": 'WORD = r"[a-z]+"\n', "use.py": use})
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "shared.py").write_text('WORD = r"[a-zа-яё]+"\n')
    (folder / "use.py").write_text(use + "\n")
    done = run("diff", "HEAD", ".", "--isolated", "--scripts", "Cyrl", "--format", "json")
    (only,) = json.loads(done.out)["tokenizers"]
    assert (only["old"]["scripts"]["Cyrl"]["verdict"], only["new"]["scripts"]["Cyrl"]["verdict"]) == (
        "excluded",
        "partial",
    )


def test_moved_added_removed(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    other = HEAD.format('r"[a-z]+"').replace("tokenize", "terms")
    gone = HEAD.format('r"[a-z]{2,}"').replace("tokenize", "gone")
    project({"old/a.py": ASCII, "old/gone.py": gone, "new/b.py": WIDE, "new/terms.py": other})
    done = run("diff", "old", "new", "--isolated", "--scripts", "Latn,Cyrl")
    assert "a.py -> b.py:4 tokenize" in done.out
    assert "terms.py:4 terms (added)" in done.out and "gone.py:4 gone (removed)" in done.out


@pytest.mark.parametrize("columns", ["100", "50"])
def test_whole_output(
    columns: str,
    project: Callable[..., Path],
    run: Callable[..., Any],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    project({"old.py": ASCII, "new.py": WORD})
    options = ("--isolated", "--scripts", "Latn,Cyrl,Deva,Hani")
    text = run("diff", "old.py", "new.py", *options)
    assert text.code == 0
    golden(f"diff-{columns}.txt", text.out)
    if columns == "100":
        golden("diff.md", run("diff", "old.py", "new.py", *options, "--output-format", "markdown").out)
        assert run("diff", "old.py", "new.py", *options, "--fail-on", "hole").code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope", "HEAD"), "nope: no such file, folder or git revision"),
        (("a.py", "b.py", "c.py"), "is a file: paths narrow folders"),
        (("--", "-x", "a.py"), "-x: no such file, folder or git revision"),
    ],
)
def test_bad_input(
    arguments: tuple[str, ...], said: str, project: Callable[..., Path], run: Callable[..., Any]
) -> None:
    project({"a.py": ASCII, "b.py": WORD})
    done = run("diff", *arguments)
    assert done.code == 2 and said in done.err and done.err.count("\n") == 1
