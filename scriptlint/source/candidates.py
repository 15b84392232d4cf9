"""Which values of a traced function are pieces of text that something is made of.

A candidate is a traced value that no other value of the same function goes on from, with at least one mark that
stands in that function. ``decide`` (see ``classify``) says what it is, from how it is used.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.source.behaviours import PLAIN, Behaviours
from scriptlint.source.doubts import is_digest
from scriptlint.source.traced import COLLECTIONS, Traced, Use
from scriptlint.source.usage import COMPARED, Kinship, by_place, makes_a_query, put_together, telling, uses_of
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.source.module import SourceModule
    from scriptlint.source.trace import Tracer
    from scriptlint.source.traced import Mark
    from scriptlint.tokenizer.model import BadPattern, Boundary
    from scriptlint.tokenizer.stages import Stage

_HASH = re.compile(r"\bhashlib\b|\b(?:sha1|sha256|md5|blake2[bs]|crc32|uuid[1-8]|token_hex|token_urlsafe)\(|digest\(")


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
    sign: str = ""
    """The sign that words stand behind, where no others come out."""
    unknown: bool = False
    """What comes out rests on a step that nobody knows, whichever way the text goes."""
    one_script: bool = False
    """Nothing of plain Latin text comes out: it takes one script alone, beside others or on purpose."""

    @property
    def said(self) -> str:
        """The names that may tell what it is: of the function, its class, the variables it is assigned to."""
        return " ".join(("" if self.module_level else self.function, self.class_name, *self.names))

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
        if behaviour != "text" and not telling(uses) and any(t is result and fresh <= set(t.marks) for t in texts):
            # Only looked at, and on the way to the text that is returned.
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
        candidate.sign = judged.signs.get(value.serial, "")
        candidate.unknown = _unknown(value.stages) and _unknown(value.stages, judged.takes_a_way(value))
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
    if not joined or any(map(makes_a_query, joined)):
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
                        elif isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                            # ``row["slug"] = ...``; what was cleaned is a text, unlike ``clean_id``.
                            out += [] if leaf.value.startswith("clean") else [leaf.value]
        elif isinstance(n, (ast.For, ast.comprehension)):
            at = n.iter.lineno
            if any(at <= line <= (n.iter.end_lineno or at) for line in lines):
                out += [leaf.id for leaf in walk(n.target) if isinstance(leaf, ast.Name)]
    return out
