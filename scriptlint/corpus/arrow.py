"""Verdicts on items as Arrow record batches, and as Parquet files that workers write themselves."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scriptlint.corpus.readers.tables import TableUnit
from scriptlint.corpus.scriptof import profile
from scriptlint.corpus.summary import BITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.corpus.judge import Judge
    from scriptlint.corpus.work import Unit


class NoArrowError(RuntimeError):
    """pyarrow is not installed: one line for a person."""


def judge_batch(batch: Any, judges: Sequence[Judge]) -> Any:
    """The verdicts on a record batch of items, one row each.

    ``batch`` has text columns ``name``, ``description`` and, if any, ``dirname``, ``path``, ``source``; null counts
    as empty. Gives ``name``, ``dirname``, ``path``, ``source``, ``script``, ``cjk_dominant`` and for
    every tokenizer ``<its name>.blind``, ``.weak``, ``.loanword_only``, ``.boilerplate_only``, ``.truncated``,
    ``.empty``, ``.undecided``. No state is kept: any engine may call it on any batch.
    """
    sink = Sink([j.tokens.name for j in judges])
    got = {f: batch.column(f).to_pylist() for f in batch.schema.names}
    nothing = [""] * batch.num_rows
    for name, dirname, description, path, source in zip(
        *(got.get(f, nothing) for f in ("name", "dirname", "description", "path", "source")), strict=True
    ):
        text = description or ""
        seen = profile(text)
        flags = [j.verdict(name or "", dirname or "", text, seen).flags for j in judges]
        sink.add(name or "", dirname or "", path or "", source or "", seen.script, seen.cjk, flags)
    return sink.batch()


class Sink:
    """Collects verdicts, column by column."""

    def __init__(self, tokenizers: Sequence[str]) -> None:
        try:
            import pyarrow
        except ImportError:
            raise NoArrowError("verdicts as Parquet need pyarrow: pip install 'scriptlint[parquet]'") from None
        self._arrow = pyarrow
        self._tokenizers = list(tokenizers)
        self._rows: list[tuple[str, str, str, str, str, bool]] = []
        self._flags: list[Sequence[int]] = []

    def add(
        self, name: str, dirname: str, path: str, source: str, script: str, cjk: bool, flags: Sequence[int]
    ) -> None:
        """One item; ``flags`` go with the tokenizers."""
        self._rows.append((name, dirname, path, source, script, cjk))
        self._flags.append(flags)

    def batch(self) -> Any:
        """What was collected, as one record batch."""
        arrow = self._arrow
        columns = list(zip(*self._rows, strict=True)) or [()] * 6
        text = arrow.string()
        data = {
            field: arrow.array([_storable(v) for v in column], text)
            for field, column in zip(("name", "dirname", "path", "source", "script"), columns, strict=False)
        }
        data["cjk_dominant"] = arrow.array(columns[5], arrow.bool_())
        for number, tokenizer in enumerate(self._tokenizers):
            for field, bit in BITS:
                values = [bool(flags[number] & bit) for flags in self._flags]
                data[f"{tokenizer}.{field}"] = arrow.array(values, arrow.bool_())
        return arrow.RecordBatch.from_pydict(data)

    def write(self, folder: str, unit: Unit) -> None:
        """Write the unit's file whole or not at all; a unit that runs twice writes the same file."""
        import pyarrow.parquet as parquet

        place = Path(folder) / part_name(unit)
        partial = place.with_suffix(".partial")
        parquet.write_table(self._arrow.Table.from_batches([self.batch()]), partial, compression="zstd")
        partial.replace(place)


def part_name(unit: Unit) -> str:
    """A file name for a unit's verdicts, different for different units."""
    if isinstance(unit, TableUnit):
        key, at, stem = unit.ref.real, unit.lo, unit.ref.stem
    else:
        key, at, stem = unit[0].real, 0, "definitions"
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{stem}-{digest}-{at:014d}.parquet"


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
