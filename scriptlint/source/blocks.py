"""A file cut into its outermost statements, so that only those that matter are parsed.

Parsing is what reading a file costs. A block is a function or a class of the top level with its decorators, or a run
of other statements. Cutting looks at the first column and at long strings alone; where it is wrong (a string of two
lines without triple quotes, a bracket whose content starts in the first column) the block does not parse, and the
whole file is parsed at once (``SourceModule.parse``), which joins what was cut apart.
"""

from __future__ import annotations

import ast
import bisect
import re
import unicodedata
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scriptlint.source.lambdas import name_lambdas
from scriptlint.source.matching import as_branches
from scriptlint.tokenizer.trees import BODIES

if TYPE_CHECKING:
    from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

# Every line that starts in the first column: what begins there, if it is a definition, and its name.
_START = re.compile(r"\n(?=[^\s#)\]}])(?:(?:async[ \t]+)?(def|class)[ \t]+(\w+)|@)?")
_MATCH = re.compile(r"^[ \t]*match\b[^\n]*:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_TRIPLE = re.compile(r'"""|\'\'\'')
_STRINGS = re.compile(
    r"#[^\n]*|" + r'"""(?:[^"\\]|\\.|"(?!""))*"""|' + r"'''(?:[^'\\]|\\.|'(?!''))*'''|"
    r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)


@dataclass(eq=False, slots=True)
class Block:
    """Statements that stand together: ``start`` is their offset, ``first`` their first line, ``name`` that of a
    definition."""

    kind: Literal["def", "class", "plain"]
    name: str
    start: int
    first: int
    text: str = field(repr=False)
    body: list[ast.stmt] | None = field(default=None, repr=False)

    def parse(self) -> list[ast.stmt]:
        """The statements, placed as in the file. Raises ``SyntaxError``, of which ``TooMuchError`` is one."""
        if self.body is None:
            try:
                with warnings.catch_warnings():
                    # The parser warns of escapes that nobody knows; whoever writes them hears it from Python itself.
                    warnings.simplefilter("ignore")
                    self.body = ast.parse("\n" * (self.first - 1) + self.text).body
                if "lambda" in self.text:
                    name_lambdas(self.body)
                if "case " in self.text and _MATCH.search(self.text):
                    as_branches(self.body)
            except (ValueError, RecursionError, MemoryError) as error:
                raise TooMuchError(str(error)) from error
        return self.body


class TooMuchError(SyntaxError):
    """Python's parser gave up on the text."""


def decoded(data: bytes) -> str:
    """The text of a file with ``\\n`` for every line end and no byte order mark. Raises ``SyntaxError``."""
    try:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        second = data.find(b"\n", data.find(b"\n") + 1)
        if data.startswith(b"\xef\xbb\xbf") or b"coding" in data[: second if second >= 0 else None]:
            import io
            import tokenize

            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            text = data.decode(encoding)
        else:
            text = data.decode("utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise SyntaxError(f"not readable as Python source: {error}") from error
    if "\0" in text:
        raise SyntaxError("source code cannot contain null bytes")
    # Line ends that only a decoder shows (of UTF-16 and the like) are left.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def cut(text: str) -> list[Block]:
    """The blocks of a file, in order."""
    if "\f" in text:
        return [Block("plain", "", 0, 1, text)]
    blocks: list[Block] = []
    first, start, kind, name = 1, 0, "plain", ""
    decorated = False

    def close(end: int) -> None:
        nonlocal first, start
        if end > start:
            blocks.append(Block(kind, name, start, first, text[start:end]))  # type: ignore[arg-type]
            first += text.count("\n", start, end)
            start = end

    for at, what, called in _starts(text):
        if what is None and (kind == "plain" or decorated):
            continue
        if not (decorated and what in ("def", "class")):
            if what == "@" and decorated:
                continue
            close(at)
        decorated = what == "@"
        kind, name = ("def", "") if what == "@" else (what or "plain", called or "")
    close(len(text))
    return blocks


def _starts(text: str) -> Iterator[tuple[int, str | None, str | None]]:
    """Where a line starts in the first column outside long strings: its offset, ``def``, ``class`` or ``@``, a name."""
    inside = iter(long_strings(text))
    a, b = next(inside, (len(text), len(text)))
    for m in _START.finditer("\n" + text):
        at = m.start()  # one less than the place after the line end, and one more for the line end put in front
        while at >= b and a < len(text):
            a, b = next(inside, (len(text), len(text)))
        if a < at < b or (text[at - 2 : at] == "\\\n" and not _is_comment(text, at - 1)):
            continue
        name = m[2] if m[2] is None or m[2].isascii() else unicodedata.normalize("NFKC", m[2])
        yield at, m[1] or ("@" if m[0].endswith("@") else None), name


def _is_comment(text: str, end: int) -> bool:
    """Whether a line, which ends here, ends in a comment: a backslash at its end continues nothing."""
    before, mark, _ = text[text.rfind("\n", 0, end) + 1 : end].partition("#")
    return bool(mark) and "'" not in before and '"' not in before


def long_strings(text: str) -> list[tuple[int, int]]:
    """The ranges of the strings in triple quotes."""
    found: list[tuple[int, int]] = []
    at = 0
    while m := _TRIPLE.search(text, at):
        start = m.start()
        before = text[text.rfind("\n", 0, start) + 1 : start]
        if "#" in before or '"' in before or "'" in before:
            # It may stand in a comment or in another string: only reading all of them tells.
            return [s.span() for s in _STRINGS.finditer(text) if s[0][:3] in ('"""', "'''")]
        end = text.find(m[0], m.end())
        while end >= 0 and _escaped(text, end):
            end = text.find(m[0], end + 1)
        if end < 0:
            end = len(text)
        found.append((start, end + 3))
        at = end + 3
    return found


def _escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before a place."""
    start = at
    while text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def functions_of(body: list[ast.stmt]) -> Iterator[tuple[FunctionNode, str, ast.ClassDef | None]]:
    """Every function of these statements with its qualified name (without ``<locals>``) and the class it is a method
    of."""
    stack: list[tuple[ast.AST, str, ast.ClassDef | None]] = [(s, "", None) for s in reversed(body)]
    while stack:
        node, prefix, cls = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            qualname = f"{prefix}{node.name}"
            yield node, qualname, cls
            prefix, cls = f"{qualname}.", None
        elif isinstance(node, ast.ClassDef):
            prefix, cls = f"{prefix}{node.name}.", node
        inner = [child for name in BODIES for child in getattr(node, name, ())]
        stack += [(child, prefix, cls) for child in reversed(inner)]


def statements_in(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a function that may name something for the functions in it: its own, and in branches and
    loops of it imports, compiled patterns and functions."""
    stack = [(s, True) for s in reversed(body)]
    while stack:
        node, own = stack.pop()
        if own or _names_a_tool(node):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = [child for name in BODIES for child in getattr(node, name, ())]
            stack += [(child, False) for child in reversed(inner)]


def _names_a_tool(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        call = node.value
        return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef))


def occurrences(text: str, needle: str) -> Iterator[int]:
    """The offsets of a piece of text, which is quicker to look for than a pattern."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def line_end(text: str, at: int) -> int:
    """Where the line ends that an offset stands on."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def any_between(offsets: list[int], start: int, end: int) -> bool:
    """Whether one of these offsets, which stand in order, lies in a range."""
    at = bisect.bisect_left(offsets, start)
    return at < len(offsets) and offsets[at] < end
