"""New patterns from old ones: classes that let more through, or runs that come apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from scriptlint.pattern import PatternError, PatternTooComplex, facts, parse
from scriptlint.pattern import nodes as n
from scriptlint.pattern.about import walk
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.properties import general_category

if TYPE_CHECKING:
    from scriptlint.tokenizer.stages import Pattern

__all__ = ["Change", "Wanted", "extend", "rewritten"]

_ENOUGH = 10
"""Letters from which a class is one of words, not of a few signs."""
_ALL_BUT = 4096
"""What a class may leave out and still be one that takes everything, such as ``.`` or ``\\S``."""

_Class: TypeAlias = "n.Set | n.Shorthand | n.Property"
Change: TypeAlias = tuple[int, int, str]
"""Put a text where a span of the pattern was."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a pattern shall let through besides: ``points``, written as ``text`` inside a class.

    ``unit`` is a branch that takes one character of an unspaced script with its marks, ``apart`` the class of such
    characters, without brackets: words then stop before them.
    """

    points: CodePoints
    text: str
    unit: str = ""
    apart: str = ""
    apart_points: CodePoints = CodePoints.EMPTY


def rewritten(text: str, changes: list[Change]) -> str:
    """The pattern with all changes made."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def extend(pattern: Pattern, wanted: Wanted, *, kept: bool) -> list[Change]:
    """Changes under which a pattern lets ``wanted`` through; none when there is no class to change.

    ``kept``: what the pattern matches stays (``findall``); else it goes (a separator, what is erased).
    """
    if not isinstance(pattern.text, str):
        return []
    try:
        parsed = parse(pattern.text, int(pattern.flags), pattern.dialect)
        known = facts(pattern.text, int(pattern.flags), pattern.dialect)
    except (PatternError, PatternTooComplex):
        return []
    points = {(c.start, c.end): c.points for c in known.classes}
    changes: list[Change] = []
    for node in walk(parsed.root):
        if isinstance(node, (n.Set, n.Shorthand, n.Property)) and (node.start, node.end) in points:
            changes += _class(node, pattern.text, points[node.start, node.end], wanted, kept)
    if not changes and not wanted.unit:
        return []
    if kept and wanted.unit:
        if known.groups or known.anchored_start or known.anchored_end or parsed.other_order:
            return []
        changes.append((len(pattern.text), len(pattern.text), f"|{wanted.unit}"))
    if kept and pattern.dialect == "re":
        changes += _boundaries(parsed)
    return changes


def _letters(points: CodePoints) -> int:
    return (points & general_category("L")).size


def _class(
    node: n.Set | n.Shorthand | n.Property, text: str, points: CodePoints, wanted: Wanted, kept: bool
) -> list[Change]:
    """The change to one class; none when it is no class of words, or has it all."""
    lets_through = points if kept else ~points
    if _letters(lets_through) < _ENOUGH or (~lets_through).size < _ALL_BUT:
        return []
    missing = not wanted.points.issubset(lets_through)
    parts = bool(wanted.apart) and not lets_through.isdisjoint(wanted.apart_points)
    if not missing and not parts:
        return []
    source = text[node.start : node.end]
    new = source
    if missing and wanted.text:
        new = _kept(node, source, wanted.text) if kept else _dropped(node, source, wanted.text)
    if parts and kept:
        new = f"(?:(?![{wanted.apart}]){new})"
    if new == source:
        return []
    return [(node.start, node.end, new)]


def _kept(node: _Class, source: str, more: str) -> str:
    if isinstance(node, n.Set):
        if node.negated:
            return f"(?:{source}|[{more}])"
        return _inserted(source, more) if node.op == "union" else f"(?:{source}|[{more}])"
    return f"(?:{source}|[{more}])" if node.negated else f"[{source}{more}]"


def _dropped(node: _Class, source: str, more: str) -> str:
    if isinstance(node, n.Set) and node.negated and node.op == "union":
        return _inserted(source, more)
    if isinstance(node, n.Shorthand) and node.negated and node.kind == "w":
        return f"[^\\w{more}]"
    return f"(?:(?![{more}]){source})"


def _inserted(source: str, more: str) -> str:
    """Members put at the end of a class, before a hyphen that stands there for itself."""
    at = len(source) - 1
    if source[at - 1] == "-" and source[at - 2] != "\\":
        at -= 1
    return source[:at] + more + source[at:]


def _boundaries(parsed: n.Parsed) -> list[Change]:
    r"""Takes away the ``\b`` at the ends of a pattern: ``re`` sees one between a letter and its mark."""
    if not isinstance(parsed.root, n.Sequence) or len(parsed.root.items) < 2:
        return []
    first, last = parsed.root.items[0], parsed.root.items[-1]
    return [(a.start, a.end, "") for a in (first, last) if isinstance(a, n.Anchor) and a.kind == "b"]
