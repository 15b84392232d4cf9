"""Switches and places that all tests share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scriptlint import config as settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SCRIPTLINT_SHARED", ROOT.parent / "shared"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests that are sized for a night")
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden outputs; read the diff after")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "long" in item.keywords and not config.getoption("--long"):
            item.add_marker(pytest.mark.skip(reason="sized for a night; run with --long"))
        if "shared" in item.keywords and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"no real inputs at {SHARED}"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real inputs kept beside the repository; mark a test that uses them ``shared``."""
    return SHARED


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No colours, widths or settings leak in from whoever runs the tests."""
    for name in list(os.environ):
        if name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS") or name.startswith("SCRIPTLINT_"):
            monkeypatch.delenv(name)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes files in an empty folder that is then the working directory: ``project({"a.py": "..."})``."""

    def make(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            place = tmp_path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return make


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a whole output with ``golden/<name>`` beside the test: ``golden("full.txt", text)``."""
    folder = request.path.parent / "golden"

    def compare(name: str, text: str) -> None:
        path = folder / name
        if request.config.getoption("--update-golden"):
            folder.mkdir(exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        assert text == path.read_bytes().decode("utf-8")

    return compare


@dataclass
class Outcome:
    """What one run gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs the command line in this process, with nothing put in its place: ``run("check", ".")``."""
    from scriptlint.cli.app import run as app

    settings.nearest_settings.cache_clear()
    settings.settings_for.cache_clear()
    settings.project_root.cache_clear()

    def call(*arguments: str) -> Outcome:
        code = app(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
