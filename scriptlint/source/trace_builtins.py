"""What the built-in functions and those of the standard library make of text that nobody knows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from scriptlint.source.literals import Src
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.values import (
    Builtin,
    Function,
    Hole,
    Partial,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.tokenizer.values import Scope


from scriptlint.source.routing import Chosen
from scriptlint.source.trace_calls import CallTracer
from scriptlint.source.traced import (
    PATTERN_CALLS,
    BoundPattern,
    Compiled,
    Pairs,
    Shape,
    Traced,
    is_character,
    is_one_text,
    predicate,
)


class BuiltinTracer(CallTracer):
    """Calls of built-in functions, and what a loop over something unknown binds its variable to."""

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
            if isinstance(first, Chosen):
                kinds = {k: self.pattern_value(v, flags, dialect, pattern_node, scope) for k, v in first.table.items()}
                other = self.pattern_value(first.other, flags, dialect, pattern_node, scope)
                return Chosen(dict(kinds), other, first.asked)
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
            steps = args[1] if len(args) == 3 and isinstance(args[1], (list, tuple)) else []
            if not steps or not all(isinstance(s, (Function, Builtin, BoundPattern, Partial)) for s in steps):
                return Hole("reduced")
            made = args[2]
            for step in steps:
                # ``reduce(lambda text, f: f(text), STEPS, text)``
                made = self.traced_call(args[0], [made, step], {}, node, env, scope)
            if isinstance(made, Traced):
                made = self.gathered(made, made.shape, node, env, scope)
            return made
        if name == "bytes" and isinstance(args[0], Hole) and len(args) + len(kwargs) > 1:
            given = {"encoding": args[1], **kwargs} if len(args) > 1 else kwargs
            given = {**given, "errors": args[2]} if len(args) > 2 else given
            return self.text_method(args[0], "encode", [], given, node, env, scope)
        if name.startswith("str.") and func.owner is None and holes and isinstance(args[0], Hole):
            return self.text_method(args[0], name[4:], args[1:], kwargs, node, env, scope)
        if name in ("print", "repr", "hash", "getattr", "hasattr", "type", "callable"):
            if name == "getattr" and len(args) > 1 and isinstance(args[1], str):
                return self.attribute(args[0], args[1])
            if name == "hash":
                self.use(base, "arg:hash", node)
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
