"""Traces the functions of a module that may hold a tokenizer, its lambdas and its top level.

What they leave behind are candidates (see ``candidates``).
"""

from __future__ import annotations

import ast
import contextlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from scriptlint.source.blocks import functions_of, statements_in
from scriptlint.source.candidates import Candidate, FoundIn, collect
from scriptlint.source.lambdas import handed_on
from scriptlint.source.module import SourceClass, SourceModule
from scriptlint.source.screen import Screen
from scriptlint.source.trace import Tracer
from scriptlint.source.traced import Traced
from scriptlint.tokenizer.trees import walk
from scriptlint.tokenizer.values import Function, Hole, Raised, Unsupported

if TYPE_CHECKING:
    from scriptlint.source.blocks import Block, FunctionNode
    from scriptlint.source.traced import Mark


def trace_module(module: SourceModule) -> FoundIn:
    """Trace every function of a module that may hold a tokenizer, and its top level.

    Raises ``SyntaxError`` when a block that matters is not Python.
    """
    found = FoundIn(module)
    screen = Screen(module)
    blocks = screen.blocks()
    for block in blocks:
        module.statements(block)
    for block in blocks:
        around = list(functions_of(module.statements(block)))
        for node, qualname, cls in around:
            if screen.worth_tracing(node):
                trace_function(module, node, qualname, cls, found, around)
    if any(b.kind != "def" for b in blocks):
        trace_top_level(module, found)
    for block in blocks:
        if "lambda" in block.text:
            trace_lambdas(module, block, screen, found)
    known = {b.place for b in found.bad}
    found.bad += [b for b in screen.invalid_literals() if b.place not in known]
    return found


def trace_function(
    module: SourceModule,
    node: FunctionNode,
    qualname: str,
    cls: ast.ClassDef | None,
    found: FoundIn,
    around: list[tuple[FunctionNode, str, ast.ClassDef | None]],
    force: bool = False,
) -> None:
    """Trace one function with nothing known about its arguments but their defaults; ``around`` are those it may stand
    in."""
    tracer = Tracer()
    decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
    bound: object = None
    has_self = cls is not None and "staticmethod" not in decorators
    if cls is not None:
        owner = class_of(module, cls)
        try:
            # An object of its own: what one method leaves in it must not reach the next.
            bound = replace(owner.template(tracer))
            bound.attributes = dict(bound.attributes)
        except (Unsupported, Raised, RecursionError):
            bound = None
        if "classmethod" in decorators:
            bound = owner
    tracer.created.clear()
    tracer.uses.clear()
    tracer.steps = 0
    closure = outer_names(module, node, qualname, tracer, around)
    function = Function(node, module, closure, bound, has_self, qualname)
    try:
        result = tracer.enter(function, [], {})
    except (Unsupported, Raised, RecursionError):
        result = Hole("not followed")
    except Exception:
        # Real code holds more than the tracer knows; a function that it fails on is one that is not judged.
        if os.environ.get("SCRIPTLINT_TRACEBACK"):
            raise
        result = Hole("not followed")
    found.bad += [b for b in tracer.bad if b not in found.bad]
    found.boundaries += [b for b in tracer.boundaries if b.place not in {x.place for x in found.boundaries}]
    found.calls += [(c, f, a, k, o) for c, f, a, k, o, scope in tracer.calls if o == qualname and scope is module]
    if force and isinstance(result, Traced):
        here = [m for m in result.marks if m.place.path == module.path]
        line = min([m.place.line for m in here] or [node.lineno])
        found.candidates.append(
            Candidate(
                result,
                qualname,
                line,
                (line, line),
                result.marks,
                "words",
                list(tracer.uses),
                [],
                True,
                "",
                module.path,
            )
        )
        return
    with contextlib.suppress(RecursionError):  # branches upon branches: not judged
        collect(tracer, result, node, qualname, module, found, cls)


def trace_lambdas(module: SourceModule, block: Block, screen: Screen, found: FoundIn) -> None:
    """Trace the lambdas of a block that are handed on under a name, but for those that were followed where they
    stand."""
    for statement in module.statements(block):
        for written, node in handed_on(statement):
            known = any(_stands_in(m, written, module) for c in found.candidates for m in c.marks)
            if not known and screen.worth_tracing(node):
                trace_function(module, node, node.name, None, found, [])


def _stands_in(mark: Mark, node: ast.expr, module: SourceModule) -> bool:
    place = mark.use or mark.place
    if place.path != module.path:
        return False
    start = (node.lineno, module.column(node.lineno, node.col_offset))
    last = node.end_lineno or node.lineno
    return start <= (place.line, place.column) < (last, module.column(last, node.end_col_offset or 0))


def class_of(module: SourceModule, cls: ast.ClassDef) -> SourceClass:
    """The class object for a class node (also for classes inside classes and functions)."""
    known = module.classes.get(cls.name)
    if known is not None and known.node is cls:
        return known
    key = f"\0{cls.lineno}"
    if key not in module.classes:
        module.classes[key] = SourceClass(cls, module, cls.name, cls.name)
    return module.classes[key]


def outer_names(
    module: SourceModule,
    node: ast.AST,
    qualname: str,
    tracer: Tracer,
    around: list[tuple[FunctionNode, str, ast.ClassDef | None]],
) -> dict[str, object]:
    """What a nested function sees of the function around it: its constants."""
    if "." not in qualname:
        return {}
    outer_name = qualname.rpartition(".")[0]
    for outer, name, _ in around:
        inside = outer.lineno <= getattr(node, "lineno", 0) <= (outer.end_lineno or 0)
        if name == outer_name and node is not outer and inside:
            env: dict[str, object] = {}
            for statement in statements_in(outer.body):
                if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)):
                    try:
                        tracer.statement(statement, env, module)
                    except (Unsupported, Raised, RecursionError):
                        continue
                elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement is not node:
                    env[statement.name] = Function(statement, module, env, qualname=f"{outer_name}.{statement.name}")
            tracer.created.clear()
            tracer.uses.clear()
            return {k: v for k, v in env.items() if not isinstance(v, Traced)}
    return {}


def trace_top_level(module: SourceModule, found: FoundIn) -> None:
    """Trace the statements outside functions (scripts)."""
    body = [
        s
        for s in module.top_level()
        if not isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))
    ]
    tracer = Tracer()
    tracer.owner = "<module>"
    tracer.max_depth = 0
    env: dict[str, object] = {}
    try:
        for statement in body:
            # Plain constants are had through the module's names; here only what happens at import or in a script.
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and not any(
                isinstance(n, (ast.Call, ast.ListComp, ast.SetComp, ast.DictComp)) for n in walk(statement)
            ):
                continue
            tracer.steps = 0
            tracer.run_block([statement], env, module)
    except (Unsupported, Raised, RecursionError):
        pass
    except Exception:
        if os.environ.get("SCRIPTLINT_TRACEBACK"):
            raise
    for cls in list(module.classes.values()):
        for value in cls.constants.values():
            if any(isinstance(n, ast.Call) for n in walk(value)):
                try:
                    tracer.eval(value, {}, module)
                except (Unsupported, Raised, RecursionError):
                    continue
    found.bad += [b for b in tracer.bad if b not in found.bad]
    found.boundaries += [b for b in tracer.boundaries if b.place not in {x.place for x in found.boundaries}]
    found.calls += [(c, f, a, k, o) for c, f, a, k, o, scope in tracer.calls if o == "<module>" and scope is module]
    with contextlib.suppress(RecursionError):
        collect(tracer, Hole("module"), ast.Module([], []), "<module>", module, found, None)
