"""Runs a tokenizer's model on a text, within limits of time, steps and size."""

from __future__ import annotations

import re
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scriptlint.tokenizer.closed import is_match
from scriptlint.tokenizer.stages import CannotRun, run_chain
from scriptlint.tokenizer.values import Hole, Raised, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.tokenizer.model import Tokenizer

TIME_LIMIT = 2.0
"""Seconds that one text may take: patterns of strangers can backtrack for ever."""


class TooSlow(TimeoutError):  # noqa: N818
    """The time limit was reached."""


@contextmanager
def time_limit(seconds: float = TIME_LIMIT) -> Iterator[None]:
    """Raise ``TooSlow`` when the body takes longer.

    Works where the operating system has interval timers and in the main thread; elsewhere there is no limit,
    since nothing else can stop an engine that holds the interpreter.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlow(f"took longer than {seconds:g} s")

    outer = signal.signal(signal.SIGALRM, stop)
    # It rings again until it is heard: an exception inside a destructor is swallowed.
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, outer)


def flatten(value: object) -> list[str]:
    """The pieces in whatever a tokenizer gave: text, collections of it, keys of counters, groups of matches.

    Empty pieces are left out; sets come sorted. Raises ``Unsupported`` when a piece is not known.
    """
    out: list[str] = []
    _flatten(value, out)
    return out


def _flatten(value: Any, out: list[str]) -> None:
    if isinstance(value, str):
        if value:
            out.append(str(value))
    elif isinstance(value, (bytes, bytearray)):
        if value:
            out.append(bytes(value).decode("utf-8", "replace"))
    elif isinstance(value, Hole):
        if value.text is not None:
            raise Unsupported(value.path)
    elif isinstance(value, (set, frozenset)):
        for v in sorted(value, key=lambda x: (type(x).__name__, str(x))):
            _flatten(v, out)
    elif isinstance(value, dict) or (isinstance(value, (list, tuple)) or hasattr(value, "popleft")):
        for v in value:
            _flatten(v, out)
    elif is_match(value):
        _flatten(value[0], out)


def run(tokenizer: Tokenizer, text: str, seconds: float = TIME_LIMIT, *, among: bool = False) -> list[str] | None:
    """The tokens that the model makes of a text; ``None`` when a step can't be run."""
    try:
        with time_limit(seconds):
            return run_unlimited(tokenizer, text, among)
    except TooSlow:
        return None


def run_unlimited(tokenizer: Tokenizer, text: str, among: bool = False) -> list[str] | None:
    """``run`` without the clock: for a caller that keeps it. ``among``: the text is a word that stands for many."""
    try:
        if tokenizer.program is not None:
            return tokenizer.program.run_among(text) if among else tokenizer.program.run(text)
        return [p for p in run_chain(tokenizer.stages, [text]) if p]
    except (CannotRun, Unsupported, Raised, RecursionError, re.error, SystemError, TypeError):
        # A pattern of bytes meets text where a step in between could not be followed: a TypeError.
        return None
