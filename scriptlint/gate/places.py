"""Where two conditions differ: the smallest piece of code, docstrings and comments aside."""

from __future__ import annotations

import ast
import difflib
import re
from typing import TYPE_CHECKING

from scriptlint.finding import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.gate.run import Condition

Pair = tuple[ast.AST | None, ast.AST | None]
_BREAK = re.compile(r"\r\n|\r|\n")


def differences(first: Condition, second: Condition) -> list[tuple[Location | None, Location | None]]:
    """Places in the first and the second source, in pairs; constants that are set are placed where they are assigned.

    Empty when nothing differs that runs, or when a source can't be parsed.
    """
    try:
        a, b = ast.parse(first.source), ast.parse(second.source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    out: list[tuple[Location | None, Location | None]] = []
    for name in dict.fromkeys((*first.constants, *second.constants)):
        if first.constants.get(name, ...) == second.constants.get(name, ...):
            continue
        here, there = _assigned(a, name, first), _assigned(b, name, second)
        if here or there:
            out.append((here, there))
    if first.source != second.source:
        lines = _BREAK.split(first.source), _BREAK.split(second.source)
        for left, right in _bodies(_code(a.body), _code(b.body)):
            here = _place(left, first, lines[0]) if left is not None else None
            there = _place(right, second, lines[1]) if right is not None else None
            out.append((here, there))
    return out


def _assigned(tree: ast.Module, dotted: str, condition: Condition) -> Location | None:
    from scriptlint.gate.router import assignments

    name = dotted.partition(".")[0]
    value = condition.constants.get(dotted, ...)
    for node in assignments(tree):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id == name:
            said = (
                f"{dotted} as it is in {condition.name}"
                if value is ...
                else f"{dotted} = {value!r} in {condition.name}"
            )
            return _location(node, condition, _BREAK.split(condition.source), said)
    return None


def _code(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements without bare strings: docstrings change nothing."""
    return [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]


def _key(node: ast.AST) -> str:
    """Text that two nodes share exactly when they do the same, docstrings aside."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        head = ast.dump(ast.Module([], [])) + type(node).__name__ + node.name
        parts = [*(_key(s) for s in _code(node.body)), *map(ast.dump, node.decorator_list)]
        parts += [ast.dump(node.args)] if not isinstance(node, ast.ClassDef) else list(map(ast.dump, node.bases))
        return head + "\0".join(parts)
    return ast.dump(node)


def _bodies(a: Sequence[ast.stmt], b: Sequence[ast.stmt]) -> Iterator[Pair]:
    keys_a, keys_b = [_key(s) for s in a], [_key(s) for s in b]
    left: list[ast.stmt] = []
    right: list[ast.stmt] = []
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes():
        if tag != "equal":
            left += a[a0:a1]
            right += b[b0:b1]
    # Definitions of one name belong together, wherever they moved; then statements of one kind.
    for same in (_same_name, _same_kind):
        for one in list(left):
            twin = next((s for s in right if same(one, s)), None)
            if twin is not None:
                left.remove(one)
                right.remove(twin)
                yield from _deeper(one, twin)
    yield from ((here, None) for here in left)
    yield from ((None, there) for there in right)


def _same_name(a: ast.stmt, b: ast.stmt) -> bool:
    return bool(_name(a)) and _name(a) == _name(b)


def _same_kind(a: ast.stmt, b: ast.stmt) -> bool:
    return type(a) is type(b) and not (_name(a) or _name(b))


def _name(node: ast.AST) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def _deeper(a: ast.AST, b: ast.AST) -> Iterator[Pair]:
    """The pieces of two nodes that differ, as small as they stay of one kind."""
    if _key(a) == _key(b):
        return
    if type(a) is not type(b) or isinstance(a, ast.Constant):
        yield a, b
        return
    if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        assert isinstance(b, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        inner = list(_bodies(_code(a.body), _code(b.body)))
        yield from inner or [(a, b)]
        return
    found: list[Pair] = []
    for (_, left), (_, right) in zip(ast.iter_fields(a), ast.iter_fields(b), strict=True):
        if isinstance(left, ast.AST) and isinstance(right, ast.AST):
            found.extend(_deeper(left, right))
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                if all(isinstance(s, ast.stmt) for s in (*left, *right)):
                    found.extend(_bodies(left, right))
                    continue
                found = [(a, b)]
                break
            for x, y in zip(left, right, strict=True):
                if isinstance(x, ast.AST) and isinstance(y, ast.AST):
                    found.extend(_deeper(x, y))
                elif x != y:
                    found = [(a, b)]
                    break
        elif left != right:
            found = [(a, b)]
            break
    if len(found) > 1 and not isinstance(a, ast.stmt) and all(hasattr(n, "lineno") for n in (a, b)):
        yield a, b  # several pieces of one expression read better as one place
    else:
        yield from found or [(a, b)]


def _place(node: ast.AST, condition: Condition, lines: Sequence[str]) -> Location | None:
    if not hasattr(node, "lineno"):
        return None
    return _location(node, condition, lines, f"in {condition.name}")


def _location(node: ast.AST, condition: Condition, lines: Sequence[str], message: str) -> Location:
    line, end_line = int(node.lineno), int(node.end_lineno or node.lineno)  # type: ignore[attr-defined]
    start = _column(lines, line, int(node.col_offset))  # type: ignore[attr-defined]
    end = _column(lines, end_line, int(node.end_col_offset or 0))  # type: ignore[attr-defined]
    return Location(condition.shown, line, start, end_line, max(end, start + 1) if line == end_line else end, message)


def _column(lines: Sequence[str], line: int, offset: int) -> int:
    """1-based column in code points of a byte offset in a line."""
    text = lines[line - 1] if line <= len(lines) else ""
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1
