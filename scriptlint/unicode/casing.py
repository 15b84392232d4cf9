"""Case: classes of both regex dialects, and what ``str`` methods and normalisation do to sets of code points.

An *operation* maps each character to the text of its possible outcomes: ``lower`` maps U+03A3 to both sigmas, since
the end of a word decides; every other mapping is the one of the character alone. ``NFC`` and ``NFKC`` therefore do not
compose across characters: composed text is taken as composed already.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from scriptlint.unicode._decode import mapping
from scriptlint.unicode.codepoints import CodePoints

__all__ = [
    "ASCII", "Operation", "ascii_ignore", "image", "lower_preimage", "lowered", "preimage", "re_closure",
    "regex_closure",
]  # fmt: skip

Operation = Literal["lower", "upper", "casefold", "NFC", "NFD", "NFKC", "NFKD"]
How = Literal["any", "all"]

ASCII: Final = CodePoints(((0, 0x7F),))
_SYLLABLES: Final = CodePoints(((0xAC00, 0xD7A3),))


@lru_cache(maxsize=8)
def outcomes(op: Operation) -> dict[int, str]:
    """Code point to the characters it can become, for the code points that an operation changes.

    Hangul syllables, which NFD and NFKD take apart by arithmetic, are not listed.
    """
    if op in ("lower", "upper", "casefold"):
        from scriptlint.unicode._tables import case

        if op == "lower":
            return mapping(case.LOWER_KEYS, case.LOWER_VALUES)
        if op == "upper":
            return mapping(case.UPPER_KEYS, case.UPPER_VALUES)
        return mapping(case.FOLD_KEYS, case.FOLD_VALUES)
    if op in ("NFC", "NFD"):
        from scriptlint.unicode._tables import normal_canonical as canonical

        if op == "NFC":
            return mapping(canonical.NFC_KEYS, canonical.NFC_VALUES)
        return mapping(canonical.NFD_KEYS, canonical.NFD_VALUES)
    from scriptlint.unicode._tables import normal_compatible as compatible

    if op == "NFKC":
        return mapping(compatible.NFKC_KEYS, compatible.NFKC_VALUES)
    return mapping(compatible.NFKD_KEYS, compatible.NFKD_VALUES)


@lru_cache(maxsize=8)
def _changed(op: Operation) -> CodePoints:
    changed = CodePoints(outcomes(op))
    return changed | _SYLLABLES if op in ("NFD", "NFKD") else changed


def _syllable_parts(points: CodePoints) -> CodePoints:
    """The conjoining jamo of the Hangul syllables in a set (Unicode 3.12)."""
    parts: set[int] = set()
    for first, last in points & _SYLLABLES:
        if last - first >= 588:  # A whole lead's block lies inside, so every vowel and tail occurs.
            parts.update(range(0x1161, 0x1176), range(0x11A8, 0x11C3))
            parts.update(range(0x1100 + (first - 0xAC00) // 588, 0x1100 + (last - 0xAC00) // 588 + 1))
            continue
        for point in range(first, last + 1):
            index = point - 0xAC00
            parts.update((0x1100 + index // 588, 0x1161 + index % 588 // 28))
            if index % 28:
                parts.add(0x11A7 + index % 28)
    return CodePoints(parts)


def image(op: Operation, points: CodePoints) -> CodePoints:
    """Every code point that some member of a set can become."""
    changed = points & _changed(op)
    if not changed:
        return points
    table = outcomes(op)
    out: set[int] = set()
    if changed.size < 64:
        for point in changed.points():
            out.update(map(ord, table.get(point, "")))
    else:
        for point, text in table.items():
            if point in changed:
                out.update(map(ord, text))
    result = (points - changed) | CodePoints(out)
    return result | _syllable_parts(changed) if op in ("NFD", "NFKD") else result


@lru_cache(maxsize=256)
def preimage(op: Operation, points: CodePoints, how: How = "any") -> CodePoints:
    """The code points whose outcome lies in a set.

    ``any``: at least one character of the outcome is in the set (what can survive a later stage).
    ``all``: every character of the outcome is in the set (what surely survives whole).
    """
    changed = _changed(op)
    member = _Membership(points).__getitem__
    if how == "any":
        kept = {c for c, text in outcomes(op).items() if any(map(member, text))}
    else:
        kept = {c for c, text in outcomes(op).items() if all(map(member, text))}
    result = (points - changed) | CodePoints(kept)
    return result | _syllables(points, how) if op in ("NFD", "NFKD") else result


class _Membership(dict[str, bool]):
    """Membership of characters, remembered: outcomes share a few hundred of them."""

    def __init__(self, points: CodePoints) -> None:
        super().__init__()
        self.points = points

    def __missing__(self, char: str) -> bool:
        self[char] = found = char in self.points
        return found


def _syllables(points: CodePoints, how: How) -> CodePoints:
    leads = [c in points for c in range(0x1100, 0x1113)]
    vowels = [c in points for c in range(0x1161, 0x1176)]
    tails = [c in points for c in range(0x11A8, 0x11C3)]
    if how == "all":
        if not any(leads) or not any(vowels):
            return CodePoints.EMPTY
        row = [True, *tails]
    elif all(leads) or all(vowels):
        return _SYLLABLES
    else:
        row = [False, *tails]
    found: list[int] = []
    for i, lead in enumerate(leads):
        for j, vowel in enumerate(vowels):
            base = 0xAC00 + (i * 21 + j) * 28
            if how == "all":
                if lead and vowel:
                    found += [base + k for k, tail in enumerate(row) if tail]
            elif lead or vowel:
                found += range(base, base + 28)
            else:
                found += [base + k for k, tail in enumerate(row) if tail]
    return CodePoints(found)


def lowered(points: CodePoints) -> CodePoints:
    """What ``str.lower`` can turn the members of a set into."""
    return image("lower", points)


def lower_preimage(points: CodePoints, how: How = "any") -> CodePoints:
    """The code points that ``str.lower`` turns into members of a set; ``how`` as for ``preimage``."""
    return preimage("lower", points, how)


def ascii_ignore(points: CodePoints) -> CodePoints:
    """What ``encode("ascii", "ignore")`` leaves of a set."""
    return points & ASCII


@lru_cache(maxsize=1)
def _re_classes() -> dict[int, tuple[int, ...]]:
    from scriptlint.unicode._tables.case import RE_CLASSES

    return {ord(c): tuple(map(ord, group)) for group in RE_CLASSES.split("|") for c in group}


@lru_cache(maxsize=1)
def _regex_cases() -> dict[int, tuple[int, ...]]:
    from scriptlint.unicode._tables.case import REGEX_CASES

    return {ord(group[0]): tuple(map(ord, group)) for group in REGEX_CASES.split("|")}


@lru_cache(maxsize=2)
def _cased(dialect: Literal["re", "regex"]) -> CodePoints:
    return CodePoints(_re_classes() if dialect == "re" else _regex_cases())


def _closure(points: CodePoints, dialect: Literal["re", "regex"]) -> CodePoints:
    cased = points & _cased(dialect)
    if not cased:
        return points
    table = _re_classes() if dialect == "re" else _regex_cases()
    more: set[int] = set()
    for point in cased.points():
        more.update(table[point])
    return points | CodePoints(more)


def ascii_closure(points: CodePoints) -> CodePoints:
    """A set with the other case of its ASCII letters, as IGNORECASE with ASCII has it."""
    more = [c ^ 0x20 for c in (points & _ASCII_LETTERS).points()]
    return points | CodePoints(more) if more else points


_ASCII_LETTERS: Final = CodePoints(((0x41, 0x5A), (0x61, 0x7A)))


@lru_cache(maxsize=256)
def re_closure(points: CodePoints) -> CodePoints:
    """What IGNORECASE makes of a set under ``re``: whole classes, in which U+0130 and U+0131 go with ``i``."""
    return _closure(points, "re")


@lru_cache(maxsize=256)
def regex_closure(points: CodePoints) -> CodePoints:
    """What IGNORECASE makes of a set under ``regex``: the cases of its members, and not the cases of those in turn."""
    return _closure(points, "regex")


@lru_cache(maxsize=2)
def regex_folding(full: bool) -> dict[int, str]:
    """The case folding that ``regex`` applies, simple or full; characters that fold to themselves are left out."""
    from scriptlint.unicode._tables import case

    if full:
        return mapping(case.REGEX_FULL_KEYS, case.REGEX_FULL_VALUES)
    return mapping(case.REGEX_SIMPLE_KEYS, case.REGEX_SIMPLE_VALUES)
