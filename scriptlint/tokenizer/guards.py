"""Tests that say nothing about a word: how many pieces there are, how often one occurs, which record is meant."""

from __future__ import annotations

import ast
from typing import Any

from scriptlint.tokenizer.values import Hole, on_node


class Tally(int):
    """How many pieces there are, or how often one of them occurs: what a text of one word says nothing about."""


MANY = 12
"""A bound on a number of pieces that a text of some length passes; a cap lies higher."""


def tally(value: Any) -> int:
    """The length of a value; a list of single characters is as long as the word that they spell."""
    size = len(value)
    if isinstance(value, (str, bytes)) or (size > 1 and all(isinstance(v, str) and len(v) == 1 for v in value)):
        return size
    return Tally(size)


def at_least(left: Any, right: Any, least: int) -> tuple[Any, Any, int]:
    """The sides of a comparison with a number of pieces of which there are ``least`` or more, and the bound that this
    number does not exceed (0: it does)."""
    count, bound = (left, right) if type(left) is Tally else (right, left)
    if type(bound) is not int or not 0 < count <= bound <= MANY:
        return left, right, 0
    held = max(int(count), least)
    met = bound if held <= bound else 0
    return (held, bound, met) if count is left else (bound, held, met)


@on_node
def counts_up(node: ast.AST) -> bool:
    """Whether an assignment counts how often something occurs: ``seen[word] = seen.get(word, 0) + 1``."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Subscript)
        and isinstance(node.value, ast.BinOp)
        and isinstance(node.value.op, ast.Add)
        and isinstance(node.value.right, ast.Constant)
    )


def keeps_record(node: ast.If, env: dict[str, object]) -> bool:
    """Whether a branch does nothing but keep a record that nobody knows: ``if m.role == "user": chosen.append(m)``."""
    kept = _appended(node)
    record = env.get(kept) if kept is not None else None
    return isinstance(record, Hole) and record.text is None


@on_node
def _appended(node: ast.AST) -> str | None:
    """The name that a branch appends to a list, when it does nothing else."""
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1 or not isinstance(node.body[0], ast.Expr):
        return None
    call = node.body[0].value
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "add")
    ):
        return None
    return call.args[0].id if len(call.args) == 1 and isinstance(call.args[0], ast.Name) else None
