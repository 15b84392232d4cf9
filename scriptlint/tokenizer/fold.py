"""Folds a tokenizer's stages over sets of code points: which code points of a text can come out, and which must.

It works from the last stage to the first: what a stage lets through becomes a question about what stood before it.
``upper`` holds every code point that can leave a trace, ``lower`` those that leave one in every text. A stage without
a model leaves ``upper`` as it is and empties ``lower``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.pattern import PatternError, PatternTooComplex, analyze
from scriptlint.tokenizer import stages as st
from scriptlint.unicode.casing import ASCII, preimage
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.properties import general_category

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.tokenizer.stages import Pattern, Stage

LATIN_1 = CodePoints.of([(0, 0xFF)])
NOTHING = CodePoints.of([])
EVERYTHING = ~NOTHING


@lru_cache(maxsize=1)
def traces() -> CodePoints:
    """What counts as a trace of a letter: letters, marks and numbers. A blank that a decomposition leaves is none."""
    return CodePoints.union(general_category(kind) for kind in "LMN")


@dataclass(frozen=True, slots=True)
class Fold:
    """The two bounds; ``exact`` when every stage was read and each pattern's bounds tell the whole truth."""

    upper: CodePoints
    lower: CodePoints
    exact: bool


def fold(stages: Sequence[Stage]) -> Fold:
    """The bounds of a chain of stages."""
    state = Fold(traces(), traces(), True)
    for stage in reversed(stages):
        state = _before(stage, state)
    return state


def _before(stage: Stage, after: Fold) -> Fold:
    """The bounds in front of a stage, given those behind it."""
    upper, lower, exact = after.upper, after.lower, after.exact
    if isinstance(stage, st.Case):
        if stage.method not in ("lower", "upper", "casefold"):
            return Fold(upper | preimage("lower", upper, "any"), lower & preimage("lower", lower, "all"), False)
        return Fold(preimage(stage.method, upper, "any"), preimage(stage.method, lower, "all"), exact)
    if isinstance(stage, st.Normalize):
        return Fold(preimage(stage.form, upper, "any"), preimage(stage.form, lower, "all"), exact)
    if isinstance(stage, st.Encode):
        if stage.encoding in ("ascii", "us-ascii"):
            return Fold(upper & ASCII, lower & ASCII, exact)
        if stage.encoding in ("latin-1", "latin1", "iso-8859-1"):
            return Fold(upper & LATIN_1, lower & LATIN_1, exact)
        return Fold(upper, NOTHING, False)
    if isinstance(stage, st.Extract):
        return _through(stage.pattern, after, stage.group not in (0, "0"))
    if isinstance(stage, st.KeepIf):
        if stage.pattern is None:
            return _method(stage, after)
        if stage.negated or stage.method == "search":
            return Fold(upper, NOTHING, False)
        return _through(stage.pattern, after, stage.method == "match")
    if isinstance(stage, st.Erase):
        may, sure, known = _reach(stage.pattern)
        kept = _comes_back(stage)
        if kept:
            # The match stands again in the replacement: nothing is lost, only set apart.
            return Fold(upper, lower, exact and known)
        return Fold(upper - sure, lower - may, exact and known and may == sure)
    if isinstance(stage, st.Split):
        if stage.pattern is None:
            return after
        may, sure, known = _reach(stage.pattern)
        if stage.pattern.compiled().groups:
            return Fold(upper, lower, False)
        return Fold(upper - sure, lower - may, exact and known and may == sure)
    if isinstance(stage, st.Translate):
        gone = _gone(stage)
        return Fold(upper - gone, lower - gone, exact)
    if isinstance(stage, st.Union):
        parts = [_chain(chain, after) for chain in stage.chains]
        return Fold(_union(p.upper for p in parts), _union(p.lower for p in parts), all(p.exact for p in parts))
    if isinstance(stage, st.Either):
        parts = [_chain(chain, after) for chain in stage.chains]
        low = parts[0].lower
        for p in parts[1:]:
            low = low & p.lower
        same = all(p.upper == parts[0].upper for p in parts)
        return Fold(_union(p.upper for p in parts), low, same and all(p.exact for p in parts))
    if isinstance(stage, st.Opaque):
        # It may make anything of any letter (a transliteration does).
        return Fold(EVERYTHING if upper else upper, NOTHING, False)
    if isinstance(stage, (st.Length, st.StopWords, st.NGrams, st.Chars, st.Join, st.Strip, st.Replace)):
        return after
    return Fold(upper, NOTHING, False)


_KNOWN: list[tuple[st.Translate, CodePoints]] = []
"""The last tables that were read: one may have an entry for every character there is."""


def _gone(stage: st.Translate) -> CodePoints:
    """What a table deletes, or puts a blank in the place of."""
    for known, gone in _KNOWN:
        if known is stage:
            return gone
    gone = CodePoints.of(sorted(k for k, v in stage.table.items() if v is None or v in ("", " ", 32)))
    _KNOWN[:] = [*_KNOWN[-3:], (stage, gone)]
    return gone


def _chain(chain: Sequence[Stage], after: Fold) -> Fold:
    state = after
    for stage in reversed(chain):
        state = _before(stage, state)
    return state


def _union(sets: object) -> CodePoints:
    return CodePoints.union(sets)  # type: ignore[arg-type]


def _reach(pattern: Pattern) -> tuple[CodePoints, CodePoints, bool]:
    """``may``, ``sure`` and whether the analysis could be done."""
    try:
        reach = analyze(pattern.text, int(pattern.flags), pattern.dialect)
    except (PatternError, PatternTooComplex):
        return EVERYTHING, NOTHING, False
    return reach.may, reach.sure, reach.exact


def _through(pattern: Pattern, after: Fold, partly: bool) -> Fold:
    """Only what the pattern matches goes on."""
    may, sure, known = _reach(pattern)
    return Fold(after.upper & may, after.lower & (NOTHING if partly else sure), after.exact and known and not partly)


def _comes_back(stage: st.Erase) -> bool:
    """Whether the replacement holds the whole match or a group that spans it (``(X)`` -> ``" \\1 "``)."""
    if stage.replacement is None:
        return True
    text = stage.pattern.text
    if "\\g<0>" in stage.replacement:
        return True
    return isinstance(text, str) and "\\1" in stage.replacement and text.startswith("(") and text.endswith(")")


def _method(stage: st.KeepIf, after: Fold) -> Fold:
    """``isalnum`` and its kin, asked of whole pieces."""
    classes = {
        "isalnum": r"[^\W_]", "isalpha": r"[^\W\d_]", "isascii": r"[\x00-\x7f]", "isdigit": r"\d", "isdecimal": r"\d",
        "isidentifier": r"\w",
    }  # fmt: skip
    text = classes.get(stage.method)
    if text is None or stage.negated:
        return Fold(after.upper, NOTHING, False)
    may, _, _ = _reach(st.Pattern(text))
    return Fold(after.upper & may, after.lower & may, after.exact and stage.method != "isdigit")
