"""Follows text through a function: which stages it passes, where their patterns stand, what becomes of the pieces.

The tracer runs a function with nothing known about its inputs. Every operation on a text that nobody knows gives
a ``Traced`` value: the stages so far, the places they stand at, and how to get the value for a given text (an
expression or statement with the names it needs, run by ``Interp``). Both ways of a branch are followed, a loop once.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from scriptlint.source.literals import Src, SrcBytes, code_point_place
from scriptlint.source.module import SourceClass, SourceModule
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.interp import (
    PYTHON_ERRORS,
    Builtin,
    Function,
    Hole,
    Instance,
    Interp,
    LimitReached,
    Raised,
    Unsupported,
    _Break,
    _Continue,
    _Return,
    is_generator,
    is_pattern,
)
from scriptlint.tokenizer.model import BadPattern, Boundary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.tokenizer.interp import Scope
    from scriptlint.tokenizer.stages import Pattern, Site, Stage

Shape = Literal["str", "char", "list", "set", "dict", "chars", "match", "matches", "bytes", "bool", "other"]
COLLECTIONS = frozenset({"list", "set", "dict", "matches", "chars"})

_serial = itertools.count()


@dataclass(frozen=True)
class Mark:
    """A place that takes part: where, in which role, in which function, and the stage it made."""

    place: Site
    role: str
    function: str
    pattern: Pattern | None = None
    stage: Stage | None = None
    call: str = ""
    use: Site | None = None
    expression: Site | None = None
    """Where the pattern is compiled or passed, when it is written elsewhere."""


@dataclass(frozen=True, eq=False, repr=False)
class Traced(Hole):
    """Text (or pieces of it) that went through stages. ``root`` is the path of the hole it all started from."""

    root: str = ""
    stages: tuple[Stage, ...] = ()
    shape: Shape = "str"
    marks: tuple[Mark, ...] = ()
    how: tuple[Any, ...] = ()
    owner: str = ""
    element_of: Traced | None = None
    line: int = 0
    serial: int = field(default_factory=lambda: next(_serial))
    parents: tuple[Traced, ...] = ()
    name: str = ""
    also: tuple[str, ...] = ()
    """Other holes that the text may come from, one way or the other."""

    def __hash__(self) -> int:
        return self.serial

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True)
class Compiled:
    """A compiled pattern whose literal is known."""

    pattern: Pattern
    expression: Site | None

    def real(self) -> Any:
        """The engine's object. Raises the engine's error."""
        return self.pattern.compiled()


@dataclass(frozen=True)
class BoundPattern:
    """``re.compile(...).findall`` kept under a name."""

    compiled: Compiled
    method: str


@dataclass(frozen=True)
class Use:
    """What a function does with a traced value: ``how`` is returned, len, setop, in, index, join, arg:name, ..."""

    value: Traced
    how: str
    function: str
    line: int


@dataclass(frozen=True, eq=False, repr=False)
class Assembled(Hole):
    """Text put together from literals and something unknown, which ``template`` shows as U+FFFC."""

    template: str = ""
    place: st.Site | None = None


GAP = "\ufffc"
_KEYWORD = re.compile(r"^(?:\(\?[aiLmsux]+\))?\\b(?:\((?:\?:)?)?[\w\s\ufffc|\\.'-]+\)?s?\\b$")


class Runner(Interp):
    """Runs traced values on a text."""

    def __init__(self, fill: dict[str, object], max_steps: int = 400_000) -> None:
        super().__init__(fill, max_steps)
        self.memo: dict[int, object] = {}
        self.chosen: dict[int, object] = {}

    def fresh(self) -> Interp:
        return Tracer(max_steps=400_000)

    def all_of(self, value: Traced, limit: int = 20_000) -> list[object]:
        """The values it has, one for each element of the loop it stands in (one alone outside a loop)."""
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
        if isinstance(value, Compiled):
            return value.real()
        if isinstance(value, BoundPattern):
            return self.attribute(value.compiled.real(), value.method)
        if isinstance(value, Traced):
            if value.serial not in self.memo:
                self.memo[value.serial] = Hole("busy")
                self.memo[value.serial] = self.materialize(value)
            return self.memo[value.serial]
        if isinstance(value, Src):
            return value
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
            inner = {k: self.copy(v) if k in wanted else v for k, v in env.items()}
            try:
                self.block([node], inner, scope)
            except (_Return, _Break, _Continue):
                pass
            return self.resolve(inner.get(name, Hole(name)))
        if kind == "branch":
            _, test, env, scope, yes, no = value.how
            return self.resolve(yes if self.truth(self.eval(test, dict(env), scope)) else no)
        if kind == "function":
            _, function, env = value.how
            return self.call_with_env(function, env)
        raise Unsupported(kind)

    def copy(self, value: object) -> object:
        """A value that a loop may change, for this run alone; pieces that are traced are run first."""
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
        except _Return as returned:
            result = returned.value
        finally:
            produced = self.yields.pop()
        return produced if produced or is_generator(function.node) else result


_TEXT_KEEPING = frozenset({"strip", "lstrip", "rstrip", "removeprefix", "removesuffix"})
_CASE = frozenset({"lower", "upper", "casefold", "title", "capitalize", "swapcase"})
_TESTS = frozenset(
    [
        "isalnum",
        "isalpha",
        "isascii",
        "isdigit",
        "isdecimal",
        "isnumeric",
        "isspace",
        "isupper",
        "islower",
        "istitle",
        "isidentifier",
        "isprintable",
        "startswith",
        "endswith",
    ]
)
_TEXT_METHODS = (
    _TEXT_KEEPING
    | _CASE
    | _TESTS
    | frozenset(
        [
            "split",
            "rsplit",
            "splitlines",
            "replace",
            "encode",
            "decode",
            "translate",
            "join",
            "find",
            "rfind",
            "index",
            "count",
            "partition",
            "rpartition",
            "format",
            "zfill",
            "ljust",
            "rjust",
            "center",
            "expandtabs",
        ]
    )
)
_MUTATORS = frozenset({"append", "add", "extend", "update", "insert", "appendleft", "setdefault"})
_PATTERN_CALLS = frozenset({"findall", "finditer", "split", "sub", "subn", "match", "fullmatch", "search"})


class Tracer(Interp):
    """Follows one function. ``owner`` names the function whose body is being run."""

    def __init__(self, fill: dict[str, object] | None = None, max_steps: int = 60_000) -> None:
        super().__init__(fill, max_steps)
        self.owner = ""
        self.created: list[Traced] = []
        self.uses: list[Use] = []
        self.bad: list[BadPattern] = []
        self.boundaries: list[Boundary] = []
        self.returned: list[object] = []
        self.calls: list[tuple[ast.Call, object, list[object], dict[str, object], str, Scope]] = []
        self.stack: list[ast.AST] = []
        self.max_depth = 4

    def fresh(self) -> Interp:
        return Tracer(max_steps=400_000)

    def bind(self, func: Function, args: list[object], kwargs: dict[str, object]) -> dict[str, object]:
        env = super().bind(func, args, kwargs)
        if len(self.stack) <= 1 and not args and not kwargs:
            # The function that is traced is called by somebody: an optional text (``hint=""``) may be given.
            a = func.node.args
            for p in (*a.posonlyargs, *a.args, *a.kwonlyargs):
                if isinstance(env.get(p.arg), str) and env[p.arg] == "":
                    env[p.arg] = Hole(p.arg)
        return env

    # -- making traced values -------------------------------------------------------------------------------

    def site(self, node: ast.AST, scope: Scope) -> st.Site:
        return code_point_place(node, scope)

    def derive(
        self,
        base: Hole,
        stage: Stage | None,
        shape: Shape,
        node: ast.expr | None,
        env: dict[str, object],
        scope: Scope,
        mark: Mark | None = None,
    ) -> Traced:
        """A new traced value: ``base`` after one more stage (``None``: the same stages, another shape)."""
        if isinstance(base, Traced):
            root, stages, marks, element, parents = base.root, base.stages, base.marks, base.element_of, (base,)
        else:
            root, stages, marks, element, parents = base.path, (), (), None, ()
        also = base.also if isinstance(base, Traced) else ()
        if stage is not None:
            stages = (*stages, stage)
        if mark is not None and mark not in marks:
            marks = (*marks, mark)
        how = ("expr", node, dict(env), scope) if node is not None else ()
        return self.keep(Traced(path=f"traced {next(_serial)}", root=root, stages=stages, shape=shape, marks=marks, how=how,
                                owner=self.owner, element_of=element, parents=parents, line=getattr(node, "lineno", 0), also=also))  # fmt: skip

    def keep(self, value: Traced) -> Traced:
        self.created.append(value)
        return value

    def merge(
        self,
        values: list[Traced],
        node: ast.expr | None,
        env: dict[str, object],
        scope: Scope,
        shape: Shape,
        kind: type = st.Union,
    ) -> Traced:
        """Several traced values as one: pieces of all of them."""
        roots = [v.root for v in values]
        chains = list(dict.fromkeys(v.stages for v in values))
        stages: tuple[Stage, ...]
        if len(chains) == 1:
            stages = chains[0]
        else:
            common = 0
            while all(len(c) > common for c in chains) and len({c[common] for c in chains}) == 1:
                common += 1
            rest = tuple(c[common:] for c in chains)
            stages = (*chains[0][:common], kind(rest))
        marks = tuple(dict.fromkeys(m for v in values for m in v.marks))
        how = ("expr", node, dict(env), scope) if node is not None else ()
        main = max(values, key=lambda v: len(v.stages))
        return self.keep(Traced(path=f"traced {next(_serial)}", root=main.root if main.root in roots else roots[0], stages=stages, shape=shape,
                                marks=marks, how=how, owner=self.owner, element_of=main.element_of, parents=tuple(values),
                                line=getattr(node, "lineno", 0), also=self.other_roots(values, kind)))  # fmt: skip

    @staticmethod
    def other_roots(values: list[Traced], kind: type) -> tuple[str, ...]:
        """The holes of which one or the other gives the text, when the values are ways of a branch."""
        found = dict.fromkeys(r for v in values for r in (*v.also, *((v.root,) if kind is st.Either else ())))
        return tuple(found)

    def use(self, value: object, how: str, node: ast.AST | None) -> None:
        if isinstance(value, Traced):
            self.uses.append(Use(value, how, self.owner, getattr(node, "lineno", 0)))
        elif isinstance(value, (list, tuple, set)):
            for v in value:
                if isinstance(v, Traced):
                    self.uses.append(Use(v, how, self.owner, getattr(node, "lineno", 0)))
        elif isinstance(value, dict):
            for v in value.values():
                if isinstance(v, Traced):
                    self.uses.append(Use(v, how, self.owner, getattr(node, "lineno", 0)))

    # -- literals -------------------------------------------------------------------------------------------

    def e_constant(self, node: ast.Constant, env: dict[str, object], scope: Scope) -> object:
        if isinstance(node.value, str):
            return Src.of(node.value, node, scope)
        if isinstance(node.value, bytes):
            return SrcBytes.of(node.value, node, scope)
        return node.value

    def e_joinedstr(self, node: ast.JoinedStr, env: dict[str, object], scope: Scope) -> object:
        parts: list[Any] = []
        traced: list[Traced] = []
        holes: list[Hole] = []
        gapped: list[object] = []
        for p in node.values:
            if isinstance(p, ast.Constant):
                gapped.append(p.value)
                parts.append(Src.of(str(p.value), node, scope))
                continue
            if not isinstance(p, ast.FormattedValue):
                continue
            value = self.eval(p.value, env, scope)
            gapped.append(value)
            if isinstance(value, Traced):
                traced.append(value)
            elif isinstance(value, Hole):
                holes.append(value)
            elif isinstance(value, str) and not p.format_spec:
                parts.append(value)
            else:
                parts.append(self.format_value(value, p, env, scope))
        if traced:
            for v in traced:
                self.use(v, "format", node)
            text = [v for v in traced if v.shape in ("str", "char")]
            if text:
                return (
                    self.derive(text[0], None, "str", node, env, scope)
                    if len(text) == 1
                    else self.merge(text, node, env, scope, "str")
                )
            return Hole(f"text {node.lineno}")
        if holes:
            return self.assembled(holes[0], gapped, node, scope)
        return Src.joined(parts, node, scope)

    def assembled(self, hole: Hole, parts: Iterable[object], node: ast.AST, scope: Scope) -> Assembled:
        """Text with a gap: what is known of it tells whether it is a keyword between boundaries."""
        template = "".join(
            p.template if isinstance(p, Assembled) else GAP if isinstance(p, Hole) else str(p) for p in parts
        )
        return Assembled(hole.path, None, template, self.site(node, scope))

    def binary(self, op: type, left: Any, right: Any) -> object:
        if op is ast.Add and isinstance(left, str) and isinstance(right, str):
            return Src.joined([left, right], None, None)
        return super().binary(op, left, right)

    def e_binop(self, node: ast.BinOp, env: dict[str, object], scope: Scope) -> object:
        left = self.eval(node.left, env, scope)
        right = self.eval(node.right, env, scope)
        traced = [v for v in (left, right) if isinstance(v, Traced)]
        op = type(node.op)
        if traced:
            if op in (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub):
                for v in traced:
                    self.use(v, "setop", node)
                if op is ast.BitOr and len(traced) == 2:
                    return self.merge(traced, node, env, scope, "set")
                if op is ast.Sub and left is traced[0] and len(traced) == 1:
                    words = (
                        frozenset(w for w in right if isinstance(w, str))
                        if isinstance(right, (set, frozenset))
                        else frozenset()
                    )
                    return self.derive(
                        traced[0], st.StopWords(words, not isinstance(right, Hole)), traced[0].shape, node, env, scope
                    )
                if op is ast.BitOr:
                    return self.derive(traced[0], None, traced[0].shape, node, env, scope)
                return Hole(f"set {node.lineno}")
            if op is ast.Add:
                shape = traced[0].shape
                if len(traced) == 2 and traced[0].shape in COLLECTIONS:
                    return self.merge(traced, node, env, scope, "list")
                if len(traced) == 2:
                    return (
                        self.merge(traced, node, env, scope, "str")
                        if traced[0].stages != traced[1].stages
                        else self.derive(traced[0], None, shape, node, env, scope)
                    )
                return self.derive(traced[0], None, shape, node, env, scope)
            if op is ast.Mod and isinstance(left, str):
                self.use(right, "format", node)
                return self.derive(traced[0], None, "str", node, env, scope)
            if op is ast.Mult:
                return self.derive(traced[0], None, traced[0].shape, node, env, scope)
            return Hole(f"number {node.lineno}")
        if op is ast.Add and isinstance(left, Hole) != isinstance(right, Hole):
            hole, other = (left, right) if isinstance(left, Hole) else (right, left)
            if isinstance(other, str):
                return self.assembled(hole, (left, right), node, scope)  # type: ignore[arg-type]
        if op is ast.Mod and isinstance(left, str) and isinstance(right, (Hole, tuple)):
            if isinstance(right, Hole) or any(isinstance(r, Hole) for r in right):
                inner = right if isinstance(right, Hole) else next(r for r in right if isinstance(r, Hole))
                return self.assembled(inner, [re.sub(r"%[srd]|%\(\w+\)s", GAP, left)], node, scope)
            return Src.joined([super().binary(op, left, right)], node, scope, whole=True)
        if op is ast.Mod and isinstance(left, str):
            return Src.joined([super().binary(op, left, right)], node, scope, whole=True)
        if op is ast.Add and isinstance(left, Hole) and isinstance(right, Hole):
            return Hole(left.path)
        return self.binary(op, left, right)

    # -- holes as text --------------------------------------------------------------------------------------

    def truth(self, value: object) -> bool:
        return super().truth(value)

    def e_boolop(self, node: ast.BoolOp, env: dict[str, object], scope: Scope) -> object:
        values = []
        for part in node.values:
            value = self.eval(part, env, scope)
            values.append(value)
            if not isinstance(value, (Hole, *_SOME)):
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
                    return replace(self.derive(v, None, v.shape, node, env, scope), name="fallback:" + str(others[0]))
                return self.derive(v, None, v.shape, node, env, scope)
            if values and isinstance(values[0], Hole):
                return values[0]
            return values[-1]
        if traced:
            return Hole(f"test {node.lineno}")
        return values[-1] if not any(isinstance(v, Hole) for v in values) else Hole(f"test {node.lineno}")

    def e_unaryop(self, node: ast.UnaryOp, env: dict[str, object], scope: Scope) -> object:
        value = self.eval(node.operand, env, scope)
        if isinstance(value, _SOME):
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
                self.use(values[i], how, node)
                self.use(values[i + 1], how if how == "compare" else "container", node)
            return Hole(f"test {node.lineno}")
        return all(super(Tracer, self).compare(type(op), values[i], values[i + 1]) for i, op in enumerate(node.ops))

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
            merged = self.merge(both, None, env, scope, both[0].shape, st.Either)
            return self.keep(replace(merged, how=("branch", test, dict(env), scope, yes, no), serial=next(_serial)))
        if both:
            other = no if both[0] is yes else yes
            if isinstance(other, Hole) and other.path not in both[0].also:
                both[0] = replace(both[0], also=(*both[0].also, other.path), serial=next(_serial), parents=(both[0],))
            merged = self.derive(both[0], None, both[0].shape, node, env, scope)
            return self.keep(replace(merged, how=("branch", test, dict(env), scope, yes, no), serial=next(_serial)))
        if isinstance(yes, Hole) and isinstance(no, Hole):
            return yes
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
            if value.shape in ("match", "matches"):
                return self.derive(value, None, "str", node, env, scope)
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
            self.use(key, "index", node)
            return Hole(f"item {node.lineno}")
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
            return BoundPattern(value, name) if name in _PATTERN_CALLS else super().attribute(value.real(), name, node)
        if isinstance(value, Traced) and name not in _TEXT_METHODS and only_chosen(value):
            # An object of an unknown list that passed a test: its fields are those of the list's element.
            return Hole(f"{value.root}.{name}")
        return super().attribute(value, name, node)

    # -- calls ----------------------------------------------------------------------------------------------

    def e_call(self, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        func_node = node.func
        if isinstance(func_node, ast.Attribute):
            owner = self.eval(func_node.value, env, scope)
            name = func_node.attr
            args, kwargs = self.arguments(node, env, scope)
            if is_pattern(owner):
                owner = self.pattern_value(owner, 0, "re", node.func, scope)
            if isinstance(owner, Hole):
                result = self.hole_method(owner, name, args, kwargs, node, env, scope)
                if result is not NotImplemented:
                    return result
            elif isinstance(owner, Compiled):
                if name in _PATTERN_CALLS:
                    return self.pattern_call(owner, name, args, kwargs, node, env, scope)
                return self.attribute(owner.real(), name)
            elif isinstance(owner, (list, set, dict)) and name in _MUTATORS and any(isinstance(a, Hole) for a in args):
                mutated = self.mutate(owner, name, args, func_node.value, node, env, scope)
                if mutated is not NotImplemented:
                    return mutated
            elif isinstance(owner, (set, frozenset)) and name in (
                "intersection",
                "union",
                "difference",
                "isdisjoint",
                "issubset",
                "symmetric_difference",
                "intersection_update",
            ):
                if any(isinstance(a, Traced) for a in args):
                    for a in args:
                        self.use(a, "setop", node)
                    return Hole(f"set {node.lineno}")
            elif isinstance(owner, dict) and any(isinstance(a, Traced) for a in args):
                for a in args:
                    self.use(a, "index", node)
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
            func = self.eval(func_node, env, scope)
            args, kwargs = self.arguments(node, env, scope)
        return self.traced_call(func, args, kwargs, node, env, scope)

    def arguments(self, node: ast.Call, env: dict[str, object], scope: Scope) -> tuple[list[object], dict[str, object]]:
        args: list[object] = []
        for a in node.args:
            value = self.eval(a.value if isinstance(a, ast.Starred) else a, env, scope)
            if isinstance(a, ast.Starred) and isinstance(value, (list, tuple)):
                args.extend(value)
            else:
                args.append(value)
        kwargs: dict[str, object] = {}
        for k in node.keywords:
            value = self.eval(k.value, env, scope)
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
        known = library_stage(name, args, kwargs)
        if known is not None and touched and isinstance(touched[0], Hole):
            base = touched[0]
            place = self.site(node, scope)
            return self.derive(base, known, "str", node, env, scope, Mark(place, "call", self.owner, None, known, name))
        for a in [*args, *kwargs.values()]:
            self.use(a, f"arg:{name}", node)
        traced = next((a for a in args if isinstance(a, Traced)), None)
        if isinstance(func, Hole) and not isinstance(func, Traced):
            if func.path.endswith(".get") and args and isinstance(args[0], str):
                if len(args) > 1 and isinstance(args[1], (bool, int, float)):
                    return args[1]
                return Hole(f"{func.path[:-4]}[{str(args[0])!r}]")
            if traced is not None:
                result = self.derive(
                    traced,
                    st.Opaque(f"{name}()"),
                    "other" if traced.shape in COLLECTIONS else traced.shape,
                    node,
                    env,
                    scope,
                )
                return result
        return Hole(f"{name}()")

    def hole_method(
        self,
        owner: Hole,
        name: str,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        traced = isinstance(owner, Traced)
        shape: Shape = owner.shape if isinstance(owner, Traced) else "str"
        if isinstance(owner, Traced) and shape in COLLECTIONS:
            return self.collection_method(owner, name, args, kwargs, node, env, scope)
        if (
            isinstance(owner, Traced)
            and shape in ("match", "matches")
            and name in ("group", "groups", "groupdict", "start", "end", "span")
        ):
            if name in ("start", "end", "span"):
                return Hole(f"number {node.lineno}")
            return self.group(owner, args, node, env, scope)
        if shape == "bool" or name not in _TEXT_METHODS:
            for a in args:
                self.use(a, f"arg:{owner.path}.{name}" if not traced else f"arg:{name}", node)
            return NotImplemented
        if not traced and name in ("index", "count", "find", "join", "format", "update", "encode") and name != "encode":
            for a in args:
                self.use(a, f"arg:{owner.path}.{name}", node)
            return Hole(f"{owner.path}.{name}()")
        return self.text_method(owner, name, args, kwargs, node, env, scope)

    def group(self, owner: Traced, args: list[object], node: ast.Call, env: dict[str, object], scope: Scope) -> Traced:
        """``m.group(n)``: the extraction narrows to that group."""
        key = args[0] if args and isinstance(args[0], (int, str)) else 0
        stages = owner.stages
        if key and stages and isinstance(stages[-1], st.Extract):
            stages = (*stages[:-1], replace(stages[-1], group=key))
        made = self.derive(owner, None, "str", node, env, scope)
        return self.keep(replace(made, stages=stages, serial=next(_serial)))

    def text_method(
        self,
        owner: Hole,
        name: str,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        def go(stage: Stage | None, shape: Shape = "str", mark: Mark | None = None) -> Traced:
            return self.derive(owner, stage, shape, node, env, scope, mark)

        def mark(stage: Stage, role: str) -> Mark:
            return Mark(self.site(node, scope), role, self.owner, None, stage, f"str.{name}")

        if name in _CASE:
            return go(st.Case(name), "char" if getattr(owner, "shape", "str") == "char" else "str")  # type: ignore[arg-type]
        if name in _TEXT_KEEPING:
            chars = args[0] if args and isinstance(args[0], str) else None
            return go(st.Strip(name, str(chars) if chars is not None else None))
        if name in ("split", "rsplit"):
            separator = args[0] if args else kwargs.get("sep")
            if isinstance(separator, Hole):
                return go(st.Opaque("a separator that is not known"), "list")
            stage = st.Split(None, None if separator is None else str(separator))
            return go(stage, "list", mark(stage, "separate"))
        if name == "splitlines":
            return go(st.Split(None, "\n"), "list")
        if name in ("partition", "rpartition"):
            return go(None, "list")
        if name == "replace" and len(args) >= 2:
            if isinstance(args[0], str) and isinstance(args[1], str):
                return go(st.Replace(str(args[0]), str(args[1])))
            return go(None)
        if name == "encode":
            encoding = str(args[0]) if args and isinstance(args[0], str) else str(kwargs.get("encoding", "utf-8"))
            errors = args[1] if len(args) > 1 else kwargs.get("errors", "strict")
            stage_e = st.Encode(
                encoding.lower().replace("_", "-"), str(errors) if isinstance(errors, str) else "strict"
            )
            lossy = stage_e.encoding in ("ascii", "latin-1", "latin1", "iso-8859-1", "us-ascii", "cp1252")
            return go(
                stage_e if lossy else None,
                "bytes",
                mark(stage_e, "call") if lossy and stage_e.errors != "strict" else None,
            )
        if name == "decode":
            return go(None)
        if name == "translate":
            table = args[0] if args else None
            if isinstance(table, dict):
                stage_t = st.Translate(
                    {k: (str(v) if isinstance(v, str) else v) for k, v in table.items() if isinstance(k, int)}
                )
                return go(stage_t, "str", mark(stage_t, "erase"))
            return go(st.Opaque("a translation table that is not known"))
        if name in _TESTS:
            self.use(owner, f"test:{name}", node)
            return go(None, "bool")
        if name == "join":
            return go(None)
        self.use(owner, name, node)
        return Hole(f"number {node.lineno}")

    def collection_method(
        self,
        owner: Traced,
        name: str,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        if name in _MUTATORS:
            assert isinstance(node.func, ast.Attribute)
            return self.mutate(owner, name, args, node.func.value, node, env, scope)
        if name in (
            "intersection",
            "difference",
            "isdisjoint",
            "issubset",
            "issuperset",
            "symmetric_difference",
            "intersection_update",
            "difference_update",
        ):
            self.use(owner, "setop", node)
            for a in args:
                self.use(a, "setop", node)
            if name == "difference":
                return self.derive(owner, None, "set", node, env, scope)
            return Hole(f"set {node.lineno}")
        if name == "union":
            self.use(owner, "setop", node)
            others = [a for a in args if isinstance(a, Traced)]
            return (
                self.merge([owner, *others], node, env, scope, "set")
                if others
                else self.derive(owner, None, "set", node, env, scope)
            )
        if name in ("most_common", "items", "elements", "keys", "copy"):
            self.use(owner, name, node)
            return self.derive(owner, None, "list" if name in ("elements", "keys") else owner.shape, node, env, scope)
        if name in ("count", "index", "get", "values"):
            for a in args:
                self.use(a, "index", node)
            self.use(owner, name, node)
            return Hole(f"count {node.lineno}")
        if name == "group" and owner.shape == "matches":
            return self.group(owner, args, node, env, scope)
        if name == "pop":
            return self.derive(owner, None, "str", node, env, scope)
        for a in args:
            self.use(a, f"arg:{name}", node)
        return Hole(f"{name} {node.lineno}")

    def mutate(
        self,
        old: object,
        name: str,
        args: list[object],
        target: ast.expr,
        node: ast.AST,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        """``out.append(piece)`` and the like: the name stands for a collection with these pieces from here on."""
        added = args[-1] if args else None
        if name == "setdefault" and args:
            added = args[0]
        if name == "setdefault" and isinstance(args[0] if args else None, Traced):
            self.use(args[0], "index", node)
        if isinstance(added, (tuple, list)):
            added = next((a for a in added if isinstance(a, Traced)), added)
        if isinstance(added, Function):
            return NotImplemented
        if not isinstance(target, ast.Name):
            self.use(added, f"collect:{name}", node)
            return None
        if not isinstance(added, Traced):
            if isinstance(added, Hole) and isinstance(old, Traced):
                self.set_name(
                    target.id,
                    self.keep(
                        replace(
                            old,
                            serial=next(_serial),
                            how=("block", self.as_statement(node), dict(env), scope, target.id),
                            parents=(old,),
                        )
                    ),
                    env,
                )
                return None
            if isinstance(added, Hole) and isinstance(old, (list, set)):
                base = Traced(path=f"traced {next(_serial)}", root=added.path, shape="list" if name != "add" else "set", owner=self.owner,
                              how=("block", self.as_statement(node), dict(env), scope, target.id))  # fmt: skip
                if name in ("append", "add"):
                    self.set_name(target.id, self.keep(base), env)
                return None
            return NotImplemented if not isinstance(old, Traced) else None
        shape: Shape = (
            "set"
            if isinstance(old, (set, frozenset)) or getattr(old, "shape", "") == "set"
            else "dict"
            if isinstance(old, dict) or getattr(old, "shape", "") == "dict"
            else "list"
        )
        self.collect(target.id, old, added, shape, self.as_statement(node), env, scope)
        return None

    @staticmethod
    def as_statement(node: ast.AST) -> ast.stmt:
        if isinstance(node, ast.expr):
            return ast.copy_location(ast.Expr(node), node)
        assert isinstance(node, ast.stmt)
        return node

    def collect(
        self,
        name: str,
        old: object,
        added: Traced,
        shape: Shape,
        statement: ast.stmt,
        env: dict[str, object],
        scope: Scope,
    ) -> None:
        if isinstance(old, Traced) and old.stages != added.stages:
            merged = self.merge([old, added], None, env, scope, shape)
        else:
            merged = self.derive(added, None, shape, None, env, scope)
            if isinstance(old, Traced):
                merged = replace(merged, marks=tuple(dict.fromkeys((*old.marks, *added.marks))), serial=next(_serial))
        parents = tuple(p for p in (old, added) if isinstance(p, Traced))
        result = replace(
            merged,
            how=("block", statement, dict(env), scope, name),
            serial=next(_serial),
            parents=parents,
            element_of=None,
        )
        self.set_name(name, self.keep(result), env)

    def set_name(self, name: str, value: object, env: dict[str, object]) -> None:
        env[name] = value

    def join(self, separator: str, pieces: object, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        if isinstance(pieces, Traced):
            self.use(pieces, "join", node)
            return self.derive(pieces, st.Join(str(separator)), "str", node, env, scope)
        if isinstance(pieces, (list, tuple)):
            traced = [p for p in pieces if isinstance(p, Traced)]
            if traced:
                for p in traced:
                    self.use(p, "format", node)
                return self.merge(traced, node, env, scope, "str")
            hole = next((p for p in pieces if isinstance(p, Hole)), None)
            if hole is not None:
                return self.assembled(hole, [GAP, "|", GAP] if separator == "|" else [GAP], node, scope)
            if all(isinstance(p, str) for p in pieces):
                parts: list[Any] = []
                for i, p in enumerate(pieces):
                    parts += [separator, p] if i else [p]
                return Src.joined(parts, node, scope)
        if isinstance(pieces, Hole):
            return self.assembled(pieces, [GAP, "|", GAP] if separator == "|" else [GAP], node, scope)
        return self.guard(separator.join, ([str(p) for p in self.iterate(pieces)],), {})

    # -- patterns -------------------------------------------------------------------------------------------

    def pattern_value(
        self, value: object, flags: object, dialect: st.Dialect, node: ast.expr, scope: Scope
    ) -> Compiled | None:
        """A pattern argument as a compiled pattern with its place, or ``None`` when it isn't known or is invalid."""
        if isinstance(value, Compiled):
            return value
        if is_pattern(value):
            dialect = "re" if type(value).__module__ == "re" else "regex"
            return Compiled(st.Pattern(value.pattern, value.flags, dialect, self.site(node, scope)), None)  # type: ignore[attr-defined]
        if not isinstance(value, (str, bytes)):
            return None
        place = value.place() if isinstance(value, (Src, SrcBytes)) else None
        number = flags if isinstance(flags, int) else 0
        text: str | bytes = str(value) if isinstance(value, str) else bytes(value)
        pattern = st.Pattern(text, int(number), dialect, place or self.site(node, scope))
        try:
            pattern.compiled()
        except Exception as error:  # the engines raise their own error types, and others for bad flags
            position = getattr(error, "pos", None)
            shown = getattr(error, "msg", None) or str(error)
            bad = BadPattern(pattern.site or self.site(node, scope), str(shown), position, pattern.shown())
            if bad not in self.bad:
                self.bad.append(bad)
            return None
        return Compiled(pattern, self.site(node, scope))

    def note_boundary(self, value: object, node: ast.expr, scope: Scope) -> None:
        r"""Remember a keyword between ``\b`` that is computed: escaped, formatted, taken from a list."""
        if isinstance(value, Assembled):
            template, place = value.template, value.place
        elif isinstance(value, Src) and value.dynamic:
            template, place = str(value), value.place()
        else:
            return
        if _KEYWORD.match(template):
            found = Boundary(
                place or self.site(node, scope), self.owner, "" if GAP in template else template.strip("\\b()")
            )
            if found.place not in {b.place for b in self.boundaries}:
                self.boundaries.append(found)

    def pattern_call(
        self,
        compiled: Compiled,
        name: str,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        """``pattern.findall(text)`` and its kin."""
        pattern = compiled.pattern
        if name in ("sub", "subn"):
            subject = args[1] if len(args) > 1 else kwargs.get("string")
        else:
            subject = args[0] if args else kwargs.get("string")
        if isinstance(subject, (list, tuple)):
            subject = next((s for s in subject if isinstance(s, Hole)), subject)
        if not isinstance(subject, Hole):
            if isinstance(subject, str):
                call = self.attribute(compiled.real(), name)
                plain = [
                    self.python_callable(a)
                    if isinstance(a, (Function, Builtin)) and not i and name in ("sub", "subn")
                    else a
                    for i, a in enumerate(args)
                ]
                if any(isinstance(a, Hole) for a in plain):
                    return Hole(f"text {node.lineno}")
                result = self.guard(
                    call.call, tuple(plain), {k: v for k, v in kwargs.items() if not isinstance(v, Hole)}
                )  # type: ignore[attr-defined]
                return list(result) if name == "finditer" else result
            return Hole(f"{name}()")
        place = pattern.site or self.site(node, scope)
        use_place = self.site(node, scope)

        def made(stage: Stage, role: str, shape: Shape) -> Traced:
            return self.derive(
                subject,
                stage,
                shape,
                node,
                env,
                scope,
                Mark(place, role, self.owner, pattern, stage, name, use_place, compiled.expression),
            )

        if name == "findall":
            groups = compiled.real().groups
            return made(st.Extract(pattern, 1 if groups == 1 else 0), "extract", "list")
        if name == "finditer":
            return made(st.Extract(pattern), "extract", "matches")
        if name == "split":
            return made(st.Split(pattern), "separate", "list")
        if name in ("sub", "subn"):
            text = args[0] if args else kwargs.get("repl")
            return made(st.Erase(pattern, str(text) if isinstance(text, str) else None), "erase", "str")
        result = made(st.Extract(pattern, 0, name), "match", "match")
        self.use(result, f"match:{name}", node)
        return result

    def traced_builtin(
        self,
        func: Builtin,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        name = func.name
        if name.startswith(("re.", "regex.")):
            dialect: st.Dialect = "re" if name.startswith("re.") else "regex"
            method = name.split(".")[1]
            if method == "escape":
                if args and isinstance(args[0], Hole):
                    return Hole(args[0].path)
                return Src.joined([self.guard(func.call, args, kwargs)], node, scope, whole=True)
            # A bare flag may come by position: after the text for findall, after count for sub.
            at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(method, 2)
            flags = kwargs.get("flags", args[at] if len(args) > at else 0)
            first = args[0] if args else kwargs.get("pattern")
            pattern_node = (
                node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "pattern"), node)
            )
            if method in ("search", "match", "fullmatch", "findall", "finditer", "compile"):
                self.note_boundary(first, pattern_node, scope)
            compiled = self.pattern_value(first, flags, dialect, pattern_node, scope)
            if method == "compile":
                return compiled if compiled is not None else Hole(f"pattern {node.lineno}")
            rest = list(args[1:])
            if compiled is None:
                for a in rest:
                    self.use(a, f"arg:{name}", node)
                subject = next((a for a in reversed(rest[:2]) if isinstance(a, Hole)), None)
                if subject is not None and method in _PATTERN_CALLS:
                    boundary = isinstance(first, Hole)
                    opaque = st.Opaque("a pattern that is not known")
                    shape: Shape = (
                        "list"
                        if method in ("findall", "split")
                        else "matches"
                        if method == "finditer"
                        else "str"
                        if method in ("sub", "subn")
                        else "match"
                    )
                    return self.derive(subject, opaque if boundary or True else None, shape, node, env, scope)
                return Hole(f"{name}()")
            if method in ("sub", "subn"):
                rest = rest[:2]
            else:
                rest = rest[:1]
            passed = {k: v for k, v in kwargs.items() if k in ("string", "repl")}
            return self.pattern_call(compiled, method, rest, passed, node, env, scope)
        if name == "partial" or (
            func.owner is not None and not any(isinstance(a, Hole) for a in [*args, *kwargs.values()])
        ):
            return super().call_builtin(func, args, kwargs)
        holes = [a for a in args if isinstance(a, Hole)]
        nested = [v for a in args if isinstance(a, (list, tuple, set)) for v in a if isinstance(v, Traced)]
        if not holes and not nested:
            if any(isinstance(a, (Compiled,)) for a in args):
                return Hole(f"{name}()")
            return super().call_builtin(func, args, kwargs)
        base: Hole = holes[0] if holes else nested[0]
        if name in ("map", "filter") and len(args) >= 2:
            return self.mapped(name, args, node, env, scope)
        if name in ("set", "frozenset"):
            if isinstance(base, Traced) and base.shape == "str":
                return self.derive(base, st.Chars(), "set", node, env, scope)
            self.use(base, "set", node)
            return self.derive(base, None, "set", node, env, scope)
        if name in (
            "list",
            "tuple",
            "sorted",
            "iter",
            "reversed",
            "itertools.chain",
            "itertools.islice",
            "collections.deque",
            "itertools.chain.from_iterable",
        ):
            if isinstance(base, Traced):
                if base.shape == "str" and name in ("list", "tuple"):
                    return self.derive(base, st.Chars(), "chars", node, env, scope)
                if len(holes) > 1 and name == "itertools.chain":
                    return self.merge([h for h in holes if isinstance(h, Traced)], node, env, scope, "list")
                return self.derive(
                    base, None, "list" if base.shape in ("set", "dict", "list") else base.shape, node, env, scope
                )
            return base
        if name in ("collections.Counter", "collections.OrderedDict", "dict.fromkeys", "dict"):
            self.use(base, "counter" if name.endswith("Counter") else "set", node)
            return self.derive(base, None, "dict", node, env, scope)
        if name in ("enumerate", "zip", "itertools.pairwise", "itertools.zip_longest"):
            return Pairs(tuple(args), name)
        if name == "len":
            self.use(base, "len", node)
            return Hole(f"length {node.lineno}", base)
        if name == "str":
            return base
        if name in ("any", "all", "sum", "min", "max", "bool", "isinstance", "int", "float", "ord", "abs", "round"):
            self.use(base, name if name not in ("isinstance",) else "isinstance", node)
            return Hole(f"{name} {node.lineno}")
        if name == "unicodedata.normalize" and len(args) > 1:
            target = args[1]
            form = args[0]
            if isinstance(target, Hole) and isinstance(form, str) and form in ("NFC", "NFD", "NFKC", "NFKD"):
                return self.derive(target, st.Normalize(form), getattr(target, "shape", "str"), node, env, scope)
            return target if isinstance(target, Hole) else Hole("text")
        if name.startswith("unicodedata."):
            self.use(base, "test:" + name, node)
            return Hole(f"test {node.lineno}")
        if name == "functools.reduce":
            return Hole("reduced")
        if name.startswith("str.") and func.owner is None and holes and isinstance(args[0], Hole):
            return self.text_method(args[0], name[4:], args[1:], kwargs, node, env, scope)
        if name in ("print", "repr", "hash", "getattr", "hasattr", "type", "callable"):
            if name == "getattr" and len(args) > 1 and isinstance(args[1], str):
                return self.attribute(args[0], args[1])
            return Hole(f"{name}()")
        return Hole(f"{name}()")

    def mapped(self, name: str, args: list[object], node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        source = args[1]
        if not isinstance(source, Hole):
            return Hole(f"{name}()")
        element = self.element(source, node, env, scope)
        test = args[0]
        if name == "map":
            if isinstance(test, Builtin) and test.name.startswith("str.") and isinstance(element, Hole):
                made = self.text_method(element, test.name[4:], [], {}, node, env, scope)
            else:
                made = self.traced_call(test, [element], {}, node, env, scope)
            if isinstance(made, Traced):
                return self.keep(
                    replace(
                        made,
                        shape="list",
                        how=("expr", node, dict(env), scope),
                        serial=next(_serial),
                        parents=(made,),
                        element_of=None,
                    )
                )
            return Hole("map()")
        if isinstance(test, (Function,)) and isinstance(test.node, ast.Lambda):
            inner = {**test.closure, test.node.args.args[0].arg: element} if test.node.args.args else dict(test.closure)
            self.filter_by(
                test.node.body, True, inner, scope, [test.node.args.args[0].arg] if test.node.args.args else []
            )
            kept = inner.get(test.node.args.args[0].arg) if test.node.args.args else element
            if isinstance(kept, Traced):
                return self.keep(
                    replace(
                        kept,
                        shape="list",
                        how=("expr", node, dict(env), scope),
                        serial=next(_serial),
                        parents=(kept,),
                        element_of=None,
                    )
                )
        return self.derive(source, None, getattr(source, "shape", "list"), node, env, scope)

    def element(self, source: object, node: ast.AST, env: dict[str, object], scope: Scope) -> object:
        """What a loop over ``source`` binds its variable to."""
        if isinstance(source, Traced):
            how = ("element", source)
            shape: Shape = {"matches": "match", "str": "char", "chars": "char"}.get(source.shape, "str")  # type: ignore[assignment]
            stages = source.stages if source.shape != "str" else (*source.stages, st.Chars())
            return self.keep(Traced(path=f"traced {next(_serial)}", root=source.root, stages=stages, shape=shape, marks=source.marks, how=how,
                                    owner=self.owner, element_of=source, parents=(source,), line=getattr(node, "lineno", 0)))  # fmt: skip
        if isinstance(source, Pairs):
            return tuple(self.pair(source, node, env, scope))
        if isinstance(source, Hole):
            return Hole(f"{source.path}[*]")
        elements = list(self.iterate(source))
        return elements[0] if elements else Hole("nothing")

    def pair(self, source: Pairs, node: ast.AST, env: dict[str, object], scope: Scope) -> Iterable[object]:
        if source.kind == "enumerate":
            yield Hole("index")
        if source.kind == "itertools.pairwise":
            one = self.element(source.sources[0], node, env, scope)
            yield one
            yield one
            return
        for s in source.sources if source.kind != "enumerate" else source.sources[:1]:
            yield self.element(s, node, env, scope)

    def traced_function(
        self,
        func: Function,
        args: list[object],
        kwargs: dict[str, object],
        node: ast.Call,
        env: dict[str, object],
        scope: Scope,
    ) -> object:
        """Follow a call into a function of the project."""
        text = [a for a in [*args, *kwargs.values()] if isinstance(a, Hole)]
        self.calls.append((node, func, args, kwargs, self.owner, scope))
        if len(self.stack) > self.max_depth or func.node in self.stack or not worth_entering(func.node, func.scope):
            for a in text:
                self.use(a, f"arg:{func.qualname}", node)
            traced = next((a for a in text if isinstance(a, Traced)), None)
            return (
                self.derive(traced, st.Opaque(f"{func.qualname}()"), "other", node, env, scope)
                if traced is not None
                else Hole(f"{func.qualname}()")
            )
        for a in text:
            self.use(a, f"arg:{func.qualname}", node)
        result = self.enter(func, args, kwargs)
        if isinstance(result, Traced):
            made = replace(
                result,
                how=("expr", node, dict(env), scope),
                serial=next(_serial),
                owner=self.owner,
                parents=(result,),
                line=node.lineno,
                element_of=None,
            )
            source = next((a for a in text if isinstance(a, Traced) and a.root == result.root), None)
            if source is not None:
                made = replace(made, element_of=source.element_of)
            return self.keep(made)
        return result

    def enter(self, func: Function, args: list[object], kwargs: dict[str, object]) -> object:
        """Run a function's body; what it returns, several ways merged into one."""
        outer_owner, outer_returned = self.owner, self.returned
        # A lambda is part of the function that it is written in.
        self.owner = outer_owner if isinstance(func.node, ast.Lambda) and outer_owner else func.qualname
        self.returned = []
        self.stack.append(func.node)
        self.yields.append([])
        try:
            env = self.bind(func, args, kwargs)
            entry = dict(env)
            if isinstance(func.node, ast.Lambda):
                return self.eval(func.node.body, env, func.scope)
            self.run_block(func.node.body, env, func.scope)
            produced = self.yields[-1]
            returned = self.returned
        except (Unsupported, Raised, _Return, _Break, _Continue) as why:
            if isinstance(why, LimitReached):
                raise
            return Hole(f"{func.qualname}()")
        finally:
            self.owner, self.returned = outer_owner, outer_returned
            self.stack.pop()
            self.yields.pop()
        if produced:
            traced = [v for v in produced if isinstance(v, Traced)]
            if traced:
                merged = traced[0] if len(traced) == 1 else self.merge(traced, None, env, func.scope, "list")
                return self.keep(
                    replace(
                        merged,
                        shape="list",
                        how=("function", func, entry),
                        serial=next(_serial),
                        element_of=None,
                        parents=tuple(traced),
                        owner=func.qualname,
                    )
                )
            return Hole(f"{func.qualname}()")
        return self.merge_returns(returned, func, entry)

    def merge_returns(self, returned: list[object], func: Function, entry: dict[str, object]) -> object:
        traced = [v for v in returned if isinstance(v, Traced)]
        if not traced:
            plain = [v for v in returned if not isinstance(v, Hole)]
            if len(returned) == 1:
                return returned[0]
            full = [v for v in plain if isinstance(v, (tuple, list, dict)) and v]
            if full:
                return full[-1]
            holes = [v for v in returned if isinstance(v, Hole)]
            return (
                holes[0]
                if holes
                else (
                    plain[-1]
                    if plain
                    and len(plain) == len(returned)
                    and all(isinstance(p, (str, int, type(None))) and p == plain[0] for p in plain)
                    else Hole(f"{func.qualname}()")
                )
            )
        distinct = list({v.stages: v for v in traced}.values())
        if len(distinct) == 1 and len(returned) == 1:
            return distinct[0]
        shape = max(distinct, key=lambda v: len(v.stages)).shape
        lossy = [v for v in distinct if v.stages] or distinct
        merged = lossy[0] if len(lossy) == 1 else self.merge(lossy, None, {}, func.scope, shape, st.Either)
        return self.keep(
            replace(
                merged,
                shape=shape,
                how=("function", func, entry),
                serial=next(_serial),
                parents=tuple(traced),
                owner=func.qualname,
            )
        )

    # -- comprehensions and filters -------------------------------------------------------------------------

    def e_comp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, env: dict[str, object], scope: Scope
    ) -> object:
        inner = dict(env)
        last = self.bind_generators(node.generators, inner, scope)
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
                serial=next(_serial),
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
                    serial=next(_serial),
                    parents=tuple(traced),
                    element_of=self.outer_element(node, env),
                    line=node.lineno,
                )
                return self.keep(made)
        if not isinstance(value, Hole) and isinstance(last, Hole):
            if isinstance(last, Traced):
                self.use(last, "iterate", node)
            return Hole(f"list {node.lineno}")
        if isinstance(value, Hole):
            if isinstance(last, Traced):
                self.use(last, "iterate", node)
            if value.path.endswith("[*]") and not isinstance(last, Traced):
                return Hole(value.path[:-3])
            return Hole(f"list {node.lineno}")
        return super().e_comp(node, env, scope)

    def outer_element(self, node: ast.AST, env: dict[str, object]) -> Traced | None:
        """The loop element that a comprehension depends on from outside itself, if any."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        for name in names:
            value = env.get(name)
            if isinstance(value, Traced) and value.element_of is not None:
                return value.element_of
        return None

    def e_dictcomp(self, node: ast.DictComp, env: dict[str, object], scope: Scope) -> object:
        inner = dict(env)
        self.bind_generators(node.generators, inner, scope)
        key, value = self.eval(node.key, inner, scope), self.eval(node.value, inner, scope)
        if isinstance(key, Traced):
            self.use(key, "index", node)
            return self.keep(
                replace(
                    key,
                    shape="dict",
                    how=("expr", node, dict(env), scope),
                    serial=next(_serial),
                    parents=(key,),
                    element_of=None,
                )
            )
        if isinstance(value, Traced):
            self.use(value, "index", node)
            return self.keep(
                replace(
                    value,
                    shape="list",
                    how=("expr", node, dict(env), scope),
                    serial=next(_serial),
                    parents=(value,),
                    element_of=None,
                )
            )
        if isinstance(key, Hole) or isinstance(value, Hole):
            return Hole(f"dict {node.lineno}")
        return super().e_dictcomp(node, env, scope)

    def bind_generators(self, gens: list[ast.comprehension], env: dict[str, object], scope: Scope) -> object:
        source: object = None
        for g in gens:
            source = self.eval(g.iter, env, scope)
            self.assign_traced(g.target, self.element(source, g.iter, env, scope), env, scope)
            names = [n.id for n in ast.walk(g.target) if isinstance(n, ast.Name)]
            for test in g.ifs:
                self.filter_by(test, True, env, scope, names)
        return source

    def assign_traced(self, target: ast.expr, value: object, env: dict[str, object], scope: Scope) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, Traced):
                for i, t in enumerate(target.elts):
                    inner = t.value if isinstance(t, ast.Starred) else t
                    first = i == 0 or value.shape != "dict"
                    part = replace(
                        value,
                        serial=next(_serial),
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
        stage, mark = self.filter_stage(test, positive, env, scope, self.created[before:])
        used = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
        touched = {v.serial for v in self.created[before:]}
        for name, held in list(env.items()):
            if (
                name in used
                and stage is not None
                and isinstance(held, Hole)
                and not isinstance(held, Traced)
                and held.path.endswith("[*]")
            ):
                # A text of an unknown list: from here on it is one that passed the test.
                env[name] = self.keep(
                    Traced(
                        path=f"traced {next(_serial)}",
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
            related = name in used or (name in names and any(env.get(u) is held for u in used))
            if not related and not (used & set(names)):
                continue
            if held.serial in touched:
                continue
            if stage is None:
                continue
            marks = (*held.marks, mark) if mark is not None and mark not in held.marks else held.marks
            env[name] = self.keep(
                replace(held, stages=(*held.stages, stage), marks=marks, serial=next(_serial), parents=(held,))
            )

    def filter_stage(
        self, test: ast.expr, positive: bool, env: dict[str, object], scope: Scope, made: list[Traced]
    ) -> tuple[Stage | None, Mark | None]:
        """The stage that a test amounts to, when it is one that we know."""
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
            flip = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
            for a, b, o in ((left, right, type(op)), (right, left, flip.get(type(op), type(op)))):
                if isinstance(a, ast.Call) and isinstance(a.func, ast.Name) and a.func.id == "len":
                    bound = self.eval(b, env, scope)
                    if isinstance(bound, int):
                        return self.length_stage(o, int(bound), positive), None
                    return None, None
            if isinstance(op, (ast.In, ast.NotIn)):
                wanted = isinstance(op, ast.In) is positive
                container = self.eval(right, env, scope)
                if not wanted:
                    words = (
                        frozenset(str(w) for w in container if isinstance(w, str))
                        if isinstance(container, (set, frozenset, list, tuple, dict))
                        else frozenset()
                    )
                    return st.StopWords(words, not isinstance(container, Hole)), None
                if isinstance(container, Hole) and not isinstance(container, Traced):
                    return None, None
                return st.Condition(self.shown(test, positive)), None
        if (
            isinstance(test, ast.Call)
            and isinstance(test.func, ast.Attribute)
            and test.func.attr in _TESTS
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
        role_mark = Mark(self.site(test, scope), "filter", self.owner, None, None, "condition")
        return st.Condition(self.shown(test, positive)), role_mark if "category" in ast.dump(test) or "ord" in ast.dump(
            test
        ) or "combining" in ast.dump(test) else None

    @staticmethod
    def shown(test: ast.expr, positive: bool) -> str:
        text = ast.unparse(test)
        text = text if len(text) <= 60 else text[:57] + "..."
        return text if positive else f"not ({text})"

    @staticmethod
    def length_stage(op: type, bound: int, positive: bool) -> Stage | None:
        """``len(t) OP bound`` as a stage."""
        if not positive:
            op = {
                ast.Lt: ast.GtE,
                ast.LtE: ast.Gt,
                ast.Gt: ast.LtE,
                ast.GtE: ast.Lt,
                ast.Eq: ast.NotEq,
                ast.NotEq: ast.Eq,
            }[op]
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

    # -- statements -----------------------------------------------------------------------------------------

    def run_block(self, body: list[ast.stmt], env: dict[str, object], scope: Scope) -> str | None:
        """Run statements; why they ended early ("return", "continue", ...), or ``None``. A statement that can't be followed is skipped."""
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

    def traced_augassign(self, node: ast.AugAssign, env: dict[str, object], scope: Scope) -> None:
        value = self.eval(node.value, env, scope)
        if isinstance(node.target, ast.Subscript):
            key = self.eval(node.target.slice, env, scope) if not isinstance(node.target.slice, ast.Slice) else None
            self.use(key, "index", node)
            owner = node.target.value
            if isinstance(key, Traced) and isinstance(owner, ast.Name):
                old = env.get(owner.id)
                if isinstance(old, (dict, Traced)) or (isinstance(old, Hole)):
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
                    replace(made, how=("block", node, dict(env), scope, node.target.id), serial=next(_serial))
                )
                return
            if isinstance(old, Traced) and isinstance(value, (str, list)):
                env[node.target.id] = self.keep(
                    replace(
                        old, how=("block", node, dict(env), scope, node.target.id), serial=next(_serial), parents=(old,)
                    )
                )
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
        before = len(self.created)
        test = self.eval(node.test, env, scope)
        if isinstance(test, _SOME):
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
        if names:
            self.filter_by(node.test, True, yes, scope, names)
        ended_yes = self.run_block(node.body, yes, scope)
        if names:
            self.filter_by(node.test, False, no, scope, names)
        ended_no = self.run_block(node.orelse, no, scope) if node.orelse else None
        if ended_yes and ended_no:
            return ended_yes if ended_yes == ended_no else "return"
        if ended_yes:
            env.clear()
            env.update(no)
            return None
        if ended_no:
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
                    replace(a, how=("block", node, before_env, scope, name), serial=next(_serial), parents=(a,))
                )
                continue
            if (isinstance(a, Traced) or isinstance(b, Traced)) and (
                a is None or b is None or not isinstance(a, Traced) or not isinstance(b, Traced)
            ):
                chosen = a if isinstance(a, Traced) else b
                assert isinstance(chosen, Traced)
                env[name] = self.keep(
                    replace(
                        chosen, how=("block", node, before_env, scope, name), serial=next(_serial), parents=(chosen,)
                    )
                )
                continue
            joined = self.join_branches(node.test, before_env, scope, a, b)
            if isinstance(joined, Traced):
                joined = self.keep(
                    replace(
                        joined, how=("block", node, before_env, scope, name), serial=next(_serial), parents=(joined,)
                    )
                )
            env[name] = joined
        return None

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
            elements = [self.element(source, node.iter, env, scope)]
        for element in elements:
            self.assign_traced(node.target, element, env, scope)
            if self.run_block(node.body, env, scope) in ("break", "return", "raise"):
                break
        if isinstance(source, (Hole, Pairs)):
            self.after_loop(node, before, env, scope)

    def traced_while(self, node: ast.While, env: dict[str, object], scope: Scope) -> None:
        before = dict(env)
        self.eval(node.test, env, scope)
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
                    serial=next(_serial),
                    parents=(value,),
                    element_of=self.outer_element(node, before),
                )
            )


