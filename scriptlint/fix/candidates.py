"""Repairs that may help one tokenizer, the most thorough first. Nothing here is checked: ``check`` does that."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint.diff import silent
from scriptlint.fix import ranges
from scriptlint.fix.classes import Wanted, extend
from scriptlint.fix.lengths import length_edits
from scriptlint.fix.literals import Edit, Literal, Text, read_literal
from scriptlint.rule import prominent, script_list
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.model import Verdict
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.properties import general_category
from scriptlint.unicode.scripts import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from scriptlint.tokenizer.model import Judged
    from scriptlint.tokenizer.stages import Pattern, Stage

__all__ = ["Aim", "Candidate", "candidates"]

_CJK = ("Hani", "Hira", "Kana", "Hang")
_PROPERTIES = Wanted(CodePoints.union(general_category(k) for k in "LMN"), r"\p{L}\p{M}\p{N}")


@dataclass(frozen=True, slots=True)
class Aim:
    """What a part of a repair is for: ``said`` of these scripts (``{}``), or of none in particular."""

    said: str
    scripts: tuple[str, ...] = ()

    def reached(self, scripts: Container[str]) -> str:
        """What may be said when only these scripts gained by it; empty when none of its own did."""
        if not self.scripts:
            return self.said
        codes = [c for c in self.scripts if c in scripts]
        return self.said.format(script_list(prominent(codes), 4)) if codes else ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits of one file with what they are for. ``needs`` names a module that the program must then have."""

    edits: tuple[Edit, ...]
    aims: tuple[Aim, ...]
    needs: str = ""
    literals: tuple[tuple[int, int], ...] = ()
    """Places (line, column) of the pattern literals that change."""


_SHORT = Aim("measure length on ASCII words alone")


@dataclass(frozen=True, slots=True)
class _Spot:
    """A pattern literal that can be edited. ``grams``: its matches are cut into n-grams next."""

    pattern: Pattern
    literal: Literal
    kept: bool
    grams: bool


def candidates(judged: Judged, data: bytes, codes: Sequence[str], *, prefer: str = "ranges") -> Iterator[Candidate]:
    """Repairs for findings of these rules on a tokenizer of the file ``data``."""
    try:
        text = Text(data)
    except ValueError:
        return
    spots = list(_spots(judged, text))
    wide = [] if not set(codes) & {"SCR001", "SCR002", "SCR003", "SCR004", "SCR007"} else spots
    short = [Candidate(edits, (_SHORT,)) for edits in length_edits(judged.tokenizer, text)]
    if "SCR007" in codes:
        # First: it is the smallest change, and can be safe where no change of the pattern is.
        yield from short
    found = list(_pattern_repairs(judged, wide)) if wide else []
    by_module = list(_regex_repairs(judged, wide, text)) if wide else []
    if prefer == "properties":
        yield from by_module
    for one in found:
        if "SCR007" not in codes:
            yield one
        for length in short[:1]:
            yield Candidate((*one.edits, *length.edits), (*one.aims, *length.aims), one.needs, one.literals)
        if "SCR007" in codes:
            yield one
    if prefer != "properties":
        yield from by_module


def _spots(judged: Judged, text: Text) -> Iterator[_Spot]:
    tokenizer = judged.tokenizer
    seen: set[tuple[int, int]] = set()
    for stage, following in _with_next(tokenizer.stages):
        pattern = st.pattern_of(stage)
        if pattern is None or pattern.site is None or pattern.site.path != tokenizer.path:
            continue
        site = pattern.site
        kept = isinstance(stage, st.Extract) or (isinstance(stage, st.KeepIf) and not stage.negated)
        if (site.line, site.column) in seen or not isinstance(stage, (st.Extract, st.Erase, st.Split, st.KeepIf)):
            continue
        seen.add((site.line, site.column))
        try:
            start, end = text.offset(site.line, site.column), text.offset(site.end_line, site.end_column)
        except IndexError:
            continue
        literal = read_literal(text.text[start:end], start)
        if literal is not None and literal.value == pattern.text:
            yield _Spot(pattern, literal, kept, isinstance(following, st.NGrams))


def _with_next(stages: Sequence[Stage], after: Stage | None = None) -> Iterator[tuple[Stage, Stage | None]]:
    for i, stage in enumerate(stages):
        following = stages[i + 1] if i + 1 < len(stages) else after
        if isinstance(stage, (st.Union, st.Either)):
            for chain in stage.chains:
                yield from _with_next(chain, following)
        else:
            yield stage, following


def _missing(judged: Judged) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The scripts that don't come through well: spaced ones, unspaced ones."""
    good = (Verdict.RETAINED, Verdict.UNKNOWN)
    bad = [c for c, v in judged.scripts.items() if v.verdict not in good or silent(judged, c)]
    return tuple(c for c in bad if c not in UNSPACED), tuple(c for c in bad if c in UNSPACED)


