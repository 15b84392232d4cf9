"""What becomes of calls: of methods, of functions, of what is not known."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from scriptlint.source.columns import FUNCTIONS, TEXT, column_of, for_one, is_mapped
from scriptlint.source.literals import Src
from scriptlint.source.module import SourceClass
from scriptlint.source.routing import Chosen, is_language
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.closed import STEMMERS, is_pattern
from scriptlint.tokenizer.values import Builtin, Function, Hole, Instance, Partial

if TYPE_CHECKING:
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.trace_methods import MethodTracer
from scriptlint.source.traced import (
    COLLECTIONS,
    FULL_TEXT,
    GAP,
    MUTATORS,
    PATTERN_CALLS,
    SET_METHODS,
    BoundPattern,
    Compiled,
    Mark,
    Traced,
    asks_full_text,
    fixed_words,
    holds_text,
    library_stage,
)


class CallTracer(MethodTracer):
    """Calls of methods, of functions, of what is not known."""

    # -- calls ----------------------------------------------------------------------------------------------

    def e_call(self, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        func_node = node.func
        if isinstance(func_node, ast.Attribute):
            if is_mapped(node):
                of_one = self.of_one_text(node, env, scope)
                if of_one is not NotImplemented:
                    return of_one
            owner = self.resolve(self.eval(func_node.value, env, scope))
            name = func_node.attr
            if name == "join" and node.args and owner == "":
                self.spelled.add(id(node.args[0]))
            args, kwargs = self.arguments(node, env, scope, name == "compile")
            if name == "get" and isinstance(owner, (dict, Hole)):
                put = self.put_otherwise(args, node, env, scope)
                if put is not None:
                    return put
            if name == "get" and isinstance(owner, dict) and args and is_language(args[0]):
                return Chosen(owner, args[1] if len(args) > 1 and not isinstance(args[1], Hole) else None, True)
            if is_pattern(owner):
                owner = self.pattern_value(owner, 0, "re", node.func, scope)
            if isinstance(owner, Hole):
                result = self.hole_method(owner, name, args, kwargs, node, env, scope)
                if result is not NotImplemented:
                    return result
            elif isinstance(owner, Compiled):
                if name in PATTERN_CALLS:
                    return self.pattern_call(owner, name, args, kwargs, node, env, scope)
                return self.attribute(owner.real(), name)
            elif isinstance(owner, (list, set, dict)) and name in MUTATORS and any(map(holds_text, args)):
                mutated = self.mutate(owner, name, args, func_node.value, node, env, scope)
                if mutated is not NotImplemented:
                    return mutated
            elif isinstance(owner, (set, frozenset)) and name in SET_METHODS:
                if any(isinstance(a, Traced) for a in args):
                    for a in args:
                        self.use(a, "setop", node)
                    return Hole(f"set {node.lineno}")
            elif isinstance(owner, dict) and any(isinstance(a, Traced) for a in args):
                for a in args:
                    self.use(a, "index", node, fixed_words(owner))
                return Hole(f"item {node.lineno}")
            elif isinstance(owner, str) and name == "join" and args:
                return self.join(owner, args[0], node, env, scope)
            elif isinstance(owner, str) and name in ("format",):
                if any(isinstance(a, Traced) for a in [*args, *kwargs.values()]):
                    for a in args:
                        self.use(a, "format", node)
                    first = next(a for a in [*args, *kwargs.values()] if isinstance(a, Traced))
                    return self.derive(first, None, "str", node, env, scope)
                held = next((a for a in [*args, *kwargs.values()] if isinstance(a, Hole)), None)
                if held is not None:
                    return self.assembled(held, [re.sub(r"(?<!\{)\{\w*\}(?!\})", GAP, owner)], node, scope)
                return Src.joined([super().method(owner, name, *args, **kwargs)], node, scope, whole=True)
            func = self.attribute(owner, name, func_node)
        else:
            func = self.resolve(self.eval(func_node, env, scope))
            args, kwargs = self.arguments(node, env, scope)
        return self.traced_call(func, args, kwargs, node, env, scope)

    def put_otherwise(self, args: list[object], node: ast.Call, env: dict[str, object], scope: Scope) -> Traced | None:
        """``table.get(ch, ch)``: a character, or what a table has in its place; with no second one it may be lost."""
        letter = args[0] if args else None
        if not isinstance(letter, Traced) or letter.shape != "char":
            return None
        other = args[1] if len(args) > 1 else ""
        if not isinstance(other, (str, Traced)) or (isinstance(other, Traced) and other.root != letter.root):
            return None
        self.use(letter, "index", node)
        stage = st.Condition(f"put otherwise by {self.shown(node, True)}")
        lost = Mark(self.site(node, scope), "filter", self.owner, None, stage, "condition")
        return self.derive(letter, stage, "char", node, env, scope, None if isinstance(other, Traced) else lost)

    def of_one_text(self, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        """What a method of a column gives for one of its texts; ``NotImplemented`` when it is something else."""
        made = for_one(node)
        if made is None:
            return NotImplemented
        column = self.eval(column_of(node), env, scope)
        if not isinstance(column, Hole) or getattr(column, "shape", "str") not in ("str", "bytes"):
            return NotImplemented
        if node.args and made.func is node.args[0]:
            func = self.eval(made.func, env, scope)
            if not isinstance(func, (Function, Builtin, BoundPattern, Partial)):
                return NotImplemented
        return self.eval(made, {**env, **FUNCTIONS, TEXT: column}, scope)

    def arguments(
        self, node: ast.Call, env: dict[str, object], scope: Scope, as_it_is: bool = False
    ) -> tuple[list[object], dict[str, object]]:
        """The arguments of a call; ``as_it_is``: what a table has for a language is not looked up yet."""
        args: list[object] = []
        for a in node.args:
            value = self.eval(a.value if isinstance(a, ast.Starred) else a, env, scope)
            value = value if as_it_is else self.resolve(value)
            if isinstance(a, ast.Starred) and isinstance(value, (list, tuple)):
                args.extend(value)
            else:
                args.append(value)
        kwargs: dict[str, object] = {}
        for k in node.keywords:
            value = self.resolve(self.eval(k.value, env, scope))
            if k.arg is not None:
                kwargs[k.arg] = value
            elif isinstance(value, dict):
                kwargs.update({str(key): v for key, v in value.items()})
        return args, kwargs

    def traced_call(
        self,
        func: object,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        if isinstance(func, Compiled):
            return Hole("call()")
        if isinstance(func, Partial):
            return self.traced_call(func.func, [*func.args, *args], {**func.kwargs, **kwargs}, node, env, scope)
        if isinstance(func, BoundPattern):
            return self.pattern_call(func.compiled, func.method, args, kwargs, node, env, scope)
        touched = [a for a in [*args, *kwargs.values()] if isinstance(a, Hole)]
        if isinstance(func, Builtin):
            return self.traced_builtin(func, args, kwargs, node, env, scope)
        if isinstance(func, Function):
            return self.traced_function(func, args, kwargs, node, env, scope)
        if isinstance(func, SourceClass) or hasattr(func, "instantiate"):
            for a in [*args, *kwargs.values()]:
                self.use(a, f"arg:{getattr(func, 'name', '')}", node)
            self.calls.append((node, func, args, kwargs, self.owner, scope))
            return super().call(func, args, kwargs, node)
        if isinstance(func, Instance):
            called = self.attribute(func, "__call__")
            if isinstance(called, Function):
                return self.traced_function(called, args, kwargs, node, env, scope)
        name = func.path if isinstance(func, Hole) else "call"
        self.calls.append((node, func, args, kwargs, self.owner, scope))
        if name.rpartition(".")[2] in STEMMERS and touched and isinstance(touched[0], Traced):
            # The stem of a word is in the script of the word.
            return self.derive(touched[0], None, touched[0].shape, node, env, scope)
        known = library_stage(name) if touched else None
        if known is not None:
            stage, shape = known(self.site(node, scope))
            mark = Mark(self.site(node, scope), "call", self.owner, st.pattern_of(stage), stage, name)
            return self.derive(touched[0], stage, shape, node, env, scope, mark)
        how = FULL_TEXT if asks_full_text(args, kwargs) else f"arg:{name}"
        for a in [*args, *kwargs.values()]:
            self.use(a, how, node)
        traced = next((a for a in args if isinstance(a, Traced)), None)
        if isinstance(func, Hole) and not isinstance(func, Traced):
            if func.path.endswith(".setdefault") and len(args) > 1:
                return args[1]
            if func.path.endswith(".get") and args and isinstance(args[0], str):
                if len(args) > 1 and isinstance(args[1], (bool, int, float)):
                    return args[1]
                return Hole(f"{func.path[:-4]}[{str(args[0])!r}]")
            if traced is not None:
                return self.derive(
                    traced,
                    st.Opaque(f"{name}()"),
                    "other" if traced.shape in COLLECTIONS else traced.shape,
                    node,
                    env,
                    scope,
                )
        return Hole(f"{name}()")
