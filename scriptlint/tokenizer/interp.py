"""A small evaluator of Python syntax trees, so that a tokenizer can be run without importing the file it is in.

It knows expressions, statements and calls of a closed list of pure functions; everything else is a ``Hole``, a value
nobody knows. Nothing is ever imported, opened or executed by name: what is not in the list below does not happen.
Steps, sizes and repetitions are bounded, so that a hostile file costs a ``LimitReached`` and no more.

A hole behaves as the neutral value of the place it stands in (no text, zero, false, one unknown element), which
is what makes a pipeline inside a large function runnable: only the hole that is the tokenizer's text is filled.
"""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

from scriptlint.tokenizer.closed import BINARY, COMPARE, MODULES, module_attribute
from scriptlint.tokenizer.functions import FunctionCaller
from scriptlint.tokenizer.guards import Tally, at_least, counts_up, keeps_record
from scriptlint.tokenizer.trees import as_load
from scriptlint.tokenizer.values import (
    MAX_SIZE,
    BreakSignal,
    Builtin,
    ContinueSignal,
    Function,
    Hole,
    Instance,
    LimitReached,
    Module,
    Raised,
    ReturnSignal,
    Scope,
    Unsupported,
    hole_child,
)

_LONG_PATH = 200


class Interp(FunctionCaller):
    """Runs trees. One instance is one run: it counts its steps."""

    _evaluators: ClassVar[dict[type, Callable[..., object]]]
    _executors: ClassVar[dict[type, Callable[..., None]]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.make_tables()

    @classmethod
    def make_tables(cls) -> None:
        """Look up once what the class does with each kind of node; a run does so a thousand times for every text."""
        cls._evaluators = {kind: getattr(cls, name) for kind, name in _EVAL.items()}
        cls._executors = {kind: getattr(cls, name) for kind, name in _EXEC.items()}

    def eval(self, node: ast.expr, env: dict[str, object], scope: Scope) -> object:
        """The value of an expression. Raises ``Unsupported`` or ``Raised``."""
        self.steps += 1
        if self.steps > self.max_steps:
            raise LimitReached("too many steps")
        method = self._evaluators.get(type(node))
        if method is None:
            raise Unsupported(type(node).__name__)
        return method(self, node, env, scope)

    # -- the rest of the expressions ------------------------------------------------------------------------

    def truth(self, value: object) -> bool:
        if isinstance(value, Hole):
            if value.text is not None and not value.path.startswith("<"):
                self.guessed = True
                return False
            self.guessed = True
            return False
        if isinstance(value, (Function, Builtin, Module, Instance)):
            return True
        return bool(value)

    def e_boolop(self, node: ast.BoolOp, env: dict[str, object], scope: Scope) -> object:
        value: object = None
        is_and = isinstance(node.op, ast.And)
        for part in node.values:
            value = self.eval(part, env, scope)
            if self.truth(value) is not is_and:
                return value
        return value

    def e_binop(self, node: ast.BinOp, env: dict[str, object], scope: Scope) -> object:
        return self.binary(type(node.op), self.eval(node.left, env, scope), self.eval(node.right, env, scope))

    def binary(self, op: type, left: Any, right: Any) -> object:
        if isinstance(left, Hole) or isinstance(right, Hole):
            other = right if isinstance(left, Hole) else left
            hole = left if isinstance(left, Hole) else right
            if op is ast.Mod and isinstance(left, str):
                right = ""
            elif isinstance(other, Hole):
                # A sum in a loop would grow for ever.
                path = f"({left.path}?{right.path})" if len(left.path) + len(right.path) < _LONG_PATH else "(?)"
                return Hole(path, left.text if left.text is not None else right.text)
            elif op is ast.Add and isinstance(other, (str, list, tuple)):
                neutral: Any = self.text(hole) if isinstance(other, str) else type(other)()
                left, right = (neutral, other) if hole is left else (other, neutral)
            elif isinstance(other, (set, frozenset, dict)):
                return (
                    set(other)
                    if op in (ast.BitOr, ast.Sub) and hole is right
                    else (set(other) if op is ast.BitOr else set())
                )
            elif isinstance(other, (int, float)):
                return Hole("number")
            else:
                return hole
        if op is ast.Mult:
            size = (
                right
                if isinstance(left, (str, bytes, list, tuple))
                else left
                if isinstance(right, (str, bytes, list, tuple))
                else 0
            )
            body = left if isinstance(left, (str, bytes, list, tuple)) else right
            if isinstance(size, int) and hasattr(body, "__len__") and size * len(body) > MAX_SIZE:
                raise LimitReached("a value of that size")
        if op is ast.Pow and (
            not isinstance(right, (int, float)) or abs(right) > 64 or (isinstance(left, int) and abs(left) > 10**6)
        ):
            raise LimitReached("a power of that size")
        if op is ast.LShift and isinstance(right, int) and right > 4096:
            raise LimitReached("a number of that size")
        if op is ast.Mod and isinstance(left, str) and re.search(r"[0-9]{5}|\*", left):
            raise LimitReached("a format of that width")
        if op is ast.Mod and isinstance(left, str) and isinstance(right, tuple):
            right = tuple(self.text(r) for r in right)
        function = BINARY.get(op)
        if function is None:
            raise Unsupported(op.__name__)
        return self.guard(function, (left, right), {})

    def e_unaryop(self, node: ast.UnaryOp, env: dict[str, object], scope: Scope) -> object:
        value: Any = self.eval(node.operand, env, scope)
        if isinstance(node.op, ast.Not):
            return not self.truth(value)
        if isinstance(value, Hole):
            return 0
        if isinstance(node.op, ast.USub):
            return self.guard(operator.neg, (value,), {})
        if isinstance(node.op, ast.Invert):
            return self.guard(operator.invert, (value,), {})
        return value

    def e_compare(self, node: ast.Compare, env: dict[str, object], scope: Scope) -> object:
        left = self.eval(node.left, env, scope)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.eval(right_node, env, scope)
            if not self.compare(type(op), left, right):
                return False
            left = right
        return True

    def compare(self, op: type, left: Any, right: Any) -> bool:
        if isinstance(left, Hole) or isinstance(right, Hole):
            if op in (ast.Is, ast.IsNot) and (left is None or right is None):
                # A value that nobody knows is more often there than not.
                return op is ast.IsNot
            self.guessed = True
            if op in (ast.In, ast.Eq, ast.Is):
                return False
            if op in (ast.NotIn, ast.NotEq, ast.IsNot):
                return True
            left = 0 if isinstance(left, Hole) else left
            right = 0 if isinstance(right, Hole) else right
            if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
                return False
        if type(left) is Tally or type(right) is Tally:
            left, right, bound = at_least(left, right, self.among)
            self.tallied = bound or self.tallied
        result: bool = bool(self.guard(COMPARE[op], (left, right), {}))
        return result

    def e_ifexp(self, node: ast.IfExp, env: dict[str, object], scope: Scope) -> object:
        return self.eval(node.body if self.truth(self.eval(node.test, env, scope)) else node.orelse, env, scope)

    def e_subscript(self, node: ast.Subscript, env: dict[str, object], scope: Scope) -> object:
        value: Any = self.eval(node.value, env, scope)
        if isinstance(node.slice, ast.Slice):
            bounds = [
                None if b is None else self.eval(b, env, scope)
                for b in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            if isinstance(value, Hole):
                return value
            return self.guard(
                operator.getitem, (value, slice(*(None if isinstance(b, Hole) else b for b in bounds))), {}
            )
        key = self.eval(node.slice, env, scope)
        return self.item(value, key)

    def item(self, value: Any, key: Any) -> object:
        if isinstance(value, Hole):
            if value.text is not None and isinstance(key, int):
                return Hole(f"{value.path}[{key!r}]", value.text)
            return self.resolve(hole_child(value, key))
        if isinstance(key, Hole):
            return Hole(f"item[{key.path}]")
        if isinstance(value, (Builtin, Function, Module, Instance)):
            return Hole("item")
        return self.resolve(self.guard(operator.getitem, (value, key), {}))

    def e_list(self, node: ast.List, env: dict[str, object], scope: Scope) -> object:
        return self.elements(node.elts, env, scope)

    def e_tuple(self, node: ast.Tuple, env: dict[str, object], scope: Scope) -> object:
        return tuple(self.elements(node.elts, env, scope))

    def e_set(self, node: ast.Set, env: dict[str, object], scope: Scope) -> object:
        return self.guard(set, (self.elements(node.elts, env, scope),), {})

    def elements(self, nodes: list[ast.expr], env: dict[str, object], scope: Scope) -> list[object]:
        out: list[object] = []
        for e in nodes:
            if isinstance(e, ast.Starred):
                out.extend(self.iterate(self.eval(e.value, env, scope)))
            else:
                out.append(self.eval(e, env, scope))
        return out

    def e_dict(self, node: ast.Dict, env: dict[str, object], scope: Scope) -> object:
        out: dict[object, object] = {}
        for k, v in zip(node.keys, node.values, strict=True):
            value = self.eval(v, env, scope)
            if k is None:
                if isinstance(value, dict):
                    out.update(value)
            else:
                key = self.eval(k, env, scope)
                self.guard(out.__setitem__, (key, value), {})
        return out

    def e_joinedstr(self, node: ast.JoinedStr, env: dict[str, object], scope: Scope) -> object:
        parts: list[str] = []
        for p in node.values:
            if isinstance(p, ast.Constant):
                parts.append(str(p.value))
            elif isinstance(p, ast.FormattedValue):
                value = self.eval(p.value, env, scope)
                parts.append(self.format_value(value, p, env, scope))
        return "".join(parts)

    def format_value(self, value: object, node: ast.FormattedValue, env: dict[str, object], scope: Scope) -> str:
        if isinstance(value, Hole):
            return str(self.text(value))
        if isinstance(value, (Function, Builtin, Module, Instance)):
            return ""
        spec = str(self.eval(node.format_spec, env, scope)) if node.format_spec else ""
        if re.search(r"[0-9]{5}", spec):
            raise LimitReached("a format of that width")
        if node.conversion == 114:
            value = repr(value)
        elif node.conversion == 115:
            value = str(value)
        return str(self.guard(format, (value, spec), {}))

    def e_lambda(self, node: ast.Lambda, env: dict[str, object], scope: Scope) -> object:
        return Function(node, scope, dict(env))

    def e_namedexpr(self, node: ast.NamedExpr, env: dict[str, object], scope: Scope) -> object:
        value = self.eval(node.value, env, scope)
        env[node.target.id] = value
        return value

    def e_comp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, env: dict[str, object], scope: Scope
    ) -> object:
        out: list[object] = []
        inner = dict(env)
        self.generators(node.generators, inner, scope, lambda: out.append(self.eval(node.elt, inner, scope)))
        return self.guard(set, (out,), {}) if isinstance(node, ast.SetComp) else out

    def e_dictcomp(self, node: ast.DictComp, env: dict[str, object], scope: Scope) -> object:
        gens = node.generators
        if (
            len(gens) == 1
            and not gens[0].ifs
            and isinstance(node.value, ast.Constant)
            and ast.dump(gens[0].target).replace("Store", "Load") == ast.dump(node.key)
        ):
            # A table over a range of code points can be a million entries long: no need to step through them.
            return dict.fromkeys(self.iterate(self.eval(gens[0].iter, env, scope)), node.value.value)
        out: dict[object, object] = {}
        inner = dict(env)
        self.generators(
            node.generators,
            inner,
            scope,
            lambda: out.__setitem__(self.eval(node.key, inner, scope), self.eval(node.value, inner, scope)),
        )
        return out

    def generators(
        self, gens: list[ast.comprehension], env: dict[str, object], scope: Scope, body: Callable[[], object]
    ) -> None:
        if not gens:
            body()
            return
        first, *rest = gens
        for element in self.iterate(self.eval(first.iter, env, scope)):
            self.tick()
            self.assign(first.target, element, env, scope)
            if all(self.chooses(test, element, env, scope) for test in first.ifs):
                self.generators(rest, env, scope, body)

    def chooses(self, test: ast.expr, element: object, env: dict[str, object], scope: Scope) -> bool:
        """Whether an element passes a test; a record that nobody knows is there, or the text in it would not be."""
        if not isinstance(element, Hole):
            return self.truth(self.eval(test, env, scope))
        before, self.guessed = self.guessed, False
        passed = self.truth(self.eval(test, env, scope)) or self.guessed
        self.guessed = before or self.guessed
        return passed

    def e_yield(self, node: ast.Yield, env: dict[str, object], scope: Scope) -> object:
        self.yields[-1].append(self.eval(node.value, env, scope) if node.value else None)
        return None

    def e_yieldfrom(self, node: ast.YieldFrom, env: dict[str, object], scope: Scope) -> object:
        self.yields[-1].extend(self.iterate(self.eval(node.value, env, scope)))
        return None

    def e_await(self, node: ast.Await, env: dict[str, object], scope: Scope) -> object:
        return self.eval(node.value, env, scope)

    def e_starred(self, node: ast.Starred, env: dict[str, object], scope: Scope) -> object:
        return self.eval(node.value, env, scope)

    # -- statements -----------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt], env: dict[str, object], scope: Scope) -> None:
        for statement in body:
            self.tick()
            method = self._executors.get(type(statement))
            if method is None:
                raise Unsupported(type(statement).__name__)
            method(self, statement, env, scope)

    def assign(self, target: ast.expr, value: Any, env: dict[str, object], scope: Scope) -> None:
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, Hole):
                for i, t in enumerate(target.elts):
                    self.assign(
                        t.value if isinstance(t, ast.Starred) else t, self.resolve(hole_child(value, i)), env, scope
                    )
                return
            values = list(self.iterate(value))
            stars = [i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)]
            if stars:
                head, tail = stars[0], len(target.elts) - stars[0] - 1
                values = [*values[:head], values[head : len(values) - tail], *values[len(values) - tail :]]
            if len(values) != len(target.elts):
                raise Raised("ValueError")
            for t, v in zip(target.elts, values, strict=True):
                self.assign(t.value if isinstance(t, ast.Starred) else t, v, env, scope)
        elif isinstance(target, ast.Subscript):
            owner: Any = self.eval(target.value, env, scope)
            if isinstance(owner, (dict, list)) and not isinstance(target.slice, ast.Slice):
                key = self.eval(target.slice, env, scope)
                if not isinstance(key, Hole) or isinstance(owner, dict):
                    self.guard(operator.setitem, (owner, key, value), {})
        elif isinstance(target, ast.Attribute):
            holder = self.eval(target.value, env, scope)
            if isinstance(holder, Instance):
                holder.attributes[target.attr] = value

    def s_expr(self, node: ast.Expr, env: dict[str, object], scope: Scope) -> None:
        if not isinstance(node.value, ast.Constant):
            self.eval(node.value, env, scope)

    def s_assign(self, node: ast.Assign, env: dict[str, object], scope: Scope) -> None:
        value = self.eval(node.value, env, scope)
        if type(value) is int and counts_up(node):
            value = Tally(value)
        for t in node.targets:
            self.assign(t, value, env, scope)

    def s_annassign(self, node: ast.AnnAssign, env: dict[str, object], scope: Scope) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval(node.value, env, scope), env, scope)

    def s_augassign(self, node: ast.AugAssign, env: dict[str, object], scope: Scope) -> None:
        target = node.target
        if isinstance(target, ast.Subscript):
            owner: Any = self.eval(target.value, env, scope)
            key = self.eval(target.slice, env, scope) if not isinstance(target.slice, ast.Slice) else None
            if isinstance(owner, Hole) or (isinstance(key, Hole) and not isinstance(owner, dict)):
                return
            try:
                old = owner[key]
            except Exception as error:
                raise Raised(type(error).__name__) from error
            value = self.binary(type(node.op), old, self.eval(node.value, env, scope))
            owner[key] = Tally(value) if type(value) is int and type(node.op) is ast.Add else value
            return
        old = self.eval(as_load(target), env, scope)
        value = self.eval(node.value, env, scope)
        if isinstance(node.op, ast.Add) and isinstance(old, list):
            old.extend(self.iterate(value))
            return
        if isinstance(node.op, ast.BitOr) and isinstance(old, set):
            old.update(self.iterate(value))
            return
        self.assign(target, self.binary(type(node.op), old, value), env, scope)

    def s_if(self, node: ast.If, env: dict[str, object], scope: Scope) -> None:
        if (
            not node.orelse
            and isinstance(node.body[-1], (ast.Continue, ast.Break, ast.Return, ast.Raise))
            and len(node.body) <= 2
        ):
            # A guard on something that nobody knows lets the text pass: what happens behind it is what is asked about.
            before, self.guessed = self.guessed, False
            taken = self.truth(self.eval(node.test, env, scope))
            decided, self.guessed = not self.guessed, before or self.guessed
            if taken and decided:
                self.block(node.body, env, scope)
            return
        if keeps_record(node, env):
            if self.chooses(node.test, Hole("record"), env, scope):
                self.block(node.body, env, scope)
            return
        self.block(node.body if self.truth(self.eval(node.test, env, scope)) else node.orelse, env, scope)

    def s_for(self, node: ast.For | ast.AsyncFor, env: dict[str, object], scope: Scope) -> None:
        for element in self.iterate(self.eval(node.iter, env, scope)):
            self.tick()
            self.assign(node.target, element, env, scope)
            try:
                self.block(node.body, env, scope)
            except ContinueSignal:
                continue
            except BreakSignal:
                return
        self.block(node.orelse, env, scope)

    def s_while(self, node: ast.While, env: dict[str, object], scope: Scope) -> None:
        while self.truth(self.eval(node.test, env, scope)):
            self.tick()
            try:
                self.block(node.body, env, scope)
            except ContinueSignal:
                continue
            except BreakSignal:
                return
        self.block(node.orelse, env, scope)

    def s_return(self, node: ast.Return, env: dict[str, object], scope: Scope) -> None:
        raise ReturnSignal(None if node.value is None else self.eval(node.value, env, scope))

    def s_break(self, node: ast.Break, env: dict[str, object], scope: Scope) -> None:
        raise BreakSignal

    def s_continue(self, node: ast.Continue, env: dict[str, object], scope: Scope) -> None:
        raise ContinueSignal

    def s_nothing(self, node: ast.stmt, env: dict[str, object], scope: Scope) -> None:
        return

    def s_raise(self, node: ast.Raise, env: dict[str, object], scope: Scope) -> None:
        raise Raised("raise")

    def s_try(self, node: ast.Try, env: dict[str, object], scope: Scope) -> None:
        try:
            self.block(node.body, env, scope)
        except Raised:
            if not node.handlers:
                raise
            self.block(node.handlers[0].body, env, scope)
        else:
            self.block(node.orelse, env, scope)
        self.block(node.finalbody, env, scope)

    def s_with(self, node: ast.With | ast.AsyncWith, env: dict[str, object], scope: Scope) -> None:
        for item in node.items:
            value = self.eval(item.context_expr, env, scope)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, env, scope)
        self.block(node.body, env, scope)

    def s_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, env: dict[str, object], scope: Scope) -> None:
        env[node.name] = Function(node, scope, env, qualname=node.name)

    def s_import(self, node: ast.Import, env: dict[str, object], scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            env[name] = Module(alias.name) if alias.name in MODULES else Hole(alias.name)

    def s_importfrom(self, node: ast.ImportFrom, env: dict[str, object], scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name
            if node.module in MODULES and not node.level:
                env[name] = module_attribute(str(node.module), alias.name)
            else:
                found = scope.lookup(name, self)
                env[name] = found if not isinstance(found, Hole) else Hole(f"{node.module}.{alias.name}")

    def s_assert(self, node: ast.Assert, env: dict[str, object], scope: Scope) -> None:
        return


_EVAL: dict[type, str] = {
    ast.Constant: "e_constant", ast.Name: "e_name", ast.Attribute: "e_attribute", ast.Call: "e_call",
    ast.BoolOp: "e_boolop", ast.BinOp: "e_binop", ast.UnaryOp: "e_unaryop", ast.Compare: "e_compare",
    ast.IfExp: "e_ifexp", ast.Subscript: "e_subscript", ast.List: "e_list", ast.Tuple: "e_tuple",
    ast.Set: "e_set", ast.Dict: "e_dict", ast.JoinedStr: "e_joinedstr", ast.Lambda: "e_lambda",
    ast.NamedExpr: "e_namedexpr", ast.ListComp: "e_comp", ast.SetComp: "e_comp",
    ast.GeneratorExp: "e_comp", ast.DictComp: "e_dictcomp", ast.Yield: "e_yield",
    ast.YieldFrom: "e_yieldfrom", ast.Await: "e_await", ast.Starred: "e_starred",
}  # fmt: skip
_EXEC: dict[type, str] = {
    ast.Expr: "s_expr", ast.Assign: "s_assign", ast.AnnAssign: "s_annassign",
    ast.AugAssign: "s_augassign", ast.If: "s_if", ast.For: "s_for", ast.AsyncFor: "s_for",
    ast.While: "s_while", ast.Return: "s_return", ast.Break: "s_break", ast.Continue: "s_continue",
    ast.Pass: "s_nothing", ast.Global: "s_nothing", ast.Nonlocal: "s_nothing", ast.Delete: "s_nothing",
    ast.Raise: "s_raise", ast.Try: "s_try", ast.With: "s_with", ast.AsyncWith: "s_with",
    ast.FunctionDef: "s_function", ast.AsyncFunctionDef: "s_function", ast.Import: "s_import",
    ast.ImportFrom: "s_importfrom", ast.Assert: "s_assert", ast.ClassDef: "s_nothing",
}  # fmt: skip
Interp.make_tables()
