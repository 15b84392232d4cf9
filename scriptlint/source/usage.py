"""What becomes of the pieces of a text: which uses speak of them, and which only look at them.

A value has a history: the text that it was cut from was used, too, and a helper that only counts words is handed them
like one that indexes them. What a tokenizer is shows in the uses of the pieces themselves.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from scriptlint.source.traced import COLLECTIONS
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.source.behaviours import Behaviours
    from scriptlint.source.trace import Tracer
    from scriptlint.source.traced import Traced, Use

COUNTING = frozenset({"len", "bool", "sum", "any", "all", "max", "min", "isinstance", "compare", "format", "looked at"})
"""Uses that look at pieces."""
COMPARED = frozenset({"set", "setop", "counter", "most_common"})
"""Uses that hold the pieces of one text against those of another."""
BLANKS = frozenset({r"\s+", r"\s", " +", " "})
"""Patterns that cut at white space alone."""


class Kinship:
    """Which traced values come from which."""

    def __init__(self, tracer: Tracer) -> None:
        self.by_serial = {v.serial: v for v in tracer.created}
        self.children: dict[int, list[Traced]] = {}
        for v in tracer.created:
            for p in v.parents:
                self.children.setdefault(p.serial, []).append(v)

    def of(self, value: Traced) -> set[int]:
        """What a value was made from, up to the text."""
        out: set[int] = set()
        stack = list(value.parents)
        while stack:
            p = stack.pop()
            if p.serial not in out:
                out.add(p.serial)
                stack.extend(p.parents)
        return out

    def below(self, value: Traced) -> set[int]:
        """What was made from a value."""
        out: set[int] = set()
        stack = list(self.children.get(value.serial, ()))
        while stack:
            c = stack.pop()
            if c.serial not in out:
                out.add(c.serial)
                stack.extend(self.children.get(c.serial, ()))
        return out


def uses_of(
    value: Traced, behaviour: str, function: str, uses: Iterable[Use], kin: Kinship, judged: Behaviours
) -> list[Use]:
    """The uses of a value, of what is made of it and of what it was made from.

    Of the texts that pieces were cut from only those count that are pieces already: a clean-up whose text is returned
    or kept says nothing about words that are counted after it.
    """
    uses = list(uses)
    own = kin.below(value) | {value.serial}
    before = kin.of(value) - own
    marks = set(value.marks)
    inside = {(u.value.serial, f"arg:{u.function}") for u in uses}

    def speaks(use: Use) -> bool:
        if use.how == "returned" and use.function != function:
            # A helper hands it back; what is done with it then is a use of its own.
            return False
        if use.value.serial in own and _cut_anew(use.value.stages[len(value.stages) :]):
            # Put together and cut once more: what is made of those pieces says nothing about these.
            return False
        if use.value.serial in own:
            # What a function that was followed does with its argument says more than that it was given it.
            return (use.value.serial, use.how) not in inside
        if use.how == "join" and any(
            value.serial in kin.below(v)
            for v in kin.children.get(use.value.serial, ())
            if v.stages and isinstance(v.stages[-1], st.Join)
        ):
            # Put together again on the way, and cut once more.
            return False
        if use.value.serial not in before:
            return False
        # What nothing was cut from since is the pieces, before they were put somewhere.
        same = marks <= set(use.value.marks) and not _cut(value.stages[len(use.value.stages) :])
        return same or judged.of(use.value) not in (None, "text")

    if behaviour == "text":
        # What is stripped for a test alone (``if not text.strip()``) is used as what it was stripped of.
        same_text = [v for s in before if (v := kin.by_serial.get(s)) is not None and marks <= set(v.marks)]
        family = own.union(before, *(kin.below(v) for v in same_text))
        return [u for u in uses if u.value.serial in family]
    spoken = [u for u in uses if speaks(u) and not _only_counted(u, uses, kin)]
    if all(u.how in COUNTING or u.how.startswith("test:") for u in spoken):
        # What comes out of a test is asked nothing more: then what was asked of the pieces before it counts.
        spoken += _asked_before(own, before, uses, kin, judged)
    return spoken


def _asked_before(own: set[int], before: set[int], uses: list[Use], kin: Kinship, judged: Behaviours) -> list[Use]:
    """Uses of pieces that the value was made from, one by one, while they are pieces."""
    earlier = [v for s in before if (v := kin.by_serial.get(s)) is not None and v.shape in COLLECTIONS]
    beside = {s for v in earlier if judged.of(v) not in (None, "text") for s in kin.below(v)} - own - before
    asked = [u for u in uses if u.value.serial in beside and u.how != "join"]
    return [u for u in asked if judged.of(u.value) not in (None, "text")]


def _only_counted(use: Use, uses: list[Use], kin: Kinship) -> bool:
    """Whether a set or a table is made only to be counted: ``len(set(words))``, ``sum(Counter(words).values())``."""
    shape = {"set": "set", "counter": "dict"}.get(use.how)
    made = [v for v in kin.children.get(use.value.serial, ()) if v.shape == shape and v.line == use.line]
    if not made:
        return False
    family = {s for v in made for s in (v.serial, *kin.below(v))}
    asked = [u.how for u in uses if u.value.serial in family]
    return bool(asked) and all(how in ("len", "sum", "bool", "isinstance", "values") for how in asked)


def _cut_anew(stages: tuple[st.Stage, ...]) -> bool:
    joined = next((i for i, s in enumerate(stages) if isinstance(s, st.Join)), None)
    return joined is not None and _cut(stages[joined:])


def _cut(stages: tuple[st.Stage, ...]) -> bool:
    return any(isinstance(s, (st.Split, st.Extract, st.Chars, st.NGrams)) for s in st.flat_stages(stages))


def telling(uses: Iterable[Use]) -> list[Use]:
    """Uses that make something of a value; the others look at it."""
    return [u for u in uses if u.how not in COUNTING and u.how != "iterate" and not u.how.startswith("test:")]


def by_place(value: Traced, uses: list[Use], kin: Kinship) -> bool:
    """Whether pieces are only taken by their place (``parts[0]``): fields of a line, not words of a text."""
    told = telling(uses)
    reached, stack = {value.serial}, [value.serial]
    while stack:
        for child in kin.children.get(stack.pop(), ()):
            if child.serial not in reached and not _is_place(child):
                reached.add(child.serial)
                stack.append(child.serial)
    by_place_alone = kin.below(value) - reached
    return bool(told) and all(u.value.serial in by_place_alone for u in told)


def _is_place(value: Traced) -> bool:
    node = value.how[1] if value.how and value.how[0] == "expr" else None
    if not isinstance(node, ast.Subscript) or not any(p.shape in COLLECTIONS for p in value.parents):
        return False
    at = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
    return isinstance(at, ast.Constant) and isinstance(at.value, int)


def put_together(value: Traced, uses: list[Use], tracer_uses: Iterable[Use], kin: Kinship) -> bool:
    """Whether pieces are put together again as they were cut, after a look at how wide they are: lines and chunks.

    What is made of the same cut in another branch counts as well.
    """
    last = max((i for i, s in enumerate(value.stages) if isinstance(s, st.Split)), default=None)
    if (
        last is None
        or _glue(value.stages[last]) is None
        or any(u.how != "join" and not _joined(u.value.stages[last:]) for u in telling(uses))
    ):
        return False
    cut = value.stages[last]
    sources = {
        s for s in {*kin.of(value), value.serial}
        if (v := kin.by_serial.get(s)) is not None and len(v.stages) == last + 1 and v.stages[-1] == cut
    }  # fmt: skip
    family = {s for root in sources for s in kin.below(kin.by_serial[root])} | sources
    made = [v for s in family if (v := kin.by_serial.get(s)) is not None and not _joined(v.stages[last:-1])]
    joins = [v.stages[-1] for v in made if isinstance(v.stages[-1], st.Join)]
    if any(isinstance(v.stages[-1], st.Join) and makes_a_query(v) for v in made):
        return False
    asked = [u for u in tracer_uses if u.value.serial in family and not _cut_anew(u.value.stages[last:])]
    pieces = [u for u in asked if not _joined(u.value.stages[last:])]
    if any(u.how in {*COMPARED, "in", "index"} for u in asked):
        # A key is made of them, which is another thing than lines.
        return False
    return (
        bool(joins)
        and all(j.separator == _glue(cut) for j in joins)
        and all(u.how == "join" for u in telling(pieces))
        and not any(st.pattern_of(s) is not None for s in st.flat_stages(value.stages[last + 1 :]))
    )


def makes_a_query(joined: Traced) -> bool:
    """Whether a separator, or what is put around each piece, is the syntax of a query."""
    if re.search(r"[A-Za-z|&\"*]", getattr(joined.stages[-1], "separator", "")):
        return True
    node = joined.how[1] if joined.how and joined.how[0] == "expr" else None
    around = [n for n in walk(node) if isinstance(n, ast.JoinedStr)] if isinstance(node, ast.AST) else []
    said = "".join(str(c.value) for n in around for c in n.values if isinstance(c, ast.Constant))
    return re.search(r"[\"*|&]|:\*", said) is not None


def _joined(stages: tuple[st.Stage, ...]) -> bool:
    return any(isinstance(s, st.Join) for s in st.flat_stages(stages))


def _glue(cut: st.Stage) -> str | None:
    """What puts pieces together as they were cut; ``None``: the cut does not tell."""
    if not isinstance(cut, st.Split):
        return None
    if cut.pattern is not None:
        return " " if str(cut.pattern.text) in BLANKS else None
    return " " if cut.separator is None else cut.separator
