"""What only the whole corpus tells: which tokens are in a large share of it, and which items have the same tokens.

Every unit gives a ``Census``; they add up in unit order. A unit's tokens that few of its items have are dropped, and
how many items they might have been is remembered, so that memory stays bounded and no answer is a guess: a token
whose count stays in doubt is counted again.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from scriptlint.corpus.judge import BLIND, BOILERPLATE, EMPTY, UNDECIDED, plain, print_of
from scriptlint.corpus.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

SHARE = 0.02
"""Share of the corpus above which a token is boilerplate."""
LEAST = 20
"""Items that a token must be in, whatever the share: in a small corpus a few items are no sign."""
_KEPT = 20
"""A unit keeps tokens that are in more than ``share / _KEPT`` of its items."""
_RARE = 2
"""A token in so few items of a unit is rare enough to look no further."""
_MASK = (1 << 64) - 1
_PRINTS_KEPT = 500_000


class _Prints(dict[str, int]):
    """64-bit prints of tokens, the same in every process. Their sum is the print of a set."""

    def __missing__(self, token: str) -> int:
        found = self[token] = print_of(token)
        return found


_PRINTS = _Prints()


@dataclass(slots=True)
class Census:
    """One tokenizer's view. ``rarest`` holds for each item one of its new tokens that few items of its unit have
    (empty when nothing can make it boilerplate): unless that one is common, the item's tokens aren't all common.
    ``prints`` are two 64-bit prints an item, of its token set and of its text."""

    share: float = SHARE
    items: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    """Items that a token which is not in ``counts`` may have been in, at most."""
    rarest: list[str] = field(default_factory=list)
    prints: array[int] = field(default_factory=lambda: array("Q"))
    units: list[int] = field(default_factory=list)
    """Number of items of each unit, in unit order."""
    _pending: list[frozenset[str] | set[str]] = field(default_factory=list)
    _cuts: Counter[str] = field(default_factory=Counter)
    _begins: list[int] = field(default_factory=list)

    def add(self, flags: int, every: frozenset[str] | set[str], new: frozenset[str] | set[str], text: str) -> None:
        """Count an item. Blind, empty and already-boilerplate items can't become boilerplate."""
        self.items += 1
        self.counts.update(every)
        self._pending.append(frozenset() if flags & (BLIND | EMPTY | UNDECIDED | BOILERPLATE) else new)
        if every and not flags & BLIND:
            self.prints.append(sum(map(_PRINTS.__getitem__, every)) & _MASK)
            self.prints.append(zlib.crc32(plain(text).encode("utf-8", "surrogatepass")))
            if len(_PRINTS) > _PRINTS_KEPT:
                _PRINTS.clear()
        else:
            self.prints.extend((0, 0))

    def close(self) -> Census:
        """End a unit: find the items' rarest tokens, drop the unit's rare ones."""
        counts = self.counts
        for new in self._pending:
            best, least = "", 0
            for token in new:
                n = counts[token]
                if (not best or n < least) and token not in STOP_WORDS:
                    best, least = token, n
                    if n <= _RARE:
                        break
            self.rarest.append(best)
        self._pending.clear()
        self.units.append(self.items)
        least = int(self.share * self.items / _KEPT)
        if least:
            self.counts = Counter({t: n for t, n in self.counts.items() if n > least})
            self.dropped = least
        return self

    def merge(self, other: Census) -> None:
        """Add a later unit's census."""
        for token, n in other.counts.items():
            if token not in self.counts:
                self._cuts[token] = self.dropped
            self.counts[token] += n
        if other.dropped:
            for token in self.counts.keys() - other.counts.keys():
                self._cuts[token] += other.dropped
        self.dropped += other.dropped
        self.items += other.items
        self.rarest += other.rarest
        self.prints.extend(other.prints)
        self.units += other.units

    @property
    def threshold(self) -> float:
        """A token in more items than this is common."""
        return max(self.share * self.items, LEAST)

    def common(self) -> tuple[frozenset[str], frozenset[str]]:
        """Tokens that are common, and those of which only another count can tell."""
        sure, doubt = set(), set()
        for token, n in self.counts.items():
            if n > self.threshold:
                sure.add(token)
            elif n + self._cuts.get(token, 0) > self.threshold:
                doubt.add(token)
        return frozenset(sure), frozenset(doubt)

    def suspects(self, common: Iterable[str]) -> list[int]:
        """Numbers of the items whose rarest new token is common: all their new tokens may be."""
        known = frozenset(common)
        return [number for number, token in enumerate(self.rarest) if token and token in known]

    def collisions(self) -> list[list[int]]:
        """Groups of items (numbers, in order) with the same token set and at least two texts."""
        prints = self.prints
        order = sorted(range(0, len(prints), 2), key=prints.__getitem__)
        groups: list[list[int]] = []
        at = 0
        while at < len(order):
            end = at + 1
            while end < len(order) and prints[order[end]] == prints[order[at]]:
                end += 1
            if end - at > 1 and prints[order[at]]:
                group = sorted(i // 2 for i in order[at:end])
                if len({prints[2 * i + 1] for i in group}) > 1:
                    groups.append(group)
            at = end
        return sorted(groups)

    def _starts(self) -> list[int]:
        if len(self._begins) != len(self.units):
            self._begins = list(accumulate(self.units, initial=0))[:-1]
        return self._begins

    def locate(self, number: int) -> tuple[int, int]:
        """Unit and number in it of an item."""
        starts = self._starts()
        unit = bisect_right(starts, number) - 1
        return unit, number - starts[unit]
