"""JSON as it is met: strict first, then with comments, trailing commas and raw control characters; with places."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scriptlint.corpus.readers.files import Path, Span

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|//[^\r\n]*|/\*.*?\*/|[^\s{}\[\],:"/]+|\S',
    re.DOTALL,
)


class BrokenJsonError(ValueError):
    """JSON that neither reading takes; ``offset`` is where the strict one stopped."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def load(text: str) -> tuple[Any, list[tuple[str, str]]]:
    """The value of a JSON text, and ``(kind, what was assumed)`` for what isn't plain JSON. Raises BrokenJsonError."""
    told: list[tuple[str, str]] = []
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(found)
        if len(out) != len(found):
            keys = [key for key, _ in found]
            twice.extend(dict.fromkeys(key for key in keys if keys.count(key) > 1))
        return out

    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise BrokenJsonError("is nested too deeply to read", 0) from None
    except json.JSONDecodeError as error:
        value = _relaxed(text, error, pairs)
        why = f"is not strict JSON ({error.msg}); read with comments and trailing commas allowed"
        told.append(("json-relaxed", why))
    except ValueError as error:
        raise BrokenJsonError(f"can't be read: {error}", 0) from None
    if twice:
        keys = ", ".join(f"`{key}`" for key in dict.fromkeys(twice))
        told.append(("duplicate-key", f"an object holds {keys} twice; the last one was taken, as JSON readers do"))
    return value, told


def _relaxed(text: str, error: json.JSONDecodeError, pairs: Any) -> Any:
    tokens = [m[0] for m in _TOKEN.finditer(text) if not m[0].startswith(("//", "/*"))]
    kept = [t for i, t in enumerate(tokens) if not (t == "," and tokens[i + 1 : i + 2] in (["}"], ["]"]))]
    try:
        return json.loads(" ".join(kept), object_pairs_hook=pairs, strict=False)
    except (ValueError, RecursionError):
        raise BrokenJsonError(f"is not valid JSON: {error.msg}", error.pos) from None


def spans(text: str, wanted: Collection[Path]) -> dict[Path, Span]:
    """Where the strings at the ``wanted`` ways stand, quotes included. The last of a duplicate key wins."""
    out: dict[Path, Span] = {}
    want = set(wanted)
    for path, start, end in _walk(text):
        if path in want:
            out[path] = (start, end, "json")
    return out


def _walk(text: str) -> Iterator[tuple[Path, int, int]]:
    """``(way, start, end)`` of every string that is a value."""
    path: list[str | int] = []
    objects: list[bool] = []
    key_next = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        first = token[0]
        if first == '"':
            if objects and objects[-1] and key_next:
                try:
                    path[-1] = json.loads(token, strict=False)
                except ValueError:
                    path[-1] = token[1:-1]
            else:
                yield tuple(path), match.start(), match.end()
        elif first in "{[":
            objects.append(first == "{")
            path.append(0 if first == "[" else "")
            key_next = first == "{"
        elif first in "}]":
            if objects:
                objects.pop()
                path.pop()
            key_next = False
        elif first == ",":
            if objects and not objects[-1]:
                last = path[-1]
                path[-1] = last + 1 if isinstance(last, int) else 0
            key_next = bool(objects) and objects[-1]
        elif first == ":":
            key_next = False
