"""Comprehensions, and tests as filters."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import KeysView
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import TURNED, walk
from scriptlint.tokenizer.values import Hole

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.tokenizer.stages import Stage
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.trace_patterns import PatternTracer
from scriptlint.source.traced import (
    COLLECTIONS,
    TEST_METHODS,
    TEXT_METHODS,
    Mark,
    Pairs,
    Shape,
    Tests,
    Traced,
    field_name,
    is_character,
    names_in,
    serials,
    unparsed,
)

_OPPOSITE: dict[type, type] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


class FilterTracer(PatternTracer):
    """Comprehensions, and what a test says about the pieces that pass it."""

    # -- comprehensions and filters -------------------------------------------------------------------------

    def e_comp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, env: dict[str, object], scope: Scope
    ) -> object:
        inner = dict(env)
        last = self.bind_generators(node.generators, inner, scope, node)
        value = self.eval(node.elt, inner, scope)
        shape: Shape = "set" if isinstance(node, ast.SetComp) else "list"
        if isinstance(value, Traced):
            if value.shape == "char" and isinstance(node, (ast.ListComp, ast.GeneratorExp)):
                shape = "chars"
            if value.shape in ("match", "matches"):
                shape = "matches"
            if value.shape in ("list", "set", "dict"):
                # A list of token lists: one per text of a corpus. Its pieces are the tokens.
                shape = "list"
            if value.shape == "bool":
                return Tests(path=f"tests {node.lineno}", value=value, node=node)
            made = replace(
                value,
                shape=shape,
                how=("expr", node, dict(env), scope),
                serial=next(serials),
                parents=(value,),
                element_of=self.outer_element(node, env),
                line=node.lineno,
            )
            return self.keep(made)
        if isinstance(value, tuple):
            traced = [v for v in value if isinstance(v, Traced)]
            if traced:
                made = replace(
                    traced[0],
                    shape=shape,
                    how=("expr", node, dict(env), scope),
                    serial=next(serials),
                    parents=tuple(traced),
                    element_of=self.outer_element(node, env),
                    line=node.lineno,
                )
                return self.keep(made)
        if not isinstance(value, Hole) and isinstance(last, Hole):
            if isinstance(last, Traced):
                self.use(last, how_iterated(node.elt), node)
            return Hole(f"list {node.lineno}")
        if isinstance(value, Hole):
            if isinstance(last, Traced):
                self.use(last, how_iterated(node.elt), node)
            if value.path.endswith("[*]") and not isinstance(last, Traced):
                return Hole(value.path[:-3])
            return Hole(f"list {node.lineno}")
        return super().e_comp(node, env, scope)

    def outer_element(self, node: ast.AST, env: dict[str, object]) -> Traced | None:
        """The loop element that a comprehension depends on from outside itself, if any."""
        for name in sorted(names_in(node)):
            value = env.get(name)
            if isinstance(value, Traced) and value.element_of is not None:
                return value.element_of
        return None

    def e_dictcomp(self, node: ast.DictComp, env: dict[str, object], scope: Scope) -> object:
        inner = dict(env)
        self.bind_generators(node.generators, inner, scope, node)
        key, value = self.eval(node.key, inner, scope), self.eval(node.value, inner, scope)
        if isinstance(key, Traced):
            self.use(key, "index", node)
            return self.gathered(key, "dict", node, env, scope)
        if isinstance(value, Traced):
            self.use(value, "index", node)
            return self.gathered(value, "list", node, env, scope)
        if isinstance(key, Hole) or isinstance(value, Hole):
            return Hole(f"dict {node.lineno}")
        return super().e_dictcomp(node, env, scope)

    def bind_generators(
        self, gens: list[ast.comprehension], env: dict[str, object], scope: Scope, around: ast.expr
    ) -> object:
        source: object = None
        for g in gens:
            source = self.eval(g.iter, env, scope)
            self.assign_traced(g.target, self.element(source, g.iter, env, scope, g.target, around), env, scope)
            names = [n.id for n in walk(g.target) if isinstance(n, ast.Name)]
            for test in g.ifs:
                self.filter_by(test, True, env, scope, names)
        return source

    def assign_traced(self, target: ast.expr, value: object, env: dict[str, object], scope: Scope) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, Traced):
                keyed = value.shape == "dict" or (value.how[:1] == ("element",) and value.how[1].shape == "dict")
                for i, t in enumerate(target.elts):
                    inner = t.value if isinstance(t, ast.Starred) else t
                    # What stands beside a key is not text: how often it occurs, where.
                    first = i == 0 or not keyed
                    part = replace(
                        value,
                        serial=next(serials),
                        shape="str" if value.shape in COLLECTIONS else value.shape,
                        how=("part", value, i),
                        parents=(value,),
                    )
                    self.assign_traced(inner, self.keep(part) if first else Hole(f"part {i}"), env, scope)
                return
            if isinstance(value, (tuple, list)) and len(value) == len(target.elts):
                for t, v in zip(target.elts, value, strict=True):
                    self.assign_traced(t, v, env, scope)
                return
            if isinstance(value, Pairs):
                value = Hole("pairs")
        super().assign(target, value, env, scope)
        if isinstance(target, ast.Attribute):
            self.use(value, "store", target)
        elif isinstance(target, ast.Subscript):
            self.use(value, "store", target)
            key = self.eval(target.slice, env, scope) if not isinstance(target.slice, ast.Slice) else None
            self.use(key, "index", target)
            known = isinstance(value, Traced) and not any(
                isinstance(s, st.Opaque) for s in st.flat_stages(value.stages)
            )
            if isinstance(key, str) and known:
                held = self.eval(target.value, env, scope)
                if isinstance(held, Hole) and not isinstance(held, Traced):
                    env[field_name(held, key)] = value
            if (
                isinstance(key, Traced)
                and isinstance(target.value, ast.Name)
                and isinstance(env.get(target.value.id), (dict, Traced))
            ):
                statement = ast.copy_location(ast.Assign([target], ast.copy_location(ast.Constant(1), target)), target)
                self.collect(target.value.id, env.get(target.value.id), key, "dict", statement, env, scope)

    def assign(self, target: ast.expr, value: Any, env: dict[str, object], scope: Scope) -> None:
        self.assign_traced(target, value, env, scope)

    def filter_by(self, test: ast.expr, positive: bool, env: dict[str, object], scope: Scope, names: list[str]) -> None:
        """Apply a test as a filter to the loop variables it looks at."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.filter_by(test.operand, not positive, env, scope, names)
            return
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is positive:
            for part in test.values:
                self.filter_by(part, positive, env, scope, names)
            return
        before = len(self.created)
        value = self.eval(test, env, scope)
        if not isinstance(value, Hole):
            return
        used = names_in(test)
        letters = any(isinstance(v := env.get(name), Traced) and v.shape == "char" for name in used)
        stage, mark = self.filter_stage(test, positive, env, scope, self.created[before:], letters)
        touched = {v.serial for v in self.created[before:]}
        tested = [v for u in used if isinstance(v := env.get(u), Traced)]
        for name, held in list(env.items()):
            if (
                name in used
                and stage is not None
                and isinstance(held, Hole)
                and not isinstance(held, Traced)
                and held.path.endswith("[*]")
            ):
                if isinstance(stage, _CHOOSING) and only_fields(test, name):
                    # A record is chosen by its role, its kind, its date: its text is like that of any other.
                    continue
                # A text of an unknown list: from here on it is one that passed the test.
                env[name] = self.keep(
                    Traced(
                        root=held.path,
                        stages=(stage,),
                        marks=(mark,) if mark else (),
                        owner=self.owner,
                        line=test.lineno,
                    )
                )
                continue
            if not isinstance(held, Traced) or held.element_of is None:
                continue
            # What was made of the same element goes with it; the loop around this one goes on.
            if name not in used and all(held.element_of is not v.element_of for v in tested):
                continue
            if held.serial in touched:
                continue
            if stage is None:
                continue
            marks = (*held.marks, mark) if mark is not None and mark not in held.marks else held.marks
            env[name] = self.keep(
                replace(
                    held,
                    stages=(*held.stages, stage),
                    marks=marks,
                    owner=self.owner,
                    serial=next(serials),
                    parents=(held,),
                )
            )

    def filter_stage(
        self, test: ast.expr, positive: bool, env: dict[str, object], scope: Scope, made: list[Traced], letters: bool
    ) -> tuple[Stage | None, Mark | None]:
        """The stage that a test amounts to, when it is one that we know; ``letters``: it is asked of a character."""
        if isinstance(test, ast.NamedExpr):
            return None, None
        if isinstance(test, (ast.Name, ast.Attribute)):
            return None, None
        if (
            isinstance(test, ast.Call)
            and isinstance(test.func, ast.Attribute)
            and test.func.attr == "strip"
            and not test.args
        ):
            # ``if t.strip()``: blanks go.
            return None, None
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, op, right = test.left, test.ops[0], test.comparators[0]
            for a, b, o in ((left, right, type(op)), (right, left, TURNED.get(type(op), type(op)))):
                if isinstance(a, ast.Call) and isinstance(a.func, ast.Name) and a.func.id == "len":
                    if self.counts_pieces(a, env, scope):
                        return None, None
                    bound = self.eval(b, env, scope)
                    if isinstance(bound, int):
                        return self.length_stage(o, int(bound), positive), None
                    return None, None
            if type(op) in _OPPOSITE and any(self.is_tally(side, env, scope) for side in (left, right)):
                return None, None
            if isinstance(op, (ast.In, ast.NotIn)):
                wanted = isinstance(op, ast.In) is positive
                container = self.eval(right, env, scope)
                if not wanted and isinstance(container, Traced) and container.shape == "str":
                    # ``if a in b: continue``: one text holds the other.
                    return None, None
                if not wanted:
                    words = (
                        frozenset(str(w) for w in container if isinstance(w, str))
                        if isinstance(container, (set, frozenset, list, tuple, dict))
                        else frozenset()
                    )
                    return st.StopWords(words, not isinstance(container, Hole)), None
                if isinstance(container, Hole) and not isinstance(container, Traced):
                    return None, None
                letters = letters or is_character(left)
                allowed = letters and isinstance(container, (str, set, frozenset, list, tuple, dict, KeysView))
                mark = Mark(self.site(test, scope), "filter", self.owner, None, None, "condition") if allowed else None
                return self.condition(test, positive, env, scope), mark
        if (
            isinstance(test, ast.Call)
            and isinstance(test.func, ast.Attribute)
            and test.func.attr in TEST_METHODS
            and not test.args
        ):
            stage = st.KeepIf(None, test.func.attr, not positive)
            return stage, Mark(self.site(test, scope), "filter", self.owner, None, stage, f"str.{test.func.attr}")
        for value in made:
            last = value.stages[-1] if value.stages else None
            if value.shape == "match" and isinstance(last, st.Extract) and last.first:
                stage = st.KeepIf(last.pattern, last.first, not positive)
                mark = value.marks[-1] if value.marks else None
                return stage, replace(mark, role="filter", stage=stage) if mark is not None else None
        tells = letters or _tells(test)
        mark = Mark(self.site(test, scope), "filter", self.owner, None, None, "condition") if tells else None
        return self.condition(test, positive, env, scope), mark

    def condition(self, test: ast.expr, positive: bool, env: dict[str, object], scope: Scope) -> st.Condition:
        """A test as a stage: as it is written, and with the numbers that lengths are held against filled in."""

        def number(node: ast.expr) -> ast.expr:
            if not isinstance(node, (ast.Name, ast.Attribute)):
                return node
            value = self.eval(node, env, scope)
            return ast.Constant(value) if type(value) is int else node

        whole = unparsed(test)
        if "len(" in whole:
            whole = ast.unparse(_Numbered(number).visit(copy.deepcopy(test)))
        return st.Condition(self.shown(test, positive), whole if positive else f"not ({whole})")

    def counts_pieces(self, length: ast.Call, env: dict[str, object], scope: Scope) -> bool:
        """Whether ``len(x)`` is a number of pieces, which says nothing about any of them, rather than of characters."""
        value = self.eval(length.args[0], env, scope) if length.args else None
        if not isinstance(value, Traced) or value.shape not in COLLECTIONS or value.shape == "chars":
            return False
        return not (value.stages and isinstance(value.stages[-1], st.Chars))

    def is_tally(self, side: ast.expr, env: dict[str, object], scope: Scope) -> bool:
        """Whether one side of a comparison is how often a piece occurs."""
        if isinstance(side, ast.Constant):
            return False
        value = self.eval(side, env, scope)
        return isinstance(value, Hole) and value.path.startswith(("part ", "count "))

    @staticmethod
    def shown(test: ast.expr, positive: bool) -> str:
        text = unparsed(test)
        text = text if len(text) <= 60 else text[:57] + "..."
        return text if positive else f"not ({text})"

    @staticmethod
    def length_stage(op: type, bound: int, positive: bool) -> Stage | None:
        """``len(t) OP bound`` as a stage."""
        if not positive:
            op = _OPPOSITE.get(op, op)
        if op is ast.Gt:
            return st.Length(bound + 1) if bound >= 0 else None
        if op is ast.GtE:
            return st.Length(bound) if bound > 0 else None
        if op is ast.Lt:
            return st.Length(0, bound - 1)
        if op is ast.LtE:
            return st.Length(0, bound)
        if op is ast.Eq:
            return st.Length(bound, bound)
        return None


