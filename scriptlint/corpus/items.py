"""The entry of a corpus, and what its readers tell beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.finding import Level

if TYPE_CHECKING:
    from scriptlint.corpus.places import Spot
    from scriptlint.finding import Location

INDEXED_BY_PLACE = frozenset({"skill", "agent", "command", "rule", "plugin"})
"""Kinds that routers index under the name that the file's place gives, too. A tool's ``dirname`` is the name of its
server, and a record's is a column: their words count as known, but they are no entry of the index."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a corpus: what a router would index.

    ``kind`` is skill, agent, command, rule, plugin, tool, server or record. ``dirname`` is the name that the item's
    place gives (its directory, or its file's stem); both names are index entries when they differ. ``source`` names
    the registry the item comes from. ``description_location`` is where the description's text stands in the file.
    ``part`` says which entry of the file it is (``plugins[3]``); it is empty when the file is the item.
    """

    name: str
    dirname: str
    description: str
    path: str
    kind: str
    source: str = ""
    name_location: Location | None = None
    description_location: Location | None = None
    part: str = ""
    spot: Spot | None = field(default=None, compare=False, repr=False)
    """Maps offsets in ``description`` to places in the file; ``None`` unless places were asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which it is indexed: both when they differ and its kind is indexed by place."""
        return index_names(self.name, self.dirname, self.kind)

    @property
    def title(self) -> str:
        """A name for messages; never empty."""
        return self.name or self.dirname or self.part or self.path


def index_names(name: str, dirname: str, kind: str) -> tuple[str, ...]:
    """The names under which an item is indexed."""
    if kind in INDEXED_BY_PLACE:
        return tuple(dict.fromkeys(n for n in (name, dirname) if n))
    name = name or dirname
    return (name,) if name else ()


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something unusual about a file or an item, in words: the facts of SCR104.

    ``kind`` is a slug that counts are kept by (``yaml-error``, ``bom``). Level note: the item was read, ``message``
    says what was assumed; warning: text was lost. ``common`` oddities don't change what is read and are shown on
    request only.
    """

    kind: str
    message: str
    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    level: Level = Level.NOTE
    common: bool = False
    item: str = ""


@dataclass(slots=True)
class Reading:
    """What one file gave: its items in order, and everything odd about it.

    ``unreadable`` is true when the file is a definition that gave nothing because it is damaged.
    ``recognised`` is false when no reader knows the file.
    """

    items: list[Item] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    recognised: bool = True
    unreadable: bool = False
