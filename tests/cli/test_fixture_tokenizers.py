"""The fixture tokenizers, one idiom a file: what ``check`` and ``tokenizers`` say about them, in full."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from scriptlint import config
from scriptlint.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SILENT = {"boundary_keyword.py"}
"""Files that hold no tokenizer."""


@pytest.fixture(autouse=True)
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()
    monkeypatch.chdir(root)
    return root / "fixtures" / "tokenizers"


def test_check(golden: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(("check", "fixtures/tokenizers", "--output-format", "concise", "--no-cache"))
    assert code == 1
    golden("fixture-tokenizers-check.txt", capsys.readouterr().out)


def test_tokenizers(
    golden: Callable[[str, str], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    probes = ("--probe", "naïve हिन्दी 視頻下載pdf ёлка")
    code = run(("tokenizers", "fixtures/tokenizers", "--no-cache", *probes))
    assert code == 0
    golden("fixture-tokenizers.txt", capsys.readouterr().out)


def test_every_file_is_found_and_says_what_it_loses(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(here.glob("*.py"))
    assert len(files) >= 15
    run(("tokenizers", "fixtures/tokenizers", "--no-cache"))
    listed = set(re.findall(r"\w+\.py", capsys.readouterr().out))
    assert listed | SILENT == {p.name for p in files}
    for path in files:
        page = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert "\n" not in page and page.endswith("."), path.name
