"""A backtracking matcher over the semantic tree, for texts of a few characters.

It exists to prove that a code point can be consumed, independently of the engine at hand: the engine's own Unicode may
be older, and a stranger's pattern may run for ever. Every step is counted; a budget ends the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from scriptlint.pattern import ir as r
from scriptlint.unicode.casing import regex_folding

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.unicode.codepoints import CodePoints

__all__ = ["Matcher", "OutOfBudget"]

Next: TypeAlias = "Callable[[int], bool]"


class OutOfBudget(Exception):  # noqa: N818 - an outcome, not a fault
    """The steps are used up."""


class Matcher:
    """Runs one pattern on texts; ``steps`` is what is left of the budget for all of them."""

    def __init__(self, low: r.Lowered, steps: int) -> None:
        self.low = low
        self.regex = low.parsed.dialect == "regex"
        self.steps = steps
        self.text = ""
        self.points: list[int] = []
        self.size = 0
        self.caps: dict[int, tuple[int, int]] = {}
        self.kept = 0
        self.depth = 0
        self.found = 0
        self.members: dict[tuple[int, int], bool] = {}

    def consumed(self, text: str) -> set[int]:
        """Indices of the characters that ``finditer`` finds in matches."""
        self.text = text
        self.points = list(map(ord, text))
        self.size = len(text)
        taken: set[int] = set()
        start, empty = 0, False
        while True:
            end = -1
            for at in range(start, self.size + 1):
                # After an empty match the next one at the same place must not be empty.
                end = self.match_at(at, start if empty else -1)
                if end >= 0:
                    break
            if end < 0:
                return taken
            taken.update(range(self.kept, end))
            empty = end == at
            start = end

    def match_at(self, start: int, not_empty_at: int) -> int:
        """The end of the match at a place, or -1; never the empty match at ``not_empty_at``."""
        self.caps = {}
        self.kept = start
        self.found = -1

        def accept(end: int) -> bool:
            if end == start == not_empty_at:
                return False
            self.found = end
            return True

        return self.found if self.run(self.low.root, start, accept) else -1

    def run(self, node: r.Ir, at: int, then: Next) -> bool:
        """Match a part at a place and go on with ``then``; every way is tried in the engine's order."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfBudget
        if isinstance(node, r.Cls):
            return at < self.size and self.is_in(at, node.points) and then(at + 1)
        if isinstance(node, r.Seq):
            return self.sequence(node.items, 0, at, then)
        if isinstance(node, r.Alt):
            return any(self.run(branch, at, then) for branch in node.items)
        if isinstance(node, r.Rep):
            return self.repeat(node, at, then)
        if isinstance(node, r.Cap):
            return self.capture(node, at, then)
        if isinstance(node, r.Anchor):
            return self.anchor(node, at) and self.after_anchor(node, at, then)
        if isinstance(node, r.See):
            return self.look(node, at) and then(at)
        if isinstance(node, r.Atom):
            return self.once(node.body, at, then)
        if isinstance(node, r.Ref):
            return self.reference(node, at, then)
        if isinstance(node, r.Cond):
            return self.conditional(node, at, then)
        if isinstance(node, r.Call):
            return self.call(node, at, then)
        if isinstance(node, r.Fold):
            return self.folded(node, at, then)
        return False

    def is_in(self, at: int, points: CodePoints) -> bool:
        key = (self.points[at], id(points))
        found = self.members.get(key)
        if found is None:
            self.members[key] = found = self.points[at] in points
        return found

    def sequence(self, items: list[r.Ir], index: int, at: int, then: Next) -> bool:
        while index < len(items):
            item = items[index]
            if isinstance(item, r.Cls):
                # No choice here, so no frame either: long literals would otherwise use up the stack.
                self.steps -= 1
                if at >= self.size or not self.is_in(at, item.points):
                    return False
                at += 1
                index += 1
                continue
            after = index + 1
            if after == len(items):
                return self.run(item, at, then)

            def rest(end: int, after: int = after) -> bool:
                return self.sequence(items, after, end, then)

            return self.run(item, at, rest)
        return then(at)

    def repeat(self, node: r.Rep, at: int, then: Next) -> bool:
        if node.greed == "possessive" and not self.regex and not isinstance(node.body, r.Cls):
            return self.settle(node, at, then)
        if node.greed == "possessive":
            greedy = r.Rep(node.span, node.body, node.low, node.high, "greedy")
            return self.once(greedy, at, then)
        if isinstance(node.body, r.Cls):
            return self.class_run(node, node.body.points, at, then)
        return self.iterate(node, 0, at, -1, then)

    def settle(self, node: r.Rep, at: int, then: Next) -> bool:
        """Possessive repeats of ``re``: each round is settled before the next, so none gives back for a later one."""
        count = 0
        ends = [at]

        def accept(end: int) -> bool:
            ends.append(end)
            return True

        while node.high is None or count < node.high:
            if not self.run(node.body, ends[-1], accept):
                break
            count += 1
            if ends[-1] == ends[-2] and count >= node.low:
                break
        return count >= node.low and then(ends[-1])

    def class_run(self, node: r.Rep, points: CodePoints, at: int, then: Next) -> bool:
        most = self.size - at if node.high is None else min(node.high, self.size - at)
        longest = 0
        while longest < most and self.is_in(at + longest, points):
            longest += 1
        self.steps -= longest
        counts = range(node.low, longest + 1)
        return any(then(at + count) for count in (counts if node.greed == "lazy" else reversed(counts)))

    def iterate(self, node: r.Rep, count: int, at: int, before: int, then: Next) -> bool:
        self.steps -= 1
        if self.steps < 0:
            raise OutOfBudget
        can_stop = count >= node.low
        can_go = (node.high is None or count < node.high) and not (can_stop and at == before)

        def again(end: int) -> bool:
            return self.iterate(node, count + 1, end, at, then)

        if node.greed == "lazy":
            return (can_stop and then(at)) or (can_go and self.run(node.body, at, again))
        saved = dict(self.caps)
        if can_go and self.run(node.body, at, again):
            return True
        self.caps = saved
        return can_stop and then(at)

    def once(self, node: r.Ir, at: int, then: Next) -> bool:
        """Match a part in its first way, and never come back for another."""
        ends: list[int] = []

        def accept(end: int) -> bool:
            ends.append(end)
            return True

        return self.run(node, at, accept) and then(ends[0])

    def capture(self, node: r.Cap, at: int, then: Next) -> bool:
        before = self.caps.get(node.number)
        if not self.regex:
            self.caps.pop(node.number, None)  # To ``re`` a group that is entered again counts as unset.

        def close(end: int) -> bool:
            inner = self.caps.get(node.number)
            self.caps[node.number] = (at, end)
            if then(end):
                return True
            self.put_back(node.number, inner)
            return False

        if self.run(node.body, at, close):
            return True
        self.put_back(node.number, before)
        return False

    def put_back(self, number: int, span: tuple[int, int] | None) -> None:
        if span is None:
            self.caps.pop(number, None)
        else:
            self.caps[number] = span

    def look(self, node: r.See, at: int) -> bool:
        saved, kept = dict(self.caps), self.kept
        if node.behind:
            found = any(self.run(node.body, start, lambda end: end == at) for start in range(at, -1, -1))
        else:
            found = self.run(node.body, at, lambda _: True)
        if node.negated or not found:
            self.caps, self.kept = saved, kept
        return found != node.negated

    def reference(self, node: r.Ref, at: int, then: Next) -> bool:
        span = self.caps.get(node.number)
        if span is None:
            return False
        size = span[1] - span[0]
        if at + size > self.size:
            return False
        for i in range(size):
            a, b = self.points[span[0] + i], self.points[at + i]
            if a != b and not (node.fold and self.same_case(a, b)):
                return False
        return then(at + size)

    def same_case(self, a: int, b: int) -> bool:
        return b in self.low.classes.char(a, self.low.parsed.mode | 1)

    def conditional(self, node: r.Cond, at: int, then: Next) -> bool:
        if isinstance(node.test, r.See):
            chosen = node.yes if self.look(node.test, at) else node.no
        else:
            chosen = node.yes if node.test in self.caps else node.no
        return self.run(chosen, at, then)

    def call(self, node: r.Call, at: int, then: Next) -> bool:
        body = self.low.root if node.number == 0 else self.low.caps.get(node.number)
        if body is None or self.depth > 8:
            return False
        self.depth += 1
        try:
            return self.run(body, at, then)
        finally:
            self.depth -= 1

    def folded(self, node: r.Fold, at: int, then: Next) -> bool:
        table = regex_folding(True)
        left = node.folded
        while left:
            if at >= self.size:
                return False
            piece = table.get(self.points[at], self.text[at])
            if not left.startswith(piece):
                return False
            left = left[len(piece) :]
            at += 1
        return then(at)

    def after_anchor(self, node: r.Anchor, at: int, then: Next) -> bool:
        if node.kind != "K":
            return then(at)
        kept, self.kept = self.kept, at
        if then(at):
            return True
        self.kept = kept
        return False

    def anchor(self, node: r.Anchor, at: int) -> bool:
        kind = node.kind
        if kind == "^":
            return at == 0 or (node.multiline and self.text[at - 1] == "\n")
        if kind == "$":
            if at == self.size or (at == self.size - 1 and self.text[at] == "\n"):
                return True
            return node.multiline and self.text[at] == "\n"
        if kind == "A":
            return at == 0
        if kind == "Z":
            return at == self.size
        if kind in "bBmM":
            assert node.word is not None
            before = at > 0 and self.is_in(at - 1, node.word)
            after = at < self.size and self.is_in(at, node.word)
            if kind == "B" and not self.regex and not self.size:
                return False  # The standard library never finds \B in an empty text.
            return {"b": before != after, "B": before == after, "m": after and not before, "M": before and not after}[
                kind
            ]
        return kind == "K"
