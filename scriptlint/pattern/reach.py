"""The two bounds of a pattern: what may be in a match, and what is surely consumed wherever it stands.

``may`` is built from the leaves. Within a sequence a look-around over a single class narrows the class beside it;
everything else that could keep a leaf from matching is left to the proof. ``exact`` is a claim with a proof behind it:
either every code point of ``may`` is matched by itself (then it is in ``sure``), or ``witness`` found, for each kind of
code point that the pattern can tell apart, a text in which the pattern, run, consumes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint.pattern import ir as r
from scriptlint.pattern.witness import prove
from scriptlint.unicode.casing import regex_folding
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Reach", "Reason", "reach_of"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a reach is not exact: the span in the pattern (``end`` exclusive) and a few words."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Reach:
    """What a pattern can let through.

    ``may``: every code point that can be in a match is in it. ``sure``: every code point in it is part of a match
    wherever it stands in any text (of ``finditer``, ``sub``, ``split``). ``exact``: every code point of ``may`` is in
    some match of some text. ``sure_exact``: no code point outside ``sure`` is always consumed. ``reasons`` are empty
    when ``exact``.
    """

    may: CodePoints
    sure: CodePoints
    exact: bool
    reasons: tuple[Reason, ...] = ()
    sure_exact: bool = False


def reach_of(low: r.Lowered) -> Reach:
    """Both bounds of a pattern, with the proof."""
    bounds = _May(low)
    may = bounds.may(low.root)
    if may is None:
        return Reach(CodePoints.EMPTY, CodePoints.EMPTY, True, (), True)
    may = may & low.classes.universe
    sure, pure = _sure(low)
    sure = sure & may
    wavering = CodePoints.EMPTY if _is_lone_class(low) else low.wavering & may
    if wavering:
        why = "the engine is of two minds about some of its characters"
        low.limits.append((0, len(low.parsed.source), why))
        sure = sure - wavering
    if sure == may:
        return Reach(may, sure, True, (), True)
    if low.limits or low.order:
        reasons = tuple(Reason(*limit) for limit in sorted({*low.limits, *low.order}))
        return Reach(may, sure, False, reasons)
    proof = prove(low, may - sure)
    reasons = tuple(Reason(start, end, why) for start, end, why in proof.missing)
    return Reach(may, sure, not reasons, reasons, pure or proof.none_alone)


def _is_lone_class(low: r.Lowered) -> bool:
    """A class, repeated or not, is all there is: nothing is then made into a set behind the scenes."""
    node = low.root
    repeated = False
    while isinstance(node, (r.Cap, r.Rep, r.Atom)):
        repeated |= isinstance(node, r.Rep)
        node = node.body
    return isinstance(node, r.Cls) and (repeated or low.parsed.dialect == "regex")


class _May:
    """The upper bound; ``None`` stands for a part that matches nothing, not even the empty text."""

    def __init__(self, low: r.Lowered) -> None:
        self.low = low
        self.calls: dict[int, CodePoints | None] = {}

    def may(self, node: r.Ir) -> CodePoints | None:
        if isinstance(node, r.Cls):
            return node.points or None
        if isinstance(node, r.Seq):
            return self.sequence(node.items)
        if isinstance(node, r.Alt):
            found = [m for item in node.items if (m := self.may(item)) is not None]
            return CodePoints.union(_distinct(found)) if found else None
        if isinstance(node, r.Rep):
            if node.high == 0:
                return CodePoints.EMPTY
            body = self.may(node.body)
            return CodePoints.EMPTY if body is None and node.low == 0 else body
        if isinstance(node, (r.Cap, r.Atom)):
            return self.may(node.body)
        if isinstance(node, r.Fold):
            return node.points | _folded_pieces(node.folded)
        if isinstance(node, r.See):
            return self.look(node)
        if isinstance(node, r.Ref):
            return self.reference(node)
        if isinstance(node, r.Cond):
            return self.conditional(node)
        if isinstance(node, r.Call):
            return self.call(node.number)
        if isinstance(node, r.Opaque):
            return node.points
        return None if isinstance(node, r.Fail) else CodePoints.EMPTY

    def look(self, node: r.See) -> CodePoints | None:
        body = self.may(node.body)
        if node.negated:
            return None if _always(node.body) else CodePoints.EMPTY
        return None if body is None else CodePoints.EMPTY

    def reference(self, node: r.Ref) -> CodePoints:
        found = self.call(node.number) or CodePoints.EMPTY
        if not node.fold:
            return found
        # Any characters with the same folding will do, one for one or, under full folding, several for one.
        closed = self.low.classes.close(found, self.low.parsed.mode | 1)
        if self.low.parsed.dialect == "regex":
            table = regex_folding(True)
            closed = CodePoints((*closed, *(c for c, f in table.items() if any(ord(x) in closed for x in f))))
            closed = CodePoints((*closed, *(ord(x) for c, f in table.items() if c in closed for x in f)))
            closed = self.low.classes.close(closed, self.low.parsed.mode | 1)
        return closed

    def conditional(self, node: r.Cond) -> CodePoints | None:
        arms = [self.may(node.no)]
        if node.test is not None:
            arms.append(self.may(node.yes))
        found = [a for a in arms if a is not None]
        return CodePoints.union(_distinct(found)) if found else None

    def call(self, number: int) -> CodePoints | None:
        if number not in self.calls:
            # While a group is being measured, a call to it adds nothing that the group itself does not add.
            self.calls[number] = CodePoints.EMPTY
            body = self.low.root if number == 0 else self.low.caps.get(number)
            self.calls[number] = CodePoints.EMPTY if body is None else self.may(body)
        return self.calls[number]

    def sequence(self, items: list[r.Ir]) -> CodePoints | None:
        found: list[CodePoints] = []
        ahead: CodePoints | None = None
        for index, item in enumerate(items):
            if isinstance(item, r.See):
                if self.look(item) is None:
                    return None
                seen = None if item.behind else seen_class(item)
                if seen is not None:
                    ahead = seen if ahead is None else ahead & seen
                continue
            if isinstance(item, r.Anchor):
                continue
            part = self.narrowed(item, ahead, items[index + 1 : index + 2])
            if part is None:
                return None
            found.append(part)
            ahead = None
        return CodePoints.union(_distinct(found))

    def narrowed(self, item: r.Ir, ahead: CodePoints | None, after: list[r.Ir]) -> CodePoints | None:
        """What a part may match when its first character is seen ahead, and its last from behind."""
        behind = None
        if after and isinstance(after[0], r.See) and after[0].behind:
            behind = seen_class(after[0])
        if isinstance(item, r.Cls):
            points = item.points
            if ahead is not None:
                points = points & ahead
            if behind is not None:
                points = points & behind
            return points or None
        while isinstance(item, r.Cap):
            item = item.body
        if isinstance(item, r.Cls) and ahead is not None:
            return (item.points & ahead) or None
        if isinstance(item, r.Rep) and isinstance(item.body, r.Cls) and ahead is not None:
            first = item.body.points & ahead
            if item.high == 0:
                return CodePoints.EMPTY
            if not first:
                return None if item.low else CodePoints.EMPTY
            return first if item.high == 1 else item.body.points or None
        return self.may(item)


def _distinct(sets: Iterable[CodePoints]) -> list[CodePoints]:
    return list(dict.fromkeys(sets))


def seen_class(node: r.See) -> CodePoints | None:
    """The characters that a look-around over exactly one class allows beside it; ``None`` when it is anything else.

    A positive look ahead may go on after its class, since it then only asks for more.
    """
    body = node.body
    while isinstance(body, (r.Cap, r.Atom)):
        body = body.body
    points = _class_of(body)
    if points is not None:
        return ~points if node.negated else points
    if not node.negated and isinstance(body, r.Seq) and body.items:
        return _class_of(body.items[-1] if node.behind else body.items[0])
    return None


def _class_of(node: r.Ir) -> CodePoints | None:
    if isinstance(node, r.Cls):
        return node.points
    if isinstance(node, r.Alt):
        found = [_class_of(b) for b in node.items]
        known = [f for f in found if f is not None]
        return CodePoints.union(known) if len(known) == len(found) else None
    if isinstance(node, r.Rep) and node.low == 1 and node.greed != "possessive":
        return _class_of(node.body)
    return None


def _always(node: r.Ir) -> bool:
    """The part matches the empty text anywhere, without looking around."""
    if isinstance(node, r.Seq):
        return all(map(_always, node.items))
    if isinstance(node, r.Alt):
        return any(map(_always, node.items))
    if isinstance(node, r.Rep):
        return node.low == 0 or _always(node.body)
    if isinstance(node, (r.Cap, r.Atom)):
        return _always(node.body)
    return False


def _folded_pieces(folded: str) -> CodePoints:
    """Characters whose full folding is a piece of a folded text."""
    table = regex_folding(True)
    own = set(folded)
    found = [c for c, f in table.items() if (f in own if len(f) == 1 else f in folded)]
    return CodePoints((*found, *map(ord, own)))


# --- the lower bound -------------------------------------------------------------------------------------------------


def _sure(low: r.Lowered) -> tuple[CodePoints, bool]:
    """The lower bound, and whether it is the largest that holds.

    A code point c is consumed wherever it stands when the one-character text c belongs to the language of the pattern
    and nothing in the pattern looks at the context: at c's place there is then a match, and an engine that tries
    everything finds one there if no earlier match has taken c already.
    """
    if low.unsure or low.limits:
        return CodePoints.EMPTY, False
    branches = low.root.items if isinstance(low.root, r.Alt) else [low.root]
    found: list[CodePoints] = []
    pure = True
    for branch in branches:
        single = _single(branch)
        if single is None:
            pure = False
            run = _whole_runs(branch, [b for b in branches if b is not branch], low)
            if run is not None:
                found.append(run)
        else:
            found.append(single[1])
    return CodePoints.union(_distinct(found)), pure


_Single = tuple[bool, CodePoints]


def _single(node: r.Ir) -> _Single | None:
    """Whether a part matches the empty text, and the one-character texts it matches; ``None`` if context matters."""
    if isinstance(node, r.Cls):
        return False, node.points
    if isinstance(node, r.Cap):
        return _single(node.body)
    if isinstance(node, r.Seq):
        return _single_sequence(node.items)
    if isinstance(node, r.Alt):
        parts = [_single(b) for b in node.items]
        known = [p for p in parts if p is not None]
        # A branch that looks at its context can only add matches, unless it may be empty: but then it may be skipped.
        if len(known) < len(parts):
            return None
        return any(p[0] for p in known), CodePoints.union(_distinct(p[1] for p in known))
    if isinstance(node, r.Rep):
        return _single_repeat(node)
    if isinstance(node, r.Atom):
        body = node.body
        return _single(body) if isinstance(body, r.Cls) or _is_class_run(body) else None
    return None


def _is_class_run(node: r.Ir) -> bool:
    return isinstance(node, r.Rep) and isinstance(node.body, r.Cls) and node.low == 1


def _single_repeat(node: r.Rep) -> _Single | None:
    if node.high == 0:
        return True, CodePoints.EMPTY
    body = _single(node.body)
    if body is None or body[0] or (node.greed == "possessive" and not _is_class_run(node)):
        # Engines stop repeating what matched the empty text, each in its own way.
        return None
    if node.low == 0:
        return True, body[1]
    return False, body[1] if node.low == 1 else CodePoints.EMPTY


def _single_sequence(items: list[r.Ir]) -> _Single | None:
    needed = 0
    optional: list[CodePoints] = []
    required = CodePoints.EMPTY
    ahead: CodePoints | None = None
    for index, item in enumerate(items):
        if isinstance(item, r.See):
            seen = None if item.behind or isinstance(item.body, r.Seq) else seen_class(item)
            follows = items[index + 1] if index + 1 < len(items) else None
            if seen is None or not isinstance(follows, (r.Cls, r.See)):
                return None
            ahead = seen if ahead is None else ahead & seen
            continue
        part = _single(item)
        if part is None:
            return None
        if len(items) > 1 and (isinstance(item, r.Atom) or (isinstance(item, r.Rep) and item.greed == "possessive")):
            return None  # It may take what a later part needs.
        points = part[1] if ahead is None else part[1] & ahead
        ahead = None
        if part[0]:
            optional.append(points)
        else:
            needed += 1
            required = points
    if needed == 0:
        return True, CodePoints.union(_distinct(optional))
    return False, required if needed == 1 else CodePoints.EMPTY


def _whole_runs(branch: r.Ir, others: list[r.Ir], low: r.Lowered) -> CodePoints | None:
    r"""``\b\w+\b`` and ``(?<!\w)\w+(?!\w)`` consume every word character: greedy, they take maximal runs.

    That holds when the edges ask for nothing but the end of the run, and no other branch can eat into one.
    """
    while isinstance(branch, r.Cap):
        branch = branch.body
    if not isinstance(branch, r.Seq):
        return None
    cores = [i for i in branch.items if not isinstance(i, (r.Anchor, r.See))]
    if len(cores) != 1:
        return None
    core = cores[0]
    while isinstance(core, r.Cap):
        core = core.body
    if not isinstance(core, r.Rep) or not isinstance(core.body, r.Cls) or core.low > 1 or core.high is not None:
        return None
    if core.low == 0 or core.greed == "lazy":
        return None
    points = core.body.points
    at = branch.items.index(cores[0])
    for index, edge in enumerate(branch.items):
        if index == at:
            continue
        if isinstance(edge, r.Anchor):
            if edge.word != points or edge.kind not in ("b", "m" if index < at else "M"):
                return None
        else:
            assert isinstance(edge, r.See)
            seen = seen_class(edge) if edge.negated and edge.behind == (index < at) else None
            if seen is None or not (~seen).issubset(points):
                return None
    bounds = _May(low)
    for other in others:
        may = bounds.may(other)
        if may is not None and not may.isdisjoint(points):
            return None
    return points
