"""Follows text through a function: which stages it passes, where their patterns stand, what becomes of the pieces.

The tracer runs a function with nothing known about its inputs. Every operation on a text that nobody knows gives
a ``Traced`` value: the stages so far, the places they stand at, and how to get the value for a given text (an
expression or statement with the names it needs, run by ``Interp``). Both ways of a branch are followed, a loop once.
"""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.closed import is_pattern
from scriptlint.tokenizer.values import PYTHON_ERRORS, Builtin, Function, Hole, LimitReached, Raised, Unsupported

if TYPE_CHECKING:
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.routing import asks_language
from scriptlint.source.trace_filters import FilterTracer
from scriptlint.source.traced import (
    COLLECTIONS,
    SOME,
    Compiled,
    Pairs,
    Shape,
    Traced,
    assigned_names,
    branch_env,
    serials,
    uncertain,
)


class Tracer(FilterTracer):
    """Follows one function: both ways of a branch, a loop once."""

    # -- statements -----------------------------------------------------------------------------------------

    def run_block(self, body: list[ast.stmt], env: dict[str, object], scope: Scope) -> str | None:
        """Run statements; why they ended early ("return", "continue", ...), or ``None``.

        A statement that can't be followed is skipped.
        """
        for statement in body:
            self.tick()
            try:
                ended = self.statement(statement, env, scope)
            except LimitReached:
                raise
            except (Unsupported, Raised, *PYTHON_ERRORS):
                ended = None
                for name in assigned_names(statement):
                    env.setdefault(name, Hole(name))
            except RecursionError:
                ended = None
            if ended:
                return ended
        return None

    def statement(self, node: ast.stmt, env: dict[str, object], scope: Scope) -> str | None:
        if isinstance(node, ast.If):
            return self.traced_if(node, env, scope)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self.traced_for(node, env, scope)
            return None
        if isinstance(node, ast.While):
            self.traced_while(node, env, scope)
            return None
        if isinstance(node, ast.Return):
            value = None if node.value is None else self.eval(node.value, env, scope)
            self.use(value, "returned", node)
            self.returned.append(value)
            return "return"
        if isinstance(node, ast.Raise):
            return "raise"
        if isinstance(node, ast.Continue):
            return "continue"
        if isinstance(node, ast.Break):
            return "break"
        if isinstance(node, ast.Try):
            ended = self.run_block(node.body, env, scope)
            if ended is None:
                ended = self.run_block(node.orelse, env, scope)
            for handler in node.handlers:
                branch = dict(env)
                self.run_block(handler.body, branch, scope)
                for name, value in branch.items():
                    env.setdefault(name, value)
            self.run_block(node.finalbody, env, scope)
            return None if node.handlers else ended
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                value = self.eval(item.context_expr, env, scope)
                if item.optional_vars is not None:
                    self.assign_traced(item.optional_vars, value, env, scope)
            return self.run_block(node.body, env, scope)
        if isinstance(node, ast.AugAssign):
            self.traced_augassign(node, env, scope)
            return None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            env[node.name] = Function(
                node, scope, env, qualname=f"{self.owner}.{node.name}" if self.owner else node.name
            )
            return None
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, (ast.Yield, ast.YieldFrom))
            and node.value.value is not None
        ):
            value = self.eval(node.value.value, env, scope)
            self.use(value, "returned", node)
            self.yields[-1].append(value)
            return None
        self.block([node], env, scope)
        return None

    def s_importfrom(self, node: ast.ImportFrom, env: dict[str, object], scope: Scope) -> None:
        if self.stack:
            super().s_importfrom(node, env, scope)
            return
        # At the top level the scope knows the names; what they stand for is looked up when one of them is used.
        for alias in node.names:
            env.pop(alias.asname or alias.name, None)

    def traced_augassign(self, node: ast.AugAssign, env: dict[str, object], scope: Scope) -> None:
        value = self.eval(node.value, env, scope)
        if isinstance(node.target, ast.Subscript):
            key = self.eval(node.target.slice, env, scope) if not isinstance(node.target.slice, ast.Slice) else None
            self.use(key, "index", node)
            owner = node.target.value
            if isinstance(key, Traced) and isinstance(owner, ast.Name):
                old = env.get(owner.id)
                if isinstance(old, (dict, Traced, Hole)):
                    self.collect(owner.id, old, key, "dict", node, env, scope)
            return
        if isinstance(node.target, ast.Name) and isinstance(node.op, (ast.Add, ast.BitOr)):
            old = env.get(node.target.id)
            if isinstance(value, Traced) and (
                isinstance(old, (list, set)) or (isinstance(old, Traced) and old.shape in COLLECTIONS)
            ):
                shape: Shape = "set" if isinstance(old, set) or getattr(old, "shape", "") == "set" else "list"
                self.collect(node.target.id, old, value, shape, node, env, scope)
                return
            if isinstance(value, Traced) and isinstance(old, str):
                made = self.derive(value, None, "str", None, env, scope)
                env[node.target.id] = self.keep(
                    replace(made, how=("block", node, dict(env), scope, node.target.id), serial=next(serials))
                )
                return
            if isinstance(old, Traced) and isinstance(value, (str, list)):
                env[node.target.id] = self.keep(
                    replace(
                        old, how=("block", node, dict(env), scope, node.target.id), serial=next(serials), parents=(old,)
                    )
                )
                return
            number = isinstance(old, (int, float)) or (isinstance(old, Hole) and old.path.startswith("number "))
            if number and isinstance(value, Hole):
                # A sum, whatever the numbers are made from.
                env[node.target.id] = Hole(f"number {node.lineno}")
                return
            if isinstance(old, Hole) or isinstance(value, Hole):
                if not isinstance(old, Traced):
                    env[node.target.id] = (
                        value if isinstance(value, Traced) else (old if isinstance(old, Hole) else value)
                    )
                return
        if isinstance(value, Hole) or (isinstance(node.target, ast.Name) and isinstance(env.get(node.target.id), Hole)):
            return
        self.block([node], env, scope)

    def traced_if(self, node: ast.If, env: dict[str, object], scope: Scope) -> str | None:
        before, since = len(self.created), next(serials)
        asked = len(self.uses)
        test = self.eval(node.test, env, scope)
        if isinstance(test, SOME):
            test = Hole(f"test {node.lineno}")
        self.use(test, "bool", node)
        for made in self.created[before:]:
            if made.shape == "match":
                self.use(made, "guard", node)
        if not isinstance(test, Hole):
            return self.run_block(node.body if super().truth(test) else node.orelse, env, scope)
        names = [
            n for n, v in env.items()
            if (isinstance(v, Traced) and v.element_of is not None)
            or (isinstance(v, Hole) and not isinstance(v, Traced) and v.path.endswith("[*]"))
        ]  # fmt: skip
        yes, no = branch_env(env), branch_env(env)
        if names and not all(isinstance(s, (ast.Continue, ast.Break)) for s in node.body):
            # Where the loop only goes on, nothing is done with the pieces that pass: they are nobody's tokens.
            self.filter_by(node.test, True, yes, scope, names)
        way = (node.test, dict(env), scope) if asks_language(node.test) else None
        ended_yes = self.run_way(node.body, yes, scope, way, True)
        if names:
            self.filter_by(node.test, False, no, scope, names)
        ended_no = self.run_way(node.orelse, no, scope, way, False) if node.orelse else None
        if way is not None and bool(ended_yes) != bool(ended_no):
            # The other way goes on.
            self.ways.append((*way, bool(ended_no)))
        if ended_yes and ended_no:
            return ended_yes if ended_yes == ended_no else "return"
        if ended_yes:
            self.drop_skipped(yes, env, since, asked)
            env.clear()
            env.update(no)
            self.note_fallback(node, env)
            return None
        if ended_no:
            self.drop_skipped(no, env, since, asked)
            env.clear()
            env.update(yes)
            return None
        before_env = dict(env)
        for name in {**yes, **no}:
            a, b = yes.get(name, before_env.get(name)), no.get(name, before_env.get(name))
            old = before_env.get(name)
            if a is b:
                env[name] = a
                continue
            if isinstance(a, (list, set, dict)) and isinstance(b, (list, set, dict)) and type(a) is type(b):
                env[name] = a if a == b else uncertain(a, b)
                continue
            if name in names and isinstance(old, Traced) and isinstance(a, Traced) and isinstance(b, Traced):
                # Only narrowed by the test: after the branch both kinds of element are there again.
                narrowed = a.stages[: len(old.stages)] == old.stages and b.stages[: len(old.stages)] == old.stages
                if narrowed and not any(
                    isinstance(s, (st.Extract, st.Split, st.Erase)) for s in a.stages[len(old.stages) :]
                ):
                    env[name] = old
                    if not node.orelse and b is not old:
                        # Nothing is done with the pieces that fail the test.
                        self.created = [v for v in self.created if v is not b]
                    continue
            if (
                isinstance(a, Traced)
                and isinstance(b, Traced)
                and isinstance(old, Traced)
                and a.shape in COLLECTIONS
                and set(b.marks) <= set(a.marks)
                and b is old
            ):
                env[name] = self.keep(
                    replace(a, how=("block", node, before_env, scope, name), serial=next(serials), parents=(a,))
                )
                continue
            if (isinstance(a, Traced) or isinstance(b, Traced)) and (
                a is None or b is None or not isinstance(a, Traced) or not isinstance(b, Traced)
            ):
                chosen = a if isinstance(a, Traced) else b
                assert isinstance(chosen, Traced)
                env[name] = self.keep(
                    replace(
                        chosen, how=("block", node, before_env, scope, name), serial=next(serials), parents=(chosen,)
                    )
                )
                continue
            joined = self.join_branches(node.test, before_env, scope, a, b)
            if isinstance(joined, Traced):
                joined = self.keep(
                    replace(
                        joined, how=("block", node, before_env, scope, name), serial=next(serials), parents=(joined,)
                    )
                )
            env[name] = joined
        self.note_fallback(node, env)
        return None

    def run_way(
        self,
        body: list[ast.stmt],
        env: dict[str, object],
        scope: Scope,
        way: tuple[ast.expr, dict[str, object], Scope] | None,
        taken: bool,
    ) -> str | None:
        """Run one way of a branch; of what it makes it is known which languages go there."""
        before = len(self.ways)
        if way is not None:
            self.ways.append((*way, taken))
        try:
            return self.run_block(body, env, scope)
        finally:
            del self.ways[before:]

    def drop_skipped(self, skipped: dict[str, object], env: dict[str, object], since: int, asked: int) -> None:
        """Forget the pieces that a test sorted out and that nothing was done with (``continue``): no tokenizer is made
        of what is skipped. What was made before the test has a serial below ``since``, and ``asked`` uses."""
        narrowed = {
            id(v) for name, v in skipped.items()
            if isinstance(v, Traced) and (old := env.get(name)) is not v and v.how is getattr(old, "how", v.how)
        }  # fmt: skip
        if not narrowed:
            return
        first = len(self.created)
        while first and self.created[first - 1].serial > since:
            first -= 1
        made = self.created[first:]
        taken = {id(p) for v in made for p in v.parents} | {id(u.value) for u in self.uses[asked:]}
        self.created[first:] = [v for v in made if id(v) not in narrowed or id(v) in taken]

    def note_fallback(self, node: ast.If, env: dict[str, object]) -> None:
        """``if not key: return "untitled"`` (or ``key = "untitled"``): an empty text falls back to a constant."""
        test, body = node.test, node.body
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name)):
            return
        name, held = test.operand.id, env.get(test.operand.id)
        value = body[0].value if len(body) == 1 and isinstance(body[0], (ast.Return, ast.Assign)) else None
        if isinstance(body[0], ast.Assign) and [ast.unparse(t) for t in body[0].targets] != [name]:
            return
        said = value.value if isinstance(value, ast.Constant) else None
        if not node.orelse and isinstance(said, str) and said and isinstance(held, Traced) and held.shape == "str":
            env[name] = self.keep(replace(held, name=f"fallback:{said}", serial=next(serials), parents=(held,)))

    def traced_for(self, node: ast.For | ast.AsyncFor, env: dict[str, object], scope: Scope) -> None:
        source = self.eval(node.iter, env, scope)
        before = dict(env)
        if isinstance(source, Traced):
            self.use(source, "iterate", node)
        if not isinstance(source, (Hole, Pairs)):
            elements = list(itertools.islice(self.iterate(source), 16))
            if not any(
                isinstance(v, (Compiled, Function, Builtin, Traced)) or is_pattern(v)
                for e in elements
                for v in (e if isinstance(e, tuple) else (e,))
            ):
                # Only patterns and functions make one round differ from the next.
                elements = elements[:2]
        else:
            elements = [self.element(source, node.iter, env, scope, node.target, node)]
        for element in elements:
            self.assign_traced(node.target, element, env, scope)
            if self.run_block(node.body, env, scope) in ("break", "return", "raise"):
                break
        if len(elements) == 1 and gathers(before, env):
            # What the first round gathered is what the next one tests: ``elif word: words.append(word)``.
            self.assign_traced(node.target, elements[0], env, scope)
            self.run_block(node.body, env, scope)
        if isinstance(source, (Hole, Pairs)):
            self.after_loop(node, before, env, scope)

    def traced_while(self, node: ast.While, env: dict[str, object], scope: Scope) -> None:
        before = dict(env)
        self.eval(node.test, env, scope)
        self.run_block(node.body, env, scope)
        if gathers(before, env):
            self.run_block(node.body, env, scope)
        self.after_loop(node, before, env, scope)

    def after_loop(self, node: ast.stmt, before: dict[str, object], env: dict[str, object], scope: Scope) -> None:
        """After a loop, what it built is had by running the loop."""
        for name, value in list(env.items()):
            if value is before.get(name) or not isinstance(value, Traced):
                continue
            env[name] = self.keep(
                replace(
                    value,
                    how=("block", node, before, scope, name),
                    serial=next(serials),
                    parents=(value,),
                    element_of=self.outer_element(node, before),
                )
            )


def gathers(before: dict[str, object], after: dict[str, object]) -> bool:
    """Whether a round of a loop put traced text into a name that stood empty before it."""
    return any(
        isinstance(value, (str, list, set)) and not value and isinstance(after.get(name), Traced)
        for name, value in before.items()
    )
