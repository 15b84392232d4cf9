"""Counts of a scan that add up: those of parts, in any order, give those of the whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scriptlint.corpus.judge import BLIND, BOILERPLATE, CJK, EMPTY, LOANWORD, TRUNCATED, UNDECIDED, WEAK

BITS = (
    ("blind", BLIND),
    ("weak", WEAK),
    ("loanword_only", LOANWORD),
    ("boilerplate_only", BOILERPLATE),
    ("truncated", TRUNCATED),
    ("empty", EMPTY),
    ("undecided", UNDECIDED),
)
KEYS = ("items", *(name for name, _ in BITS))


@dataclass(slots=True)
class Summary:
    """Counts of index entries under one tokenizer, by (source, script, flags).

    An entry is what an index holds: an item of a definition file counts once for each of its names, a record of a
    table once. ``definitions`` counts items whatever their names.
    """

    cells: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    definitions: int = 0

    def add(self, source: str, script: str, flags: int, weight: int = 1) -> None:
        """Count an item with ``weight`` names."""
        self.cells[source, script, flags] += weight
        self.definitions += 1

    def change(self, source: str, script: str, old: int, new: int, weight: int) -> None:
        """An item's flags turned out to be others."""
        self.cells[source, script, old] -= weight
        self.cells[source, script, new] += weight

    def merge(self, other: Summary) -> None:
        """Add the counts of another part."""
        self.cells.update(other.cells)
        self.definitions += other.definitions

    def totals(self) -> dict[str, int]:
        """All entries: KEYS -> count."""
        return _sum(self.cells.items())

    @property
    def entries(self) -> int:
        """How many index entries there are."""
        return self.cells.total()

    def count(self, flag: int) -> int:
        """Entries with a flag."""
        return sum(n for (_, _, flags), n in self.cells.items() if flags & flag)

    def by_script(self) -> dict[str, dict[str, int]]:
        """Script -> KEYS -> count, most entries first."""
        return self._by(1)

    def by_source(self) -> dict[str, dict[str, int]]:
        """Source -> KEYS -> count, in order of name."""
        found = self._by(0)
        return {source: found[source] for source in sorted(found)}

    def cjk_dominant(self) -> dict[str, int]:
        """Entries whose description holds eight or more Han or kana characters, and the blind ones among them."""
        cells = [(key, n) for key, n in self.cells.items() if key[2] & CJK]
        return {"items": sum(n for _, n in cells), "blind": sum(n for key, n in cells if key[2] & BLIND)}

    def _by(self, index: int) -> dict[str, dict[str, int]]:
        groups: dict[str, list[tuple[tuple[str, str, int], int]]] = {}
        for key, n in self.cells.items():
            groups.setdefault(str(key[index]), []).append((key, n))
        counts = {group: _sum(cells) for group, cells in groups.items()}
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1]["items"], pair[0])))

    def as_json(self) -> dict[str, Any]:
        """The counts as ``scan --format json`` writes them."""
        totals = self.totals()
        shown = {key for key in KEYS if key not in ("truncated", "undecided") or totals[key]}

        def trim(counts: dict[str, int]) -> dict[str, Any]:
            out: dict[str, Any] = {key: n for key, n in counts.items() if key in shown}
            told = counts["items"] - counts["empty"]
            out["share"] = round(counts["blind"] / told, 4) if told else 0.0
            return out

        return {
            "items": totals["items"],
            "definitions": self.definitions,
            "totals": trim(totals),
            "by_script": {script: trim(counts) for script, counts in self.by_script().items()},
            "cjk_dominant": self.cjk_dominant(),
            "by_source": {source: trim(counts) for source, counts in self.by_source().items()},
        }


def _sum(cells: Any) -> dict[str, int]:
    out = dict.fromkeys(KEYS, 0)
    for (_, _, flags), n in cells:
        out["items"] += n
        for name, bit in BITS:
            if flags & bit:
                out[name] += n
    return out
