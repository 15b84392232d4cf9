"""Compiling with the engines, where a pattern comes from a stranger."""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any

_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_MOST_REPEATS = 100_000
_MOST_NESTED = 10_000_000
_MANY = 50
_DIGITS = 9


class TooManyRepeatsError(ValueError):
    """``regex`` writes repeats out when it compiles them: these would take gigabytes."""

    def __init__(self) -> None:
        super().__init__("repeats so often that regex would need gigabytes to compile it")


def refuse_expansion(text: str | bytes) -> None:
    """Raise ``TooManyRepeatsError`` for a pattern that ``regex`` would not compile in reasonable memory."""
    said = text if isinstance(text, str) else text.decode("latin-1")
    if "{" not in said:
        return
    written = _COUNT.findall(said)
    if any(len(n) > _DIGITS for pair in written for n in pair):
        raise TooManyRepeatsError
    counts = [max(int(low), int(high or low)) for low, high in written]
    if max(counts, default=0) > _MOST_REPEATS or prod(n for n in counts if n >= _MANY) > _MOST_NESTED:
        raise TooManyRepeatsError


@lru_cache(maxsize=1024)
def compiled(text: str | bytes, flags: int, dialect: str) -> Any:
    """The engine's own pattern object. Raises the engine's ``error``, or ``TooManyRepeatsError``."""
    if dialect == "re":
        return re.compile(text, flags)
    import regex

    refuse_expansion(text)
    return regex.compile(text, flags)
