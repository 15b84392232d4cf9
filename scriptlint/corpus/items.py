"""The entry of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scriptlint.finding import Location


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a corpus: what a router would index.

    ``kind`` is skill, agent, command, rule, plugin, tool, server or record. ``dirname`` is the name that the item's place gives
    (its directory, or its file's stem); both names are index entries when they differ. ``source`` names the
    registry the item comes from. ``description_location`` is where the description's text stands in the file.
    """

    name: str
    dirname: str
    description: str
    path: str
    kind: str
    source: str = ""
    name_location: Location | None = None
    description_location: Location | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which it is indexed: both when they differ."""
        return tuple(dict.fromkeys(n for n in (self.name, self.dirname) if n))
