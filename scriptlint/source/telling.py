"""Where a file tells scripts apart: a look at its text, so that only what may matter is parsed."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING

from scriptlint.source.blocks import long_strings

if TYPE_CHECKING:
    from collections.abc import Iterator

_TELLING = {
    "\\u": r"\\u[0-9a-fA-F]{4}",
    "\\p{": r"\\p\{",
    "isascii": r"\bisascii\b",
    "unicodedata": r"\bname\(",
}
"""What tells scripts apart in code, by a word that the file then has to hold: escapes, properties, tests."""
_NUMBER = r"(?:0x[0-9a-fA-F]{2,6}|12[7-9]|1[3-9]\d|[2-9]\d\d|\d{4,6})"
_POINT = rf"[<>]=?\s*{_NUMBER}\b|\b{_NUMBER}\s*[<>]|range\(\s*{_NUMBER}\b|[(,]\s*0x[0-9a-fA-F]{{3,6}}\b"
"""Numbers that may be code points, where a file says that it has some."""
_LETTER = r"[^\W\d_\x00-\x7f]"
_SAYS_POINTS = ("ord(", "cjk", "hangul", "chinese", "japanese", "korean", "codepoint", "code_point")
_BOUND = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=", re.MULTILINE)
"""Names that a piece of a file may give to what stands in it."""
_COMMENT = re.compile(r"[^#\"'\n]*#")
"""A line up to a comment that no string can hold."""
_DEEP = 4
"""How far a name may lead from what tells scripts apart: as far as tests are read."""


def telling_places(text: str) -> list[int]:
    """Offsets of what tells scripts apart in code, and of the names of helpers and tables that do so, in order."""
    telling = [pattern for needle, pattern in _TELLING.items() if needle in text]
    if not text.isascii():
        telling.append(_LETTER)
    lower = text.lower()
    if any(word in lower for word in _SAYS_POINTS):
        telling.append(_POINT)
    new = list(_in_code(re.compile("|".join(telling)), text)) if telling else []
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


def _owner(bound: list[tuple[int, str]], at: int) -> str:
    """The name that was bound last before a place."""
    before = bisect.bisect(bound, (at, "\U0010ffff")) - 1
    return bound[before][1] if before >= 0 else ""


def _in_code(wanted: re.Pattern[str], text: str) -> Iterator[int]:
    """Where something stands outside comments and docstrings."""
    docstrings = [s for s in long_strings(text) if _stands_alone(text, s[0])]
    at = 0
    while m := wanted.search(text, at):
        line = text.rfind("\n", 0, m.start()) + 1
        at = m.end()
        if "#" in text[line : m.start()] and _COMMENT.match(text, line, m.start()):
            at = text.find("\n", m.start()) + 1 or len(text)
            continue
        after = bisect.bisect(docstrings, (m.start(), len(text))) - 1
        if after >= 0 and docstrings[after][1] > m.start():
            at = docstrings[after][1]
            continue
        yield m.start()
        # One place a line is enough.
        at = text.find("\n", at) + 1 or len(text)


def _stands_alone(text: str, start: int) -> bool:
    """Whether a string is a statement: nothing before it on its line, and no bracket or operator waits for it."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(" \t"):
        return False
    return not text[max(line - 200, 0) : line].rstrip().endswith(("(", "[", "{", ",", "=", "+", "\\"))
