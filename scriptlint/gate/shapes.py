"""What searches return, as (name, score) pairs: the shapes that routers use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

NAME_KEYS = ("name", "id", "key", "skill", "title")
SCORE_KEYS = ("score", "similarity", "relevance", "value", "weight")
INNER_KEYS = ("item", "skill", "entry", "document", "doc", "metadata")
LIST_KEYS = ("results", "hits", "matches", "items")

Pair = tuple[str, float]


class ShapeError(TypeError):
    """A result that has no name or no score."""


def pairs(found: object, name_key: str = "", score_key: str = "") -> list[Pair]:
    """Names and scores in the order in which a search gave them; a mapping of names to scores best first.

    Takes ``None``, pairs either way round, longer tuples, mappings and objects with a name and a score, also one
    level down (``{"item": {"name": ..}, "score": ..}``). ``name_key`` and ``score_key`` say which fields to read.
    Raises ShapeError.
    """
    if found is None:
        return []
    if isinstance(found, Mapping):
        inner = next((found[k] for k in LIST_KEYS if isinstance(found.get(k), (list, tuple))), None)
        if inner is None:
            scored = [(str(name), _number(score, found)) for name, score in found.items()]
            return sorted(scored, key=lambda pair: -pair[1])
        found = inner
    if isinstance(found, (str, bytes)) or not isinstance(found, Iterable):
        raise ShapeError(f"search gives {_short(found)}, not a list of names with scores")
    return [_pair(one, name_key, score_key) for one in found]


def _pair(one: object, name_key: str, score_key: str) -> Pair:
    if isinstance(one, (str, bytes)):
        raise ShapeError(f"search gives names without scores ({_short(one)}): a gate needs scores")
    if isinstance(one, (tuple, list)) and not hasattr(one, "_fields"):
        score = next((v for v in reversed(one) if _is_number(v)), None)
        name = next((v for v in one if isinstance(v, str)), None)
        if name is None:
            name = next((n for v in one if (n := _name(v, name_key)) is not None), None)
        if name is None or score is None:
            raise ShapeError(f"search gives {_short(one)}: no name with a score in it")
        return name, _number(score, one)
    name = _name(one, name_key)
    score = _field(one, (score_key,) if score_key else SCORE_KEYS, _is_number)
    if name is None or score is None:
        what = "name" if name is None else "score"
        hint = "name-field" if name is None else "score-field"
        raise ShapeError(f"search gives {_short(one)}: no {what} in it; set {hint}")
    return name, _number(score, one)


def _name(one: object, key: str) -> str | None:
    own = _field(one, (key,) if key else NAME_KEYS, lambda v: isinstance(v, str))
    if own is not None:
        return str(own)
    inner = _field(one, INNER_KEYS, lambda v: v is not None and not isinstance(v, (str, bytes)) and not _is_number(v))
    if inner is None:
        return None
    found = _field(inner, (key,) if key else NAME_KEYS, lambda v: isinstance(v, str))
    return None if found is None else str(found)


def _field(one: object, keys: tuple[str, ...], fits: Any) -> Any:
    for key in keys:
        value = one.get(key) if isinstance(one, Mapping) else getattr(one, key, None)
        if value is not None and fits(value):
            return value
    return None


def _is_number(value: object) -> bool:
    if isinstance(value, (bool, str, bytes)) or value is None:
        return False
    return isinstance(value, (int, float)) or hasattr(value, "__float__")


def _number(value: Any, where: object) -> float:
    if not _is_number(value):
        raise ShapeError(f"search gives {_short(where)}: {_short(value)} is no score")
    number = float(value)
    if math.isnan(number):
        raise ShapeError(f"search gives {_short(where)}: its score is not a number (nan)")
    return number


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
