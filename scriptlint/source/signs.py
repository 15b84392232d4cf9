"""Where in the text of a file something stands that a tokenizer may be made of, other than calls of patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scriptlint.source.blocks import line_end, occurrences
from scriptlint.source.prefilter import HINTS, LIBRARY, STEMS, WORDISH

if TYPE_CHECKING:
    from collections.abc import Iterator

_NORMALIZE = re.compile(r"normalize\(\s*['\"]NF")
_NUMERIC = re.compile(r"\s*-?\d")
_CALLED = re.compile(r"\s*[.(]")
_CONSTANT = re.compile(r"([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)")
_DEFINED = re.compile(r"def \w*$")


def hints(text: str) -> Iterator[int]:
    """Where work on text stands that needs no engine, and where a library is called that cuts text by itself."""
    absent = {word for stem, words in STEMS if stem not in text for word in words}
    for needle in HINTS:
        for at in occurrences(text, needle) if needle not in absent else ():
            if needle != ".translate(" or not _NUMERIC.match(text, at + len(needle)):
                yield at
    for needle in LIBRARY:
        for at in occurrences(text, needle) if needle not in absent else ():
            if _CALLED.match(text, at + len(needle)):
                yield at
    yield from _alphabets(text)
    for needle in ("ord(", "ord,"):
        for at in occurrences(text, needle):
            if not (text[at - 1 : at].isidentifier() or text[at - 1 : at] == "."):
                yield at
    for at in occurrences(text, ".split("):
        if text.startswith((")", "' ')", '" ")'), at + 7):
            line = text[text.rfind("\n", 0, at) + 1 : line_end(text, at)].lower()
            if any(word in line for word in WORDISH):
                yield at
    if "unicodedata" in text:
        for needle in ("category(", "combining(", "normalize("):
            yield from occurrences(text, needle)
    if "normalize(" in text:
        yield from (m.start() for m in _NORMALIZE.finditer(text))


def _alphabets(text: str) -> Iterator[int]:
    """Where the name of a constant stands that holds letters: ``ALLOWED = string.ascii_letters + " "``."""
    names: set[str] = set()
    for needle in ("ascii_l", "abcdefgh", "string.printable"):
        for at in occurrences(text, needle):
            line = text.rfind("\n", 0, at) + 1
            while line and text[line] in " \t)]}#\n":
                line = text.rfind("\n", 0, line - 1) + 1
            if m := _CONSTANT.match(text, line, at):
                names.add(m[1])
    # A set may be put together from others.
    for _ in range(2):
        if names:
            some = "|".join(sorted(names))
            names |= {
                m[1] for m in re.finditer(rf"^([A-Za-z_]\w*)[ \t]*=[^=\n][^\n]*\b(?:{some})\b", text, re.MULTILINE)
            }
    for name in sorted(names):
        yield from (m.start() for m in re.finditer(rf"\b{name}\b", text))


def comparisons(text: str) -> Iterator[int]:
    """Where pieces are compared as sets or held against stop words."""
    for needle in ("Counter(", ".intersection(", "stopword", "stop_word", "STOPWORD", "STOP_WORD"):
        yield from occurrences(text, needle)
    for at in occurrences(text, "set("):
        line = text[text.rfind("\n", 0, at) + 1 : line_end(text, at)]
        if "&" in line or "split(" in line:
            yield at
    for at in occurrences(text, ".split("):
        if "&" in text[at : line_end(text, at)]:
            yield at


def named(text: str) -> Iterator[int]:
    """Where a function starts that is called after the cutting of text."""
    for needle in ("okeni", "preprocess", "words("):
        for at in occurrences(text, needle):
            if _DEFINED.search(text[text.rfind("\n", 0, at) + 1 : at]):
                yield at
