"""What a Python regex can let through, for ``re`` and for ``regex``.

``analyze(pattern, flags, dialect)`` gives two bounds as sets of code points, with a proof when they tell the whole
truth. ``facts`` answers other questions about a pattern, ``parse`` gives its syntax tree with spans. Flags are the
engine's own integers (``re.I``, ``regex.V1``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.pattern.errors import PatternError, PatternTooComplex
from scriptlint.pattern.reach import Reach, Reason

if TYPE_CHECKING:
    from scriptlint.pattern.about import PatternFacts
    from scriptlint.pattern.nodes import Dialect, Parsed

__all__ = ["PatternError", "PatternTooComplex", "Reach", "Reason", "analyze", "facts", "parse"]


def parse(pattern: str | bytes, flags: int = 0, dialect: Dialect = "re") -> Parsed:
    """The syntax tree of a pattern, every node with its span.

    Raises:
        PatternError: the engine rejects the pattern; ``position`` says where.
        PatternTooComplex: it is nested too deep or has too many parts.
        ValueError: the dialect is neither ``re`` nor ``regex``.
    """
    if dialect == "re":
        from scriptlint.pattern.parse_re import parse_re

        return parse_re(pattern, flags)
    if dialect == "regex":
        from scriptlint.pattern.parse_regex import parse_regex

        return parse_regex(pattern, flags)
    raise ValueError(f"unknown dialect {dialect!r}: re or regex")


def analyze(pattern: str | bytes, flags: int = 0, dialect: Dialect = "re") -> Reach:
    """What a pattern can let through: ``may``, ``sure``, and whether ``may`` is exact.

    Raises:
        PatternError: the engine rejects the pattern; ``position`` says where.
        PatternTooComplex: the analysis would cost too much.
    """
    return _analyze(pattern, int(flags), dialect)


@lru_cache(maxsize=4096)
def _analyze(pattern: str | bytes, flags: int, dialect: Dialect) -> Reach:
    from scriptlint.pattern.ir import lower
    from scriptlint.pattern.reach import reach_of

    try:
        return reach_of(lower(parse(pattern, flags, dialect)))
    except RecursionError:  # The budget leaves room for any sane caller; this one was deep already.
        raise PatternTooComplex("nested too deep for what is left of the stack") from None


def facts(pattern: str | bytes, flags: int = 0, dialect: Dialect = "re") -> PatternFacts:
    """Lengths, anchors, required letters, groups, classes and misleading syntax of a pattern.

    Raises:
        PatternError, PatternTooComplex: as ``analyze``.
    """
    return _facts(pattern, int(flags), dialect)


@lru_cache(maxsize=1024)
def _facts(pattern: str | bytes, flags: int, dialect: Dialect) -> PatternFacts:
    from scriptlint.pattern.about import facts_of
    from scriptlint.pattern.ir import lower

    try:
        return facts_of(lower(parse(pattern, flags, dialect)))
    except RecursionError:
        raise PatternTooComplex("nested too deep for what is left of the stack") from None
