"""Functions of the program in the evaluator: binding, running, constants."""

from __future__ import annotations

import ast

from scriptlint.tokenizer.calls import Caller
from scriptlint.tokenizer.values import (
    MAX_DEPTH,
    MAX_STEPS,
    PYTHON_ERRORS,
    BreakSignal,
    ContinueSignal,
    Function,
    Hole,
    LimitReached,
    Raised,
    ReturnSignal,
    Scope,
    Unsupported,
    is_generator,
)


class FunctionCaller(Caller):
    """Calls functions of the program itself."""

    # -- functions ------------------------------------------------------------------------------------------

    def bind(self, func: Function, args: list[object], kwargs: dict[str, object]) -> dict[str, object]:
        """Parameters to values; what is not given and has no default is a hole of that name."""
        a = func.node.args
        env = dict(func.closure)
        params = [*a.posonlyargs, *a.args]
        values = list(args)
        if func.has_self:
            values.insert(0, func.bound if func.bound is not None else Hole("self"))
        defaults: dict[str, ast.expr] = {}
        for p, d in zip(reversed(params), reversed(a.defaults), strict=False):
            defaults[p.arg] = d
        for p, kd in zip(a.kwonlyargs, a.kw_defaults, strict=True):
            if kd is not None:
                defaults[p.arg] = kd
        for i, p in enumerate(params):
            if i < len(values):
                env[p.arg] = values[i]
            elif p.arg in kwargs:
                env[p.arg] = kwargs[p.arg]
            elif p.arg in defaults:
                env[p.arg] = self.eval(defaults[p.arg], func.closure, func.scope)
            else:
                env[p.arg] = self.hole(p.arg)
        for p in a.kwonlyargs:
            if p.arg in kwargs:
                env[p.arg] = kwargs[p.arg]
            elif p.arg in defaults:
                env[p.arg] = self.eval(defaults[p.arg], func.closure, func.scope)
            else:
                env[p.arg] = self.hole(p.arg)
        if a.vararg:
            env[a.vararg.arg] = tuple(values[len(params) :])
        if a.kwarg:
            known = {p.arg for p in [*params, *a.kwonlyargs]}
            env[a.kwarg.arg] = {k: v for k, v in kwargs.items() if k not in known}
        return env

    def call_function(self, func: Function, args: list[object], kwargs: dict[str, object]) -> object:
        env = self.bind(func, args, kwargs)
        if len(self.yields) > MAX_DEPTH:
            raise LimitReached("calls nested too deep")
        self.yields.append([])
        try:
            if isinstance(func.node, ast.Lambda):
                return self.eval(func.node.body, env, func.scope)
            self.block(func.node.body, env, func.scope)
            result: object = None
        except ReturnSignal as returned:
            result = returned.value
        finally:
            produced = self.yields.pop()
        if produced or is_generator(func.node):
            return produced
        return result

    def initialize(self, init: Function, args: list[object], kwargs: dict[str, object]) -> None:
        """Run an ``__init__`` as far as it goes; what it can't do leaves attributes unknown."""
        if not isinstance(init.node, ast.Lambda):
            env = self.bind(init, args, kwargs)
            for statement in init.node.body:
                try:
                    self.block([statement], env, init.scope)
                except (Unsupported, Raised, ReturnSignal, BreakSignal, ContinueSignal):
                    continue

    def fresh(self) -> Caller:
        """An evaluator for constants: they must not depend on what this run fills its holes with."""
        from scriptlint.tokenizer.interp import Interp

        return Interp(max_steps=MAX_STEPS)

    def constant(self, node: ast.expr, scope: Scope, siblings: dict[str, ast.expr]) -> object:
        """The value of a module or class constant, evaluated apart from the steps of this run.

        ``siblings`` are the other constants of the same body, which a class constant may name.
        """
        fresh = self.fresh()
        env = _Siblings(fresh, scope, siblings, node) if siblings else {}
        try:
            return fresh.eval(node, env, scope)
        except PYTHON_ERRORS as error:
            raise Raised(type(error).__name__) from error


class _Siblings(dict[str, object]):
    """Names of one body, evaluated when asked for."""

    def __init__(self, interp: Caller, scope: Scope, nodes: dict[str, ast.expr], current: ast.expr) -> None:
        super().__init__()
        self.interp, self.scope, self.nodes, self.busy = interp, scope, nodes, {id(current)}

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or (name in self.nodes and id(self.nodes[name]) not in self.busy)

    def __missing__(self, name: str) -> object:
        node = self.nodes[name]
        self.busy.add(id(node))
        value = self.interp.eval(node, self, self.scope)
        self[name] = value
        return value