def _pattern_repairs(judged: Judged, spots: Sequence[_Spot]) -> Iterator[Candidate]:
    """Classes extended by ranges, within the engine that the pattern is for."""
    spaced, unspaced = _missing(judged)
    words = [s for s in spots if not s.grams]
    grams = [s for s in spots if s.grams]
    pieces = judged.tokenizer.kind == "tokenizer"
    short = tuple(c for c, v in judged.scripts.items() if v.short_dropped and c in UNSPACED)
    if grams:
        cut = tuple(c for c in (*unspaced, *spaced) if c in _CJK)
        rest = tuple(c for c in spaced if c != "Hang")
        single = tuple(c for c in unspaced if c not in _CJK)
        if single:
            # Pairs of code points would tear their marks off, so each cluster is a token instead.
            yield from _joined(words, _units(rest, single), grams, _grams(cut), rest, cut, single)
        yield from _joined(words, _spaced(rest), grams, _grams(cut), rest, cut)
        yield from _joined((), None, grams, _grams(cut), (), cut)
        yield from _joined(words, _spaced(rest), (), None, rest, ())
        return
    if not pieces:
        every = (*spaced, *unspaced)
        yield from _joined(words, _spaced(every), (), None, every, ())
        return
    single = tuple(dict.fromkeys((*unspaced, *short)))
    if single and any(s.kept for s in words):
        for codes in ((spaced, single), (spaced, tuple(c for c in single if c in _CJK)), ((), single)):
            if codes[1]:
                wanted = _units(codes[0], codes[1])
                yield from _joined([s for s in words if s.kept], wanted, (), None, codes[0], codes[1])
    yield from _joined(words, _spaced(spaced), (), None, spaced, ())
    shredded = tuple(c for c, v in judged.scripts.items() if v.verdict is Verdict.SHREDDED)
    points = ranges.marks(shredded)
    if points and set(shredded) != set(spaced):
        yield from _joined(words, Wanted(points, ranges.class_text(points)), (), None, shredded, ())


def _spaced(codes: tuple[str, ...]) -> Wanted | None:
    both = ranges.spaced(tuple(c for c in codes if c not in UNSPACED)) | ranges.unspaced(
        tuple(c for c in codes if c in UNSPACED)
    )
    return Wanted(both, ranges.class_text(both)) if both else None


def _grams(codes: tuple[str, ...]) -> Wanted | None:
    points = ranges.unspaced(tuple(c for c in codes if c != "Hang"))
    if "Hang" in codes:
        points |= ranges.spaced(("Hang",))
    return Wanted(points, ranges.class_text(points)) if points else None


def _units(spaced: tuple[str, ...], unspaced: tuple[str, ...]) -> Wanted:
    """Words of spaced scripts, and one character of an unspaced one with its marks."""
    apart = ranges.unspaced(unspaced)
    points = ranges.spaced(spaced)
    marks = ranges.class_text(ranges.marks(tuple(c for c in unspaced if c not in _CJK)))
    unit = f"[{ranges.class_text(apart)}]" + (f"[{marks}]*" if marks else "")
    return Wanted(points, ranges.class_text(points), unit, ranges.class_text(apart), apart)


def _joined(
    words: Sequence[_Spot],
    for_words: Wanted | None,
    grams: Sequence[_Spot],
    for_grams: Wanted | None,
    spaced: tuple[str, ...],
    other: tuple[str, ...],
    single: tuple[str, ...] = (),
) -> Iterator[Candidate]:
    edits: list[Edit] = []
    places: list[tuple[int, int]] = []
    aims: list[Aim] = []
    for spots, wanted, in_grams in ((words, for_words, False), (grams, for_grams, True)):
        if wanted is None:
            continue
        before = len(edits)
        for spot in spots:
            made = _edits(spot, wanted)
            if made is None:
                return
            if made:
                edits += made
                assert spot.pattern.site is not None
                places.append((spot.pattern.site.line, spot.pattern.site.column))
        if len(edits) == before:
            continue
        if in_grams:
            aims.append(Aim("add {} to the class that is cut into pairs", other))
        elif wanted.unit:
            aims += [Aim("let {} into words", spaced)] if spaced and wanted.text else []
            aims.append(Aim("make each character of {} a token", single or other))
        else:
            aims.append(Aim("let {} through", spaced))
    if edits:
        yield Candidate(tuple(edits), tuple(aims), "", tuple(places))


def _edits(spot: _Spot, wanted: Wanted) -> list[Edit] | None:
    """The edits in the file for one pattern; ``None`` when one can't be written."""
    out = []
    for start, end, new in extend(spot.pattern, wanted, kept=spot.kept):
        old = spot.literal.value[start:end]
        # Only what is new is written, so that what stays keeps its spelling.
        head = _shared(old, new)
        tail = _shared(old[head:][::-1], new[head:][::-1])
        edit = spot.literal.edit(start + head, end - tail, new[head : len(new) - tail])
        if edit is None:
            return None
        out.append(edit)
    return out


def _shared(a: str, b: str) -> int:
    """How many characters two texts begin with alike."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


# --- the regex module ------------------------------------------------------------------------------------------------


def _regex_repairs(judged: Judged, spots: Sequence[_Spot], text: Text) -> Iterator[Candidate]:
    r"""``\p{L}\p{M}\p{N}``: where the pattern is for ``regex``, or with ``import regex as re``."""
    words = [s for s in spots if not s.grams]
    if not words or (judged.tokenizer.kind == "tokenizer" and any(s.grams for s in spots)):
        return
    dialects = {s.pattern.dialect for s in spots}
    if len(dialects) > 1:
        return
    edits: list[Edit] = []
    places = []
    for spot in words:
        made = _edits(spot, _PROPERTIES)
        if made is None:
            return
        edits += made
        assert spot.pattern.site is not None
        places.append((spot.pattern.site.line, spot.pattern.site.column))
    said = r"take letters, marks and digits of every script: \p{L}\p{M}\p{N}"
    if dialects == {"regex"}:
        if edits:
            yield Candidate(tuple(edits), (Aim(said),), "", tuple(places))
        return
    statement = _import_of_re(text)
    if statement is not None:
        aim = Aim(f"{said}, with the regex module")
        yield Candidate((*edits, statement), (aim,), "regex", tuple(places))


def _import_of_re(text: Text) -> Edit | None:
    """``import re`` as ``import regex as re``, when that is how it is imported."""
    try:
        tree = text.tree
    except (SyntaxError, ValueError):
        return None
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "re" and alias.asname is None:
                    start = text.of_node(alias.lineno, alias.col_offset)
                    return Edit(start, start + 2, "regex as re")
    return None
