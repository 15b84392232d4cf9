"""From traced functions to tokenizers: which values are pieces of text that something is made of.

A candidate is a traced value that no other value of the same function goes on from, with at least one mark that
stands in that function. ``decide`` (see ``classify``) says what it is, from how it is used.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scriptlint.source.behaviours import PLAIN, Behaviours
from scriptlint.source.blocks import functions_of, statements_in
from scriptlint.source.doubts import is_digest
from scriptlint.source.lambdas import handed_on
from scriptlint.source.module import SourceClass, SourceModule
from scriptlint.source.screen import Screen
from scriptlint.source.trace import Tracer
from scriptlint.source.traced import COLLECTIONS, Traced, Use
from scriptlint.source.usage import COMPARED, Kinship, by_place, put_together, uses_of
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import walk
from scriptlint.tokenizer.values import Function, Hole, Raised, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.source.blocks import Block, FunctionNode
    from scriptlint.source.traced import Mark
    from scriptlint.tokenizer.model import BadPattern, Boundary
    from scriptlint.tokenizer.stages import Stage

_HASH = re.compile(r"\bhashlib\b|\b(?:sha1|sha256|md5|blake2[bs]|crc32|uuid5)\(|digest\(")


_UNIQUE = re.compile(r"uuid|guid|hash|digest|sha(?:1|256)|(?:\b|_)id\b|[a-z]Id\b", re.IGNORECASE)
"""What a text is called that keeps keys apart, whatever stands beside it."""


@dataclass
class Candidate:
    """A value that may be a tokenizer's output, with what the function does with it."""

    value: Traced
    function: str
    line: int
    statement: tuple[int, int]
    marks: tuple[Mark, ...]
    behaviour: str = ""
    uses: list[Use] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    returned: bool = False
    docstring: str = ""
    file: str = ""
    class_name: str = ""
    module_level: bool = False
    parameters: tuple[str, ...] = ()
    kept: float | None = None
    """Share of the letters of ``FOREIGN`` that come out, for ``text``; ``None``: it can't be run."""
    hashed: bool = False
    """A digest or an id goes with it, which tells texts apart whatever else is lost."""
    node: ast.AST = field(default_factory=lambda: ast.Module([], []))
    """The function it stands in."""
    ascii_made: bool = False
    """The text is a digest, or what else can't hold another script."""
    doubt: str = ""
    """Why its pieces may be no words, when their uses tell."""
    unknown: bool = False
    """What comes out rests on a step that nobody knows, whichever way the text goes."""
    one_script: bool = False
    """Nothing of plain Latin text comes out: it takes one script alone, beside others or on purpose."""

    @property
    def said(self) -> str:
        """The names that may tell what it is: of the function, its class, the variables it is assigned to."""
        return " ".join((self.function, self.class_name, *self.names))

    @property
    def lines(self) -> set[int]:
        """The lines of the statements that take part."""
        return {(m.use or m.place).line for m in self.marks} | {self.value.line}


@dataclass
class FoundIn:
    """What tracing one module gave."""

    module: SourceModule
    candidates: list[Candidate] = field(default_factory=list)
    bad: list[BadPattern] = field(default_factory=list)
    boundaries: list[Boundary] = field(default_factory=list)
    calls: list[tuple[ast.Call, object, list[object], dict[str, object], str]] = field(default_factory=list)


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


def collect(
    tracer: Tracer,
    result: object,
    node: ast.AST,
    qualname: str,
    module: SourceModule,
    found: FoundIn,
    cls: ast.ClassDef | None,
) -> None:
    """The candidates of one traced function: for every mark in it, the last value that is still pieces of the text."""
    own = [
        v
        for v in tracer.created
        if v.owner == qualname and v.shape != "bool" and any(m.function == qualname for m in v.marks)
    ]
    if isinstance(result, Traced) and result not in own and any(m.function == qualname for m in result.marks):
        own.append(result)
    if not own:
        return
    kin = Kinship(tracer)
    returned = kin.of(result) if isinstance(result, Traced) else set()
    if isinstance(result, Traced):
        returned.add(result.serial)
    judged = Behaviours()
    covered: set[Mark] = set()
    docstring = ast.get_docstring(node) or "" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""
    args = node.args if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
    parameters = tuple(a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]) if args else ()

    def rank(v: Traced) -> tuple[bool, int, int, bool, bool, int]:
        plain = bool(v.how) and v.how[0] in ("expr", "function")
        return (v is result, len(v.marks), len(v.stages), v.shape in COLLECTIONS, plain, v.serial)

    merged: dict[tuple[object, ...], Candidate] = {}
    # Pieces come before the text that is made of them, unless they are joined to one key and used for nothing else.
    # Only values that bring a mark which nothing better has explained yet are run.
    covered |= hopeless(own, qualname, judged)
    texts: list[Traced] = []
    queue = sorted(own, key=rank, reverse=True)
    for number, value in enumerate([*queue, None, *queue]):
        if value is None:
            continue
        if number > len(queue) and value not in texts:
            continue
        fresh = {m for m in value.marks if m.function == qualname} - covered
        if not fresh:
            continue
        behaviour = judged.of(value)
        if behaviour is None:
            continue
        if behaviour in ("text", "phrases") and number < len(queue):
            texts.append(value)
            continue
        below = kin.below(value)
        related = kin.of(value) | {value.serial} | below
        uses = uses_of(value, behaviour, qualname, tracer.uses, kin, judged)
        if behaviour != "text" and (
            only_joined(value, below, uses, kin, judged) or put_together(value, uses, tracer.uses, kin)
        ):
            continue
        covered |= {m for m in value.marks if m.function == qualname}
        key = (behaviour, tuple(s.describe() for s in value.stages))
        if key in merged:
            merged[key].marks = tuple(dict.fromkeys((*merged[key].marks, *value.marks)))
            merged[key].uses += uses
            continue
        here = [m for m in value.marks if m.place.path == module.path]
        line = min(
            [m.place.line for m in here if m.function == qualname] or [m.place.line for m in here] or [value.line]
        )
        last = max([m.place.end_line for m in here if m.function == qualname] or [line])
        candidate = Candidate(
            value, qualname, line, (line, max(line, last)), value.marks, behaviour, uses, [],
            bool(returned & (related if behaviour == "text" else below | {value.serial})), docstring, module.path,
            cls.name if cls else "", qualname == "<module>", parameters, node=node,
        )  # fmt: skip
        candidate.names = names_for(candidate, node)
        candidate.one_script = behaviour in ("words", "han", "grams") and judged.run(value, PLAIN) == []
        candidate.unknown = _unknown(value.stages, judged.takes_a_way(value)) if _unknown(value.stages) else False
        candidate.doubt = "its pieces are only taken by their place" if by_place(value, uses, kin) else ""
        if behaviour == "text":
            candidate.kept = judged.kept(value)
            candidate.ascii_made = is_digest(value.root, node)
            candidate.hashed = any(map(_UNIQUE.search, value.beside)) or (
                qualname != "<module>" and _HASH.search(module.text_of(node)) is not None
            )
        merged[key] = candidate
    found.candidates += merged.values()


