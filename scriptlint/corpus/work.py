"""The work on one unit, without an engine in it: a bunch of definition files or a part of a table in, counts out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scriptlint.corpus.census import SHARE, Census
from scriptlint.corpus.items import Item, Oddity
from scriptlint.corpus.judge import BLIND, CJK, EMPTY, FOUND_FAULT, WEAK, Judge, Window
from scriptlint.corpus.readers import read_file
from scriptlint.corpus.readers.files import FileRef
from scriptlint.corpus.readers.tables import Row, TableUnit, row_blocks, rows
from scriptlint.corpus.scriptof import profile
from scriptlint.corpus.summary import Summary
from scriptlint.corpus.walk import read_bytes
from scriptlint.finding import Level, Location, Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scriptlint.corpus.arrow import Sink
    from scriptlint.corpus.tokens import Tokens

Unit = tuple[FileRef, ...] | TableUnit
Hit = tuple[int, int, str, int]
"""Unit, number of the item in it, script, flags."""
ODDITIES = 200
"""Odd rows of a table's part that are told one by one; all are counted."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with every unit: the same for all of a scan, and picklable.

    ``limit`` bounds the hits kept for each tokenizer. ``aliases``: whether both names of an item count as entries;
    ``None`` leaves it to the kind of input (definition files yes, rows of tables no).
    """

    tokenizers: tuple[Tokens, ...]
    window: Window | None = None
    full: bool = False
    share: float = SHARE
    limit: int = 10_000
    aliases: bool | None = None
    results: str | None = None
    """A folder into which every unit writes its items' verdicts, as Parquet."""

    def judges(self, common: Sequence[frozenset[str]] = ()) -> list[Judge]:
        """A judge for each tokenizer; ``common`` are their common tokens."""
        known = common or [frozenset()] * len(self.tokenizers)
        return [
            Judge(t, window=self.window, full=self.full, common=c) for t, c in zip(self.tokenizers, known, strict=True)
        ]


@dataclass(slots=True)
class Part:
    """What a unit gave; parts add up in unit order. The lists go with the job's tokenizers.

    ``sizes`` are the numbers of items of the unit's files, for finding one again.
    """

    summaries: list[Summary]
    hits: list[list[Hit]]
    left_out: list[int]
    censuses: list[Census] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    odd: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    files: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)

    @classmethod
    def empty(cls, job: Job) -> Part:
        """A part with nothing in it."""
        many = range(len(job.tokenizers))
        out = cls([Summary() for _ in many], [[] for _ in many], [0 for _ in many])
        out.censuses = [Census(job.share) for _ in many] if job.full else []
        return out

    @property
    def definitions(self) -> int:
        """Items read."""
        return self.summaries[0].definitions if self.summaries else 0

    def merge(self, other: Part, unit: int, limit: int) -> None:
        """Add what a later unit (the one with this number) gave, keeping at most ``limit`` hits a tokenizer."""
        for mine, theirs in zip(self.summaries, other.summaries, strict=True):
            mine.merge(theirs)
        for number, more in enumerate(other.hits):
            room = max(0, limit - len(self.hits[number]))
            self.hits[number] += [(unit, item, script, flags) for _, item, script, flags in more[:room]]
            self.left_out[number] += other.left_out[number] + len(more) - len(more[:room])
        self.oddities += other.oddities
        self.odd.update(other.odd)
        self.problems += other.problems
        self.files.update(other.files)
        for census, another in zip(self.censuses, other.censuses, strict=True):
            census.merge(another)


def work(unit: Unit, job: Job) -> Part:
    """Judge every item of a unit."""
    judges = job.judges()
    out = Part.empty(job)
    sink = None
    if job.results is not None:
        from scriptlint.corpus.arrow import Sink

        sink = Sink([t.name for t in job.tokenizers])
    if isinstance(unit, TableUnit):
        _table(unit, job, judges, out, sink)
    else:
        for ref in unit:
            _definition(ref, job, judges, out, sink)
    if sink is not None and job.results is not None:
        sink.write(job.results, unit)
    for census in out.censuses:
        census.close()
    return out


