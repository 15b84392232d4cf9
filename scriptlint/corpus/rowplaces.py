# Paths are plain strings here: pathlib costs more than reading a small file does.
# ruff: noqa: PTH123
"""Where a row's cells stand in its table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scriptlint.corpus.places import Lines, Spot
from scriptlint.finding import Location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.corpus.facts import ItemFacts
    from scriptlint.corpus.items import Oddity
    from scriptlint.corpus.places import Style
    from scriptlint.corpus.readers.tables import Row, TableUnit


def cell_places(row: Row, unit: TableUnit, line: int) -> tuple[Location | None, Location | None, Spot | None]:
    """Places of the name and the description, and the description's spot. ``line`` is the row's (first) line."""
    if not row.raw:
        return None, None, None
    if isinstance(row.raw, bytes):
        return _json_cells(row, unit, line)
    return _csv_cells(row, unit, line)


def _json_cells(row: Row, unit: TableUnit, line: int) -> tuple[Location | None, Location | None, Spot | None]:
    from scriptlint.corpus.readers.jsontext import spans

    assert isinstance(row.raw, bytes)
    text = row.raw.decode("utf-8", "replace")
    columns = dict(unit.fields.columns)
    found = spans(text, [(column,) for column in columns.values()])
    lines = ShiftedLines(text, unit.ref.path, line)
    name = found.get((columns.get("name", ""),))
    described = found.get((columns["description"],))
    spot = Spot(lines, *described, row.description) if described else None
    return (
        Spot(lines, *name, row.name).location() if name else None,
        spot.location() if spot else None,
        spot,
    )


def _csv_cells(row: Row, unit: TableUnit, line: int) -> tuple[Location | None, Location | None, Spot | None]:
    assert isinstance(row.raw, str)
    text = row.raw
    lines = ShiftedLines(text, unit.ref.path, line)
    out: list[Spot | None] = []
    for value in (row.name, row.description):
        raw = value.replace('"', '""')
        quoted = text.find(f'"{raw}"') if value else -1
        plain = text.find(value) if value else -1
        if quoted >= 0:
            style: Style = "csv"
            out.append(Spot(lines, quoted, quoted + len(raw) + 2, style, value))
        elif plain >= 0:
            out.append(Spot(lines, plain, plain + len(value), "raw", value))
        else:
            out.append(None)
    name, description = out
    return (
        name.location() if name else None,
        description.location() if description else None,
        description,
    )


class ShiftedLines(Lines):
    """Lines of a piece of a file that begins on ``first``; a negative ``first`` stands for a byte offset."""

    def __init__(self, text: str, path: str, first: int) -> None:
        super().__init__(text, path)
        self.first = first

    def at(self, offset: int) -> tuple[int, int]:
        line, column = super().at(offset)
        return (self.first + line - 1 if self.first > 0 else self.first), column


class Numberer:
    """Line numbers for rows of JSON Lines, whose places hold ``-1 - byte offset`` until all are known."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, int], int] = {}

    @property
    def needed(self) -> bool:
        """Whether any place stands for an offset."""
        return bool(self._lines)

    def learn(self, places: Iterable[Location], oddities: Iterable[Oddity]) -> None:
        """Find the line numbers of all offsets in ``places``; a table is read once, in blocks."""
        wanted: dict[str, set[int]] = {}
        marks = [(p.path, p.line) for p in places] + [(o.path, o.line) for o in oddities]
        for path, line in marks:
            if line < 0:
                wanted.setdefault(path, set()).add(-1 - line)
        for path, offsets in wanted.items():
            self._count(path, sorted(offsets))

    def _count(self, path: str, offsets: list[int]) -> None:
        line, at, number = 1, 0, 0
        with open(path, "rb", buffering=0) as file:
            while number < len(offsets) and (block := file.read(1 << 20)):
                begin = 0
                while number < len(offsets) and offsets[number] < at + len(block):
                    end = offsets[number] - at
                    line += block.count(b"\n", begin, end)
                    begin = end
                    self._lines[path, -1 - offsets[number]] = line
                    number += 1
                line += block.count(b"\n", begin)
                at += len(block)

    def place(self, place: Location) -> Location:
        """The place with its line number."""
        line = self._lines.get((place.path, place.line))
        if line is None:
            return place
        return Location(place.path, line, place.column, line, place.end_column, place.message)

    def oddity(self, oddity: Oddity) -> Oddity:
        """The oddity with its line number."""
        line = self._lines.get((oddity.path, oddity.line))
        return oddity if line is None else replace(oddity, line=line, end_line=line)

    def facts(self, facts: ItemFacts) -> ItemFacts:
        """The facts with line numbers in all their places."""
        item = facts.item
        name, described = item.name_location, item.description_location
        item = replace(
            item,
            name_location=self.place(name) if name is not None else None,
            description_location=self.place(described) if described is not None else None,
        )
        cut = facts.cut
        if cut is not None and cut.place is not None:
            cut = replace(cut, place=self.place(cut.place))
        return replace(
            facts,
            item=item,
            place=self.place(facts.place),
            words=tuple(self.place(p) for p in facts.words),
            cut=cut,
        )
