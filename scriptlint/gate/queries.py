"""Queries with known answers, from JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scriptlint.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

KEYS = ("query", "gold", "lang")


class QueryError(UserError):
    """A query that can't be used: one line with the file and the line."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query and the names of its right answers; no name makes it a negative: nothing should answer it.

    ``path`` and ``line`` say where it was read; they are empty and 0 for one made in a program.
    """

    text: str
    gold: tuple[str, ...] = ()
    lang: str = ""
    path: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)

    @property
    def negative(self) -> bool:
        """Whether nothing should answer it."""
        return not self.gold

    @property
    def script(self) -> str:
        """ISO 15924 code of most of its letters; ``Jpan`` when Han come with kana, ``Zyyy`` without letters."""
        from scriptlint.corpus.scriptof import profile

        return profile(self.text).script


def read_queries(*paths: str | Path) -> list[Query]:
    """The queries of JSON Lines files: ``query``, ``gold`` (a name or a list of names), ``lang``; more keys may follow.

    Raises QueryError for a file that can't be read and for the first line that can't be used.
    """
    out: list[Query] = []
    for path in paths:
        shown = Path(path).as_posix()
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise QueryError(f"{shown}: can't be read: {error.strerror or error}") from error
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise QueryError(f"{shown}:{line}: is not UTF-8") from error
        before = len(out)
        # Only \n ends a line of JSON Lines: U+2028 and its like may stand in a query.
        for number, line_text in enumerate(text.split("\n"), 1):
            if line_text.strip():
                out.append(_parse(line_text, shown, number))
        if len(out) == before:
            raise QueryError(f"{shown}: holds no query")
    return out


def _parse(line: str, path: str, number: int) -> Query:
    place = f"{path}:{number}"
    try:
        value = json.loads(line)
    except ValueError as error:
        raise QueryError(f"{place}: is not JSON: {error}") from error
    except RecursionError as error:
        raise QueryError(f"{place}: is nested too deeply") from error
    if not isinstance(value, dict):
        raise QueryError(f"{place}: must be an object with query and gold, not {_short(value)}")
    return query_of(value, place, path, number)


def query_of(value: Mapping[str, Any], place: str, path: str = "", number: int = 0) -> Query:
    """A query from a mapping; ``place`` begins messages. Raises QueryError."""
    from scriptlint.nearest import did_you_mean

    for key in ("query", "gold"):
        if key not in value:
            near = did_you_mean(key, value) if value else ""
            raise QueryError(f"{place}: {key} is missing{near}")
    text, gold, lang = value["query"], value["gold"], value.get("lang") or ""
    if not isinstance(text, str) or not text.strip():
        raise QueryError(f"{place}: query must be text that is not empty, not {_short(text)}")
    if isinstance(gold, str):
        gold = [gold]
    if not isinstance(gold, (list, tuple)) or not all(isinstance(g, str) and g for g in gold):
        raise QueryError(f"{place}: gold must be a list of names (empty for a negative), not {_short(gold)}")
    if not isinstance(lang, str):
        raise QueryError(f"{place}: lang must be a language code, not {_short(lang)}")
    return Query(text, tuple(gold), lang, path, number)


def as_queries(queries: Iterable[Query | Mapping[str, Any]] | str | Path) -> list[Query]:
    """Queries from whatever a caller has: a file's path, queries, or mappings. Raises QueryError."""
    if isinstance(queries, (str, Path)):
        return read_queries(queries)
    return [q if isinstance(q, Query) else query_of(q, f"query {n}") for n, q in enumerate(queries, 1)]


def with_aliases(queries: Iterable[Query], names: Sequence[Sequence[str]]) -> Iterator[Query]:
    """The queries with every name of an item added to ``gold`` when one of its names is there.

    ``names`` are the names of each item. A name that several items bear is not added: it would make others right.
    """
    from collections import Counter

    bearers = Counter(name for own in names for name in dict.fromkeys(own))
    others: dict[str, list[str]] = {}
    for own in names:
        for name in own:
            if bearers[name] == 1:
                others.setdefault(name, []).extend(n for n in own if n != name and bearers[n] == 1)
    for q in queries:
        more = [n for g in q.gold for n in others.get(g, ())]
        yield Query(q.text, tuple(dict.fromkeys((*q.gold, *more))), q.lang, q.path, q.line) if more else q


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
