"""Documentation says what is: links lead somewhere, keys and formats are named, commands exist, manifests are valid."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from scriptlint.cli.app import COMMANDS
from scriptlint.config import Settings
from scriptlint.report import FORMATS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to headings."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links(page: Path) -> None:
    plain = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text_of(page)))
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(there), f"{page.name}: {target}"


def test_every_page_can_be_reached() -> None:
    seen: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for target in re.findall(r"\]\(([^)\s#]+)", text_of(page)):
            there = (page.parent / target).resolve()
            if there.exists() and there.is_file():
                todo.append(there)
    assert {p.name for p in (ROOT / "docs").rglob("*.md")} - {p.name for p in seen} == set()


def test_settings_page_names_every_key() -> None:
    keys = {f.name.replace("_", "-") for f in fields(Settings)} - {"root", "source"}
    page = text_of(ROOT / "docs" / "settings.md")
    named = {word.split(".")[0] for word in re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)}
    assert keys - named == set() and named - keys == set()


def test_formats_page_names_every_format() -> None:
    named = re.findall(r"^\| `(\w+)`", text_of(ROOT / "docs" / "formats.md"), re.MULTILINE)
    assert sorted(named) == sorted(FORMATS)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_commands_exist(page: Path) -> None:
    for _, language, body in FENCE.findall(text_of(page)):
        if language not in ("", "sh", "console", "yaml"):
            continue
        for command in re.findall(r"(?:^|&& |\$ |run: )scriptlint (\w+)", body, re.MULTILINE):
            assert command in COMMANDS, f"{page.name}: scriptlint {command}"


def test_toml_examples_are_read() -> None:
    from scriptlint.config import parse_settings

    for page in (ROOT / "README.md", ROOT / "docs" / "walk.md"):
        for _, language, body in FENCE.findall(text_of(page) if page.exists() else ""):
            if language == "toml" and "tool.scriptlint" in body:
                table = tomllib.loads(body)["tool"]["scriptlint"]
                parse_settings(table, source=page.name, root=".", where="tool.scriptlint")


def test_readme_starts_with_two_commands() -> None:
    """CI runs them as they are written."""
    _, language, body = FENCE.findall(text_of(ROOT / "README.md"))[0]
    commands = [line.split("#")[0].strip() for line in body.strip().split("\n")]
    assert language == "sh" and len(commands) == 2
    assert commands[0].startswith("pip install . && scriptlint check fixtures/")
    assert commands[1] == 'pip install -e ".[test]" && python -m pytest'


def test_pages_name_no_place_of_ours() -> None:
    for page in PAGES:
        assert not re.search(r"/(?:home|work|root)/", text_of(page)), page.name


@pytest.mark.parametrize(
    ("schema", "path"), [("vendor.github-actions", "action.yml"), ("vendor.github-workflows", "docs/workflow.yml")]
)
def test_manifests(schema: str, path: str) -> None:
    tool = shutil.which("check-jsonschema", path=str(Path(sys.executable).parent)) or shutil.which("check-jsonschema")
    if tool is None:
        pytest.skip("check-jsonschema is not installed")
    done = subprocess.run([tool, "--builtin-schema", schema, path], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
