"""What a pattern does with plain text, asked of the engine itself: whether words may come of it, or be lost by it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.pattern.engines import compiled
from scriptlint.source.behaviours import FOREIGN, OTHERS, PLAIN, SIGNS, TITLED
from scriptlint.tokenizer.run import time_limit

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from scriptlint.tokenizer.stages import Dialect

_SECONDS = 0.5
"""Time for a look at one pattern: those of strangers can backtrack for ever."""


@lru_cache(maxsize=4096)
def gives_words(text: object, method: str, dialect: Dialect) -> bool:
    """Whether a pattern, used in this way, gives words of plain text, or loses letters of other scripts."""
    if not isinstance(text, str):
        return True
    try:
        pattern = compiled(text, 0, dialect)
        with time_limit(_SECONDS):
            return _gives(pattern, method)
    except Exception:  # the engines' own errors: an invalid pattern is told elsewhere; a slow one is traced
        return True


def _gives(pattern: re.Pattern[str], method: str) -> bool:
    if method in ("sub", "subn"):
        return any(c.isalpha() or c in "िीन" for c in "".join(_matches(pattern, FOREIGN + " " + PLAIN)))
    if method == "split":
        return len(pattern.split(PLAIN)) > 3 or bool("".join(_matches(pattern, FOREIGN)).strip())
    if method == "match":
        return all(pattern.match(w) for w in PLAIN.split()[:4]) and not pattern.match("?!")
    said = str(pattern.pattern)
    behind = [" ".join(sign + w for w in PLAIN.split()) for sign in SIGNS if sign in said]
    return any(len("".join(_matches(pattern, s))) * 3 >= len(s) for s in (PLAIN, TITLED, *OTHERS, *behind))


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (m[0] for m in pattern.finditer(text))
