"""Notebooks (.ipynb): their code cells as one Python text, and the way back to places in the JSON file."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass, replace
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any, TypeVar

from scriptlint.finding import Finding, Location, Problem

if TYPE_CHECKING:
    from scriptlint.results import FileResult
    from scriptlint.tokenizer.model import Judged

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity")
_BREAK = re.compile(r"\r\n|\r|\n")
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
_DEPTH = 200
_STRING = JSONDecoder().raw_decode
_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST, and PyCF_ALLOW_TOP_LEVEL_AWAIT: cells may await
_AWAIT = 0x2000

T = TypeVar("T", Finding, Problem)


@dataclass(frozen=True, slots=True)
class _String:
    """A JSON string: its value, and where its first character stands in the file."""

    value: str
    start: int


class NotebookError(Exception):
    """Not a notebook. ``line`` is the line of the JSON at which reading stopped."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.line = line


class Notebook:
    """``code`` is the Python text of all code cells, one after the other, each ending in a line break."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        try:
            self._text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise NotebookError(f"not UTF-8 ({error.reason} at byte {error.start})") from None
        self._breaks = [0, *(m.end() for m in _BREAK.finditer(self._text))]
        try:
            value, _ = self._value(self._skip(0), 0)
        except JSONDecodeError as error:
            raise NotebookError(f"not a notebook: {error.msg}", self._place(error.pos)[0]) from None
        cells = value.get("cells") if isinstance(value, dict) else None
        if not isinstance(cells, list):
            raise NotebookError("not a notebook: no list of cells")
        parts: list[str] = []
        # For each line of the code: (cell number from 1, line in the cell from 1, pieces of the line).
        self._lines: list[tuple[int, int, tuple[_String, ...]]] = []
        for number, cell in enumerate(cells, 1):
            kind = cell.get("cell_type") if isinstance(cell, dict) else None
            if isinstance(kind, _String) and kind.value == "code":
                parts.append(self._cell(number, cell.get("source")))
        self.code = "".join(parts)

    def _cell(self, number: int, source: Any) -> str:
        pieces = [s for s in (source if isinstance(source, list) else [source]) if isinstance(s, _String)]
        lines: list[list[_String]] = [[]]
        for piece in pieces:
            at = 0
            for hit in re.finditer(r"\n", piece.value):
                lines[-1].append(_String(piece.value[at : hit.start()], self._inside(piece, at)))
                lines.append([])
                at = hit.end()
            if at < len(piece.value):
                lines[-1].append(_String(piece.value[at:], self._inside(piece, at)))
        texts = ["".join(p.value for p in line) for line in lines]
        code = _python(texts)
        for n, line in enumerate(lines, 1):
            self._lines.append((number, n, tuple(line)))
        return "".join(f"{text}\n" for text in code)

    def _inside(self, piece: _String, offset: int) -> int:
        """Where the character at ``offset`` of a string's value stands in the file."""
        at = piece.start
        while offset > 0:
            hit = _ESCAPE.match(self._text, at)
            if hit is None:
                break
            at = hit.end()
            offset -= 1
        return at

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The file's line and column of a place in ``code``."""
        if not 1 <= line <= len(self._lines):
            return 1, 1
        offset = column - 1
        pieces = self._lines[line - 1][2]
        for n, piece in enumerate(pieces):
            if offset <= len(piece.value) or n == len(pieces) - 1:
                return self._place(self._inside(piece, min(offset, len(piece.value))))
            offset -= len(piece.value)
        return self.place(line - 1, 1) if line > 1 else (1, 1)

    def cell(self, line: int) -> tuple[int, int]:
        """The cell's number and the line in it, both from 1, of a line of ``code``."""
        return self._lines[line - 1][:2] if 1 <= line <= len(self._lines) else (1, 1)

    def location(self, place: Location, *, told: bool = False) -> Location:
        """A location in the file for one in ``code``; with ``told`` its message names the cell."""
        line, column = self.place(place.line, place.column)
        end_line, end_column = self.place(place.end_line, place.end_column)
        number, inner = self.cell(place.line)
        said = f"cell {number}, line {inner}, column {place.column}" if told else place.message
        return Location(self.path, line, column, end_line, end_column, said)

    def lift(self, thing: T) -> T:
        """A finding or problem in ``code`` as one in the file."""
        if isinstance(thing, Problem):
            if thing.line is None:
                return thing
            number, inner = self.cell(thing.line)
            where = f"cell {number}, line {inner}: {thing.message}"
            return replace(thing, line=self.place(thing.line, 1)[0], message=where)
        statement = thing.statement
        if statement is not None:
            statement = (self.place(statement[0], 1)[0], self.place(statement[1], 1)[0])
        return replace(
            thing,
            location=self.location(thing.location, told=True),
            related=tuple(self.location(r) if r.path == self.path else r for r in thing.related),
            statement=statement,
        )

    def lift_result(self, result: FileResult) -> FileResult:
        """The result of checking ``code`` (under this notebook's path) as the result of the notebook."""
        comments = []
        for comment in result.comments:
            line, column = self.place(comment.line, comment.column)
            comments.append(replace(comment, line=line, column=column, end_column=column + len("scriptlint:")))
        return replace(
            result,
            findings=tuple(self.lift(f) for f in result.findings),
            problems=tuple(self.lift(p) for p in result.problems),
            tokenizers=tuple(self._lift_judged(j) for j in result.tokenizers),
            comments=tuple(comments),
        )

    def _lift_judged(self, judged: Judged) -> Judged:
        tokenizer = judged.tokenizer
        sites = []
        for site in tokenizer.sites:
            place = site.place
            line, column = self.place(place.line, place.column)
            end_line, end_column = self.place(place.end_line, place.end_column)
            moved = replace(place, line=line, column=column, end_line=end_line, end_column=end_column)
            sites.append(replace(site, place=moved))
        statement = tokenizer.statement
        if statement is not None:
            statement = (self.place(statement[0], 1)[0], self.place(statement[1], 1)[0])
        line = self.place(tokenizer.line, 1)[0]
        return replace(judged, tokenizer=replace(tokenizer, line=line, sites=tuple(sites), statement=statement))

    # A JSON reader that keeps the places of strings: ``json`` gives none.

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._breaks, offset)
        return line, offset - self._breaks[line - 1] + 1

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        text = self._text
        if depth > _DEPTH:
            raise JSONDecodeError("nested too deeply", text, at)
        first = text[at : at + 1]
        if first == '"':
            value, end = _STRING(text, at)
            return _String(value, at + 1), end
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        scalar = _SCALAR.match(text, at)
        if scalar is None:
            raise JSONDecodeError("expected a value", text, at)
        return scalar[0], scalar.end()

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._skip(at + 1)
        while self._text[at : at + 1] != "}":
            key, at = self._value(at, depth + 1)
            at = self._skip(at)
            if not isinstance(key, _String) or self._text[at : at + 1] != ":":
                raise JSONDecodeError("expected a key and a colon", self._text, at)
            found[key.value], at = self._value(self._skip(at + 1), depth + 1)
            at = self._after(at, "}")
        return found, at + 1

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._skip(at + 1)
        while self._text[at : at + 1] != "]":
            value, at = self._value(at, depth + 1)
            found.append(value)
            at = self._after(at, "]")
        return found, at + 1

    def _after(self, at: int, close: str) -> int:
        at = self._skip(at)
        if self._text[at : at + 1] == ",":
            return self._skip(at + 1)
        if self._text[at : at + 1] != close:
            raise JSONDecodeError(f"expected , or {close}", self._text, at)
        return at


def _python(lines: list[str]) -> list[str]:
    """A cell's lines with what IPython alone understands blanked out; a cell that still won't compile is blanked."""
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON_MAGICS):
        return [""] * len(lines)
    code = [
        line[: len(line) - len(line.lstrip())] + "pass" if re.match(r"\s*[%!?]|\s*[\w.]+\?\??\s*$", line) else line
        for line in lines
    ]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bad escape in someone's cell is no news here
            compile("\n".join(code) + "\n", "<cell>", "exec", _ONLY_AST | _AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [""] * len(lines)
    return code
