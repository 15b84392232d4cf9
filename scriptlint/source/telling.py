"""Where a file tells scripts apart: a look at its text, so that only what may matter is parsed."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING

from scriptlint.source.blocks import line_end, long_strings, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

_TELLING = {
    "\\u": re.compile(r"\\u[0-9a-fA-F]{4}"),
    "\\p{": re.compile(r"\\p\{"),
    "isascii": re.compile(r"isascii\b"),
    "name(": re.compile(r"name\("),
}
"""What tells scripts apart in code: escapes, properties, tests. Each is looked for by a word, which is quick."""
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_CHARACTERS = re.compile(
    r"[\"'][^\W\d_\x00-\x7f][\"']|[^\x00-\x7f]-[^\x00-\x7f]|\bin\s*[\"'][^\"'\n]*[^\x00-\x7f]|"
    r"=\s*[rR]?[\"'][^\"'\n]*(?:[^\x00-\x7f][^\"'\n]?){20}"
)
"""A letter by itself, a range of letters, and strings of letters that something may be looked for in."""
_NUMBER = r"(?:0x[0-9a-fA-F]{2,6}|12[7-9]|1[3-9]\d|[2-9]\d\d|\d{4,6})"
_POINTS = (
    re.compile(rf"[<>]=?\s*{_NUMBER}\b"),
    re.compile(rf"{_NUMBER}\s*[<>]"),
    re.compile(rf"range\(\s*{_NUMBER}\b"),
    re.compile(r"[(,]\s*0x[0-9a-fA-F]{3,6}\b"),
)
"""Numbers that may be code points, where a file says that it has some."""
_SAYS_POINTS = ("cjk", "hangul", "chinese", "japanese", "korean", "codepoint", "code_point")
_ORD = re.compile(r"(?<!\w)ord\(")
_PAIR = re.compile(r"([\"'])([^\"'\n]+)\1\s*[:,]\s*[\[({]?\s*([\"'])([^\"'\n]+)\3")
_BOUND = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=", re.MULTILINE)
"""Names that a piece of a file may give to what stands in it."""
_LONG = 3000
"""Characters beyond which a function is no test of a character or a text."""
_DEEP = 4
"""How far a name may lead from what tells scripts apart: as far as tests are read."""


def telling_places(text: str) -> list[int]:
    """Offsets of what tells scripts apart in code, and of the names of helpers and tables that do so, in order."""
    new = list(_in_code(sorted(_telling(text)), text))
    if not new:
        return []
    bound = [(m.start(), m[1] or m[2]) for m in _BOUND.finditer(text)]
    places, known = list(new), set[str]()
    for _ in range(_DEEP):
        names = {name for at in new if (name := _owner(bound, at)) and not name.startswith("__")} - known
        if not names:
            break
        known |= names
        called = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        new = [m.start() for m in called.finditer(text)]
        places += new
    return sorted(places)


def _telling(text: str) -> Iterator[int]:
    for needle, pattern in _TELLING.items():
        if needle == "name(" and "unicodedata" not in text:
            continue
        yield from (at for at in occurrences(text, needle) if pattern.match(text, at))
    at = 0
    while m := None if text.isascii() else _FOREIGN.search(text, at):
        start, at = text.rfind("\n", 0, m.start()) + 1, line_end(text, m.start())
        if found := _CHARACTERS.search(text, start, at):
            yield found.start()
    lower = text.lower()
    if any(word in lower for word in _SAYS_POINTS) or ("ord(" in text and _ORD.search(text)):
        for pattern in _POINTS:
            yield from (m.start() for m in pattern.finditer(text))


def pair_places(text: str) -> list[int]:
    """Offsets of pairs of strings of which one at least is not ASCII: entries of a table of words."""
    if text.isascii() and "\\u" not in text:
        return []
    return [m.start() for m in _PAIR.finditer(text) if not (_is_plain(m[2]) and _is_plain(m[4]))]


def _is_plain(string: str) -> bool:
    return string.isascii() and "\\u" not in string


def _owner(bound: list[tuple[int, str]], at: int) -> str:
    """The name that was bound last before a place; none when what it stands for is too long to be a test."""
    before = bisect.bisect(bound, (at, "\U0010ffff")) - 1
    if before < 0:
        return ""
    end = bound[before + 1][0] if before + 1 < len(bound) else bound[before][0]
    return bound[before][1] if end - bound[before][0] <= _LONG else ""


def _in_code(places: list[int], text: str) -> Iterator[int]:
    """Those of the places that stand outside comments and docstrings."""
    docstrings = [s for s in long_strings(text) if _stands_alone(text, s[0])] if places else []
    for at in places:
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if "#" in line and "'" not in line and '"' not in line:
            continue
        before = bisect.bisect(docstrings, (at, len(text))) - 1
        if before < 0 or docstrings[before][1] <= at:
            yield at


def _stands_alone(text: str, start: int) -> bool:
    """Whether a string is a statement: nothing before it on its line, and no bracket or operator waits for it."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(" \t"):
        return False
    return not text[max(line - 200, 0) : line].rstrip().endswith(("(", "[", "{", ",", "=", "+", "\\"))