@dataclass(frozen=True, eq=False)
class Pairs(Hole):
    """``enumerate`` or ``zip`` over something unknown."""

    sources: tuple[object, ...] = ()
    kind: str = "zip"

    def __init__(self, sources: tuple[object, ...], kind: str) -> None:
        object.__setattr__(self, "path", "pairs")
        object.__setattr__(self, "text", None)
        object.__setattr__(self, "sources", sources)
        object.__setattr__(self, "kind", kind)


@dataclass(frozen=True, eq=False)
class Tests(Hole):
    """``(c.isascii() for c in word)``: what ``any`` and ``all`` look at."""

    value: Traced | None = None
    node: ast.AST | None = None


def only_chosen(value: Traced) -> bool:
    """Whether a value is an element of an unknown list that was only kept or dropped by tests."""
    return (
        value.shape in ("str", "other")
        and bool(value.stages)
        and all(isinstance(s, (st.Condition, st.StopWords)) for s in value.stages)
    )


class SomeList(list[object]):
    """A list that a branch nobody can decide may have added to."""


class SomeSet(set[object]):
    """A set of that kind."""


class SomeDict(dict[object, object]):
    """A dict of that kind."""


_SOME = (SomeList, SomeSet, SomeDict)


_TEXT_WORK = re.compile(
    r"\.(?:lower|upper|casefold|strip|lstrip|rstrip|split|replace|sub|findall|finditer|match|search|fullmatch|join|translate|"
    r"encode|normalize|isal\w+|isascii|tokenize)\b|\bre\.|\bregex\.|[Tt]oken|set\(|lambda|ord\("
)


