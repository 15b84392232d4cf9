"""What methods of text and of collections make of text that nobody knows."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.source.columns import SAME
from scriptlint.source.literals import Src
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.values import Function, Hole

if TYPE_CHECKING:
    from scriptlint.tokenizer.stages import Stage
    from scriptlint.tokenizer.values import Scope


from scriptlint.source.trace_text import TextTracer
from scriptlint.source.traced import (
    CASE_METHODS,
    COLLECTIONS,
    GAP,
    MUTATORS,
    SET_METHODS,
    TEST_METHODS,
    TEXT_KEEPING,
    TEXT_METHODS,
    Mark,
    Shape,
    Traced,
    captured_text,
    serials,
)


class MethodTracer(TextTracer):
    """Methods of text and collections, joins, mutations."""

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
        if isinstance(owner, Traced) and name in SAME:
            return self.derive(owner, None, owner.shape, node, env, scope)
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
        if shape == "bool" or name not in TEXT_METHODS:
            for a in args:
                self.use(a, f"arg:{owner.path}.{name}" if not traced else f"arg:{name}", node)
            return NotImplemented
        if not traced and name in ("index", "count", "find", "join", "format", "update", "encode") and name != "encode":
            for a in args:
                self.use(a, f"arg:{owner.path}.{name}", node)
            return Hole(f"{owner.path}.{name}()")
        return self.text_method(owner, name, args, kwargs, node, env, scope)

    def group(self, owner: Traced, args: list[object], node: ast.expr, env: dict[str, object], scope: Scope) -> Hole:
        """``m.group(n)``: the extraction narrows to that group; one that lets any text through is a text of its own."""
        key = args[0] if args and isinstance(args[0], (int, str)) else 0
        stages = owner.stages
        holder = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
        holder = holder.value if isinstance(holder, ast.Subscript) else holder
        captured = captured_text(owner, key) if isinstance(holder, ast.Name) else None
        if captured is not None:
            return Hole(captured)
        if key and stages and isinstance(stages[-1], st.Extract):
            stages = (*stages[:-1], replace(stages[-1], group=key))
        made = self.derive(owner, None, "str", node, env, scope)
        return self.keep(replace(made, stages=stages, serial=next(serials)))

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

        if name in CASE_METHODS:
            shape: Shape = "char" if getattr(owner, "shape", "str") == "char" else "str"
            return go(st.Case(name), shape)  # type: ignore[arg-type]
        if name in TEXT_KEEPING:
            chars = args[0] if args and isinstance(args[0], str) else None
            return go(st.Strip(name, str(chars) if chars is not None else None))
        if name in ("split", "rsplit"):
            separator = args[0] if args else kwargs.get("sep")
            if isinstance(separator, Hole):
                # Whatever it is, it stands in none of our words.
                separator = GAP
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
            narrow = stage_e.encoding in ("ascii", "latin-1", "latin1", "iso-8859-1", "us-ascii", "cp1252")
            # Escapes keep what they replace; a strict encoder raises rather than lose.
            lossy = narrow and stage_e.errors in ("ignore", "replace")
            return go(stage_e if lossy else None, "bytes", mark(stage_e, "call") if lossy else None)
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
        if name in TEST_METHODS:
            self.use(owner, f"test:{name}", node)
            return go(None, "bool")
        if name == "join":
            return go(None)
        self.use(owner, name, node)
        for a in args:
            # ``text.count(word)``: a piece of one text is looked for in another.
            self.use(a, "in", node)
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
        if name in MUTATORS:
            assert isinstance(node.func, ast.Attribute)
            return self.mutate(owner, name, args, node.func.value, node, env, scope)
        if name in SET_METHODS and name != "union":
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
        if name == "clear" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            self.set_name(node.func.value.id, set() if owner.shape == "set" else [], env)
            return None
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
            # ``(position, word)``: the one that most was done to, the last of several.
            pieces = [a for a in added if isinstance(a, Traced)]
            added = max(reversed(pieces), key=lambda v: len(v.stages)) if pieces else added
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
                            serial=next(serials),
                            how=("block", self.as_statement(node), dict(env), scope, target.id),
                            parents=(old,),
                        )
                    ),
                    env,
                )
                return None
            if isinstance(added, Hole) and isinstance(old, (list, set)):
                base = Traced(
                    root=added.path,
                    shape="list" if name != "add" else "set",
                    owner=self.owner,
                    how=("block", self.as_statement(node), dict(env), scope, target.id),
                )
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
                merged = replace(merged, marks=tuple(dict.fromkeys((*old.marks, *added.marks))), serial=next(serials))
        parents = tuple(p for p in (old, added) if isinstance(p, Traced))
        result = replace(
            merged,
            how=("block", statement, dict(env), scope, name),
            serial=next(serials),
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
                return self.put_together(pieces, node, env, scope)
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
