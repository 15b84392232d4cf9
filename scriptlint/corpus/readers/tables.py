# Paths are plain strings here: pathlib costs more than reading a small file does.
# ruff: noqa: PTH123, PTH202
"""Tables: JSON Lines, CSV, TSV and Parquet, a row an item. They stream, so their size doesn't matter."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from scriptlint.corpus.readers.tooljson import DESCRIPTION_KEYS, NAME_KEYS, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scriptlint.corpus.readers.files import FileRef

MAX_LINE = 16 * 1024 * 1024
UNIT_BYTES = 8 * 1024 * 1024
COLUMNS = ("name", "dirname", "description", "path", "source", "kind")


class FieldsError(ValueError):
    """``--fields`` that don't fit: one line that says which and lists what there is."""


class Row(NamedTuple):
    """A row. ``at`` is its byte offset (JSON Lines), first line (CSV) or number (Parquet). ``raw`` is its text, when
    it has one; ``odd`` tells what was wrong with it, as ``(kind, message)``."""

    name: str
    dirname: str
    description: str
    path: str
    source: str
    kind: str
    at: int
    raw: bytes | str = b""
    odd: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Item field -> column. A field without a column is empty."""

    columns: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str) -> Fields:
        """``name=..,description=..``; raises FieldsError."""
        out: dict[str, str] = {}
        for pair in text.split(","):
            field, equals, column = (part.strip() for part in pair.partition("="))
            if not equals or not column or field not in COLUMNS:
                fields = ", ".join(COLUMNS)
                raise FieldsError(f"--fields: {pair.strip()!r} is not FIELD=COLUMN with a FIELD of {fields}")
            out[field] = column
        if "description" not in out:
            raise FieldsError("--fields: description=COLUMN is missing")
        return cls(tuple(out.items()))

    @classmethod
    def guess(cls, columns: list[str]) -> Fields | None:
        """The fields that the columns' names suggest; ``None`` without a description."""
        text = next((k for k in DESCRIPTION_KEYS if k in columns), None)
        name = next((k for k in NAME_KEYS if k in columns), None)
        if text is None or name is None:
            return None
        rest = [(k, k) for k in ("dirname", "path", "source", "kind") if k in columns]
        return cls((("name", name), ("description", text), *rest))

    def column(self, field: str) -> str | None:
        """The column of a field, if it has one."""
        return dict(self.columns).get(field)

    def check(self, columns: list[str], where: str) -> None:
        """Raise FieldsError when name or description have no such column."""
        for field, column in self.columns:
            if column not in columns and field in ("name", "description"):
                have = ", ".join(columns[:12]) or "none"
                raise FieldsError(f"{where}: no column {column!r} for {field}; its columns: {have}")


@dataclass(frozen=True, slots=True)
class TableUnit:
    """A part of a table that one worker reads itself: bytes of JSON Lines, row groups of Parquet, a whole CSV.

    A line belongs to the part in which it begins.
    """

    ref: FileRef
    fields: Fields
    lo: int = 0
    hi: int = 0


def plan(ref: FileRef, fields: Fields | None, unit_bytes: int = UNIT_BYTES) -> list[TableUnit]:
    """The parts of a table. Raises FieldsError (also when no fields can be guessed), OSError."""
    columns = _columns(ref)
    if fields is None:
        fields = Fields.guess(columns)
        if fields is None:
            have = ", ".join(columns[:12]) or "none"
            raise FieldsError(
                f"{ref.path}: can't tell which columns are name and description (it has: {have}); "
                "name them with --fields name=..,description=.."
            )
    else:
        fields.check(columns, ref.path)
    if ref.suffix in (".jsonl", ".ndjson"):
        size = os.path.getsize(ref.real)
        return [TableUnit(ref, fields, lo, min(size, lo + unit_bytes)) for lo in range(0, size, unit_bytes)]
    if ref.suffix == ".parquet":
        groups = _parquet(ref).num_row_groups
        return [TableUnit(ref, fields, n, n + 1) for n in range(groups)]
    return [TableUnit(ref, fields, 0, os.path.getsize(ref.real))]


def rows(unit: TableUnit) -> Iterator[Row]:
    """The rows of a part. A row that can't be read comes with ``odd`` and empty fields."""
    if unit.ref.suffix in (".jsonl", ".ndjson"):
        from scriptlint.corpus.readers import jsonl

        return jsonl.rows(unit)
    if unit.ref.suffix == ".parquet":
        return _parquet_rows(unit)
    return _csv_rows(unit)


