"""Runs traced values on a text, as the code is written."""

from __future__ import annotations

import ast
import contextlib
from typing import TYPE_CHECKING

from scriptlint.source.columns import FUNCTIONS, SAME, TEXT, column_of, for_one, is_mapped
from scriptlint.source.literals import Src
from scriptlint.source.routing import Chosen, chosen, is_language, names_language
from scriptlint.source.traced import COLLECTIONS, BoundPattern, Compiled, Traced, captured_text, field_name, names_in
from scriptlint.tokenizer.interp import Interp
from scriptlint.tokenizer.values import (
    BreakSignal,
    Builtin,
    ContinueSignal,
    Function,
    Hole,
    LimitReached,
    Module,
    Partial,
    ReturnSignal,
    Unsupported,
    is_generator,
)

if TYPE_CHECKING:
    from scriptlint.tokenizer.calls import Caller
    from scriptlint.tokenizer.values import Scope


_EQUAL = {ast.Eq: True, ast.In: True, ast.NotEq: False, ast.NotIn: False}
_AS_THEY_ARE = frozenset({str, Src, int, bool, float, type(None), list, tuple, dict, set, frozenset})
_NEVER_CHANGED = frozenset({str, Src, int, bool, float, type(None), tuple, frozenset, Function, Hole, Builtin, Module})


def _fixed(part: ast.Slice) -> bool:
    """Whether the bounds of a slice are numbers, and no step."""
    bounds = [b.operand if isinstance(b, ast.UnaryOp) else b for b in (part.lower, part.upper) if b is not None]
    return part.step is None and all(isinstance(b, ast.Constant) for b in bounds)


def whole_list(value: Traced) -> Traced:
    """The pieces of which all but the first were taken: a word is not lost for being the first of its text."""
    node = value.how[1] if value.how and value.how[0] == "expr" else None
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Slice)
        and node.slice.upper is None
        and _fixed(node.slice)
        and value.parents
        and value.parents[0].shape in COLLECTIONS
        and value.parents[0].stages == value.stages
    ):
        return value.parents[0]
    return value


def _cuts_off(part: ast.Slice) -> bool:
    """Whether a slice takes a prefix or a tail off: its bounds are numbers, or it begins where a match ends."""
    return _fixed(part) or (part.upper is None and part.step is None and _ends_a_match(part.lower))


def _ends_a_match(bound: ast.expr | None) -> bool:
    """Whether a bound is ``m.end()``, maybe with a number added."""
    if isinstance(bound, ast.BinOp) and isinstance(bound.right, ast.Constant):
        bound = bound.left
    return isinstance(bound, ast.Call) and isinstance(bound.func, ast.Attribute) and bound.func.attr == "end"