def _unknown(stages: tuple[Stage, ...], routed: bool = False) -> bool:
    """Whether stages rest on one that nobody knows; of a transliteration it is known enough. Where texts are
    ``routed``, one way that is known speaks for those that go it."""
    for stage in stages:
        if isinstance(stage, st.Opaque) and "transliterates" not in stage.why:
            return True
        ways = [_unknown(chain, routed) for chain in getattr(stage, "chains", ())]
        if ways and (all(ways) if routed and isinstance(stage, st.Either) else any(ways)):
            return True
    return False


def hopeless(own: list[Traced], qualname: str, judged: Behaviours) -> set[Mark]:
    """Marks behind which nothing wordlike can come: what they give for plain text is neither pieces nor the text."""
    first: dict[Mark, Traced] = {}
    for value in own:
        for mark in value.marks:
            if mark.function == qualname and value.serial < first.get(mark, value).serial:
                first[mark] = value
            first.setdefault(mark, value)
    return {
        mark
        for mark, value in first.items()
        if mark.function == qualname and value.how and value.shape != "char" and mark.call != "condition"
        and judged.of(value) is None
        and not judged.any_output(value)
    }  # fmt: skip


def only_joined(value: Traced, below: set[int], uses: list[Use], kin: Kinship, judged: Behaviours) -> bool:
    """Whether pieces are only put together again to one key (a slug, a tidy title).

    A separator with letters, quotes or a bar makes a query of them, and pieces of a query are tokens.
    """
    joined = [
        v for s in below if (v := kin.by_serial.get(s)) is not None and v.stages and isinstance(v.stages[-1], st.Join)
    ]
    if not joined or any(re.search(r"[A-Za-z|\"*]", getattr(v.stages[-1], "separator", "")) for v in joined):
        return False
    if not any(judged.of(v) == "text" for v in joined):
        return False
    cut_out = {s for v in joined if v.element_of is None for s in slices_of(v, kin)}
    hows = {u.how for u in uses if u.value.serial not in below or (u.value in joined and u.value.serial not in cut_out)}
    return not hows & {*COMPARED, "index"}


def slices_of(text: Traced, kin: Kinship) -> set[int]:
    """What is made of slices of a text: they are pieces of it (n-grams), not of what it was joined from."""
    if text.shape != "str":
        return set()
    cuts = [
        v for v in kin.children.get(text.serial, ())
        if v.shape == "str" and v.how and isinstance(v.how[1], ast.Subscript) and isinstance(v.how[1].slice, ast.Slice)
    ]  # fmt: skip
    return {s for v in cuts for s in kin.below(v)}


def names_for(candidate: Candidate, node: ast.AST) -> list[str]:
    """The names that the candidate's statements assign: cues for what the pieces are."""
    lines = candidate.lines
    out: list[str] = []
    for n in walk(node):
        if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            first, last = n.lineno, n.end_lineno or n.lineno
            if any(first <= line <= last for line in lines):
                targets: Iterable[ast.expr] = n.targets if isinstance(n, ast.Assign) else [n.target]
                for t in targets:
                    for leaf in walk(t):
                        if isinstance(leaf, ast.Name):
                            out.append(leaf.id)
                        elif isinstance(leaf, ast.Attribute):
                            out.append(leaf.attr)
        elif isinstance(n, (ast.For, ast.comprehension)):
            at = n.iter.lineno
            if any(at <= line <= (n.iter.end_lineno or at) for line in lines):
                out += [leaf.id for leaf in walk(n.target) if isinstance(leaf, ast.Name)]
    return out
