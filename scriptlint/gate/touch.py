"""What a changed module constant touches: nothing, the search, the index, or the whole module."""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DYNAMIC = frozenset({"globals", "locals", "vars", "getattr", "eval", "exec", "__import__", "import_module"})


class Touch(IntEnum):
    """How much must be done again, least first."""

    NOTHING = 0
    SEARCH = 1
    BUILD = 2
    LOAD = 3


def touch(source: str, constant: str, build: str, search: Sequence[str]) -> Touch:
    """What the constant touches, judged by the names that functions mention; too much rather than too little.

    ``build`` and ``search`` are the names of entry points, as in the settings.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return Touch.LOAD
    name = constant.partition(".")[0]
    if any(isinstance(n, ast.Name) and n.id in _DYNAMIC for n in ast.walk(tree)) or any(
        isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names) for n in ast.walk(tree)
    ):
        return Touch.LOAD
    parts = _Parts(tree)
    if name not in parts.bodies and name not in parts.values:
        return Touch.LOAD
    if constant == name and parts.used_at_import(name):
        return Touch.LOAD
    # A method on the index (".search") may be any method of any class.
    entries = [build, *search]
    classes = {n for n, node in parts.bodies.items() if isinstance(node, ast.ClassDef)}
    if any(e.startswith(".") for e in entries) or build in classes:
        reached = parts.reached([e.lstrip(".") for e in entries] + sorted(classes))
        return Touch.BUILD if name in reached else Touch.NOTHING
    if name in parts.reached([build]):
        return Touch.BUILD
    return Touch.SEARCH if name in parts.reached(list(search)) else Touch.NOTHING


def same_code(first: str, second: str, names: Sequence[str], constants: Sequence[str]) -> bool:
    """Whether one of the named functions is in both sources with the same code, down to all that it mentions, and none
    of the ``constants`` (those that are set) is among that."""
    try:
        trees = ast.parse(first), ast.parse(second)
    except (SyntaxError, ValueError, RecursionError):
        return False
    one, other = map(_Parts, trees)
    name = next((n for n in names if n in one.bodies), None)
    if name is None or name not in other.bodies:
        return False
    reached = one.reached([name])
    if reached & _DYNAMIC or reached & {c.partition(".")[0] for c in constants}:
        return False
    imports = [sorted(ast.dump(n) for n in t.body if isinstance(n, (ast.Import, ast.ImportFrom))) for t in trees]
    return imports[0] == imports[1] and one.text(reached) == other.text(other.reached([name]))


class _Parts:
    """Top-level functions and classes of a module, values of its constants, and statements that run at import."""

    def __init__(self, tree: ast.Module) -> None:
        self.bodies: dict[str, ast.AST] = {}
        self.values: dict[str, list[ast.AST]] = {}
        self.others: list[ast.AST] = []
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bodies[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [t.id for t in targets if isinstance(t, ast.Name)]
                for name in names:
                    self.values.setdefault(name, []).extend([node.value] if node.value is not None else [])
                if len(names) < len(targets):
                    self.others.append(node)
            elif not isinstance(node, (ast.Import, ast.ImportFrom)):
                self.others.append(node)

    def used_at_import(self, name: str) -> bool:
        """Whether something that runs at import, other than its own assignment, mentions the name."""
        parts: list[ast.AST] = [v for other, values in self.values.items() if other != name for v in values]
        parts += [n for n in self.others if not _is_main_guard(n)]
        for node in self.bodies.values():
            parts += _import_time(node)
        reached = {n for part in parts for n in _names(part)}
        # A function that is called at import runs then, too.
        todo = [n for n in reached if n in self.bodies]
        return name in reached or name in self.reached(todo)

    def text(self, names: set[str]) -> dict[str, list[str]]:
        """Every one of the names with its code."""
        return {
            n: [ast.dump(node) for node in ([self.bodies[n]] if n in self.bodies else self.values.get(n, []))]
            for n in names
        }

    def reached(self, entries: Sequence[str]) -> set[str]:
        """Every module-level name that these functions mention, directly or through others."""
        out: set[str] = set()
        stack = [e.partition(".")[0] for e in entries]
        while stack:
            one = stack.pop()
            if one in out:
                continue
            out.add(one)
            nodes = [self.bodies[one]] if one in self.bodies else self.values.get(one, [])
            for node in nodes:
                stack.extend(_names(node))
        return out


def _names(node: ast.AST) -> Iterator[str]:
    return (n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def _import_time(node: ast.AST) -> list[ast.AST]:
    """Decorators, defaults and class bodies."""
    out: list[ast.AST] = list(getattr(node, "decorator_list", ()))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return out + list(node.args.defaults) + [d for d in node.args.kw_defaults if d is not None]
    if isinstance(node, ast.ClassDef):
        out += node.bases
        for inner in node.body:
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                out += _import_time(inner)
            else:
                out.append(inner)
    return out


def _is_main_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and any(n == "__name__" for n in _names(node.test))