_CHOOSING = (st.Condition, st.StopWords, st.Length)
"""Stages that a test of a field amounts to when it asks for nothing that a script has to do with."""


class _Numbered(ast.NodeTransformer):
    """Puts numbers where names stand beside ``len(...)``."""

    def __init__(self, number: Callable[[ast.expr], ast.expr]) -> None:
        self.number = number

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        sides = (node.left, *node.comparators)
        if any(isinstance(s, ast.Call) and isinstance(s.func, ast.Name) and s.func.id == "len" for s in sides):
            node.left = self.number(node.left)
            node.comparators = [self.number(side) for side in node.comparators]
        return node


def how_iterated(made: ast.expr) -> str:
    """What a comprehension does with the pieces it goes over: looks at each when it makes truths or numbers of them.

    What a test asks about a piece (``w in vocabulary``) is a use of that piece beside this one.
    """
    counts = isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "len"
    denies = isinstance(made, ast.UnaryOp) and isinstance(made.op, ast.Not)
    return "looked at" if counts or denies or isinstance(made, (ast.Compare, ast.BoolOp, ast.Constant)) else "iterate"


def _tells(test: ast.expr) -> bool:
    """Whether a test is a place to speak of: it asks somebody, or its names are of words and characters."""
    if any(isinstance(n, ast.Call) for n in walk(test)):
        return True
    if any(isinstance(n, ast.Compare) and any(map(is_character, (n.left, *n.comparators))) for n in walk(test)):
        return True
    said = unparsed(test)
    return any(name in said for name in ("category", "ord", "combining"))


def only_fields(test: ast.expr, name: str) -> bool:
    """Whether a test looks at nothing but fields of what ``name`` stands for (``m["role"]``, ``m.kind``), and not at
    their characters."""
    fields = 0
    if re.search(r"category|\bord\(|combining", unparsed(test)):
        return False
    for node in walk(test):
        if isinstance(node, ast.Attribute):
            held = node.value if node.attr not in TEXT_METHODS else None
        else:
            held = node.value if isinstance(node, ast.Subscript) and _is_key(node.slice) else None
        fields += isinstance(held, ast.Name) and held.id == name
    return fields > 0 and fields == sum(isinstance(n, ast.Name) and n.id == name for n in walk(test))


def _is_key(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)
