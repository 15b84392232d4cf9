"""One file in, its tokenizers out."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scriptlint.finding import Confidence, Problem
from scriptlint.source.prefilter import may_matter
from scriptlint.tokenizer.model import PatternSite, SourceFacts, Tokenizer
from scriptlint.tokenizer.stages import flat_stages, pattern_of
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from scriptlint.source.candidates import Candidate
    from scriptlint.source.project import Project
    from scriptlint.tokenizer.stages import Stage


class TokenizerNotFound(LookupError):  # noqa: N818
    """A tokenizer spec that names nothing; the message says what there is."""


_FLAG_NAMES = ((2, "IGNORECASE"), (4, "LOCALE"), (8, "MULTILINE"), (16, "DOTALL"), (64, "VERBOSE"), (256, "ASCII"))


def flag_names(flags: int) -> tuple[str, ...]:
    """The engine's names of the flags that both engines share."""
    return tuple(name for bit, name in _FLAG_NAMES if flags & bit)


def read_source(path: str, data: bytes, *, project: Project | None = None, whole: bool = False) -> SourceFacts:
    """The tokenizers of one file. ``path`` is how the file is called in findings.

    A file that can't be parsed gives one ``Problem`` and no tokenizers; what does not matter is parsed only when the
    ``whole`` file shall be.
    """
    if not (whole or may_matter(data)):
        return SourceFacts(path)
    from scriptlint.source.blocks import TooMuchError
    from scriptlint.source.constants import score_facts
    from scriptlint.source.finder import trace_module
    from scriptlint.source.module import SourceModule
    from scriptlint.source.project import shared_project

    project = project or shared_project()
    problems: tuple[Problem, ...] = ()
    try:
        module = SourceModule(path, data, project)
        if whole:
            module.parse()
        try:
            found, scores = trace_module(module), score_facts(module)
        except SyntaxError:
            module.broken = True
        if module.broken:
            # A block was no Python: cut in the wrong place, or not Python at all. The whole file tells.
            module = SourceModule(path, data, project)
            module.parse()
            found, scores = trace_module(module), score_facts(module)
    except TooMuchError as error:
        return SourceFacts(path, (), (Problem(path, f"can't be parsed: {error.msg}", None),))
    except SyntaxError as error:
        from scriptlint.source.newer import pass_over_newer

        try:
            module = SourceModule(path, data, project)
            newer = pass_over_newer(module, error)
        except SyntaxError:
            newer = None  # no text at all
        if newer is None:
            return SourceFacts(path, (), (Problem(path, f"not valid Python: {error.msg}", error.lineno),))
        problems = (newer,)
        found, scores = trace_module(module), score_facts(module)
    tokenizers = tuple(tokenizers_of(found.candidates, path))
    from scriptlint.source.library import library_tokenizers

    more = tuple(library_tokenizers(found, path))
    known = {(s.place.line, s.place.column) for t in tokenizers for s in t.sites}
    tokenizers += tuple(t for t in more if not any((s.place.line, s.place.column) in known for s in t.sites))
    ordered = sorted(tokenizers, key=lambda t: (t.line, t.name))
    return SourceFacts(path, tuple(ordered), problems, tuple(found.bad), tuple(found.boundaries), module, scores)


def tokenizers_of(candidates: list[Candidate], path: str) -> list[Tokenizer]:
    """Candidates that are something, as tokenizers."""
    from scriptlint.source.classify import decide

    out: dict[object, Tokenizer] = {}
    for c in candidates:
        decision = decide(c)
        if decision is None:
            continue
        made = as_tokenizer(c, decision.kind, decision.confidence, decision.reasons, path)
        # Two values at the same places of one function are two ways through one tokenizer: the longer one stands.
        key = (made.name, made.line, made.kind, frozenset(s.place for s in made.sites))
        if key not in out or len(made.stages) > len(out[key].stages):
            out[key] = made
    return list(out.values())


