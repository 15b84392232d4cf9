"""Tests of the kind "is this character Hangul?": which code points an expression asks for."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from scriptlint.tokenizer.trees import walk
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Iterable

_ASCII = CodePoints(((0, 0x7F),))
_ALL = CodePoints(((0, 0x10FFFF),))
_MATCHERS = frozenset({"match", "search", "fullmatch", "findall", "finditer"})
_NAME_WORDS = {"CJK": "Hani", "IDEOGRAPH": "Hani"}
_DEEP = 4
_CODE = re.compile(r"^(?:cp|o|u|uni|ordinal)$|code|point", re.IGNORECASE)


class Tests:
    """The tests of one module: helper functions, compiled patterns and tables of ranges are looked up by name."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.functions: dict[str, ast.FunctionDef] = {}
        self.values: dict[str, ast.expr] = {}
        for node in nodes:
            if isinstance(node, ast.FunctionDef):
                self.functions.setdefault(node.name, node)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values.setdefault(node.targets[0].id, node.value)

    def points(self, test: ast.expr, depth: int = 0) -> CodePoints:
        """The code points that a test lets through; empty when it asks for no script."""
        if depth > _DEEP:
            return CodePoints.EMPTY
        if isinstance(test, ast.BoolOp):
            return self._both(test, depth)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.points(test.operand, depth)
            return (_ALL - inner) if inner else inner
        if isinstance(test, ast.Compare):
            return self._compare(test)
        if isinstance(test, ast.Call):
            return self._call(test, depth)
        if isinstance(test, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
            asked = [test.elt, *(c for g in test.generators for c in g.ifs)]
            return CodePoints.union(self.points(a, depth + 1) for a in asked)
        if isinstance(test, ast.Name) and test.id in self.values:
            return self.points(self.values[test.id], depth + 1)
        return CodePoints.EMPTY

    def _both(self, test: ast.BoolOp, depth: int) -> CodePoints:
        found = [p for v in test.values if (p := self.points(v, depth))]
        if not found:
            return CodePoints.EMPTY
        if isinstance(test.op, ast.Or):
            return CodePoints.union(found)
        out = found[0]
        for more in found[1:]:
            out = out & more
        # The other half of a range may be a comparison of its own: ``"가" <= c and c <= "힣"``.
        for value in test.values:
            bound = _range(value) if isinstance(value, ast.Compare) else None
            out = out if bound is None else out & bound
        return out

    def _compare(self, test: ast.Compare) -> CodePoints:
        if len(test.ops) == 1 and isinstance(test.ops[0], (ast.In, ast.NotIn)):
            inside = self._membership(test.left, test.comparators[0])
            return (_ALL - inside) if inside and isinstance(test.ops[0], ast.NotIn) else inside
        out = _range(test)
        # A bound that leaves all of ASCII in (``c <= "힣"``) tells no script apart.
        return CodePoints.EMPTY if out is None or out & _ASCII == _ASCII else out

    def _membership(self, what: ast.expr, where: ast.expr) -> CodePoints:
        if isinstance(what, ast.Constant) and isinstance(what.value, str):
            # "HANGUL" in unicodedata.name(char)
            if isinstance(where, ast.Call) and _leaf(where.func) == "name":
                return _named(what.value)
            return CodePoints.EMPTY
        where = self.values.get(where.id, where) if isinstance(where, ast.Name) else where
        if isinstance(where, ast.Call) and _leaf(where.func) == "range" and len(where.args) == 2:
            low, high = _point(where.args[0]), _point(where.args[1])
            if low is None or high is None or not 127 < low < high:
                return CodePoints.EMPTY
            return CodePoints(((low, high - 1),))
        if isinstance(where, ast.Constant) and isinstance(where.value, str) and not where.value.isascii():
            return CodePoints.chars(where.value)
        return CodePoints.EMPTY

    def _call(self, test: ast.Call, depth: int) -> CodePoints:
        name = _leaf(test.func)
        if name == "isascii":
            return _ASCII
        if name in ("any", "all", "bool", "sum", "len") and test.args:
            return self.points(test.args[0], depth + 1)
        if name in _MATCHERS:
            return self._matches(test)
        if name == "startswith" and isinstance(test.func, ast.Attribute) and isinstance(test.func.value, ast.Call):
            word = test.args[0] if test.args else None
            if _leaf(test.func.value.func) == "name" and isinstance(word, ast.Constant) and isinstance(word.value, str):
                return _named(word.value)
        function = self.functions.get(name)
        if function is None:
            return CodePoints.EMPTY
        returned = [r.value for r in walk(function) if isinstance(r, ast.Return) and r.value is not None]
        tested = list(returned)
        if any(isinstance(r, ast.Constant) for r in returned):
            # ``if "가" <= c: return True`` ... ``return False``
            tested += [n.test for n in walk(function) if isinstance(n, ast.If) and _returns_true(n)]
        return CodePoints.union(self.points(t, depth + 1) for t in tested)

    def _matches(self, test: ast.Call) -> CodePoints:
        """A pattern that asks for letters beyond ASCII and for none within."""
        from scriptlint.pattern import PatternError, PatternTooComplex, analyze

        call, text = test, test.args[0] if test.args else None
        if isinstance(test.func, ast.Attribute) and isinstance(test.func.value, ast.Name):
            compiled = self.values.get(test.func.value.id)
            if isinstance(compiled, ast.Call) and _leaf(compiled.func) == "compile" and compiled.args:
                call, text = compiled, compiled.args[0]
        if not isinstance(text, ast.Constant) or not isinstance(text.value, str) or not _BEYOND.search(text.value):
            return CodePoints.EMPTY
        flags = _flags(call)
        try:
            may = analyze(text.value, flags, "re").may
        except (PatternError, PatternTooComplex):
            try:
                may = analyze(text.value, flags, "regex").may
            except (PatternError, PatternTooComplex):
                return CodePoints.EMPTY
        return CodePoints.EMPTY if may & _ASCII else may


_BEYOND = re.compile(r"[^\x00-\x7f]|\\[uUxNpP]|\[\^")
"""What a pattern names that asks for something beyond ASCII."""


def _flags(call: ast.Call) -> int:
    """The flags of a call that are written by name."""
    names = {n.attr for value in (*call.args[1:], *(k.value for k in call.keywords)) for n in walk(value)
             if isinstance(n, ast.Attribute)}  # fmt: skip
    flags = 0
    for name in names & set(re.RegexFlag.__members__):
        flags |= re.RegexFlag[name]
    return flags


def _range(test: ast.Compare) -> CodePoints | None:
    """What the comparisons of a chain with characters leave; ``None`` when there are none."""
    out: CodePoints | None = None
    operands = [test.left, *test.comparators]
    for left, op, right in zip(operands, test.ops, operands[1:], strict=False):
        bound = _bound(left, op, right)
        if bound is not None:
            out = bound if out is None else out & bound
    return out


def _bound(left: ast.expr, op: ast.cmpop, right: ast.expr) -> CodePoints | None:
    """What a comparison of something with a character or code point lets through."""
    if isinstance(op, (ast.Gt, ast.GtE)):
        left, right = right, left
        op = ast.LtE() if isinstance(op, ast.GtE) else ast.Lt()
    if not isinstance(op, (ast.Lt, ast.LtE)):
        return None
    low, high = _point(left), _point(right)
    strict = isinstance(op, ast.Lt)
    for bound, other in ((left, right), (right, left)):
        if isinstance(bound, ast.Constant) and isinstance(bound.value, int) and not _is_code(other):
            return None  # a plain number is a code point only where something says so
    if low is not None and high is None and low + strict > 0x10FFFF:
        return CodePoints.EMPTY
    if low is not None and high is None and low >= 0x7F:
        return CodePoints(((low + strict, 0x10FFFF),))
    if high is not None and low is None and high > 0x7F:
        return CodePoints(((0, high - strict),))
    return None


def _point(node: ast.expr) -> int | None:
    """A character or a number that may be a code point beyond ASCII's letters."""
    if isinstance(node, ast.Call) and _leaf(node.func) == "ord" and node.args:
        node = node.args[0]
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and len(node.value) == 1:
            return ord(node.value)
        if isinstance(node.value, int) and not isinstance(node.value, bool) and 0x7F <= node.value <= 0x10FFFF:
            return node.value
    return None


def _is_code(node: ast.expr) -> bool:
    """Whether an expression is a code point by its looks: ``ord(c)``, ``cp``, ``code``; or another bound of a chain."""
    if isinstance(node, ast.Call):
        return _leaf(node.func) == "ord"
    return isinstance(node, ast.Constant) or bool(_CODE.search(_leaf(node)))


def _named(word: str) -> CodePoints:
    """The letters of the script that a character name begins with: ``HANGUL``, ``CJK UNIFIED``."""
    from scriptlint.unicode import scripts

    first = word.split()[0] if word.split() else ""
    try:
        return scripts.letters(_NAME_WORDS.get(first) or scripts.code(first))
    except LookupError:
        return CodePoints.EMPTY


def _leaf(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _returns_true(node: ast.If) -> bool:
    """Whether the first thing that a branch does is ``return True``."""
    first = node.body[0]
    return isinstance(first, ast.Return) and isinstance(first.value, ast.Constant) and first.value.value is True
