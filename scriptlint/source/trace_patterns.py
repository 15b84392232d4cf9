"""What regexes and the standard library make of text, and calls into functions of the project."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

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
    from collections.abc import Iterable

    from scriptlint.tokenizer.stages import Stage
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.trace_calls import CallTracer
from scriptlint.source.traced import (
    GAP,
    KEYWORD,
    PATTERN_CALLS,
    Assembled,
    Compiled,
    Mark,
    Pairs,
    Shape,
    Traced,
    is_character,
    is_one_text,
    predicate,
    serials,
    worth_entering,
)


class PatternTracer(CallTracer):
    """``re`` and ``regex`` in all their forms, built-in functions, and functions of the project."""

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
                if subject is not None and method in PATTERN_CALLS:
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
                    return self.derive(subject, opaque if True else None, shape, node, env, scope)
                return Hole(f"{name}()")
            rest = rest[:2] if method in ("sub", "subn") else rest[:1]
            passed = {k: v for k, v in kwargs.items() if k in ("string", "repl")}
            return self.pattern_call(compiled, method, rest, passed, node, env, scope)
        if name == "functools.partial" or (
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
                return self.derive(
                    target, st.Normalize(cast("st.Form", str(form))), getattr(target, "shape", "str"), node, env, scope
                )
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
        test = args[0]
        asked = predicate(test, node) if name == "filter" else None
        if asked is not None:
            variable, closure, question = asked
            element = self.element(source, node, env, scope, ast.Name(variable, ast.Load()), question)
            inner = {**closure, variable: element}
            self.filter_by(question, True, inner, scope, [variable])
            kept = inner[variable]
            if isinstance(kept, Traced) and kept is not element:
                return self.gathered(kept, "chars" if kept.shape == "char" else "list", node, env, scope)
            if not isinstance(source, Traced):
                return source
        element = self.element(source, node, env, scope)
        if name == "map":
            if isinstance(test, Builtin) and test.name == "str":
                return source
            if isinstance(test, Builtin) and test.name.startswith("str.") and isinstance(element, Hole):
                made = self.text_method(element, test.name[4:], [], {}, node, env, scope)
            else:
                made = self.traced_call(test, [element], {}, node, env, scope)
            if isinstance(made, Traced):
                return self.gathered(made, "list", node, env, scope)
            return Hole("map()")
        return self.derive(source, None, getattr(source, "shape", "list"), node, env, scope)

    def element(
        self,
        source: object,
        node: ast.AST,
        env: dict[str, object],
        scope: Scope,
        target: ast.expr | None = None,
        around: ast.AST | None = None,
    ) -> object:
        """What a loop over ``source`` binds its variable to; ``target`` is the variable, ``around`` the loop."""
        if (
            isinstance(source, Hole)
            and not isinstance(source, (Traced, Pairs))
            and self.of_characters(source, target, node, around)
        ):
            # ``for ch in text``: what is looped over is a text, and these are its characters.
            source = self.keep(Traced(root=source.path, owner=self.owner, line=getattr(node, "lineno", 0)))
        if isinstance(source, Traced):
            how = ("element", source)
            inner: dict[str, Shape] = {"matches": "match", "str": "char", "chars": "char"}
            shape = inner.get(source.shape, "str")
            stages = source.stages if source.shape != "str" else (*source.stages, st.Chars())
            return self.keep(
                Traced(
                    root=source.root,
                    stages=stages,
                    shape=shape,
                    marks=source.marks,
                    how=how,
                    owner=self.owner,
                    element_of=source,
                    parents=(source,),
                    line=getattr(node, "lineno", 0),
                )
            )
        if isinstance(source, Pairs):
            return tuple(self.pair(source, node, env, scope, target, around))
        if isinstance(source, Hole):
            return Hole(f"{source.path}[*]")
        elements = list(self.iterate(source))
        return elements[0] if elements else Hole("nothing")

    def of_characters(self, source: Hole, target: ast.expr | None, *around: ast.AST | None) -> bool:
        """Whether a loop over something unknown goes over the characters of a text."""
        if is_character(target, *(a for a in around if a is not None)):
            return True
        return is_one_text(source) and any(id(a) in self.spelled for a in around)

    def pair(
        self,
        source: Pairs,
        node: ast.AST,
        env: dict[str, object],
        scope: Scope,
        target: ast.expr | None,
        around: ast.AST | None,
    ) -> Iterable[object]:
        if source.kind == "enumerate":
            yield Hole("index")
        if source.kind == "itertools.pairwise":
            one = self.element(source.sources[0], node, env, scope)
            yield one
            yield one
            return
        inner = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else None
        for s in source.sources if source.kind != "enumerate" else source.sources[:1]:
            yield self.element(s, node, env, scope, inner if source.kind == "enumerate" else None, around)

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
