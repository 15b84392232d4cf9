"""Length filters that then measure ASCII words alone, whatever the number is called that they are held against."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from scriptlint.fix.literals import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.fix.literals import Text
    from scriptlint.tokenizer.model import Tokenizer

__all__ = ["length_edits"]

Edits: TypeAlias = tuple[Edit, ...]
Parents: TypeAlias = dict[ast.AST, ast.AST]
_TEXT = frozenset(("group", "lower", "upper", "casefold", "strip", "lstrip", "rstrip"))
"""Methods of a match or a text that give a text."""


def length_edits(tokenizer: Tokenizer, text: Text) -> Iterator[Edits]:
    """Edits of all length filters of the tokenizer together, then of each.

    The number stays as it is: a constant may belong to others, too. What changes is who is held against it.
    """
    try:
        tree = text.tree
    except (SyntaxError, ValueError):
        return
    found = list(dict.fromkeys(_filters(tree, tokenizer, text)))
    if not found:
        return
    yield tuple(edit for edits in found for edit in edits)
    if len(found) > 1:
        yield from found


def _filters(tree: ast.Module, tokenizer: Tokenizer, text: Text) -> Iterator[Edits]:
    for owner in _owners(tree, tokenizer):
        parents: Parents = {child: node for node in ast.walk(owner) for child in ast.iter_child_nodes(node)}
        pieces = _pieces(owner)
        for node in ast.walk(owner):
            if isinstance(node, ast.Compare):
                name, longer = _measured(node)
                # A test for a greatest length stays: with ``isascii`` it would drop what it lets through now.
                if name in pieces and _keeps(node, parents) is longer:
                    yield _relaxed(node, name, longer, parents.get(node), text)


def _owners(tree: ast.Module, tokenizer: Tokenizer) -> list[ast.AST]:
    """The functions of the tokenizer's name; else the statements that it stands in, never the whole file."""
    from scriptlint.source.blocks import functions_of

    named: list[ast.AST] = [node for node, qualname, _ in functions_of(tree.body) if qualname == tokenizer.name]
    if named or tokenizer.statement is None:
        return named
    first, last = tokenizer.statement
    return [n for n in tree.body if n.lineno <= first and last <= (n.end_lineno or n.lineno)]


def _pieces(owner: ast.AST) -> set[str]:
    """Names of single pieces: what loops and comprehensions run over, and what the test of a ``filter`` is given.

    The length of a whole text or of a list of tokens is another matter, and a list has no ``isascii``.
    """
    names: set[str] = set()
    for node in ast.walk(owner):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            names |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "filter" and node.args:
            test = node.args[0]
            names |= {a.arg for a in test.args.args} if isinstance(test, ast.Lambda) else set()
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign) and _of_piece(node.value, names):
            names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.NamedExpr) and _of_piece(node.value, names):
            names.add(node.target.id)
    return names


def _of_piece(node: ast.expr, names: set[str]) -> bool:
    """Whether a value is text made of one piece: ``m.group()``, ``t.lower()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT:
        node = node.func.value
        if isinstance(node, ast.Name):
            return node.id in names
    return False


def _measured(node: ast.Compare) -> tuple[str, bool]:
    """The name whose length is measured (empty: none), and whether long ones pass the test."""
    if len(node.ops) != 1:
        return "", False
    left, op, right = node.left, node.ops[0], node.comparators[0]
    if not isinstance(op, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
        return "", False
    if _length_of(left):
        return _length_of(left), isinstance(op, (ast.Gt, ast.GtE))
    return _length_of(right), isinstance(op, (ast.Lt, ast.LtE))


def _length_of(node: ast.expr) -> str:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
    ):
        return node.args[0].id
    return ""


def _keeps(node: ast.AST, parents: Parents) -> bool | None:
    """Whether a piece that passes a comparison is kept (else it goes); ``None``: the comparison decides nothing."""
    child, parent = node, parents.get(node)
    keeps = True
    while isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
        keeps = keeps is isinstance(parent, ast.BoolOp)
        child, parent = parent, parents.get(parent)
    if isinstance(parent, ast.comprehension):
        return keeps if child in parent.ifs else None
    if isinstance(parent, ast.Lambda):
        return keeps
    if isinstance(parent, ast.If) and parent.test is child:
        return keeps is not all(_drops(s) for s in parent.body)
    if isinstance(parent, ast.IfExp) and parent.test is child:
        return keeps is not isinstance(parent.body, ast.Constant)
    return None


def _drops(node: ast.stmt) -> bool:
    """Whether a statement lets a piece go: it goes on, or gives nothing back."""
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant)
    return isinstance(node, (ast.Continue, ast.Break, ast.Pass))


def _relaxed(node: ast.Compare, name: str, longer: bool, parent: ast.AST | None, text: Text) -> Edits:
    start = text.of_node(node.lineno, node.col_offset)
    end = text.of_node(node.end_lineno or node.lineno, node.end_col_offset or 0)
    more = f" or not {name}.isascii()" if longer else f" and {name}.isascii()"
    # ``and`` binds tighter than ``or``: brackets where the comparison stands in the other one, or under ``not``.
    inside = isinstance(parent, ast.UnaryOp) or (
        isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And) is longer
    )
    if inside:
        return Edit(start, start, "("), Edit(end, end, f"{more})")
    return (Edit(end, end, more),)
