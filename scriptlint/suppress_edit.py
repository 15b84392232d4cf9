"""Adding suppression comments to files (``--add-ignores``), checked before anything is written."""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from typing import TYPE_CHECKING

from scriptlint.files import write_bytes
from scriptlint.suppress import comments_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.finding import Finding
    from scriptlint.lines import Lines

_KEEP_BREAKS = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WIDEST = 120


def add_ignores(findings: Iterable[Finding], reason: str, lines: Lines) -> tuple[int, list[str]]:
    """Add a comment with ``reason`` for each finding; returns how many findings are now suppressed, and a line for
    each that is not. Every other byte of a file stays, and its syntax tree is the same afterwards."""
    reason = " ".join(reason.split())
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.location.path].append(finding)
    done, left = 0, []
    for path, found in sorted(by_path.items()):
        if path.endswith((".json", ".jsonl", ".ipynb")):
            left.append(f"{path}: {len(found)} not suppressed: no comments in this format; use a baseline")
            continue
        why = _edit(path, found, reason, lines.data(path))
        if why:
            left.append(f"{path}: {len(found)} not suppressed: {why}")
        else:
            done += len(found)
    return done, left


def _edit(path: str, findings: list[Finding], reason: str, data: bytes) -> str:
    """Rewrite one file; an empty string, or why that can't be done."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "the file is not UTF-8"
    markdown = path.endswith((".md", ".markdown", ".mdc"))
    python = not markdown and not path.endswith((".yaml", ".yml", ".toml"))
    at: dict[int, set[str]] = defaultdict(set)
    for finding in findings:
        first = min((finding.statement or (finding.location.line, 0))[0], finding.location.line)
        at[first].add(finding.code)
    pieces = _KEEP_BREAKS.findall(text)
    for line in sorted(at, reverse=True):
        _insert(pieces, line, at[line], reason, trailing=python and _single(line, findings))
    changed = "".join(pieces)
    if python and not _same_tree(text, changed):
        return "a comment there would change the program"
    new = changed.encode("utf-8")
    hidden = {code.upper() for c in comments_in(path, new) for code in c.codes}
    if not {f.code for f in findings} <= hidden:
        return "a comment there would be text"
    write_bytes(path, new)
    return ""


def _single(line: int, findings: list[Finding]) -> bool:
    """Whether all statements that begin on a line end on it, so that a comment fits at its end."""
    spans = [f.statement or (f.location.line, f.location.end_line) for f in findings]
    return all(last == line for first, last in spans if first == line)


def _insert(pieces: list[str], line: int, codes: set[str], reason: str, *, trailing: bool) -> None:
    here = pieces[line - 1] if line <= len(pieces) else ""
    body = here.rstrip("\r\n")
    end = here[len(body) :]
    present = re.search(r"(#\s*scriptlint:\s*ignore\s*\[)([^\]]*)(\])", body)
    if present:
        merged = sorted({*(c.strip() for c in present[2].split(",") if c.strip()), *codes})
        pieces[line - 1] = f"{body[: present.start(2)]}{', '.join(merged)}{body[present.end(2) :]}{end}"
        return
    comment = f"# scriptlint: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
    if trailing and "#" not in body and len(body) + len(comment) + 2 <= _WIDEST:
        pieces[line - 1] = f"{body}  {comment}{end}"
        return
    indent = body[: len(body) - len(body.lstrip())]
    pieces.insert(line - 1, f"{indent}{comment}{end or _break(pieces)}")


def _break(pieces: list[str]) -> str:
    """The line break that the file uses."""
    return next((p[len(p.rstrip("\r\n")) :] for p in pieces if p.endswith(("\r", "\n"))), "\n")


def _same_tree(before: str, after: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(before.removeprefix("\ufeff"))) == ast.dump(
                ast.parse(after.removeprefix("\ufeff"))
            )
    except (SyntaxError, ValueError, RecursionError):
        return False
