"""What is told of a piece of source, for tests of kinds of code."""

from __future__ import annotations

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence, Finding


def told(source: str, *, pedantic: bool = False) -> dict[str, set[str]]:
    """Codes of the sure findings (with ``pedantic`` of all) by the tokenizer that they speak of; no problem may be
    told."""
    out: dict[str, set[str]] = {}
    for f in all_of(source, pedantic=pedantic):
        out.setdefault(f.tokenizer or "", set()).add(f.code)
    return out


def all_of(source: str, *, pedantic: bool = False) -> list[Finding]:
    """The sure findings (with ``pedantic`` all) of a piece of source; no problem may be told."""
    result = check_bytes("a.py", source.encode(), Settings())
    assert result.problems == ()
    return [f for f in result.findings if pedantic or f.confidence is Confidence.HIGH]
