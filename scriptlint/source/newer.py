"""Files written for a newer Python than the one that runs scriptlint: what this one can parse is still read."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

from scriptlint.finding import Problem

if TYPE_CHECKING:
    from scriptlint.source.blocks import Block
    from scriptlint.source.module import SourceModule


def pass_over_newer(module: SourceModule, error: SyntaxError) -> Problem | None:
    """Leave out the statements that this Python can't parse, and say so; ``None`` when no Python can parse the file.

    LibCST has a grammar of its own, which knows the syntax of Pythons to come. It sets itself no limit, and ends the
    process where its stack does.
    """
    if _nested(module.text) > _BRACKETS:
        return None
    import libcst

    try:
        libcst.parse_module(module.text)
    except (libcst.ParserSyntaxError, RecursionError, ValueError):
        return None
    for block in module.blocks:
        try:
            block.parse()
        except SyntaxError:
            block.body = _readable(block)
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    said = f"read in part: passed over what is newer than Python {running}, which runs scriptlint ({error.msg})"
    return Problem(module.path, said, error.lineno)


_BRACKETS = 200
"""Brackets in brackets that Python's tokenizer bears, in every version."""


def _nested(text: str) -> int:
    """How many brackets stand in one another at most, or more: those in strings that no line ends count, too."""
    depth = most = 0
    for m in re.finditer(r"#[^\n]*|\"[^\"\\\n]*\"|'[^'\\\n]*'|[(\[{]|[)\]}]", text):
        if m[0] in ("(", "[", "{"):
            depth += 1
            most = max(most, depth)
        elif m[0] in (")", "]", "}"):
            depth = max(depth - 1, 0)
    return most


def _readable(block: Block) -> list[ast.stmt]:
    """The statements of a block, or the members of a class, that can be parsed."""
    if block.kind == "def":
        return []
    head, inside = ("", block.text) if block.kind == "plain" else _head_of(block.text)
    indent = inside[: len(inside) - len(inside.lstrip(" \t"))]
    parts: list[str] = []
    for part in re.split(rf"(?m)^(?={indent}[^\s#)\]}}])", inside):
        if parts and parts[-1].rstrip().rpartition("\n")[2].lstrip().startswith("@"):
            parts[-1] += part  # what it decorates
        else:
            parts.append(part)
    kept = [part if _is_readable(part, indent) else re.sub(r"[^\n]", "", part) for part in parts]
    try:
        return ast.parse("\n" * (block.first - 1) + head + "".join(kept)).body
    except SyntaxError:
        return []


def _head_of(text: str) -> tuple[str, str]:
    """The line that opens a class, with its decorators, and what stands in it."""
    m = re.search(r"^class\b[^\n]*\n(?:[ \t]*\n)*", text, re.MULTILINE)
    return (text[: m.end()], text[m.end() :]) if m is not None else (text, "")


def _is_readable(part: str, indent: str) -> bool:
    try:
        ast.parse(f"if 1:\n{part}" if indent and part.strip() else part)
    except SyntaxError:
        return False
    return True