@functools.lru_cache(maxsize=8192)
def worth_entering(node: ast.AST, scope: Any) -> bool:
    """Whether a called function does anything to text, and is short enough to be followed."""
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1) or 1
    if isinstance(node, ast.Lambda):
        return True
    if last - first <= 6:
        return True
    if last - first > 120:
        return False
    return _TEXT_WORK.search(b"\n".join(scope.lines[first - 1 : last]).decode("utf-8", "replace")) is not None


@functools.lru_cache(maxsize=8192)
def names_in(node: ast.AST) -> frozenset[str]:
    """Every name that a statement mentions."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def branch_env(env: dict[str, object]) -> dict[str, object]:
    """The names of one way of a branch: plain containers are its own."""
    return {k: v.copy() if type(v) in (list, set, dict) and len(v) < 1000 else v for k, v in env.items()}  # type: ignore[attr-defined]


def uncertain(a: object, b: object) -> object:
    """One container for two that differ: what is in both, and whether it is empty is not known."""
    if isinstance(a, list) and isinstance(b, list):
        return SomeList(a if len(a) <= len(b) else b)
    if isinstance(a, (set, frozenset)) and isinstance(b, (set, frozenset)):
        return SomeSet(a & b)
    if isinstance(a, dict) and isinstance(b, dict):
        return SomeDict({k: v for k, v in a.items() if k in b})
    return None


def assigned_names(statement: ast.stmt) -> list[str]:
    """Names that a statement binds."""
    return [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


_TRANSLITERATORS = ("unidecode", "anyascii", "text_unidecode", "unihandecode")


def library_stage(name: str, args: list[object], kwargs: dict[str, object]) -> Stage | None:
    """A third-party function that we know to change text, as a stage."""
    last = name.removesuffix("()").rpartition(".")[2]
    if last in ("unidecode", "anyascii", "unidecode_expect_ascii"):
        return st.Opaque(f"{last}(): transliterates to ASCII")
    return None


__all__ = ["BadPattern", "Compiled", "Mark", "Runner", "SourceModule", "Traced", "Tracer", "Use"]
