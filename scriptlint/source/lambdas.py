"""Lambdas that are functions in all but name: assigned to one, handed to an argument, kept in a table."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from scriptlint.source.routing import names_any_language
from scriptlint.tokenizer.trees import BODIES, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

_SORTING = frozenset({"key", "cmp", "default", "default_factory", "key_func", "sort_key", "reverse"})
"""Arguments whose function orders things or makes them up."""


def name_lambdas(body: list[ast.stmt]) -> None:
    """Make functions of the lambdas that statements outside functions give a name (``tokenize = lambda text: ...``)."""
    for at, node in enumerate(body):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            body[at] = _named(node, node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            body[at] = _named(node, node.target, node.value)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for name in BODIES:
                name_lambdas(getattr(node, name, []))


def _named(node: ast.stmt, target: ast.expr, value: ast.expr) -> ast.stmt:
    """The function that a lambda assigned to a name is, also as a static method; else the statement itself."""
    decorators: list[ast.expr] = []
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "staticmethod":
        decorators, value = [value.func], value.args[0] if len(value.args) == 1 else value
    if not (isinstance(target, ast.Name) and isinstance(value, ast.Lambda)):
        return node
    return _as_function(target.id, value, node, decorators)


def _as_function(name: str, made: ast.Lambda, place: ast.AST, decorators: list[ast.expr]) -> ast.FunctionDef:
    """A lambda as a function of that name, which stands where ``place`` does."""
    function = ast.parse("def f(): 0").body[0]  # with every field that this Python knows
    assert isinstance(function, ast.FunctionDef)
    function.name, function.args, function.decorator_list = name, made.args, decorators
    function.body = [ast.copy_location(ast.Return(made.body), made.body)]
    return ast.copy_location(function, place)


def handed_on(node: ast.AST) -> Iterator[tuple[ast.Lambda, ast.FunctionDef]]:
    """The lambdas of a statement that go to a named argument, a parameter's default, an attribute or a key of a table,
    as functions of that name."""
    for n in walk(node):
        named: list[tuple[object, ast.expr | None]] = []
        if isinstance(n, ast.Call):
            made = isinstance(n.func, ast.Attribute) and n.func.attr == "assign"
            named = [(k.arg, k.value) for k in n.keywords if made or k.arg not in _SORTING]
        elif isinstance(n, ast.arguments):
            plain = [*n.posonlyargs, *n.args]
            with_default = [*plain[len(plain) - len(n.defaults) :], *n.kwonlyargs]
            named = [(a.arg, d) for a, d in zip(with_default, [*n.defaults, *n.kw_defaults], strict=True)]
        elif isinstance(n, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in n.keys]
            # A table by language: its functions are given texts of that language alone.
            by_language = sum(isinstance(k, str) and names_any_language(k) for k in keys) > 1
            named = [] if by_language else list(zip(keys, n.values, strict=True))
        elif isinstance(n, ast.Assign):
            named = [(_called(t), _given(n.value)) for t in n.targets]
        for name, value in named:
            if isinstance(name, str) and name.isidentifier() and isinstance(value, ast.Lambda):
                yield value, _as_function(name, value, value, [])


def _called(target: ast.expr) -> object:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.slice.value if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) else None


def _given(value: ast.expr) -> ast.expr:
    """What is taken when nothing else is given: ``tokenize or (lambda text: ...)``."""
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
        return value.values[-1]
    return value.orelse if isinstance(value, ast.IfExp) and isinstance(value.orelse, ast.Lambda) else value
