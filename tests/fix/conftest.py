"""Runs the command line in this process, with nothing put in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from scriptlint import config

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Outcome:
    """What one run gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """``run("check", ".")``."""
    from scriptlint.cli.app import run as app

    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()

    def call(*arguments: str) -> Outcome:
        code = app(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
