"""Reports: each format is one module with ``render(report, context) -> str``, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.report.context import Context
    from scriptlint.results import Report

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson", "html")
"""The formats of a report of findings; ``concise`` is a form of ``text``."""

TERMINAL_FORMATS = frozenset(("text", "concise"))
"""Formats for people: they may be painted, and end with a summary."""


def render(name: str, report: Report, context: Context) -> str:
    """The report in the format ``name`` (one of ``FORMATS``), ending in a line break unless it is empty."""
    module = import_module(f"scriptlint.report.{'text' if name == 'concise' else name}")
    function: Callable[[Report, Context], str] = module.render_concise if name == "concise" else module.render
    return function(report, context)
