"""Text for terminals: widths, escapes, clipping, colours."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAB = 4
"""Columns to which a tab is widened."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKS = frozenset("\u0085\u2028\u2029")


def visible(text: str) -> str:
    """Text that is safe to print: control, bidi-control and break characters and lone surrogates as ``\\xNN``,
    ``\\uNNNN``. Tabs go too; callers that want them widened do it first."""
    if text.isprintable() and not _BIDI.intersection(text):
        return text
    return "".join(_escape(c) if _hidden(c) else c for c in text)


def storable(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates as ``\\udNNN``, all else as it is."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _hidden(char: str) -> bool:
    return char in _BIDI or char in _BREAKS or unicodedata.category(char) in ("Cc", "Cs")


def _escape(char: str) -> str:
    point = ord(char)
    if char in "\t\n\r":
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[char]
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """Terminal columns of one printable character: 0, 1 or 2."""
    if " " <= char <= "~":
        return 1
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf"):
        return 0
    # Medial vowels and finals of Hangul join the syllable before them.
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Terminal columns of printable text."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def pad(text: str, columns: int) -> str:
    """Text with blanks to its right up to ``columns``."""
    return text + " " * max(0, columns - width(text))


def clip(text: str, columns: int) -> str:
    """Text cut to ``columns``, the last of them an ellipsis when something is lost."""
    if width(text) <= columns:
        return text
    out, used = [], 0
    for char in text:
        used += char_width(char)
        if used > columns - 1:
            break
        out.append(char)
    return "".join(out) + "\u2026"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A source line ready to print, and the columns (0-based, end exclusive) at which a range of it is drawn."""

    text: str
    start: int
    end: int


def excerpt(line: str, start: int, end: int, columns: int) -> Excerpt:
    """A source line with the range of characters ``start:end`` (0-based), in at most ``columns``.

    Tabs are widened, what can't be printed is escaped, and a long line is clipped around the range.
    """
    cells: list[str] = []
    at = 0
    for char in line:
        shown = " " * (TAB - at % TAB) if char == "\t" else visible(char)
        cells.append(shown)
        at += width(shown)
    start, end = min(start, len(cells)), min(max(end, start), len(cells))
    if at <= columns:
        before = width("".join(cells[:start]))
        return Excerpt("".join(cells), before, before + width("".join(cells[start:end])))
    return _clipped(cells, start, end, columns)


def _clipped(cells: Sequence[str], start: int, end: int, columns: int) -> Excerpt:
    """The range with as much around it as fits; a range too wide for the terminal keeps its beginning."""
    room = max(columns - 2, 8)  # an ellipsis may stand at either end
    widths = [width(c) for c in cells]
    first, last, used = start, start, 0
    while last < end and used + widths[last] <= room:
        used += widths[last]
        last += 1
    shown_end = last
    # Context before the range is worth more than after it: it holds the call.
    lead = min(sum(widths[:first]), (room - used) * 2 // 3)
    while first > 0 and lead - widths[first - 1] >= 0:
        first -= 1
        lead -= widths[first]
        used += widths[first]
    while last < len(cells) and used + widths[last] <= room:
        used += widths[last]
        last += 1
    while first > 0 and used + widths[first - 1] <= room:
        first -= 1
        used += widths[first]
    head = "\u2026" if first > 0 else ""
    tail = "\u2026" if last < len(cells) else ""
    before = len(head) + sum(widths[first:start])
    return Excerpt(f"{head}{''.join(cells[first:last])}{tail}", before, before + sum(widths[start:shown_end]))


_CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35",
    "cyan": "36",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """Paints text, or leaves it as it is."""

    on: bool = False

    def __call__(self, text: str, *names: str) -> str:
        if not self.on or not text or not names:
            return text
        return f"\x1b[{';'.join(_CODES[n] for n in names)}m{text}\x1b[0m"


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to paint on ``stream``. ``choice`` is auto, always or never; ``NO_COLOR`` and ``FORCE_COLOR`` (any
    non-empty value) decide for auto, the former first, then whether the stream is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int:
    """Columns of the terminal behind ``stream``: ``COLUMNS`` if set, else the terminal's own, else 100."""
    import shutil

    set_by_hand = os.environ.get("COLUMNS", "")
    if set_by_hand.isdigit() and int(set_by_hand) > 0:
        return max(20, int(set_by_hand))
    if not stream.isatty():
        return 100
    return max(20, shutil.get_terminal_size((100, 24)).columns)


def can_print(stream: TextIO, text: str) -> bool:
    """Whether the stream's encoding has all of ``text``."""
    try:
        text.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def fold(text: str, columns: int) -> Iterator[str]:
    """Lines of at most ``columns``, broken at blanks; a word that is wider stays whole."""
    line = ""
    for word in text.split(" "):
        if line and width(line) + 1 + width(word) > columns:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
