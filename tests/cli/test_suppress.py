"""Suppression comments in Python, YAML and Markdown, and adding them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from scriptlint.finding import Confidence, Finding, Level, Location
from scriptlint.lines import Lines
from scriptlint.suppress import apply, comments_in
from scriptlint.suppress_edit import add_ignores

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def at(line: int, last: int | None = None, *, code: str = "SCR001", path: str = "a.py", statement=None) -> Finding:
    place = Location(path, line, 1, last or line, 2)
    return Finding(code, "excluded-script", Level.WARNING, Confidence.HIGH, "m", place, statement=statement)


def hides(text: str, finding: Finding, path: str = "a.py", **options: bool) -> str | None:
    shown, _ = apply([finding], comments_in(path, text.encode()), **options)
    return shown[0].suppressed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1  # scriptlint: ignore[SCR002] other rule\n", 1),
        ("x = 1  # scriptlint: ignore no brackets\n", 1),
        ("x = 1  # scriptlint: ignore[]\n", 1),
        ('x = "# scriptlint: ignore[SCR001] a string"\n', 1),
        ("x = 1  # scriptlint: ignore[SCR001] r\ny = 2\n", 2),
        ("# scriptlint: ignore[SCR001] r\n\ny = 2\n", 3),
    ],
)
def test_quiet(text: str, line: int) -> None:
    assert hides(text, at(line)) is None


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("x = 1  # scriptlint: ignore[SCR001] why\n", at(1)),
        ("x = 1  # scriptlint:ignore[excluded-script]why\n", at(1)),
        ("x = 1  # noqa  # scriptlint: ignore[SCR009, scr001]: why\n", at(1)),
        ("# scriptlint: ignore[SCR001] why\nx = 1\n", at(2)),
        ("# scriptlint: ignore[SCR001] why\n# scriptlint: ignore[SCR005] too\nx = 1\n", at(3)),
        ("x = (\n  1,\n)  # scriptlint: ignore[SCR001] why\n", at(2, statement=(1, 3))),
        ("x = (\n  1,  # scriptlint: ignore[SCR001] why\n)\n", at(1, statement=(1, 3))),
        ("a = 1\r# scriptlint: ignore[SCR001] why\rb = 2\r", at(3)),
        ("# scriptlint: ignore-file[SCR001] why\n\n\nx = 1\n", at(4)),
        ("\ufeffx = 1  # scriptlint: ignore[SCR001] why\n", at(1)),
    ],
)
def test_hidden(text: str, finding: Finding) -> None:
    assert hides(text, finding) == "inline: why"


def test_require_reason() -> None:
    text = "x = 1  # scriptlint: ignore[SCR001]\n"
    assert hides(text, at(1)) == "inline"
    assert hides(text, at(1), require_reason=True) is None


SKILL = """---
name: a
# scriptlint: ignore[SCR001] aliases only
description: |
  text
  # scriptlint: ignore[SCR001] this is text
---
body
<!-- scriptlint: ignore[SCR002] prose -->
"""


def test_markdown() -> None:
    found = comments_in("SKILL.md", SKILL.encode())
    assert [(c.line, c.codes, c.whole_file) for c in found] == [(3, ("SCR001",), False), (9, ("SCR002",), True)]
    assert hides(SKILL, at(4, statement=(4, 6), path="SKILL.md"), "SKILL.md") == "inline: aliases only"
    assert hides(SKILL, at(2, code="SCR002", path="SKILL.md"), "SKILL.md") == "inline: prose"
    line = SKILL.splitlines()[2]
    comment = found[0]
    assert line[comment.column - 1 : comment.end_column - 1] == "scriptlint: ignore[SCR001] aliases only"


def test_yaml_needs_a_blank_before_the_hash() -> None:
    assert comments_in("a.yaml", b"k: v# scriptlint: ignore[SCR001] r\n") == ()
    assert len(comments_in("a.yaml", b"k: v # scriptlint: ignore[SCR001] r\n")) == 1
    assert comments_in("a.json", b'{"a": "# scriptlint: ignore[SCR001] r"}') == ()


ADDED = [
    ("x = f('a')\n", [at(1)], "x = f('a')  # scriptlint: ignore[SCR001] ids\n"),
    ("x = f('a')\r\ny = 1\r\n", [at(1)], "x = f('a')  # scriptlint: ignore[SCR001] ids\r\ny = 1\r\n"),
    (
        "x = f('a')  # scriptlint: ignore[SCR004] old\n",
        [at(1), at(1, code="SCR002")],
        "x = f('a')  # scriptlint: ignore[SCR001, SCR002, SCR004] old\n",
    ),
    (
        "def g():\n    x = (\n        f('a')\n    )\n",
        [at(3, statement=(2, 4))],
        "def g():\n    # scriptlint: ignore[SCR001] ids\n    x = (\n        f('a')\n    )\n",
    ),
    ("x = f('a')", [at(1)], "x = f('a')  # scriptlint: ignore[SCR001] ids"),
    ("x = f('#')\n", [at(1)], "# scriptlint: ignore[SCR001] ids\nx = f('#')\n"),
]


@pytest.mark.parametrize(("before", "findings", "after"), ADDED)
def test_add_ignores(project: Callable[..., Path], before: str, findings: list[Finding], after: str) -> None:
    top = project({"a.py": before})
    done, left = add_ignores(findings, "ids", Lines())
    assert (done, left) == (len(findings), [])
    written = (top / "a.py").read_bytes().decode()
    assert written == after
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(before))
    for finding in findings:
        assert (hides(written, finding) or hides(written, at(finding.location.line + 1, code=finding.code))) is not None


def test_add_ignores_refuses_what_would_change_the_program(project: Callable[..., Path]) -> None:
    text = 'x = """\nf\n"""\n'
    top = project({"a.py": text, "a.json": "{}"})
    done, left = add_ignores([at(2), at(1, path="a.json")], "ids", Lines())
    assert done == 0
    assert left == [
        "a.json: 1 not suppressed: no comments in this format; use a baseline",
        "a.py: 1 not suppressed: a comment there would change the program",
    ]
    assert (top / "a.py").read_text() == text


def test_add_ignores_in_front_matter(project: Callable[..., Path]) -> None:
    top = project({"SKILL.md": "---\nname: a\ndescription: b\n---\n"})
    done, left = add_ignores([at(3, path="SKILL.md")], "ids", Lines())
    assert (done, left) == (1, [])
    assert (top / "SKILL.md").read_text() == ("---\nname: a\n# scriptlint: ignore[SCR001] ids\ndescription: b\n---\n")
