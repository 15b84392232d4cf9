"""What regexes make of text, and calls into functions of the project."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.source.literals import Src, SrcBytes
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.closed import is_pattern
from scriptlint.tokenizer.model import BadPattern, Boundary
from scriptlint.tokenizer.run import TooSlow, time_limit
from scriptlint.tokenizer.values import (
    BreakSignal,
    Builtin,
    ContinueSignal,
    Function,
    Hole,
    LimitReached,
    Raised,
    ReturnSignal,
    Unsupported,
)

if TYPE_CHECKING:
    from scriptlint.tokenizer.stages import Stage
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.trace_builtins import BuiltinTracer
from scriptlint.source.traced import (
    GAP,
    KEYWORD,
    Assembled,
    Compiled,
    Mark,
    Shape,
    Traced,
    serials,
    worth_entering,
)


def places_of(values: list[object]) -> frozenset[st.Site]:
    """Where the texts and patterns among some arguments are written."""
    found = {v.place() for v in values if isinstance(v, (Src, SrcBytes))}
    found |= {v.pattern.site for v in values if isinstance(v, Compiled)}
    return frozenset(p for p in found if p is not None)


class PatternTracer(BuiltinTracer):
    """``re`` and ``regex`` in all their forms, and functions of the project."""

    # -- patterns -------------------------------------------------------------------------------------------

    def pattern_value(
        self, value: object, flags: object, dialect: st.Dialect, node: ast.expr, scope: Scope
    ) -> Compiled | None:
        """A pattern argument as a compiled pattern with its place, or ``None`` when it isn't known or is invalid."""
        if isinstance(value, Compiled):
            return value
        if is_pattern(value):
            dialect = "re" if type(value).__module__ == "re" else "regex"
            engine: Any = value
            text = engine.pattern
            # Compiled by the evaluator (``map(re.compile, TEXTS)``), a pattern still knows where it is written.
            place = text.place() if isinstance(text, (Src, SrcBytes)) else None
            plain = str(text) if isinstance(text, str) else bytes(text)
            return Compiled(st.Pattern(plain, engine.flags, dialect, place or self.site(node, scope)), None)
        if not isinstance(value, (str, bytes)):
            return None
        place = value.place() if isinstance(value, (Src, SrcBytes)) else None
        number = flags if isinstance(flags, int) else 0
        plain = str(value) if isinstance(value, str) else bytes(value)
        pattern = st.Pattern(plain, int(number), dialect, place or self.site(node, scope))
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
        if KEYWORD.match(template):
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
                assert isinstance(call, Builtin)
                known = {k: v for k, v in kwargs.items() if not isinstance(v, Hole)}
                try:
                    with time_limit(0.5):
                        result = self.guard(call.call, tuple(plain), known)
                        if name == "finditer":
                            result = list(result)
                except TooSlow:
                    return Hole(f"text {node.lineno}")
                return result
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
                Mark(place, role, self.giver(place), pattern, stage, name, use_place, compiled.expression),
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

    def giver(self, place: st.Site) -> str:
        """The function that gave a pattern to the one at hand, or that one when it has the pattern by itself."""
        owner = self.owner
        for given, caller in reversed(self.entered):
            if place not in given:
                break
            owner = caller
        return owner

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
                serial=next(serials),
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
        # A lambda is part of the function that it is written in, what is done to one character of the loop around it.
        letter = any(isinstance(a, Traced) and a.shape == "char" for a in args)
        inside = outer_owner and (isinstance(func.node, ast.Lambda) or letter)
        self.owner = outer_owner if inside else func.qualname
        self.returned = []
        self.stack.append(func.node)
        self.entered.append((places_of([*args, *kwargs.values()]), outer_owner))
        ways = len(self.ways)
        self.yields.append([])
        try:
            env = self.bind(func, args, kwargs)
            entry = dict(env)
            if isinstance(func.node, ast.Lambda):
                return self.eval(func.node.body, env, func.scope)
            self.run_block(func.node.body, env, func.scope)
            produced = self.yields[-1]
            returned = self.returned
        except (Unsupported, Raised, ReturnSignal, BreakSignal, ContinueSignal) as why:
            if isinstance(why, LimitReached):
                raise
            return Hole(f"{func.qualname}()")
        finally:
            self.owner, self.returned = outer_owner, outer_returned
            del self.ways[ways:]
            self.stack.pop()
            self.entered.pop()
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
                        serial=next(serials),
                        element_of=None,
                        parents=tuple(traced),
                        owner=func.qualname,
                    )
                )
            return Hole(f"{func.qualname}()")
        return self.merge_returns(returned, func, entry)

    def merge_returns(self, returned: list[object], func: Function, entry: dict[str, object]) -> object:
        traced = [v for v in returned if isinstance(v, Traced)]
        aside = {b for v in traced for b in v.beside}
        traced = [v for v in traced if v.root not in aside] or traced
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
                serial=next(serials),
                parents=tuple(traced),
                owner=func.qualname,
            )
        )