def as_tokenizer(c: Candidate, kind: str, confidence: Confidence, reasons: tuple[str, ...], path: str) -> Tokenizer:
    """A candidate as the rest of scriptlint sees it."""
    from scriptlint.source.behaviours import TracedProgram

    flat = list(flat_stages(c.value.stages))
    sites: list[PatternSite] = []
    seen: set[tuple[str, int, int, str]] = set()
    for mark in c.marks:
        place = mark.place
        key = (place.path, place.line, place.column, mark.role)
        if key in seen:
            continue
        seen.add(key)
        pattern = mark.pattern
        flags = flag_names(int(pattern.compiled().flags)) if pattern else ()
        shown, dialect = (pattern.shown(), pattern.dialect) if pattern else (None, "re")
        sites.append(PatternSite(place, mark.role, shown, flags, dialect, stage_index(flat, mark.stage)))  # type: ignore[arg-type]
        elsewhere = mark.expression
        if (
            elsewhere is not None
            and elsewhere.path == path
            and (elsewhere.path, elsewhere.line) != (place.path, place.line)
        ):
            again = (elsewhere.path, elsewhere.line, elsewhere.column, mark.role)
            if again not in seen:
                seen.add(again)
                sites.append(replace(sites[-1], place=elsewhere, stage=None))
    attributes: dict[str, object] = {}
    roots = {c.value.root, *c.value.also}
    # What stands for an empty text beside it is no key's constant.
    put = [u.value for u in c.uses if u.how in ("returned", "store", "index") or u.how.startswith("arg:")]
    named = (v.name for v in (*lineage(c), *put) if v.root in roots)
    fallback = next((name[9:] for name in named if name.startswith("fallback:")), None)
    if fallback is not None:
        attributes["fallback"] = fallback
    attributes["returns_text"] = c.behaviour == "text"
    attributes["one_script"] = c.one_script
    attributes["capitals"] = c.behaviour == "names"
    attributes["sign"] = c.sign
    attributes["names"] = tuple(c.names)
    attributes["body"] = words_of(c.node) if kind == "tokenizer" else ()
    attributes["uses"] = tuple(sorted({u.how for u in c.uses}))
    return Tokenizer(
        name=c.function,
        path=path,
        line=c.line,
        kind=kind,  # type: ignore[arg-type]
        confidence=confidence,
        stages=c.value.stages,
        sites=tuple(sites),
        reasons=reasons,
        statement=c.statement,
        program=TracedProgram(c.value),
        attributes=attributes,
    )


def words_of(node: ast.AST) -> tuple[str, ...]:
    """The names that a function is written with: a copy has the same, whatever its pattern is."""
    found: set[str] = set()
    for n in walk(node):
        if isinstance(n, ast.Name):
            found.add(n.id)
        elif isinstance(n, ast.Attribute):
            found.add(n.attr)
        elif isinstance(n, ast.arg):
            found.add(n.arg)
    return tuple(sorted(found - {"self", "cls"}))


def lineage(c: Candidate) -> list:  # type: ignore[type-arg]
    """A candidate's value and what it was made from."""
    out, stack = [], [c.value]
    while stack:
        v = stack.pop()
        if v not in out:
            out.append(v)
            stack.extend(v.parents)
    return out


def stage_index(flat: list[Stage], stage: Stage | None) -> int | None:
    """Where a stage stands among the flat stages: the same object, or one with the same pattern."""
    if stage is None:
        return None
    for i, s in enumerate(flat):
        if s is stage:
            return i
    wanted = pattern_of(stage)
    for i, s in enumerate(flat):
        if s == stage or (wanted is not None and pattern_of(s) == wanted):
            return i
    return None


def load_tokenizer(spec: str) -> Tokenizer:
    """The tokenizer that ``FILE.py::qualified.name`` means.

    Raises:
        TokenizerNotFound: no such file, a file that can't be parsed, or no such name (the message lists what there is).
    """
    file, _, name = spec.partition("::")
    path = Path(file)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TokenizerNotFound(
            f"{file}: can't be read ({error.strerror or error}); a tokenizer is FILE.py::name or a preset"
        ) from error
    facts = read_source(path.as_posix(), data, whole=True)
    if facts.problems:
        problem = facts.problems[0]
        raise TokenizerNotFound(f"{file}:{problem.line or 1}: {problem.message}")
    matching = [t for t in facts.tokenizers if t.name == name]
    if not matching:
        matching = [t for t in facts.tokenizers if name and t.name.endswith("." + name)]
    if not matching:
        forced = named_function(facts, name, path.as_posix())
        if forced is not None:
            return forced
        names = list(dict.fromkeys(t.name for t in sorted(facts.tokenizers, key=lambda t: -t.confidence.rank)))
        have = f"it has {', '.join(names)}" if names else "no tokenizer was found in it"
        raise TokenizerNotFound(f"{file}: no tokenizer {name!r}; {have}")
    return max(matching, key=lambda t: (t.kind == "tokenizer", t.confidence.rank))


def named_function(facts: SourceFacts, name: str, path: str) -> Tokenizer | None:
    """A function that the user names is taken at its word, whatever it looks like, as long as it can be followed."""
    module = facts.module
    if module is None or not name:
        return None
    from scriptlint.source.candidates import FoundIn
    from scriptlint.source.finder import trace_function
    from scriptlint.source.module import SourceModule

    assert isinstance(module, SourceModule)
    around = module.all_functions()
    for node, qualname, cls in around:
        if qualname == name or qualname.endswith("." + name):
            found = FoundIn(module)
            trace_function(module, node, qualname, cls, found, around, force=True)
            if found.candidates:
                best = max(found.candidates, key=lambda c: (c.returned, len(c.value.stages)))
                return as_tokenizer(best, "tokenizer", Confidence.HIGH, ("named by the user",), path)
    return None


def looks_like_spec(text: str) -> bool:
    """Whether a ``--tokenizer`` value names a file rather than a preset."""
    return "::" in text or re.search(r"\.pyi?$", text) is not None
