"""Text for people: whole outputs, widths, colours."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.finding import Witness
from scriptlint.report import display, render
from scriptlint.report.display import Style, excerpt, storable, visible, width
from scriptlint.report.text import token_text, witness_text

if TYPE_CHECKING:
    from collections.abc import Callable


def test_clean(clean: Any) -> None:
    assert render("text", clean.report, clean.context) == "No findings in 2 files.\n"
    assert render("concise", clean.report, clean.context) == "No findings in 2 files.\n"


def test_full(case: Any, golden: Callable[[str, str], None]) -> None:
    golden("full.txt", render("text", case.report, case.context))


def test_narrow(case: Any, golden: Callable[[str, str], None]) -> None:
    golden("narrow.txt", render("text", case.report, replace(case.context, width=40)))


def test_concise_with_suppressed(case: Any, golden: Callable[[str, str], None]) -> None:
    golden("concise.txt", render("concise", case.report, replace(case.context, include_suppressed=True)))


def test_statistics(case: Any, golden: Callable[[str, str], None]) -> None:
    golden("statistics.txt", render("text", case.report, replace(case.context, statistics=True)))


def test_colour_changes_nothing_but_colour(case: Any) -> None:
    plain = render("text", case.report, case.context)
    painted = render("text", case.report, replace(case.context, style=Style(True)))
    assert painted != plain
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == plain


def test_nothing_dangerous_reaches_the_terminal(case: Any) -> None:
    for name in ("text", "concise"):
        text = render(name, case.report, case.context)
        assert not [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cs")]
        assert "\u202e" not in text
        text.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("हिन्दी", 5), ("ｱ", 1), ("😀", 2), ("각", 2), ("\u1100\u1161", 2)],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_tabs_are_widened_and_carets_follow() -> None:
    shown = excerpt("\tx = 1", 1, 2, 80)
    assert (shown.text, shown.start, shown.end) == ("    x = 1", 4, 5)


def test_a_long_line_is_clipped_around_the_range() -> None:
    line = "a" * 300 + "TARGET" + "b" * 300
    shown = excerpt(line, 300, 306, 60)
    assert width(shown.text) <= 60
    assert shown.text[shown.start : shown.end] == "TARGET"
    assert shown.text[0] == shown.text[-1] == "\u2026"


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=120),
    st.integers(0, 130),
    st.integers(0, 130),
    st.integers(10, 120),
)
def test_excerpts_fit_and_point_inside(line: str, start: int, end: int, columns: int) -> None:
    shown = excerpt(line, start, end, columns)
    assert width(shown.text) <= columns
    assert 0 <= shown.start <= shown.end <= width(shown.text)


@given(st.text(st.characters(), max_size=60))
def test_visible_and_storable_are_safe_and_stable(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs")]
    assert visible(shown) == shown
    assert storable(storable(text)) == storable(text)


def test_witness() -> None:
    assert witness_text(Witness("视频下载", ())) == "视频下载 -> no tokens"
    assert witness_text(Witness("ab", ("a", "b"))) == "ab -> a | b"
    assert token_text("\u093f") == "\u25cc\u093f"
    assert token_text("") == "''"


@pytest.mark.parametrize(
    ("environment", "terminal", "choice", "wanted"),
    [
        ({}, False, "auto", False),
        ({}, True, "auto", True),
        ({"NO_COLOR": "1"}, True, "auto", False),
        ({"NO_COLOR": ""}, True, "auto", True),
        ({"FORCE_COLOR": "1"}, False, "auto", True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, "auto", False),
        ({"TERM": "dumb"}, True, "auto", False),
        ({"NO_COLOR": "1"}, False, "always", True),
        ({}, True, "never", False),
    ],
)
def test_colour_choice(
    environment: dict[str, str], terminal: bool, choice: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TERM", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    class Stream:
        def isatty(self) -> bool:
            return terminal

    assert display.wants_color(choice, Stream()) is wanted  # type: ignore[arg-type]