def _definition(ref: FileRef, job: Job, judges: Sequence[Judge], out: Part, sink: Sink | None) -> None:
    out.sizes.append(0)
    data = read_bytes(ref)
    if isinstance(data, Problem):
        out.problems.append(data)
        out.files["unreadable"] += 1
        return
    reading = read_file(ref, data)
    if not reading.recognised:
        out.files["other"] += 1
        if ref.given:
            why = "no reader knows this file: its name and content fit no definition format"
            out.problems.append(Problem(ref.path, why))
        return
    out.files["items" if reading.items else "unreadable" if reading.unreadable else "none"] += 1
    out.sizes[-1] = len(reading.items)
    for oddity in reading.oddities:
        out.odd[oddity.kind] += 1
        out.oddities.append(oddity)
    for item in reading.items:
        number = out.definitions
        description = item.description
        seen = profile(description)
        weight = 1 if job.aliases is False else max(1, len(item.names))
        every = []
        for index, judge in enumerate(judges):
            verdict = judge.verdict(item.name, item.dirname, description, seen)
            every.append(verdict.flags)
            out.summaries[index].add(ref.source, seen.script, verdict.flags, weight)
            if job.full:
                out.censuses[index].add(*verdict, description)
            if verdict.flags & FOUND_FAULT:
                _keep(out, job, index, number, seen.script, verdict.flags)
        if sink is not None:
            sink.add(item.name, item.dirname, item.path, item.source, seen.script, seen.cjk, every)


def _table(unit: TableUnit, job: Job, judges: Sequence[Judge], out: Part, sink: Sink | None) -> None:
    """The rows of a table: a row is one entry of an index, unless aliases are asked for."""
    if not unit.lo:
        out.files["items"] += 1
    if len(judges) == 1 and judges[0].tokens.linear and not job.full and sink is None and job.aliases is not True:
        _plain_table(unit, job, judges[0], out)
        return
    aliases = job.aliases is True
    count = 0
    for row in rows(unit):
        if row.odd is not None and _odd(row, unit, out):
            continue
        name, dirname, description = row.name, row.dirname, row.description
        seen = profile(description)
        weight = 2 if aliases and name and dirname and name != dirname else 1
        every = []
        for index, judge in enumerate(judges):
            verdict = judge.verdict(name, dirname, description, seen)
            every.append(verdict.flags)
            if job.full:
                out.censuses[index].add(*verdict, description)
            out.summaries[index].cells[row.source, seen.script, verdict.flags] += weight
            if verdict.flags & FOUND_FAULT:
                _keep(out, job, index, count, seen.script, verdict.flags)
        count += 1
        if sink is not None:
            sink.add(name, dirname, row.path, row.source, seen.script, seen.cjk, every)
    for summary in out.summaries:
        summary.definitions += count


def _plain_table(unit: TableUnit, job: Job, judge: Judge, out: Part) -> None:
    """``_table`` for one tokenizer and nothing but its decisions: made for very many rows."""
    one_source = unit.fields.column("source") is None
    source = unit.ref.source or unit.ref.name
    decide, quick, silent = judge.decide, judge.quick(), judge.silent()
    keys: list[tuple[str, str, int]] = []
    summary = out.summaries[0]
    count = fine = 0
    for block in row_blocks(unit):
        # What is decoded in one go has nothing odd about it.
        good = block if isinstance(block, list) else [r for r in block if r.odd is None or not _odd(r, unit, out)]
        for number, row in enumerate(good, count):
            description = row.description
            if description.isascii():
                if quick is not None and quick(row.name, row.dirname, description):
                    if not one_source:
                        keys.append((row.source, "Latn", 0))
                    continue
                seen = profile(description)
                flags = decide(row.name, row.dirname, description, seen)
            else:
                seen = profile(description)
                if silent is not None and silent(description):
                    flags = EMPTY if description.isspace() else BLIND | WEAK
                    flags |= CJK if seen.cjk else 0
                else:
                    flags = decide(row.name, row.dirname, description, seen)
            keys.append((row.source, seen.script, flags))
            if flags & FOUND_FAULT:
                _keep(out, job, 0, number, seen.script, flags)
        if one_source:
            fine += len(good) - len(keys)
        count += len(good)
        summary.cells.update(keys)
        keys.clear()
    if fine:
        summary.cells[source, "Latn", 0] += fine
    summary.definitions += count


