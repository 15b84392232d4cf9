"""Where two conditions differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.gate.places import differences
from scriptlint.gate.run import Condition

if TYPE_CHECKING:
    from pathlib import Path

BASE = '"""Doc."""\nGATE = 6.0\nX = 0.35\n\n\ndef f(t):\n    """What."""\n    return len(t) == 2 and "가" <= t[0]\n'


def condition(source: str, name: str, **constants: object) -> Condition:
    return Condition(name, f"/{name}.py", f"{name}.py", source, constants)


def texts(first: Condition, second: Condition) -> list[tuple[str, str]]:
    def text(place: object, source: str) -> str:
        if place is None:
            return ""
        lines = source.split("\n")
        return lines[place.line - 1][place.column - 1 : place.end_column - 1]  # type: ignore[attr-defined]

    return [(text(a, first.source), text(b, second.source)) for a, b in differences(first, second)]


def changed(old: str, new: str) -> list[tuple[str, str]]:
    return texts(condition(BASE, "a"), condition(BASE.replace(old, new), "b"))


def test_the_smallest_piece() -> None:
    assert changed("0.35", "0.5") == [("0.35", "0.5")]
    assert changed('"가" <= t[0]', '("가" <= t[0] or t)') == [('"가" <= t[0]', '"가" <= t[0] or t')]
    assert changed("    return", "    s = 1\n    return") == [("", "s = 1")]
    assert changed("X = 0.35\n", "") == [("X = 0.35", "")]


def test_words_for_people_do_not_count() -> None:
    assert changed("What.", "Other.") == changed("Doc.", "Other.") == changed("X =", "# why\nX =") == []


def test_constants_are_placed_where_they_are_assigned() -> None:
    first, second = condition(BASE, "a"), condition(BASE, "b", X=0.1)
    assert texts(first, second) == [("X = 0.35", "X = 0.35")]
    (_, place), *_ = differences(first, second)
    assert place is not None and place.message == "X = 0.1 in b" and place.line == 3


def test_sources_that_cannot_be_read(tmp_path: Path) -> None:
    assert differences(condition("def", "a"), condition(BASE, "b")) == []


def test_moved_definitions_are_paired() -> None:
    a = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    b = "def g():\n    return 3\n\n\ndef f():\n    return 1\n"
    assert ("2", "3") in texts(condition(a, "a"), condition(b, "b"))
