"""The tracer's ground: making traced values, and text that remembers its literals."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.source.literals import Src, SrcBytes, code_point_place
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.interp import Interp
from scriptlint.tokenizer.values import Function, Hole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.source.traced import Compiled
    from scriptlint.tokenizer.calls import Caller
    from scriptlint.tokenizer.model import BadPattern, Boundary
    from scriptlint.tokenizer.stages import Stage
    from scriptlint.tokenizer.values import Builtin, Scope

from scriptlint.source.routing import Chosen, knows_others
from scriptlint.source.traced import COLLECTIONS, GAP, Assembled, Mark, Shape, Traced, Use, lossy, separators, serials

_LOGGED = re.compile(
    r"^arg:(?:.*\.)?(?:_?log(?:ger|ging)?|console|warnings|sys\.std(?:out|err))\."
    r"(?:debug|info|warn(?:ing)?|error|exception|critical|log|print|write)$",
    re.IGNORECASE,
)
"""What is only told to people is no key and no token."""


class TracerBase(Interp):
    """Makes traced values; ``owner`` names the function whose body is being run."""

    def __init__(self, fill: dict[str, object] | None = None, max_steps: int = 25_000) -> None:
        super().__init__(fill, max_steps)
        self.owner = ""
        self.created: list[Traced] = []
        self.uses: list[Use] = []
        self.bad: list[BadPattern] = []
        self.boundaries: list[Boundary] = []
        self.returned: list[object] = []
        self.calls: list[tuple[ast.Call, object, list[object], dict[str, object], str, Scope]] = []
        self.stack: list[ast.AST] = []
        self.ways: list[tuple[ast.expr, dict[str, object], Scope, bool]] = []
        """Tests of the language that the statement at hand stands behind."""
        self.spelled: set[int] = set()
        """Ids of expressions whose pieces are put together with nothing between them: characters, mostly."""
        self.entered: list[tuple[frozenset[st.Site], str]] = []
        """For each function of the stack, where the patterns that it was given are written, and who gave them."""
        self.max_depth = 3

    def fresh(self) -> Caller:
        from scriptlint.source.trace import Tracer

        return Tracer(max_steps=400_000)

    def resolve(self, value: object) -> object:
        return super().resolve(value.in_english if type(value) is Chosen else value)

    def bind(self, func: Function, args: list[object], kwargs: dict[str, object]) -> dict[str, object]:
        env = super().bind(func, args, kwargs)
        if len(self.stack) <= 1 and not args and not kwargs:
            # The function that is traced is called by somebody: an optional text (``hint=""``) or another language
            # may be given.
            a = func.node.args
            for p in (*a.posonlyargs, *a.args, *a.kwonlyargs):
                default = env.get(p.arg)
                if isinstance(default, str) and (default == "" or knows_others(func.node, p.arg, default)):
                    env[p.arg] = Hole(p.arg)
            if a.vararg:
                # ``*texts``: as many as there may be.
                env[a.vararg.arg] = Hole(a.vararg.arg)
        return env

    if TYPE_CHECKING:
        # Each layer of the tracer knows the ones below it; these are what the lower ones ask of the upper ones.
        @staticmethod
        def shown(test: ast.expr, positive: bool) -> str: ...

        def pattern_value(
            self, value: object, flags: object, dialect: st.Dialect, node: ast.expr, scope: Scope
        ) -> Compiled | None: ...

        def note_boundary(self, value: object, node: ast.expr, scope: Scope) -> None: ...

        def pattern_call(
            self,
            compiled: Compiled,
            name: str,
            args: list[object],
            kwargs: dict[str, object],
            node: ast.Call,
            env: dict[str, object],
            scope: Scope,
        ) -> object: ...

        def traced_builtin(
            self,
            func: Builtin,
            args: list[object],
            kwargs: dict[str, object],
            node: ast.Call,
            env: dict[str, object],
            scope: Scope,
        ) -> object: ...

        def traced_function(
            self,
            func: Function,
            args: list[object],
            kwargs: dict[str, object],
            node: ast.Call,
            env: dict[str, object],
            scope: Scope,
        ) -> object: ...

        def filter_by(
            self, test: ast.expr, positive: bool, env: dict[str, object], scope: Scope, names: list[str]
        ) -> None: ...

        def group(
            self, owner: Traced, args: list[object], node: ast.expr, env: dict[str, object], scope: Scope
        ) -> Hole: ...

        def run_block(self, body: list[ast.stmt], env: dict[str, object], scope: Scope) -> str | None: ...

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
            root, stages, marks, element = base.root, base.stages, base.marks, base.element_of
        else:
            root, stages, marks, element = base.path, (), (), None
        also, beside = (base.also, base.beside) if isinstance(base, Traced) else ((), ())
        parents = (base,) if isinstance(base, Traced) else ()
        if stage is not None:
            stages = (*stages, stage)
        if mark is not None and mark not in marks:
            marks = (*marks, mark)
        how = ("expr", node, dict(env), scope) if node is not None else ()
        return self.keep(
            Traced(
                root=root,
                stages=stages,
                shape=shape,
                marks=marks,
                how=how,
                owner=self.owner,
                element_of=element,
                parents=parents,
                line=getattr(node, "lineno", 0),
                also=also,
                beside=beside,
            )
        )

    def keep(self, value: Traced) -> Traced:
        if self.ways or value.ways:
            object.__setattr__(value, "ways", tuple(self.ways))
        self.created.append(value)
        return value

    def gathered(self, value: Traced, shape: Shape, node: ast.expr, env: dict[str, object], scope: Scope) -> Traced:
        """A collection that an expression makes of such values: their stages, told of ``node``."""
        how = ("expr", node, dict(env), scope)
        return self.keep(replace(value, shape=shape, how=how, serial=next(serials), parents=(value,), element_of=None))

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
        return self.keep(
            Traced(
                root=main.root if main.root in roots else roots[0],
                stages=stages,
                shape=shape,
                marks=marks,
                how=how,
                owner=self.owner,
                element_of=main.element_of,
                parents=tuple(values),
                line=getattr(node, "lineno", 0),
                also=self.other_roots(values, kind),
                beside=tuple(dict.fromkeys(b for v in values for b in v.beside)),
            )
        )

    def put_together(self, parts: Iterable[object], node: ast.expr, env: dict[str, object], scope: Scope) -> Traced:
        """One text of several. Parts of one text are judged together; of different texts, the one that most was done
        to is judged, and the others stand beside it: what is kept of an id says nothing about a title."""
        held = [p for p in parts if isinstance(p, Hole)]
        texts = [p for p in held if isinstance(p, Traced)]
        main = max(texts, key=lambda v: (lossy(v), len(v.stages)))
        same = list(dict.fromkeys(v for v in texts if v.root == main.root))
        made = self.derive(main, None, "str", node, env, scope)
        if len({v.stages for v in same}) > 1:
            made = self.merge(same, node, env, scope, "str")
        others = (p.root if isinstance(p, Traced) else p.path for p in held)
        beside = tuple(dict.fromkeys(o for o in (*made.beside, *others) if o != main.root))
        if not beside:
            return made
        return self.keep(replace(made, beside=beside, serial=next(serials), parents=(made, *texts)))

    @staticmethod
    def other_roots(values: list[Traced], kind: type) -> tuple[str, ...]:
        """The holes of which one or the other gives the text, when the values are ways of a branch."""
        found = dict.fromkeys(r for v in values for r in (*v.also, *((v.root,) if kind is st.Either else ())))
        return tuple(found)

    def use(self, value: object, how: str, node: ast.AST | None, fixed: bool = False) -> None:
        if how.startswith("arg:") and _LOGGED.search(how):
            return
        values: Iterable[object] = (value,)
        if isinstance(value, (list, tuple, set)):
            values = value
        elif isinstance(value, dict):
            values = value.values()
        for v in values:
            if isinstance(v, Traced):
                self.uses.append(Use(v, how, self.owner, getattr(node, "lineno", 0), fixed))

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
                return self.put_together((*text, *holes), node, env, scope)
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

    def e_list(self, node: ast.List, env: dict[str, object], scope: Scope) -> object:
        pieces = self.spread(node, env, scope, "list")
        return super().e_list(node, env, scope) if pieces is None else pieces

    def e_set(self, node: ast.Set, env: dict[str, object], scope: Scope) -> object:
        pieces = self.spread(node, env, scope, "set")
        return super().e_set(node, env, scope) if pieces is None else pieces

    def spread(self, node: ast.List | ast.Set, env: dict[str, object], scope: Scope, shape: Shape) -> Traced | None:
        """``[*phrases, *words]``: the pieces of all of them."""
        if not any(isinstance(e, ast.Starred) for e in node.elts):
            return None
        values = [self.eval(e.value if isinstance(e, ast.Starred) else e, env, scope) for e in node.elts]
        pieces = [v for v in values if isinstance(v, Traced)]
        if not any(v.shape in COLLECTIONS for v in pieces):
            return None
        return self.merge(pieces, node, env, scope, shape)

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
                fixed = len(traced) == 1 and separators(right if left is traced[0] else left)
                for v in traced:
                    self.use(v, "setop", node, fixed)
                if op is ast.BitOr and len(traced) == 2 and traced[0].root != traced[1].root:
                    # All pieces of two texts: each has a tokenizer of its own.
                    return Hole(f"set {node.lineno}")
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
                if shape in ("str", "char") and isinstance(left, Hole) and isinstance(right, Hole):
                    return self.put_together((left, right), node, env, scope)
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
