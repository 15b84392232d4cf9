"""A fault of the tracer fails its test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def faults_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's run passes over a function on which the tracer fails; here that would hide a broken tracer."""
    monkeypatch.setenv("SCRIPTLINT_TRACEBACK", "1")
