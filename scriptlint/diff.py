"""The tokenizers of two sides, in pairs: scripts gained and lost, ASCII output compared, holes opened."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from scriptlint.finding import Confidence, Problem
from scriptlint.tokenizer.model import Verdict
from scriptlint.tokenizer.same import Sameness, same_on_ascii

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scriptlint.revision import Side
    from scriptlint.source.module import SourceModule
    from scriptlint.source.project import Project
    from scriptlint.tokenizer.model import Judged, ScriptVerdict

__all__ = ["HOLES", "Change", "Comparison", "Hole", "Pair", "compare", "compare_judged", "rank", "silent"]

_ORDER = (Verdict.EXCLUDED, Verdict.SHREDDED, Verdict.UNSEGMENTED, Verdict.PARTIAL, Verdict.RETAINED)
HoleKind = Literal["marks", "run", "glued", "short", "letters"]
HOLES: Mapping[HoleKind, str] = {
    "marks": "words cut at combining marks",
    "run": "a run stays one token",
    "glued": "a Latin word inside is no token of its own",
    "short": "short words dropped",
    "letters": "letters of languages lost",
}


def rank(verdict: ScriptVerdict) -> int | None:
    """How good a verdict is; ``None`` for one that is not known."""
    return _ORDER.index(verdict.verdict) if verdict.verdict in _ORDER else None


@dataclass(frozen=True, slots=True)
class Change:
    """One script whose verdict is another one now. ``text`` shows it: what came out before, and what does now."""

    script: str
    old: ScriptVerdict
    new: ScriptVerdict
    text: str = ""
    before: tuple[str, ...] | None = None
    after: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Hole:
    """What goes wrong now and did not before: ``marks`` cut words, a ``run`` stays one token, Latin words are
    ``glued`` to a script, ``short`` words are dropped, ``letters`` of languages are lost."""

    kind: HoleKind
    verdicts: tuple[ScriptVerdict, ...]

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts that it concerns."""
        return tuple(v.script for v in self.verdicts)


@dataclass(frozen=True, slots=True)
class Pair:
    """A tokenizer on both sides, or on one: then it was added or removed. ``moved`` says that its file is another."""

    name: str
    old: Judged | None
    new: Judged | None
    gained: tuple[Change, ...] = ()
    lost: tuple[Change, ...] = ()
    unsure: tuple[Change, ...] = ()
    """Scripts whose verdict is known on one side only."""
    holes: tuple[Hole, ...] = ()
    ascii: Sameness | None = None
    moved: bool = False

    @property
    def changed(self) -> bool:
        """Whether there is anything to tell."""
        if self.old is None or self.new is None:
            return True
        return bool(self.gained or self.lost or self.unsure or self.holes or not (self.ascii and self.ascii.equal))


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs, those with something to tell first. ``same`` counts pairs in which nothing changed."""

    old: str
    new: str
    pairs: tuple[Pair, ...] = ()
    same: int = 0
    problems: tuple[Problem, ...] = ()
    scripts: tuple[str, ...] = ()

    @property
    def losses(self) -> bool:
        """A script is worse off under some tokenizer."""
        return any(p.lost for p in self.pairs)

    @property
    def opened(self) -> bool:
        """Some tokenizer has a hole that it had not."""
        return any(p.holes for p in self.pairs)

    @property
    def differs(self) -> bool:
        """Anything at all is different."""
        return bool(self.pairs)


def compare(old: Side, new: Side, scripts: Sequence[str], *, pedantic: bool = False) -> Comparison:
    """Compare two sides. Files that are byte for byte the same are not looked at."""
    if old.single and new.single:
        (before,), (after,) = old.sources.items(), new.sources.items()
        changed = [] if before[1] == after[1] else [(before, after)]
        left = dict([b for b, _ in changed])
        right = dict([a for _, a in changed])
    else:
        left = {n: d for n, d in old.sources.items() if new.sources.get(n) != d}
        right = {n: d for n, d in new.sources.items() if old.sources.get(n) != d}
    reader = _Reader(scripts, pedantic)
    before_all = reader.read(old, left)
    after_all = reader.read(new, right)
    pairs = [_pair(b, a, moved) for b, a, moved in _match(before_all, after_all, old.single and new.single)]
    told = [p for p in pairs if p.changed]
    told.sort(key=lambda p: (not p.lost, not p.holes, _place(p)))
    problems = (*old.problems, *new.problems, *reader.problems)
    return Comparison(old.label, new.label, tuple(told), len(pairs) - len(told), problems, tuple(scripts))


def compare_judged(old: Sequence[Judged], new: Sequence[Judged]) -> list[Pair]:
    """The pairs of one file before and after an edit, those without a change too."""
    return [_pair(b, a, moved) for b, a, moved in _match(old, new, one_file=True)]


def _place(pair: Pair) -> tuple[str, int]:
    judged = pair.new or pair.old
    assert judged is not None
    return judged.tokenizer.path, judged.tokenizer.line


class _Reader:
    """Reads and judges the tokenizers of a side's files; names that they import from each other are followed."""

    def __init__(self, scripts: Sequence[str], pedantic: bool) -> None:
        self.scripts = scripts
        self.pedantic = pedantic
        self.problems: list[Problem] = []

    def read(self, side: Side, wanted: dict[str, bytes]) -> list[Judged]:
        from scriptlint.source import read_source
        from scriptlint.source.project import Project
        from scriptlint.tokenizer.verdict import judge

        out: list[Judged] = []
        files = _project(side) if side.folder is None else Project()
        for name in sorted(wanted):
            shown = name if side.folder is None else side.folder + name
            facts = read_source(shown, wanted[name], project=files, whole=True)
            if side.folder is None:
                self.problems += [replace(p, path=f"{side.label}:{name}") for p in facts.problems]
            else:
                self.problems += facts.problems
            # Names are those below the side's top, so that both sides call a file the same.
            out += [
                judge(replace(t, path=name), self.scripts)
                for t in facts.tokenizers
                if self.pedantic or t.confidence is Confidence.HIGH
            ]
        return out


