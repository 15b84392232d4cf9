"""The two engines, run so that nothing they do to a strange pattern ends a test: the oracle of these tests."""

from __future__ import annotations

import re
import signal
import sys
import unicodedata
import warnings
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import regex
import unicodedata2

from scriptlint.unicode import CodePoints
from scriptlint.unicode.casing import re_closure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from random_patterns import Kind

# What an engine raises when it rejects a pattern, as against falling over it.
REJECTS = (re.error, regex.error, ValueError, OverflowError, RecursionError, RuntimeError)
FALLS = (AttributeError, IndexError, KeyError, TypeError, MemoryError, SystemError)


@lru_cache(maxsize=1)
def everything() -> str:
    """All 1,114,112 code points in order."""
    return "".join(map(chr, range(0x110000)))


@lru_cache(maxsize=1)
def known() -> CodePoints:
    """Code points on which this interpreter's Unicode agrees with ours, together with all their cases."""
    same = {
        c
        for c in range(0x110000)
        if unicodedata.category(chr(c)) == unicodedata2.category(chr(c)) and unicodedata.category(chr(c)) != "Cn"
    }
    return CodePoints(c for c in same if all(x in same for x in re_closure(CodePoints((c,))).points()))


def module(kind: Kind) -> Any:
    """The engine of a kind."""
    return re if kind == "re" else regex


def dialect(kind: Kind) -> str:
    return "re" if kind == "re" else "regex"


def flags_for(kind: Kind, flags: int) -> int:
    """Flags with the version that the kind stands for."""
    return int(flags) | (int(regex.V1) if kind == "V1" else 0)


def compiled(kind: Kind, pattern: str | bytes, flags: int) -> Any:
    """The compiled pattern; ``None`` when the engine rejects it, ``False`` when the engine falls over it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return module(kind).compile(pattern, flags)
        except REJECTS as error:
            return False if "invalid RE code" in str(error) else None
        except FALLS:
            return False


class _LateError(Exception):
    pass


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Interrupt the standard library's engine, which has no limit of its own. Needs POSIX timers."""
    if sys.platform == "win32":
        yield
        return

    def late(*_: object) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def spans(kind: Kind, pattern: Any, text: str, seconds: float = 0.1) -> list[tuple[int, int]] | None:
    """Spans of all matches; ``None`` when the engine gives up, falls over or takes too long."""
    try:
        with _deadline(2 * seconds):
            limit = {} if kind == "re" else {"timeout": seconds}
            return [m.span() for m in pattern.finditer(text, **limit)]
    except (_LateError, TimeoutError, RuntimeError, *FALLS):
        return None


def consumed(kind: Kind, pattern: Any, text: str) -> set[int] | None:
    """Indices of the characters in matches, or ``None`` as for ``spans``."""
    found = spans(kind, pattern, text)
    return None if found is None else {i for start, end in found for i in range(start, end)}


def leaf_points(kind: Kind, leaf: str, flags: int) -> CodePoints | None:
    """What the engine matches with a class, by one run over all code points."""
    pattern = compiled(kind, f"(?:{leaf})+", flags)
    if not pattern:
        return None
    found = spans(kind, pattern, everything(), 5)
    return None if found is None else CodePoints.from_bounds(tuple(b for span in found for b in span))
