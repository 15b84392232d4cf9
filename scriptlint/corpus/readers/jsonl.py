# Paths are plain strings here: pathlib costs more than reading a small file does.
# ruff: noqa: PTH123
"""JSON Lines: decoded a block at a time where nothing is unusual, line by line where something is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scriptlint.corpus.readers.tables import COLUMNS, MAX_LINE, Row
from scriptlint.corpus.readers.tooljson import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scriptlint.corpus.readers.tables import TableUnit

BLOCK = 128 * 1024
"""Small enough for what is decoded to stay in the processor's cache."""
_BLANK = b" \t\r\n\xef\xbb\xbf"


def blocks(unit: TableUnit) -> Iterator[Iterable[Any]]:
    """The rows of a part, many at a time: things with the attributes of ``Row``, but ``at`` and ``raw``.

    A list of them has nothing odd in it.
    """
    import msgspec

    struct = _struct(unit)
    decode = msgspec.json.Decoder(struct).decode_lines
    one = msgspec.json.Decoder(struct).decode
    mark = _mark(unit)
    for begin, block in _byte_blocks(unit):
        if block is not None:
            try:
                found = decode(block)
            except ValueError:
                found = []
            # A key that stands twice in a row is told, and a row that isn't one text a line is read with care.
            if found and block.count(mark) == len(found):
                yield found
                continue
        yield _careful(unit, begin, block, one, mark)


def rows(unit: TableUnit) -> Iterator[Row]:
    """The rows of a part with their offsets and texts."""
    import msgspec

    one = msgspec.json.Decoder(_struct(unit)).decode
    mark = _mark(unit)
    for begin, block in _byte_blocks(unit):
        yield from _careful(unit, begin, block, one, mark)


def _struct(unit: TableUnit) -> Any:
    import msgspec

    columns = dict(unit.fields.columns)
    default = {"source": unit.ref.source or unit.ref.name, "kind": "record"}
    fields = [(f, str, default.get(f, "")) for f in COLUMNS if f in columns]
    # A field without a column is an attribute of the class: nothing is decoded for it.
    fixed = {f: default.get(f, "") for f in COLUMNS if f not in columns}
    return msgspec.defstruct("_Row", fields, rename=columns, namespace={**fixed, "odd": None}, gc=False)


def _mark(unit: TableUnit) -> bytes:
    return json.dumps(dict(unit.fields.columns)["description"], ensure_ascii=False).encode()


def _careful(
    unit: TableUnit, begin: int, block: bytes | None, decode: Callable[[bytes], Any], mark: bytes
) -> Iterator[Row]:
    if block is None:
        odd = ("bad-row", f"the line is longer than {MAX_LINE // 2**20} MB; left out")
        yield Row("", "", "", "", unit.ref.source or unit.ref.name, "record", begin, b"", odd)
        return
    at = begin
    for line in block.split(b"\n"):
        here, at = at, at + len(line) + 1
        if line.count(mark) < 2:
            try:
                row = decode(line)
            except ValueError:
                pass
            else:
                yield Row(
                    row.name,
                    row.dirname,
                    row.description,
                    row.path,
                    row.source,
                    row.kind,
                    here,
                    line,
                )
                continue
        if line.strip(_BLANK):
            yield _odd_row(line, here, unit)


def _byte_blocks(unit: TableUnit) -> Iterator[tuple[int, bytes | None]]:
    """``(offset, whole lines)`` of the lines that begin in the part; ``None`` for a line that is too long."""
    lo, hi = unit.lo, unit.hi
    with open(unit.ref.real, "rb", buffering=0) as file:
        at, rest = lo, b""
        if lo:
            file.seek(lo - 1)
            at, rest = _next_line(file, lo - 1, b"")
        while at < hi:
            block = file.read(BLOCK)
            data = rest + block if rest else block
            # At the end of the file the last line may have no line feed.
            end = data.rfind(b"\n") + 1 if block else len(data)
            if not data:
                return
            if not end:
                rest = data
                if len(data) > MAX_LINE:
                    yield at, None
                    at, rest = _next_line(file, at, rest)
                continue
            rest = data[end:]
            if at + end > hi:
                end = (data.find(b"\n", hi - at - 1, end) + 1) or end
            yield at, data[:end]
            at += end
            if not block:
                return


def _next_line(file: Any, at: int, data: bytes) -> tuple[int, bytes]:
    """Skip to the next line: its offset, and what was read of it. ``data`` are the bytes read from ``at`` on."""
    while (end := data.find(b"\n")) < 0:
        at += len(data)
        data = file.read(BLOCK)
        if not data:
            return at, b""
    return at + end + 1, data[end + 1 :]


def _odd_row(line: bytes, at: int, unit: TableUnit) -> Row:
    """A row that the quick decoder refused: read again, with what was wrong."""
    from scriptlint.corpus.readers.jsontext import BrokenJsonError, load

    source = unit.ref.source or unit.ref.name
    text = line.decode("utf-8-sig", "replace")
    odd: tuple[str, str] | None = None
    if "\ufffd" in text and "\ufffd".encode() not in line:
        odd = ("bad-bytes", "the row is not UTF-8; bad bytes were read as U+FFFD")
    try:
        value, told = load(text)
    except BrokenJsonError as error:
        return Row("", "", "", "", source, "record", at, line, ("bad-row", f"the row {error}; left out"))
    if not isinstance(value, dict):
        return Row("", "", "", "", source, "record", at, line, ("bad-row", "the row is not an object; left out"))
    if told and odd is None:
        kind, why = told[0]
        columns = {f"`{column}`" for _, column in unit.fields.columns}
        # The same key in objects below the row is no matter of ours.
        if kind != "duplicate-key" or any(column in why for column in columns):
            odd = (kind, f"the row {why.replace('an object holds', 'holds')}")
    values = {}
    for field, column in unit.fields.columns:
        found = value.get(column)
        values[field] = text_of(found)
        if field in ("name", "description") and not isinstance(found, (str, type(None))) and odd is None:
            odd = (f"{field}-type", f"{field} is a {type(found).__name__}, not text; read as {values[field]!r}")
    return Row(
        values.get("name", ""),
        values.get("dirname", ""),
        values.get("description", ""),
        values.get("path", ""),
        values.get("source", "") or source,
        values.get("kind", "") or "record",
        at,
        line,
        odd,
    )
