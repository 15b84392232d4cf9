"""Texts that prove a bound: for each kind of code point, one in which the running pattern consumes it.

Two code points are of one kind when no class, look-around or boundary of the pattern tells them apart; what is shown
for one then holds for the other. The texts are built along the path to a leaf, then the matcher decides.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scriptlint.pattern import ir as r
from scriptlint.pattern.classes import word_set
from scriptlint.pattern.matcher import Matcher, OutOfBudget
from scriptlint.unicode.casing import regex_folding
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Proof", "prove"]

_MAX_KINDS: Final = 600
_MAX_LEAVES: Final = 5_000
_STEPS: Final = 12_000
_MAX_TEXT: Final = 300
_MAX_ROUNDS: Final = 20
_SMALL: Final = 24
"""A set of at most this many intervals is cheap to cut by its bounds."""
_CONTEXTS: Final = (
    ("", ""),
    (" ", " "),
    ("\n", "\n"),
    ("a", "a"),
    (".", "."),
    (" ", ""),
    ("", " "),
    ("", "a"),
    ("a", ""),
)

Path = frozenset[int]


@dataclass(slots=True)
class Proof:
    """What came of the search: a text per kind, in which the kind's first member is consumed.

    ``missing`` are spans with a reason, one for each kind without a text. ``none_alone``: every kind was seen to stay
    when it stands alone, which shows that none is always consumed.
    """

    texts: list[tuple[CodePoints, str]]
    missing: list[tuple[int, int, str]]
    none_alone: bool


def prove(low: r.Lowered, points: CodePoints) -> Proof:
    """Look for texts that show every member of ``points`` in a match."""
    leaves = _leaves(low)
    sets, single_out = _tests(low)
    kinds = _partition(points, sets, single_out)
    whole = (0, len(low.parsed.source))
    if len(leaves) > _MAX_LEAVES or len(kinds) > _MAX_KINDS:
        return Proof([], [(*whole, "too many parts to try")], False)
    search = _Search(low, leaves, kinds, sets)
    with suppress(OutOfBudget, RecursionError):
        search.run()
    reasons = {search.blame(i) for i in search.pending}
    texts = [(kinds[i], text) for i, text in search.proofs.items()]
    try:
        alone = not any(search.matcher.consumed(chr(k.first)) for k in kinds)
    except (OutOfBudget, RecursionError):
        alone = False
    return Proof(texts, sorted(reasons), alone)


# --- kinds of code points --------------------------------------------------------------------------------------------


def _tests(low: r.Lowered) -> tuple[list[CodePoints], set[int]]:
    """All sets that the pattern tests characters against, and the characters that stand for themselves alone."""
    sets: dict[CodePoints, None] = {}
    alone: set[int] = set()
    stack: list[r.Ir] = [low.root, *low.caps.values()]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, (r.Cls, r.Opaque)):
            sets[node.points] = None
        elif isinstance(node, r.Fold):
            pieces = [c for c, f in regex_folding(True).items() if f in node.folded]
            alone.update(pieces, map(ord, node.folded))
        elif isinstance(node, r.Anchor):
            if node.word is not None:
                sets[node.word] = None
            elif node.kind in "^$":
                alone.add(10)
        stack += r.children(node)
    return list(sets), alone


def _partition(points: CodePoints, sets: list[CodePoints], alone: set[int]) -> list[CodePoints]:
    """Cut a set into kinds: by each large set in turn, by all small ones in one sweep over their bounds."""
    kinds = [points]
    small = [s for s in sets if s.intervals <= _SMALL]
    for cut in sets:
        if cut.intervals > _SMALL:
            kinds = [part for kind in kinds for part in (kind & cut, kind - cut) if part]
    small += (CodePoints((c,)) for c in alone)
    events = sorted((bound, bit) for bit, s in enumerate(small) for bound in s.bounds)
    groups: dict[int, list[tuple[int, int]]] = {}
    signature, start = 0, 0
    for bound, bit in events:
        if bound > start and signature:
            groups.setdefault(signature, []).append((start, bound - 1))
        start = bound
        signature ^= 1 << bit
    inside = [CodePoints(pairs) for pairs in groups.values()]
    outside = points - CodePoints.union(inside)
    return [part for kind in kinds for group in (*inside, outside) if (part := kind & group)]


# --- leaves ----------------------------------------------------------------------------------------------------------


def _leaves(low: r.Lowered) -> list[tuple[r.Cls | r.Fold | r.Ref, tuple[r.Ir, ...]]]:
    """The parts that consume characters, each with the parts around it, outermost first."""
    found: list[tuple[r.Cls | r.Fold | r.Ref, tuple[r.Ir, ...]]] = []
    stack: list[tuple[r.Ir, tuple[r.Ir, ...]]] = [(low.root, ())]
    while stack and len(found) <= _MAX_LEAVES:
        node, path = stack.pop()
        if isinstance(node, (r.Cls, r.Fold, r.Ref)):
            found.append((node, path))
            continue
        if isinstance(node, r.See):
            continue
        inner = (*path, node)
        if isinstance(node, r.Call):
            body = low.root if node.number == 0 else low.caps.get(node.number)
            if body is not None and sum(isinstance(p, r.Call) for p in path) < 2:
                stack.append((body, inner))
            continue
        if isinstance(node, r.Cond) and node.test is None:
            stack.append((node.no, inner))
            continue
        if isinstance(node, r.Rep) and node.high == 0:
            continue
        stack += [(child, inner) for child in reversed(r.children(node)) if not isinstance(child, r.See)]
    return found


class _Search:
    """Tries texts until every kind has been consumed once; ``pending`` are the kinds that have not."""

    def __init__(
        self,
        low: r.Lowered,
        leaves: list[tuple[r.Cls | r.Fold | r.Ref, tuple[r.Ir, ...]]],
        kinds: list[CodePoints],
        sets: list[CodePoints],
    ) -> None:
        self.low = low
        self.sets = sets
        self.leaves = leaves
        self.all_kinds = kinds
        self.samples = [k.first for k in kinds]
        self.chars = list(map(chr, self.samples))
        self.pending = set(range(len(kinds)))
        self.proofs: dict[int, str] = {}
        self.matcher = Matcher(low, _STEPS)
        self.builder = _Builder(low, self.chars)
        self.by_set: dict[CodePoints, frozenset[int]] = {}
        self.tried: set[str] = set()
        self.refers = any(isinstance(leaf, r.Ref) for leaf, _ in leaves)
        self.folds = any(isinstance(leaf, r.Ref) and leaf.fold for leaf, _ in leaves)

    def run(self) -> None:
        # Most kinds fall to the plainest texts, so every leaf gets those before any gets the odd ones.
        for effort in range(_Builder.EFFORTS):
            if effort == 3:
                self.builder.neighbours(self.sets)
            for leaf, path in self.leaves:
                if not self.pending:
                    return
                for kind in sorted(self.kinds_in(leaf) & self.pending):
                    if kind in self.pending:
                        for text in self.builder.texts(leaf, path, self.chars[kind], effort):
                            self.attempt(text)
                            if kind not in self.pending:
                                break

    def kinds_in(self, leaf: r.Cls | r.Fold | r.Ref) -> frozenset[int]:
        if isinstance(leaf, r.Ref):
            return frozenset(self.pending)
        if isinstance(leaf, r.Fold):
            table = regex_folding(True)
            return frozenset(
                i for i, c in enumerate(self.samples) if table.get(c, chr(c)) in leaf.folded or c in leaf.points
            )
        found = self.by_set.get(leaf.points)
        if found is None:
            found = frozenset(i for i, c in enumerate(self.samples) if c in leaf.points)
            self.by_set[leaf.points] = found
        return found

    def attempt(self, text: str) -> None:
        if text in self.tried:
            return
        self.tried.add(text)
        letters = set(text)
        taken = {text[i] for i in self.matcher.consumed(text)}
        if self.folds:
            # Another case of the same letter in the text would make members of a kind behave differently.
            taken = {c for c in taken if len(letters & self.cases(c)) < 2}
        shown = {i for i in self.pending if self.chars[i] in taken}
        if self.refers:
            # A reference tells members of a kind apart, when two of them are in the text.
            shown = {i for i in shown if not any(c != self.chars[i] and c in self.all_kinds[i] for c in letters)}
        self.proofs.update((i, text) for i in shown)
        self.pending -= shown

    def cases(self, char: str) -> set[str]:
        return set(map(chr, self.low.classes.char(ord(char), self.low.parsed.mode | 1).points()))

    def blame(self, kind: int) -> tuple[int, int, str]:
        """The first leaf that could have taken a kind."""
        for leaf, path in self.leaves:
            if kind in self.kinds_in(leaf):
                outer = next((p for p in reversed(path) if not isinstance(p, (r.Seq, r.Cap))), leaf)
                return (*outer.span, f"no text found in which {self.chars[kind]!a} is consumed")
        return (0, len(self.low.parsed.source), f"no text found in which {self.chars[kind]!a} is consumed")


class _Builder:
    """Builds texts that ought to match along the path to a leaf."""

    EFFORTS = 4

    def __init__(self, low: r.Lowered, samples: list[str]) -> None:
        self.low = low
        self.samples = samples
        self.caps: dict[int, str] = {}
        self.prefer: list[str] = []
        self.tail = ""
        self.head = ""
        self.calls = 0
        self.branch = 0
        self.extra = 0
        self.target: r.Ir | None = None
        self.path: frozenset[int] = frozenset()
        self.char = ""
        self.words: list[str] = ["a", "0", "_", "A"]
        self.signs: list[str] = ["-", " ", "\n"]

    def neighbours(self, sets: list[CodePoints]) -> None:
        """Learn a word character and another one of each set, for patterns that look at word boundaries."""
        word = word_set(self.low.parsed.dialect, False)
        for points in sets[:40]:
            inside, outside = points & word, points - word
            if inside:
                self.words.append(chr(inside.first))
            if outside:
                self.signs.append(chr(outside.first))

    def texts(self, leaf: r.Ir, path: tuple[r.Ir, ...], char: str, effort: int) -> Iterator[str]:
        """Candidate texts, plainer efforts first: other characters, other counts, other surroundings."""
        self.target, self.char = leaf, char
        self.path = frozenset(map(id, path))
        others = [c for c in self.samples if c != char][:2]
        every_effort: dict[int, list[tuple[list[str], int, int]]] = {
            0: [([], 0, 0)],
            1: [([char], 0, 0), ([char], 0, 1)],
            2: [(others, 0, 1), ([], 1, 0), ([], 0, 2)],
            3: [(self.words, 0, 0), (self.signs, 0, 0), ([], 2, 1), ([char], 1, 2)],
        }
        for prefer, branch, extra in every_effort[effort]:
            text = self.build(prefer, branch, extra)
            if text is None:
                continue
            contexts = _CONTEXTS[:1] if effort == 0 else _CONTEXTS
            if self.head or self.tail:
                yield self.head + text + self.tail
            for before, after in contexts:
                yield before + text + after

    def build(self, prefer: list[str], branch: int, extra: int) -> str | None:
        self.prefer, self.branch, self.extra = prefer, branch, extra
        self.caps, self.head, self.tail, self.calls = {}, "", "", 0
        out: list[str] = []
        self.write(self.low.root, out, True)
        text = "".join(out)
        return text if len(text) <= _MAX_TEXT else None

    def pick(self, points: CodePoints) -> str:
        for char in self.prefer:
            if char in points:
                return char
        return chr(points.first) if points else ""

    def write(self, node: r.Ir, out: list[str], on_path: bool) -> None:
        if len(out) > _MAX_TEXT:
            return
        if isinstance(node, r.Cls):
            out.append(self.char if on_path and node is self.target else self.pick(node.points))
        elif isinstance(node, r.Seq):
            for index, item in enumerate(node.items):
                here = on_path and (id(item) in self.path or item is self.target)
                if isinstance(item, r.See):
                    self.look(item, node.items[index + 1 :], out)
                elif isinstance(item, r.Cls) and not here and index and isinstance(node.items[index - 1], r.See):
                    out.append(self.seen_pick(node.items[index - 1], item))
                else:
                    self.write(item, out, here)
        elif isinstance(node, r.Alt):
            self.write(self.choose(node, on_path), out, on_path)
        elif isinstance(node, r.Rep):
            self.repeat(node, out, on_path)
        elif isinstance(node, r.Cap):
            mark = len(out)
            self.write(node.body, out, on_path)
            self.caps[node.number] = "".join(out[mark:])
        elif isinstance(node, r.Atom):
            self.write(node.body, out, on_path)
        elif isinstance(node, r.Ref):
            out.append(self.caps.get(node.number, ""))
        elif isinstance(node, r.Cond):
            yes = node.yes
            if (on_path and (id(node.no) in self.path or node.no is self.target)) or (
                not (on_path and (id(node.yes) in self.path or node.yes is self.target))
                and (isinstance(node.test, r.See) or node.test not in self.caps)
            ):
                yes = node.no
            self.write(yes, out, on_path)
        elif isinstance(node, r.Call):
            self.call(node, out, on_path)
        elif isinstance(node, r.Fold):
            self.folded(node, out, on_path and node is self.target)

    def choose(self, node: r.Alt, on_path: bool) -> r.Ir:
        if on_path:
            for branch in node.items:
                if id(branch) in self.path or branch is self.target:
                    return branch
        # The plainest branch that can match, or others when it has failed.
        fits = [b for b in node.items if not isinstance(b, r.Fail)] or node.items
        return fits[self.branch % len(fits)]

    def repeat(self, node: r.Rep, out: list[str], on_path: bool) -> None:
        count = max(node.low, 1) if on_path else node.low
        if self.extra and (node.high is None or node.high >= count + self.extra):
            count += self.extra
        elif not on_path and self.branch and node.high != 0:
            count = max(count, 1)
        at = count - 1 if self.branch % 2 == 0 else 0
        # Rounds of anything but a class nest in the matcher.
        most = _MAX_TEXT if isinstance(node.body, r.Cls) else _MAX_ROUNDS
        for index in range(min(count, most)):
            self.write(node.body, out, on_path and index == at)

    def call(self, node: r.Call, out: list[str], on_path: bool) -> None:
        body = self.low.root if node.number == 0 else self.low.caps.get(node.number)
        if body is None or self.calls > 3:
            return
        self.calls += 1
        self.write(body, out, on_path)
        self.calls -= 1

    def folded(self, node: r.Fold, out: list[str], target: bool) -> None:
        if not target:
            out.append(node.folded)
            return
        piece = regex_folding(True).get(ord(self.char), self.char)
        before, found, after = node.folded.partition(piece)
        out.append(before + self.char + after if found else node.folded)

    def look(self, node: r.See, after: list[r.Ir], out: list[str]) -> None:
        if node.negated:
            return
        saved = self.caps
        self.caps = dict(saved)
        inner: list[str] = []
        self.write(node.body, inner, False)
        self.caps = saved
        if node.behind:
            if not out:
                self.head = "".join(inner)
        elif not any(not isinstance(item, (r.See, r.Anchor)) for item in after):
            self.tail = "".join(inner)

    def seen_pick(self, look: r.Ir, node: r.Cls) -> str:
        from scriptlint.pattern.reach import seen_class

        assert isinstance(look, r.See)
        seen = None if look.behind else seen_class(look)
        return self.pick(node.points & seen if seen is not None else node.points)
