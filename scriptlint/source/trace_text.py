"""What expressions make of text that nobody knows."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.values import Hole

if TYPE_CHECKING:
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.routing import Chosen, is_language
from scriptlint.source.trace_base import TracerBase
from scriptlint.source.traced import (
    PATTERN_CALLS,
    SOME,
    TEXT_METHODS,
    BoundPattern,
    Compiled,
    Mark,
    Traced,
    field_name,
    fixed_words,
    only_chosen,
    serials,
)


class TextTracer(TracerBase):
    """Operators, comparisons, branches and slices of traced text."""

    # -- holes as text --------------------------------------------------------------------------------------

    def truth(self, value: object) -> bool:
        return super().truth(value)

    def e_boolop(self, node: ast.BoolOp, env: dict[str, object], scope: Scope) -> object:
        values = []
        for part in node.values:
            value = self.eval(part, env, scope)
            values.append(value)
            if not isinstance(value, (Hole, *SOME)):
                is_and = isinstance(node.op, ast.And)
                if super().truth(value) is not is_and:
                    break
        traced = [v for v in values if isinstance(v, Traced)]
        if isinstance(node.op, ast.Or):
            for v in traced:
                if v.shape == "bool":
                    return Hole(f"test {node.lineno}")
                others = [x for x in values if x is not v] or [None]
                if (
                    v is values[0]
                    and len(values) == 2
                    and isinstance(others[0], str)
                    and others[0]
                    and v.shape == "str"
                ):
                    made = self.derive(v, None, v.shape, node, env, scope)
                    return self.keep(replace(made, name=f"fallback:{others[0]}", serial=next(serials), parents=(made,)))
                return self.derive(v, None, v.shape, node, env, scope)
            if values and isinstance(values[0], Hole):
                return values[0]
            return values[-1]
        if traced:
            return Hole(f"test {node.lineno}")
        return values[-1] if not any(isinstance(v, Hole) for v in values) else Hole(f"test {node.lineno}")

    def e_unaryop(self, node: ast.UnaryOp, env: dict[str, object], scope: Scope) -> object:
        value = self.eval(node.operand, env, scope)
        if isinstance(value, SOME):
            return Hole(f"test {node.lineno}")
        if isinstance(value, Hole):
            self.use(value, "bool", node)
            return Hole(f"test {node.lineno}") if isinstance(node.op, ast.Not) else Hole(f"number {node.lineno}")
        if isinstance(node.op, ast.Not):
            return not super().truth(value)
        return super().e_unaryop(node, env, scope)

    def e_compare(self, node: ast.Compare, env: dict[str, object], scope: Scope) -> object:
        values = [self.eval(v, env, scope) for v in (node.left, *node.comparators)]
        if any(isinstance(v, Hole) for v in values):
            for i, op in enumerate(node.ops):
                how = "in" if isinstance(op, (ast.In, ast.NotIn)) else "compare"
                beside = values[i + 1]
                self.use(values[i], how, node, fixed_words(beside) and not (how == "in" and isinstance(beside, str)))
                self.use(beside, how if how == "compare" else "container", node, fixed_words(values[i]))
            return Hole(f"test {node.lineno}")
        return all(super(TextTracer, self).compare(type(op), values[i], values[i + 1]) for i, op in enumerate(node.ops))

    def e_ifexp(self, node: ast.IfExp, env: dict[str, object], scope: Scope) -> object:
        test = self.eval(node.test, env, scope)
        if not isinstance(test, Hole):
            return self.eval(node.body if super().truth(test) else node.orelse, env, scope)
        yes, no = self.eval(node.body, env, scope), self.eval(node.orelse, env, scope)
        for one, other in ((yes, no), (no, yes)):
            if isinstance(one, Traced) and one.shape == "char" and isinstance(other, str):
                # Per character: keep it, or put something else in its place.
                word = "replaced unless" if one is yes else "replaced if"
                stage = st.Condition(f"{word} {self.shown(node.test, True)}")
                return self.derive(
                    one,
                    stage,
                    "char",
                    node,
                    env,
                    scope,
                    Mark(self.site(node.test, scope), "filter", self.owner, None, stage, "condition"),
                )
            tested = test if isinstance(node.test, ast.Name) is (one is yes) else None
            if isinstance(one, Traced) and one is tested and one.shape == "str" and isinstance(other, str) and other:
                # ``key if key else "untitled"``
                made = self.derive(one, None, "str", node, env, scope)
                return self.keep(replace(made, name=f"fallback:{other}", serial=next(serials), parents=(made,)))
        return self.join_branches(node.test, env, scope, yes, no, node)

    def join_branches(
        self,
        test: ast.expr,
        env: dict[str, object],
        scope: Scope,
        yes: object,
        no: object,
        node: ast.expr | None = None,
    ) -> object:
        """One value for the two that a branch may give."""
        if yes is no:
            return yes
        both = [v for v in (yes, no) if isinstance(v, Traced)]
        if len(both) == 2:
            main = next((a for a, b in (both, both[::-1]) if b.root in a.beside), None)
            if main is not None:
                # ``f"{slug}-{uid}" if slug else uid``: the text is the one that stands in one of them alone.
                merged = self.derive(main, None, main.shape, None, env, scope)
                return self.keep(replace(merged, how=("branch", test, dict(env), scope, yes, no), serial=next(serials)))
            merged = self.merge(both, None, env, scope, both[0].shape, st.Either)
            return self.keep(replace(merged, how=("branch", test, dict(env), scope, yes, no), serial=next(serials)))
        if both:
            other = no if both[0] is yes else yes
            if isinstance(other, Hole) and other.path not in both[0].also:
                both[0] = replace(both[0], also=(*both[0].also, other.path), serial=next(serials), parents=(both[0],))
            merged = self.derive(both[0], None, both[0].shape, node, env, scope)
            return self.keep(replace(merged, how=("branch", test, dict(env), scope, yes, no), serial=next(serials)))
        if isinstance(yes, Hole) and isinstance(no, Hole):
            return yes
        for one, other in ((yes, no), (no, yes)):
            if is_language(one) and isinstance(other, str):
                return one
        if isinstance(yes, Hole):
            # ``x if x else ""``: the unknown text is the interesting one.
            return yes if (isinstance(no, (str, list, tuple, dict)) and not no) or no is None else no
        return yes

    def e_subscript(self, node: ast.Subscript, env: dict[str, object], scope: Scope) -> object:
        value = self.eval(node.value, env, scope)
        if isinstance(value, Traced):
            if isinstance(node.slice, ast.Slice):
                if value.shape == "str":
                    return self.slice_of(value, node, env, scope)
                return self.derive(value, None, value.shape, node, env, scope)
            key = self.eval(node.slice, env, scope)
            if isinstance(key, str) and only_chosen(value):
                return Hole(f"{value.root}[{str(key)!r}]")
            self.use(key, "index", node)
            if value.shape == "matches":
                return self.derive(value, None, "match", node, env, scope)
            if value.shape == "match":
                return (
                    self.group(value, [key], node, env, scope)
                    if key
                    else self.derive(value, None, "str", node, env, scope)
                )
            if value.shape == "str":
                return self.derive(value, None, "char", node, env, scope)
            if value.shape == "dict":
                return Hole(f"count {node.lineno}")
            return self.derive(value, None, "str", node, env, scope)
        if isinstance(node.slice, ast.Slice):
            if isinstance(value, Hole):
                return self.slice_of(value, node, env, scope)
            bounds = [
                None if b is None else self.eval(b, env, scope)
                for b in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            if any(isinstance(b, Hole) for b in bounds):
                return value
            return self.guard(lambda: value[slice(*bounds)], (), {})  # type: ignore[index]
        key = self.eval(node.slice, env, scope)
        if isinstance(key, Traced):
            self.use(key, "index", node, fixed_words(value))
            return Hole(f"item {node.lineno}")
        if isinstance(value, dict) and is_language(key):
            return Chosen(value)
        if isinstance(key, str) and isinstance(value, Hole):
            kept = env.get(field_name(value, key))
            if kept is not None:
                return kept
        return self.item(value, key)

    def slice_of(self, value: Hole, node: ast.Subscript, env: dict[str, object], scope: Scope) -> Hole:
        """``text[i:i + n]``: an n-gram when the width is a constant and the start moves; else the same text, cut."""
        part = node.slice
        width = None
        if (
            isinstance(part, ast.Slice)
            and part.lower is not None
            and isinstance(part.upper, ast.BinOp)
            and isinstance(part.upper.op, ast.Add)
        ):
            left, right = part.upper.left, part.upper.right
            for start, size in ((left, right), (right, left)):
                if ast.dump(start) == ast.dump(part.lower) and not isinstance(part.lower, ast.Constant):
                    found = self.eval(size, env, scope)
                    width = found if isinstance(found, int) else width
        if width and width > 0:
            return self.derive(value, st.NGrams(width), "str", node, env, scope)
        return self.derive(value, None, "str", node, env, scope) if isinstance(value, Traced) else value

    def attribute(self, value: object, name: str, node: ast.AST | None = None) -> object:
        if isinstance(value, Compiled):
            return BoundPattern(value, name) if name in PATTERN_CALLS else super().attribute(value.real(), name, node)
        if isinstance(value, Traced) and name not in TEXT_METHODS and only_chosen(value):
            # An object of an unknown list that passed a test: its fields are those of the list's element.
            return Hole(f"{value.root}.{name}")
        return super().attribute(value, name, node)
