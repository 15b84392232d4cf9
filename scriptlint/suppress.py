"""Suppression comments: finding them, and applying them to findings.

``# scriptlint: ignore[SCR001, SCR003] reason`` works on every line of the finding's statement, and on its own line
directly above it. ``# scriptlint: ignore-file[SCR001] reason`` works on the whole file. In Markdown the front matter
takes YAML comments, and ``<!-- scriptlint: ignore[SCR101] reason -->`` in the body works on the whole file.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scriptlint.finding import Finding

MARK = b"scriptlint:"
"""A file without these bytes has no suppression comment."""

_COMMENT = re.compile(
    r"scriptlint:\s*(?P<verb>ignore-file|ignore)\b(?:\s*\[(?P<codes>[^\]\r\n]*)\])?[ \t:]*(?P<reason>[^\r\n]*)"
)
_LINES = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Comment:
    """One suppression comment. ``column`` is where ``scriptlint:`` begins, 1-based, in code points.

    ``codes`` are the words in the brackets as written (codes or names); empty when there are no brackets.
    ``own_line`` is true when nothing but the comment stands on the line.
    """

    path: str
    line: int
    column: int
    end_column: int
    codes: tuple[str, ...]
    reason: str
    whole_file: bool
    own_line: bool


@dataclass(frozen=True, slots=True)
class SuppressionFacts:
    """What the suppression comments of one file did: the facts of the rules that read ``"suppressions"``.

    ``unused`` pairs a comment with each word of it that hid nothing although its rule ran (known rules only).
    ``unknown`` pairs a comment with each word that names no rule, and the nearest rule if there is one.
    ``unscoped`` are comments without brackets; ``unexplained`` those without a reason.
    """

    path: str
    unused: tuple[tuple[Comment, str], ...] = ()
    unknown: tuple[tuple[Comment, str, str | None], ...] = ()
    unscoped: tuple[Comment, ...] = ()
    unexplained: tuple[Comment, ...] = ()


def comments_in(path: str, data: bytes) -> tuple[Comment, ...]:
    """The suppression comments of a file, by its kind; none when the text can't be read."""
    if MARK not in data:
        return ()
    text = data.decode("utf-8-sig", "replace")
    if path.endswith((".md", ".markdown", ".mdc")):
        return tuple(_in_markdown(path, text))
    if path.endswith((".yaml", ".yml", ".toml")):
        return tuple(_in_yaml(path, _LINES.split(text), 0))
    if path.endswith((".json", ".jsonl", ".ipynb", ".parquet", ".arrow")):
        return ()
    return python_comments(path, text)


def python_comments(path: str, text: str) -> tuple[Comment, ...]:
    """The suppression comments of Python source; none when it can't be tokenized."""
    import tokenize

    found: list[Comment] = []
    # One kind of line end for tokenize, which does not take a lone CR for one; no line moves by this.
    plain = _LINES.sub("\n", text)
    try:
        for token in tokenize.generate_tokens(io.StringIO(plain).readline):
            if token.type == tokenize.COMMENT and "scriptlint:" in token.string:
                line, column = token.start
                own = not token.line[:column].strip()
                found.extend(_parse(path, token.string, line, column, own_line=own))
    except (tokenize.TokenError, SyntaxError):
        pass
    return tuple(found)


def _in_markdown(path: str, text: str) -> Iterator[Comment]:
    lines = _LINES.split(text)
    end = 0
    if lines and lines[0].strip() == "---":
        end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), 0)
        yield from _in_yaml(path, lines[1:end], 1)
    for n, line in enumerate(lines[end:], end + 1):
        for hit in re.finditer(r"<!--\s*(scriptlint:.*?)\s*-->", line):
            for comment in _parse(path, hit[1], n, hit.start(1), own_line=True):
                yield replace(comment, whole_file=True)


def _in_yaml(path: str, lines: Sequence[str], skipped: int) -> Iterator[Comment]:
    inside = _scalar_lines(lines)
    for n, line in enumerate(lines):
        hit = re.search(r"(?:^|(?<=[ \t]))#[ \t]*scriptlint:", line)
        if hit and n not in inside:
            own = not line[: hit.start()].strip()
            yield from _parse(path, line[hit.start() :], n + 1 + skipped, hit.start(), own_line=own)


def _scalar_lines(lines: Sequence[str]) -> frozenset[int]:
    """Lines (0-based) that belong to a block scalar, where ``#`` is text: deeper than the key that ends in | or >."""
    inside: set[int] = set()
    indent: int | None = None
    for n, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        if indent is not None:
            if not line.strip() or depth > indent:
                inside.add(n)
                continue
            indent = None
        if re.search(r":[ \t]*[|>][-+0-9]*[ \t]*(?:#.*)?$", line):
            indent = depth
    return frozenset(inside)


def _parse(path: str, text: str, line: int, column: int, *, own_line: bool) -> Iterator[Comment]:
    """Comments in ``text``, which begins at ``column`` (0-based) of ``line``."""
    for hit in _COMMENT.finditer(text):
        codes = tuple(c.strip() for c in (hit["codes"] or "").split(",") if c.strip())
        reason = hit["reason"].strip()
        start = column + hit.start()
        yield Comment(
            path,
            line,
            start + 1,
            start + 1 + len(hit[0].rstrip()),
            codes,
            reason,
            hit["verb"] == "ignore-file",
            own_line,
        )


def apply(
    findings: Iterable[Finding], comments: Sequence[Comment], *, require_reason: bool = False
) -> tuple[list[Finding], set[tuple[Comment, str]]]:
    """Findings of one file with ``suppressed`` set where a comment says so, and the (comment, word) pairs that did it.

    With ``require_reason`` a comment without a reason hides nothing.
    """
    used: set[tuple[Comment, str]] = set()
    out: list[Finding] = []
    own_lines = {c.line for c in comments if c.own_line}
    for finding in findings:
        first, last = finding.statement or (finding.location.line, finding.location.end_line)
        first, last = min(first, finding.location.line), max(last, finding.location.end_line)
        above = first - 1
        while above in own_lines:
            above -= 1
        hidden: str | None = None
        for comment in comments:
            if require_reason and not comment.reason:
                continue
            near = first <= comment.line <= last or (comment.own_line and above < comment.line < first)
            if not (comment.whole_file or near):
                continue
            for word in comment.codes:
                if word.upper() == finding.code or word.lower() == finding.name:
                    used.add((comment, word))
                    hidden = f"inline: {comment.reason}" if comment.reason else "inline"
        out.append(replace(finding, suppressed=hidden) if hidden else finding)
    return out, used
