"""A fault of the tracer fails its test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def faults_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's run passes over a function on which the tracer fails; here that would hide a broken tracer."""
    monkeypatch.setenv("SCRIPTLINT_TRACEBACK", "1")