def _keep(out: Part, job: Job, index: int, number: int, script: str, flags: int) -> None:
    if len(out.hits[index]) < job.limit:
        out.hits[index].append((0, number, script, flags))
    else:
        out.left_out[index] += 1


def _odd(row: Row, unit: TableUnit, out: Part) -> bool:
    """Tell an odd row; true when it is left out."""
    assert row.odd is not None
    kind, message = row.odd
    lost = _lost(row)
    out.odd[kind] += 1
    if lost:
        out.files["bad rows"] += 1
    if len(out.oddities) < ODDITIES:
        level = Level.WARNING if lost else Level.NOTE
        line = row_line(row, unit)
        out.oddities.append(Oddity(kind, message, unit.ref.path, line, 1, line, 2, level))
    return lost


def _lost(row: Row) -> bool:
    return row.odd is not None and row.odd[0] == "bad-row" and not row.name and not row.description


def row_line(row: Row, unit: TableUnit) -> int:
    """The line of a row; one of JSON Lines is numbered later: until then it is -1 minus its byte offset."""
    if unit.ref.suffix in (".jsonl", ".ndjson"):
        return -1 - row.at
    return max(1, row.at)


def row_item(row: Row, unit: TableUnit) -> Item:
    """A row as an item with places."""
    from scriptlint.corpus.rowplaces import cell_places

    line = row_line(row, unit)
    name, description, spot = cell_places(row, unit, line)
    return Item(
        name=row.name,
        dirname=row.dirname,
        description=row.description,
        path=row.path or unit.ref.path,
        kind=row.kind or "record",
        source=row.source,
        name_location=name,
        description_location=description or Location(unit.ref.path, line, 1, line, 2),
        spot=spot,
    )


def items_at(unit: Unit, numbers: Collection[int] | None = None, sizes: Sequence[int] = ()) -> dict[int, Item]:
    """The items of a unit with these numbers (all of them without), by number, with places.

    ``sizes`` saves reading files that hold none of them.
    """
    wanted = None if numbers is None else set(numbers)
    out: dict[int, Item] = {}
    if isinstance(unit, TableUnit):
        good = (row for row in rows(unit) if not _lost(row))
        for number, row in enumerate(good):
            if wanted is None or number in wanted:
                out[number] = row_item(row, unit)
            if wanted is not None and len(out) == len(wanted):
                break
        return out
    number = 0
    for at, ref in enumerate(unit):
        if wanted is not None and sizes and wanted.isdisjoint(range(number, number + sizes[at])):
            number += sizes[at]
            continue
        data = read_bytes(ref)
        placed = [] if isinstance(data, Problem) else read_file(ref, data, places=True).items
        for item in placed:
            if wanted is None or number in wanted:
                out[number] = item
            number += 1
    return out


def texts(unit: Unit) -> Iterator[tuple[str, str, str, str, str]]:
    """Name, directory name, description, kind and source of a unit's items."""
    if isinstance(unit, TableUnit):
        for row in rows(unit):
            if not _lost(row):
                yield row.name, row.dirname, row.description, row.kind, row.source
        return
    for ref in unit:
        data = read_bytes(ref)
        if not isinstance(data, Problem):
            yield from ((i.name, i.dirname, i.description, i.kind, i.source) for i in read_file(ref, data).items)


def bare(item: Item) -> Item:
    """An item without the text of its file."""
    return replace(item, spot=None)
