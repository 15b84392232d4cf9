"""Front matter that YAML refuses and routers accept: read line by line, and say so.

What a line-scraping loader sees: every ``key: value`` at the margin, with indented lines and block scalars below it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scriptlint.corpus.items import Oddity
from scriptlint.corpus.readers.frontmatter import _INDICATOR, Header, Scalar
from scriptlint.finding import Level

if TYPE_CHECKING:
    from scriptlint.corpus.places import Style

_KEY_LINE = re.compile(r"([A-Za-z_\u0080-\uffff][\w-]*)[ \t]*:(?=[ \t\r\n]|\Z)[ \t]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")

_REASONS = (
    ("mapping values are not allowed", "unquoted-colon", "an unquoted value holds `: `"),
    ("alphabetic or numeric", "unquoted-star", "an unquoted value starts with `*` or `&`"),
    ("comment or line break", "text-after-indicator", "text follows a `|` or `>` on its line"),
    ("cannot start any token", "bad-start", "an unquoted value starts with a character that YAML keeps for itself"),
    ("not allowed", "control-character", "control characters"),
)


def read_lines(text: str, body: str, begin: int, path: str, error: Exception, out: Header) -> None:
    """Fill ``out`` from front matter that made YAML fail with ``error``; tells what was assumed."""
    from scriptlint.corpus.places import Lines

    lines = Lines(text, path)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).splitlines()[0]
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    position = getattr(error, "position", None)
    offset = begin
    if mark is not None:
        offset += mark.index
    elif isinstance(position, int) and position >= 0:
        offset += position
    line, column = lines.at(min(offset, len(text)))
    found = list(_entries(body))
    out.keys = tuple(dict.fromkeys(key for key, *_ in found))
    for key, start, end, style, value in found:
        scalar = Scalar(value, begin + start, begin + end, style)
        if key == "name" and out.name is None and value:
            out.name = scalar
        elif key == "description" and value and (out.description is None or not out.description.value):
            out.description = scalar
    if len({key for key, *_ in found}) != len(found):
        twice = next(k for i, (k, *_) in enumerate(found) if k in {key for key, *_ in found[:i]})
        out.oddities.append(Oddity("duplicate-key", f"key `{twice}` stands twice; the first was taken", path, line, 1))
    kind, reason = next(((k, r) for needle, k, r in _REASONS if needle in problem), ("yaml-error", problem))
    if out.name is None and out.description is None:
        out.error = f"front matter is not valid YAML ({problem}) and has no line `name:` or `description:`"
        return
    read = [k for k, v in (("name", out.name), ("description", out.description)) if v is not None]
    why = f"front matter is not valid YAML ({reason}); {' and '.join(read)} read line by line, as many loaders do"
    shown = out.description
    lost = shown is not None and not any(char.isalnum() for char in shown.value)
    level = Level.WARNING if lost else Level.NOTE
    width = max(column + 1, len(lines.line_text(line)) + 1)
    out.oddities.append(Oddity(kind, why, path, line, column, line, width, level))


def _entries(body: str) -> list[tuple[str, int, int, Style, str]]:
    """``(key, start, end, style, value)`` for every key at the margin; offsets of the raw value in ``body``."""
    rows: list[tuple[int, str]] = []
    at = 0
    for line in re.findall(r"[^\r\n]*(?:\r\n|\n|\r)?", body):
        if line:
            rows.append((at, line))
            at += len(line)
    out: list[tuple[str, int, int, Style, str]] = []
    number = 0
    while number < len(rows):
        at, line = rows[number]
        number += 1
        match = _KEY_LINE.match(line)
        if match is None:
            continue
        first = line[match.end() :].rstrip()
        indicator = _INDICATOR.match(first)
        block = indicator is not None and (indicator.end() == len(first) or first[indicator.end()] in " \t#")
        more: list[tuple[int, str]] = []
        while number < len(rows) and _continues(rows[number][1], block and indicator is not None, more):
            more.append(rows[number])
            number += 1
        while more and not more[-1][1].strip():
            more.pop()
        out.append(_value(match[1], at + match.end(), first, block, more))
    return out


def _continues(line: str, block: bool, before: list[tuple[int, str]]) -> bool:
    """Whether a line belongs to the value above it. After a bare ``|`` or ``>`` unindented text does, too."""
    if not line.strip() or line[0] in " \t":
        return True
    if line.startswith(("---", "#", "- ")):
        return False
    return block and _KEY_LINE.match(line) is None


def _value(
    key: str, start: int, first: str, block: bool, more: list[tuple[int, str]]
) -> tuple[str, int, int, Style, str]:
    end = more[-1][0] + len(more[-1][1].rstrip()) if more else start + len(first)
    rest = [line.strip() for _, line in more]
    if block:
        indicator = _INDICATOR.match(first)
        assert indicator is not None
        head = first[indicator.end() :].strip()
        if head.startswith("#"):
            head = ""
        glue = "\n" if first[0] == "|" else " "
        parts = [*([head] if head else []), *rest]
        if head:
            start += first.index(head, indicator.end())
        elif more:
            start = more[0][0] + len(more[0][1]) - len(more[0][1].lstrip())
        else:
            return key, start, start + len(first), "raw", ""
        return key, start, end, "raw", _clean(glue.join(parts).strip())
    quote = first[:1]
    value = " ".join(p for p in (first, *rest) if p)
    if quote in ('"', "'") and len(value) > 1 and value.endswith(quote):
        start, end, value = start + 1, end - 1, value[1:-1]
    return key, start, end, "raw", _clean(value)


def _clean(value: str) -> str:
    return _CONTROL.sub("", value)
