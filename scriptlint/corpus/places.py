"""From offsets to places: which line and column of a file a piece of a decoded value stands on.

A file's text is kept as it was decoded: ``\\r\\n`` stays two characters. A line ends at ``\\n``, ``\\r\\n`` or ``\\r``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from scriptlint.finding import Location

if TYPE_CHECKING:
    from collections.abc import Iterator

Style = Literal["plain", "double", "single", "literal", "folded", "json", "csv", "raw"]

_BREAK = re.compile(r"\r\n|\n|\r")
_SPACE = " \t\r\n\x85\u2028\u2029"
_LONG = {"x": 2, "u": 4, "U": 8}
_QUOTED = ("double", "single", "json", "csv")
_SURROGATES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


class Lines:
    """Where the lines of a text start."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.starts = [0, *(m.end() for m in _BREAK.finditer(text))]

    def at(self, offset: int) -> tuple[int, int]:
        """1-based line and column (code points) of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def location(self, start: int, end: int, message: str = "") -> Location:
        """The place of ``text[start:end]``."""
        line, column = self.at(start)
        end_line, end_column = self.at(end)
        return Location(self.path, line, column, end_line, end_column, message)

    def line_end(self, line: int) -> int:
        """Offset of the end of a line (1-based), before its break."""
        start = self.starts[line - 1]
        stop = self.starts[line] if line < len(self.starts) else len(self.text)
        return start + len(self.text[start:stop].rstrip("\r\n"))

    def line_text(self, line: int) -> str:
        """A line without its break."""
        return self.text[self.starts[line - 1] : self.line_end(line)]

    def line_location(self, line: int) -> Location:
        """The place of a whole line (1-based), without its break; the last line when there are fewer."""
        line = max(1, min(line, len(self.starts)))
        return self.location(self.starts[line - 1], self.line_end(line))


class Spot:
    """Where a decoded string stands: maps offsets in the value to places in the file.

    ``start`` and ``end`` bound the raw scalar in the text (quotes and block indicators included).
    """

    def __init__(self, lines: Lines, start: int, end: int, style: Style, value: str) -> None:
        self.lines = lines
        self.start = start
        self.end = end
        self.style: Style = style
        self.value = value
        self._offsets: list[int] | None = None

    @property
    def offsets(self) -> list[int]:
        """For every character of the value its offset in the text, and one more for the value's end."""
        if self._offsets is None:
            self._offsets = list(_align(self.lines.text, self.start, self.end, self.style, self.value))
        return self._offsets

    def location(self, first: int = 0, last: int | None = None, message: str = "") -> Location:
        """The place of ``value[first:last]``, without blank ends when the whole value is meant."""
        value = self.value
        if last is None:
            last = len(value)
            if first == 0 and value.strip():
                first = len(value) - len(value.lstrip())
                last = len(value.rstrip())
        if first >= last or not value:
            return self.lines.location(self.start, max(self.start, self.end), message)
        offsets = self.offsets
        return self.lines.location(offsets[first], self._end_of(last), message)

    def _end_of(self, last: int) -> int:
        """The offset just after the character before ``last``; an escape is taken whole."""
        begin = self.offsets[last - 1]
        if self.style in _QUOTED:
            return begin + _unit(self.lines.text, begin, self.style)
        return begin + 1


def _unit(text: str, at: int, style: Style) -> int:
    """How many raw characters the value's character at ``at`` takes in a quoted scalar."""
    if style == "single":
        return 2 if text.startswith("''", at) else 1
    if style == "csv":
        return 2 if text.startswith('""', at) else 1
    if text[at : at + 1] != "\\":
        return 1
    kind = text[at + 1 : at + 2]
    if style == "json" and kind == "u":
        return 12 if _SURROGATES.match(text, at) else 6
    return 2 + _LONG.get(kind, 0)


def _align(text: str, start: int, end: int, style: Style, value: str) -> Iterator[int]:
    """Offsets in ``text[start:end]`` of the value's characters, then of its end.

    White space is matched loosely, because folding and indentation change it; every other character stands in the
    text as itself or as an escape.
    """
    at = start
    if style in _QUOTED:
        at += 1
    elif style in ("literal", "folded"):
        broken = _BREAK.search(text, start, end)
        at = broken.end() if broken else end
    escapes = style in ("double", "json")
    for char in value:
        blank = char in _SPACE
        while at < end:
            raw = text[at]
            if escapes and raw == "\\":
                if style == "json" or text[at + 1 : at + 2] not in ("\n", "\r"):
                    break
                at += 2  # an escaped line break gives nothing, and neither does the indentation after it
                while at < end and text[at] in _SPACE:
                    at += 1
            elif raw == char or blank or raw not in _SPACE:
                break
            else:
                at += 1
        if at >= end:
            yield max(start, end - 1)
            continue
        raw = text[at]
        if escapes and raw == "\\":
            yield at
            at += _unit(text, at, style)
        elif raw == char or (blank and raw in _SPACE):
            yield at
            at += _unit(text, at, style) if style in _QUOTED else 1
        else:
            found = -1 if blank else text.find(char, at, end)
            at = found if found >= 0 else at
            yield at
            at += found >= 0
    yield min(at, end)
