"""The nearest known word to a mistyped one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like ``word`` (case and ``_`` against ``-`` don't count), or ``None``."""
    import difflib

    plain = {k.lower().replace("_", "-"): k for k in known}
    found = difflib.get_close_matches(word.lower().replace("_", "-"), plain, n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'select'?`` or an empty string."""
    near = nearest(word, known)
    return f"; did you mean {near!r}?" if near else ""