class Runner(Interp):
    """Runs traced values on a text."""

    def __init__(self, fill: dict[str, object], max_steps: int = 400_000) -> None:
        super().__init__(fill, max_steps)
        self.memo: dict[int, object] = {}
        self.chosen: dict[int, object] = {}
        self.given = next((t for t in fill.values() if isinstance(t, str)), "")
        """The text of this run, which tells what language it is in."""

    def fresh(self) -> Caller:
        from scriptlint.source.trace import Tracer

        return Tracer(max_steps=400_000)

    def e_call(self, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "group" and node.args:
            captured = self.captured(node.func.value, node.args[0], env)
            if captured is not None:
                return captured
        if is_mapped(node):
            made, text = for_one(node), self.eval(column_of(node), env, scope)
            if made is not None and isinstance(text, (str, bytes)):
                return self.eval(made, {**env, **FUNCTIONS, TEXT: text}, scope)
        return super().e_call(node, env, scope)

    def attribute(self, value: object, name: str, node: ast.AST | None = None) -> object:
        if name in SAME and isinstance(value, (str, list, set)):
            return Builtin(name, lambda *_, **__: value, owner="column")
        if name == "startswith" and is_language(value):
            return Builtin(name, self.is_asked_for, owner="language")
        return super().attribute(value, name, node)

    def is_asked_for(self, starts: object, *_: object) -> bool:
        """``lang.startswith("zh")``, ``lang.startswith(("zh", "ja"))``."""
        return any(names_language(self.given, s) for s in (starts if isinstance(starts, tuple) else (starts,)))

    def compare(self, op: type, left: object, right: object) -> bool:
        for asked, named in ((left, right), (right, left)):
            if is_language(asked) and op in _EQUAL and not isinstance(named, Hole):
                words = named if isinstance(named, (list, tuple, set, frozenset, dict)) else [named]
                if all(isinstance(w, str) for w in words):
                    return (chosen(self.given, words) is not None) is _EQUAL[op]
        return super().compare(op, left, right)

    def e_boolop(self, node: ast.BoolOp, env: dict[str, object], scope: Scope) -> object:
        if not isinstance(node.op, ast.Or):
            return super().e_boolop(node, env, scope)
        value: object = None
        for part in node.values:
            value = self.eval(part, env, scope)
            # ``lang or "en"``: whoever has a text in another language says so.
            if (part is node.values[0] and is_language(value)) or self.truth(value):
                break
        return value

    def item(self, value: object, key: object) -> object:
        if isinstance(value, dict) and is_language(key):
            return self.resolve(Chosen(value))
        return super().item(value, key)

    def method(self, value: object, name: str, *args: object, **kwargs: object) -> object:
        if name == "get" and isinstance(value, dict) and args and is_language(args[0]):
            return self.resolve(Chosen(value, args[1] if len(args) > 1 else None, True))
        return super().method(value, name, *args, **kwargs)

    def assign(self, target: ast.expr, value: object, env: dict[str, object], scope: Scope) -> None:
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            held, key = self.eval(target.value, env, scope), target.slice.value
            if isinstance(held, Hole) and isinstance(key, str):
                env[field_name(held, key)] = value
                return
        super().assign(target, value, env, scope)

    def e_subscript(self, node: ast.Subscript, env: dict[str, object], scope: Scope) -> object:
        captured = self.captured(node.value, node.slice, env)
        if captured is not None:
            return captured
        if isinstance(node.slice, ast.Slice) and isinstance(node.value, ast.Name) and _cuts_off(node.slice):
            value = env.get(node.value.id)
            if isinstance(value, Hole) and not isinstance(value, Traced) and isinstance(self.fill.get(value.path), str):
                # What is cut off a whole text (a prefix, a tail) is not what becomes of a word.
                return self.fill[value.path]
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            held = self.eval(node.value, env, scope)
            kept = env.get(field_name(held, node.slice.value)) if isinstance(held, Hole) else None
            return self.item(held, node.slice.value) if kept is None else self.resolve(kept)
        return super().e_subscript(node, env, scope)

    def captured(self, holder: ast.expr, key: ast.expr, env: dict[str, object]) -> object:
        """What stands for the text in a group of a match, when this run was given one."""
        owner = env.get(holder.id) if isinstance(holder, ast.Name) else None
        if isinstance(owner, Traced) and owner.shape in ("match", "matches") and isinstance(key, ast.Constant):
            return self.fill.get(captured_text(owner, key.value) or "")
        return None

    def all_of(self, value: Traced, limit: int = 20_000) -> list[object]:
        """The values it has, one for each element of the loop it stands in (one alone outside a loop)."""
        value = whole_list(value)
        sources: list[Traced] = []
        at = value.element_of
        while at is not None and len(sources) < 4:
            sources.append(at)
            at = at.element_of
        if not sources or value.shape == "char":
            return [self.resolve(value)]
        out: list[object] = []

        def descend(rest: list[Traced]) -> None:
            if not rest:
                out.append(self.resolve(value))
                return
            for element in list(self.iterate(self.resolve(rest[-1]))):
                if len(out) >= limit:
                    raise LimitReached("too many elements")
                self.chosen[rest[-1].serial] = element
                kept = self.memo
                self.memo = {s.serial: kept[s.serial] for s in rest if s.serial in kept}
                descend(rest[:-1])
                self.memo = kept

        descend(sources)
        return out

    def resolve(self, value: object) -> object:
        if type(value) in _AS_THEY_ARE:
            return value
        if isinstance(value, Compiled):
            return value.real()
        if isinstance(value, BoundPattern):
            return self.attribute(value.compiled.real(), value.method)
        if isinstance(value, Partial):
            kwargs = {name: self.resolve(v) for name, v in value.kwargs.items()}
            return Partial(self.resolve(value.func), tuple(map(self.resolve, value.args)), kwargs)
        if isinstance(value, Traced):
            if value.serial not in self.memo:
                self.memo[value.serial] = Hole("busy")
                self.memo[value.serial] = self.materialize(value)
            return self.memo[value.serial]
        if isinstance(value, Src):
            return value
        if isinstance(value, Chosen):
            return self.resolve(value.for_text(self.given))
        return super().resolve(value)

    def materialize(self, value: Traced) -> object:
        """The value that a traced value has in this run. Raises ``Unsupported`` or ``Raised``."""
        if not value.how:
            return self.fill.get(value.root, Hole(value.root))
        kind = value.how[0]
        if kind == "expr":
            _, node, env, scope = value.how
            return self.eval(node, dict(env), scope)
        if kind == "element":
            if value.how[1].serial in self.chosen:
                return self.resolve(self.chosen[value.how[1].serial])
            elements = list(self.iterate(self.resolve(value.how[1])))
            return elements[0] if elements else Hole("no element")
        if kind == "part":
            whole = self.resolve(value.how[1])
            return self.item(whole, value.how[2])
        if kind == "block":
            _, node, env, scope, name = value.how
            wanted = names_in(node)
            inner = dict(env)
            for k in wanted & env.keys():
                inner[k] = self.copy(env[k])
            with contextlib.suppress(ReturnSignal, BreakSignal, ContinueSignal):
                self.block([node], inner, scope)
            # A field that no way has put anything into holds what it held.
            return self.resolve(inner.get(name, Hole(name.removeprefix("\0"))))
        if kind == "branch":
            _, test, env, scope, yes, no = value.how
            return self.resolve(yes if self.truth(self.eval(test, dict(env), scope)) else no)
        if kind == "function":
            _, function, env = value.how
            return self.call_with_env(function, env)
        raise Unsupported(kind)

    def copy(self, value: object) -> object:
        """A value that a loop may change, for this run alone; pieces that are traced are run first."""
        if type(value) in _NEVER_CHANGED:
            return value
        value = self.resolve(value) if isinstance(value, (Traced, Compiled, BoundPattern)) else value
        if isinstance(value, (list, set, dict)):
            return value.copy()
        return value

    def call_with_env(self, function: Function, env: dict[str, object]) -> object:
        self.yields.append([])
        result: object = None
        body = function.node.body
        try:
            if isinstance(body, list):
                self.block(body, {k: self.copy(v) for k, v in env.items()}, function.scope)
            else:
                result = self.eval(body, dict(env), function.scope)
        except ReturnSignal as returned:
            result = returned.value
        finally:
            produced = self.yields.pop()
        return produced if produced or is_generator(function.node) else result
