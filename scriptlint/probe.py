"""What one tokenizer does to one text, stage by stage, and which code points fell at which stage."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.run import TooSlow, run, time_limit
from scriptlint.unicode.properties import category
from scriptlint.unicode.scripts import script_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.tokenizer.model import Tokenizer
    from scriptlint.tokenizer.stages import Stage

__all__ = ["Probe", "Step", "fallen", "probe"]

SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Step:
    """One stage on the way.

    ``pieces`` are what it gives, ``None`` when it can't be run: ``why`` says so then. ``fell`` are the letters, marks
    and digits that stood before it and no longer after it, in the order of the text. ``ways`` are the chains of a
    union, or of one of several, each with its own steps.
    """

    what: str
    pieces: tuple[str, ...] | None
    fell: str = ""
    why: str = ""
    ways: tuple[tuple[Step, ...], ...] = ()
    changes: bool = False
    """Letters are exchanged for others here (case, normalization), so that none is said to fall."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One text through one tokenizer.

    ``tokens`` are what it makes of the text when it is run as it is written, ``model`` what its stages give one after
    the other; either is ``None`` when it can't be had. ``fell`` is what of the text is in no token.
    """

    text: str
    steps: tuple[Step, ...]
    tokens: tuple[str, ...] | None
    model: tuple[str, ...] | None
    fell: str = ""

    @property
    def differs(self) -> bool:
        """Whether running it and running its stages give different tokens."""
        return self.tokens is not None and self.model is not None and set(self.tokens) != set(self.model)

    @property
    def result(self) -> tuple[str, ...] | None:
        """The tokens: of the run, else of the model."""
        return self.tokens if self.tokens is not None else self.model


@dataclass(slots=True)
class _Way:
    steps: list[Step] = field(default_factory=list)
    pieces: list[str] | None = None


def probe(tokenizer: Tokenizer, text: str) -> Probe:
    """Run a tokenizer on a text, and its stages one by one."""
    found = run(tokenizer, text, SECONDS)
    try:
        with time_limit(SECONDS):
            way = _walk(tokenizer.stages, [text])
    except TooSlow:
        way = _Way([Step("stages", None, why=f"took longer than {SECONDS:g} s")])
    model = None if way.pieces is None else tuple(p for p in way.pieces if p)
    tokens = tuple(found) if found is not None else None
    result = tokens if tokens is not None else model
    return Probe(text, tuple(way.steps), tokens, model, "" if result is None else fallen([text], result, folded=True))


def _walk(stages: Sequence[Stage], pieces: list[str]) -> _Way:
    way = _Way(pieces=pieces)
    for stage in stages:
        if way.pieces is None:
            way.steps.append(Step(stage.describe(), None, why="comes after a step that can't be run by itself"))
            continue
        step, way.pieces = _step(stage, way.pieces)
        way.steps.append(step)
    return way


def _step(stage: Stage, pieces: list[str]) -> tuple[Step, list[str] | None]:
    if isinstance(stage, (st.Union, st.Either)):
        return _ways(stage, pieces)
    what = stage.describe()
    try:
        after = stage.run(pieces)
    except st.CannotRun as error:
        why = "can't be run by itself" if isinstance(stage, (st.Condition, st.Step)) else str(error)
        return Step(what, None, why=why), None
    except (re.error, ValueError, TypeError, RecursionError) as error:
        return Step(what, None, why=str(error)), None
    changes = isinstance(stage, (st.Case, st.Normalize))
    fell = "" if changes else fallen(pieces, after)
    return Step(what, tuple(after), fell, changes=changes and after != pieces), after


def _ways(stage: st.Union | st.Either, pieces: list[str]) -> tuple[Step, list[str] | None]:
    walked = [_walk(chain, pieces) for chain in stage.chains]
    ways = tuple(tuple(w.steps) for w in walked)
    together = isinstance(stage, st.Union)
    count = len(walked)
    if not together:
        return Step(f"one of {count} ways", None, why="which one depends on what is not known here", ways=ways), None
    if any(w.pieces is None for w in walked):
        return Step(f"{count} ways together", None, why="not all of them can be run by themselves", ways=ways), None
    after = [p for w in walked for p in w.pieces or ()]
    return Step(f"{count} ways together", tuple(after), fallen(pieces, after), ways=ways), after


def fallen(before: Sequence[str], after: Sequence[str], *, folded: bool = False) -> str:
    """Letters, marks and digits of ``before`` that are missing from ``after``, in their order, as often as they are.

    With ``folded`` a letter also counts as there when its other case, or its base letter, is.
    """
    have = Counter(_folded("".join(after)) if folded else "".join(after))
    out = []
    for char in "".join(before):
        forms = [c for c in (_folded(char) if folded else char) if have[c] > 0]
        if forms:
            have[forms[0]] -= 1
        elif category(ord(char))[0] in "LMN":
            out.append(char)
    return "".join(out)


def _folded(text: str) -> str:
    import unicodedata2

    return str(unicodedata2.normalize("NFKD", text.casefold()))


def by_script(text: str) -> dict[str, str]:
    """The characters of a text by script, in their order; marks and digits go where their script says.

    A mark that belongs to no one script goes with what stands before it.
    """
    out: dict[str, str] = {}
    last = ""
    for char in text:
        code = script_of(ord(char))
        if code in ("Zyyy", "Zinh", "Zzzz"):
            code = last if last and category(ord(char))[0] == "M" else "Zyyy"
        last = code
        out[code] = out.get(code, "") + char
    return out
