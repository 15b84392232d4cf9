"""Fuzzy constraints of ``regex``: ``{e<=1}``, ``{1<=s<=2}``, ``{2i+2d+1s<=4}``, ``{s<=1:[a-z]}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scriptlint.pattern.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.pattern import nodes as n
    from scriptlint.pattern.reader import Reader

__all__ = ["fuzzy_constraint"]

_DIGITS: Final = frozenset("0123456789")
_ALPHA: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_MOST: Final = 0xFFFFFFFF


class _NotFuzzyError(Exception):
    """The braces hold no constraint: they are literal text."""


class _Constraints:
    def __init__(self) -> None:
        self.limits: dict[str, tuple[int, int | None]] = {}
        self.cost: dict[str, int] | None = None


def fuzzy_constraint(
    reader: Reader, test: Callable[[], n.Node]
) -> tuple[dict[str, int | None], n.Node | None, bool] | None:
    """A constraint after its brace: greatest numbers of errors, the test, and whether it allows any error at all.

    ``None``, with nothing read, when the brace is a literal.
    """
    saved = reader.pos
    found = _Constraints()
    try:
        _item(reader, found)
        while reader.match(","):
            _item(reader, found)
    except _NotFuzzyError:
        reader.pos = saved
        return None
    node = test() if reader.match(":") else None
    if not reader.match("}"):
        raise PatternError("expected }", reader.pos)
    limits = found.limits
    actual = limits.get("e") != (0, 0) and any(limits.get(k) != (0, 0) for k in "sid")
    errors = {k: v[1] for k, v in limits.items()}
    for kind in found.cost or ():
        errors.setdefault(kind, None)
    return errors, node, actual


def _item(reader: Reader, found: _Constraints) -> None:
    saved = reader.pos
    try:
        _limit(reader, found)
    except _NotFuzzyError:
        reader.pos = saved
        _equation(reader, found)


def _kind(char: str, found: _Constraints) -> str:
    if char not in "deis" or char in found.limits or not char:
        raise _NotFuzzyError
    return char


def _compare(reader: Reader) -> bool | None:
    """Whether the limit is included; ``None`` when there is no comparison."""
    if reader.match("<="):
        return True
    return False if reader.match("<") else None


def _number(reader: Reader) -> int:
    place = reader.pos
    digits = reader.run(_DIGITS)
    if not digits:
        raise PatternError("bad fuzzy cost limit", place)
    return int(digits[:12]) if len(digits) <= 12 else _MOST + 2


def _limit(reader: Reader, found: _Constraints) -> None:
    saved = reader.pos
    char = reader.take()
    if char in _ALPHA:
        kind = _kind(char, found)
        included = _compare(reader)
        if included is None:
            found.limits[kind] = 0, None
            return
        place = reader.pos
        most = _number(reader) - (not included)
        if not 0 <= most <= _MOST:
            raise PatternError("bad fuzzy cost limit", place)
        found.limits[kind] = 0, most
    elif char in _DIGITS:
        reader.pos = saved
        least = _number(reader)
        included = _compare(reader)
        if included is None:
            raise _NotFuzzyError
        least += not included
        kind = _kind(reader.take(), found)
        included = _compare(reader)
        if included is None:
            raise _NotFuzzyError
        place = reader.pos
        most = _number(reader) - (not included)
        if not 0 <= least <= most:
            raise PatternError("bad fuzzy cost limit", place)
        found.limits[kind] = least, most
    else:
        raise _NotFuzzyError


def _equation(reader: Reader, found: _Constraints) -> None:
    if found.cost is not None:
        raise PatternError("more than one cost equation", reader.pos)
    cost: dict[str, int] = {}
    _term(reader, cost)
    while reader.match("+"):
        _term(reader, cost)
    included = _compare(reader)
    if included is None:
        raise _NotFuzzyError
    most = _number(reader) - (not included)
    if not 0 <= most <= _MOST:
        raise PatternError("bad fuzzy cost limit", reader.pos)
    found.cost = cost


def _term(reader: Reader, cost: dict[str, int]) -> None:
    digits = reader.run(_DIGITS)
    char = reader.take()
    if char not in "dis" or not char:
        raise _NotFuzzyError
    if char in cost:
        raise PatternError("repeated fuzzy cost", reader.pos)
    cost[char] = int(digits[:12] or 1)
