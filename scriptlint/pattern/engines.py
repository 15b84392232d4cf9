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


class TooManyRepeatsError(ValueError):
    """``regex`` writes repeats out when it compiles them: these would take gigabytes."""

    def __init__(self) -> None:
        super().__init__("repeats so often that regex would need gigabytes to compile it")


def refuse_expansion(text: str | bytes) -> None:
    """Raise ``TooManyRepeatsError`` for a pattern that ``regex`` would not compile in reasonable memory."""
    said = text if isinstance(text, str) else text.decode("latin-1")
    if "{" not in said:
        return
    counts = [max(int(low[-9:]), int((high or "0")[-9:])) for low, high in _COUNT.findall(said)]
    if any(len(n) > 9 for pair in _COUNT.findall(said) for n in pair) or max(counts, default=0) > _MOST_REPEATS:
        raise TooManyRepeatsError
    if prod(n for n in counts if n >= _MANY) > _MOST_NESTED:
        raise TooManyRepeatsError


@lru_cache(maxsize=1024)
def compiled(text: str | bytes, flags: int, dialect: str) -> Any:
    """The engine's own pattern object. Raises the engine's ``error``, or ``TooManyRepeatsError``."""
    if dialect == "re":
        return re.compile(text, flags)
    import regex

    refuse_expansion(text)
    return regex.compile(text, flags)