def row_blocks(unit: TableUnit) -> Iterator[Iterable[Any]]:
    """The rows of a part, many at a time, by the quickest way there is: things with the attributes of ``Row``."""
    if unit.ref.suffix in (".jsonl", ".ndjson"):
        from scriptlint.corpus.readers import jsonl

        return jsonl.blocks(unit)
    return iter((rows(unit),))


def _columns(ref: FileRef) -> list[str]:
    if ref.suffix == ".parquet":
        return list(_parquet(ref).schema_arrow.names)
    if ref.suffix in (".csv", ".tsv"):
        import csv

        with open(ref.real, encoding="utf-8-sig", errors="replace", newline="") as file:
            return next(csv.reader(file, delimiter=_delimiter(ref)), [])
    found: dict[str, None] = {}
    with open(ref.real, "rb") as file:
        for number, line in enumerate(file):
            if number == 20:
                break
            try:
                value = json.loads(line.decode("utf-8-sig", "replace"))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                found.update(dict.fromkeys(value))
    return list(found)


def _delimiter(ref: FileRef) -> str:
    return "\t" if ref.suffix == ".tsv" else ","


def _csv_rows(unit: TableUnit) -> Iterator[Row]:
    import csv

    csv.field_size_limit(MAX_LINE)
    source = unit.ref.source or unit.ref.name
    with open(unit.ref.real, encoding="utf-8-sig", errors="replace", newline="") as file:
        held: list[str] = []

        def lines() -> Iterator[str]:
            for text in file:
                held.append(text)
                # csv refuses NUL; a NUL is no part of any word.
                yield text.replace("\0", "")

        reader = csv.reader(lines(), delimiter=_delimiter(unit.ref))
        header = next(reader, [])
        held.clear()
        index = {f: header.index(c) for f, c in unit.fields.columns if c in header}
        line = reader.line_num + 1
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                odd = ("bad-row", f"the row can't be read: {error}; left out")
                yield Row("", "", "", "", source, "record", line, "", odd)
                line = reader.line_num + 1
                held.clear()
                continue
            if cells is None:
                return
            raw = "".join(held)
            held.clear()
            begin, line = line, reader.line_num + 1
            if not cells:
                continue
            get = {f: cells[i] if i < len(cells) else "" for f, i in index.items()}
            odd_row = None
            if len(cells) < len(header):
                odd_row = ("bad-row", f"the row has {len(cells)} of {len(header)} columns; the others were left empty")
            yield Row(
                get.get("name", ""),
                get.get("dirname", ""),
                get.get("description", ""),
                get.get("path", ""),
                get.get("source", "") or source,
                get.get("kind", "") or "record",
                begin,
                raw,
                odd_row,
            )


def _parquet(ref: FileRef) -> Any:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise FieldsError(f"{ref.path}: reading Parquet needs pyarrow: pip install 'scriptlint[parquet]'") from None
    try:
        return parquet.ParquetFile(ref.real)
    except Exception as error:
        raise FieldsError(f"{ref.path}: is not a Parquet file that can be read: {error}") from None


def _parquet_rows(unit: TableUnit) -> Iterator[Row]:
    at = 0
    source = unit.ref.source or unit.ref.name
    for batch in parquet_batches(unit):
        got = [batch.column(f).to_pylist() if f in batch.schema.names else None for f in COLUMNS]
        for number in range(batch.num_rows):
            values = [c[number] if c is not None else "" for c in got]
            odd = None
            for field, value in zip(COLUMNS[:3], values[:3], strict=True):
                if not isinstance(value, (str, type(None))):
                    odd = (f"{field}-type", f"{field} is a {type(value).__name__}, not text; read as its text")
            name, dirname, description, path, src, kind = (text_of(v) for v in values)
            yield Row(name, dirname, description, path, src or source, kind or "record", at, b"", odd)
            at += 1


def parquet_batches(unit: TableUnit) -> Iterator[Any]:
    """Arrow record batches of a part, with the columns named as item fields are."""
    file = _parquet(unit.ref)
    columns = [(f, c) for f, c in unit.fields.columns if c in file.schema_arrow.names]
    groups = list(range(unit.lo, unit.hi))
    for batch in file.iter_batches(batch_size=8192, row_groups=groups, columns=[c for _, c in columns]):
        yield batch.select([c for _, c in columns]).rename_columns([f for f, _ in columns])
