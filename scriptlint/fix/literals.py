"""Where the characters of a pattern stand in its string literal, and how new text is written there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Edit", "Literal", "Text", "apply_edits", "encoding_of", "quiet", "read_literal"]

_SIMPLE = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CODED = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{[^}]+\})")
_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``text`` where ``start`` to ``end`` of a source text was (code points)."""

    start: int
    end: int
    text: str


class Text:
    """A source file as text in which places can be found. Raises ValueError when it isn't in its encoding."""

    def __init__(self, data: bytes) -> None:
        self.text = data.decode(encoding_of(data))
        self._tree: ast.Module | None = None
        first = 1 if self.text.startswith("\ufeff") else 0
        self.starts = [first, *(m.end() for m in _BREAK.finditer(self.text))]

    @property
    def tree(self) -> ast.Module:
        """The file as Python reads it. Raises SyntaxError, and ValueError for null bytes."""
        if self._tree is None:
            with quiet():
                self._tree = ast.parse(self.text.removeprefix("\ufeff"))
        return self._tree

    def offset(self, line: int, column: int) -> int:
        """The index of a place (1-based line and column, in code points)."""
        return self.starts[line - 1] + column - 1

    def of_node(self, line: int, utf8: int) -> int:
        """The index of a place as ``ast`` counts it (1-based line, 0-based column in UTF-8 bytes)."""
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:utf8].decode("utf-8", "ignore"))


@contextmanager
def quiet() -> Iterator[None]:
    """Python warns of escapes that mean nothing: they are the user's own, and whoever runs the file is told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def apply_edits(data: bytes, edits: tuple[Edit, ...]) -> bytes:
    """The bytes with all edits made; every other byte stays. Edits must not overlap."""
    encoding = encoding_of(data)
    text = data.decode(encoding)
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text.encode(encoding)


def encoding_of(data: bytes) -> str:
    """The encoding that a file declares; a byte order mark counts as text. Raises ValueError for one that would not
    give the same bytes back.
    """
    try:
        lines = io.BytesIO(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
        encoding = tokenize.detect_encoding(lines.readline)[0].removesuffix("-sig")
        same = data.decode(encoding).encode(encoding) == data
    except (SyntaxError, LookupError) as error:
        raise ValueError(str(error)) from error
    if not same:
        raise ValueError(f"{encoding} does not give the same bytes back")
    return encoding


@dataclass(frozen=True, slots=True)
class Literal:
    """A string literal: its value, and for each character of it the place in the file and whether it is raw there."""

    value: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    raw: tuple[bool, ...]

    def edit(self, start: int, end: int, text: str) -> Edit | None:
        """The edit that puts ``text`` for the characters ``start`` to ``end``; ``None`` across two literals."""
        if not self.value:
            return None
        if end == start:
            # What is put between two characters goes where the first of them ends: in its literal.
            at = self.ends[start - 1] if start else self.starts[0]
            return Edit(at, at, self._written(text, self.raw[max(start - 1, 0)]))
        gaps = (self.ends[i] != self.starts[i + 1] for i in range(start, end - 1))
        if len(set(self.raw[start:end])) > 1 or any(gaps):
            return None
        return Edit(self.starts[start], self.ends[end - 1], self._written(text, self.raw[start]))

    @staticmethod
    def _written(text: str, raw: bool) -> str:
        return text if raw else text.replace("\\", "\\\\")


def read_literal(source: str, offset: int) -> Literal | None:
    """The literal that ``source`` is (several in a row count as one); ``None`` when it is anything else.

    ``offset`` is where it stands in the file.
    """
    places = _unix_places(source)
    source = _BREAK.sub("\n", source)
    try:
        with quiet():
            node = ast.parse(f"({source}\n)", mode="eval").body
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({source}\n)").readline))
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return None
    lines = [0, *(m.end() for m in re.finditer("\n", source))]
    value: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    raws: list[bool] = []
    for token in tokens:
        if token.type != tokenize.STRING:
            continue
        line, column = token.start
        at = lines[line - 1] + column - (1 if line == 1 else 0)
        found = _characters(token.string)
        if found is None:
            return None
        raw, characters = found
        for text, start, end in characters:
            value.append(text)
            starts.append(offset + places[at + start])
            ends.append(offset + places[at + end])
            raws.append(raw)
    if "".join(value) != node.value:
        return None
    return Literal(node.value, tuple(starts), tuple(ends), tuple(raws))


def _unix_places(source: str) -> list[int]:
    """For each character of a text, and its end, where it stands when line ends are as in ``source``."""
    places: list[int] = []
    at = 0
    while at < len(source):
        places.append(at)
        at += 2 if source.startswith("\r\n", at) else 1
    return [*places, len(source)]


def _characters(token: str) -> tuple[bool, list[tuple[str, int, int]]] | None:
    """Whether a literal is raw, and its characters with their places in it."""
    match = re.match(r"([rRuUfFbB]*)('''|\"\"\"|'|\")", token)
    if match is None or set(match[1].lower()) & {"f", "b"}:
        return None
    start, end = match.end(), len(token) - len(match[2])
    raw = "r" in match[1].lower()
    out: list[tuple[str, int, int]] = []
    at = start
    while at < end:
        if raw or token[at] != "\\":
            out.append((token[at], at, at + 1))
            at += 1
            continue
        nxt = token[at + 1]
        coded = _CODED.match(token, at)
        if nxt == "\n":
            at += 2
        elif nxt in _SIMPLE:
            out.append((_SIMPLE[nxt], at, at + 2))
            at += 2
        elif coded is not None:
            out.append((ast.literal_eval(f'"{coded[0]}"'), at, coded.end()))
            at = coded.end()
        else:
            out.append(("\\", at, at + 1))
            at += 1
    return raw, out