def _project(side: Side) -> Project:
    """The files of a revision as a project: imports find what the revision holds, and nothing on disk."""
    from scriptlint.source.module import SourceModule
    from scriptlint.source.project import Project, import_places

    class Revision(Project):
        def module(self, path: str, name: str = "") -> SourceModule | None:
            if path not in self.files:
                self.files[path] = None
                with suppress(SyntaxError):
                    self.files[path] = SourceModule(path, side.sources[path], self)
            return self.files[path]

        def imported(self, importer: str, module: str, level: int, name: str = "") -> SourceModule | None:
            found = next((p for p in import_places(importer, module, level) if p in side.sources), None)
            return None if found is None else self.module(found)

    return Revision()


def _match(
    old: Sequence[Judged], new: Sequence[Judged], one_file: bool
) -> list[tuple[Judged | None, Judged | None, bool]]:
    """Pairs by path and name, then by name alone, then what is left over on either side."""

    def key(judged: Judged, count: dict[tuple[str, str], int]) -> tuple[str, str, int]:
        path = "" if one_file else judged.tokenizer.path
        count[path, judged.tokenizer.name] += 1
        return path, judged.tokenizer.name, count[path, judged.tokenizer.name]

    counts_old: dict[tuple[str, str], int] = defaultdict(int)
    counts_new: dict[tuple[str, str], int] = defaultdict(int)
    before = {key(j, counts_old): j for j in old}
    after = {key(j, counts_new): j for j in new}
    out: list[tuple[Judged | None, Judged | None, bool]] = [
        (before.pop(k), after.pop(k), False) for k in list(before) if k in after
    ]
    by_name: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for k in after:
        by_name[k[1]].append(k)
    for k in list(before):
        found = by_name[k[1]]
        alone = sum(b[1] == k[1] for b in before) == 1
        if k[1] != "<module>" and alone and len(found) == 1:
            out.append((before.pop(k), after.pop(found.pop()), True))
    out += [(j, None, False) for j in before.values()]
    out += [(None, j, False) for j in after.values()]
    return out


def _pair(old: Judged | None, new: Judged | None, moved: bool) -> Pair:
    judged = new or old
    assert judged is not None
    name = judged.tokenizer.name
    if old is None or new is None:
        return Pair(name, old, new)
    changes = [_shown(Change(c, old.scripts[c], v), old, new) for c, v in new.scripts.items()]
    gained, lost, unsure = [], [], []
    for change in changes:
        a, b = rank(change.old), rank(change.new)
        if (a is None) != (b is None):
            unsure.append(change)
        elif a is not None and b is not None:
            # Where no word leaves a token, the script does not come through, whatever single letters could do.
            if a != b and a and silent(old, change.script):
                a = 0
            if a != b and b and silent(new, change.script):
                b = 0
            if b > a:
                gained.append(change)
            elif b < a or (a and change.new.short_dropped and not change.old.short_dropped):
                lost.append(change)
    return Pair(
        name,
        old,
        new,
        tuple(gained),
        tuple(lost),
        tuple(unsure),
        tuple(_holes(changes)),
        same_on_ascii(old.tokenizer, new.tokenizer),
        moved,
    )


def silent(judged: Judged, script: str) -> bool:
    """Whether no word of a script gives any token."""
    from scriptlint.tokenizer.run import run
    from scriptlint.unicode.words import words

    return all(run(judged.tokenizer, word) == [] for word in words(script)[:6])


def _shown(change: Change, old: Judged, new: Judged) -> Change:
    """The change with a text of which the two make different tokens, when its verdict changed."""
    from scriptlint.tokenizer.run import run
    from scriptlint.unicode.words import words

    dropped = change.new.short_dropped and not change.old.short_dropped
    if change.old.verdict is change.new.verdict and not dropped:
        return change
    candidates = [change.new.short_witness] if dropped and change.old.verdict is change.new.verdict else []
    candidates += [change.new.witness, change.old.witness]
    texts = dict.fromkeys([*(w.text for w in candidates if w is not None), *words(change.script)])
    for text in texts:
        before, after = run(old.tokenizer, text), run(new.tokenizer, text)
        if before is not None and after is not None and set(before) != set(after):
            return replace(change, text=text, before=tuple(before), after=tuple(after))
    return change


def _holes(changes: Sequence[Change]) -> list[Hole]:
    """Faults of the new tokenizer that the old one had not: a script that just came in can bring them along."""
    found: dict[HoleKind, list[ScriptVerdict]] = defaultdict(list)
    kinds: dict[Verdict, HoleKind] = {Verdict.SHREDDED: "marks", Verdict.UNSEGMENTED: "run"}
    for change in changes:
        old, new = change.old, change.new
        kind = kinds.get(new.verdict)
        if kind is not None and old.verdict is not new.verdict and old.verdict is not Verdict.UNKNOWN:
            found[kind].append(new)
        if new.verdict is Verdict.PARTIAL and old.verdict is Verdict.RETAINED:
            found["letters"].append(new)
        if new.glued and not old.glued:
            found["glued"].append(new)
        if new.short_dropped and not old.short_dropped:
            found["short"].append(new)
    order: tuple[HoleKind, ...] = ("marks", "run", "glued", "short", "letters")
    return [Hole(k, tuple(found[k])) for k in order if found[k]]
