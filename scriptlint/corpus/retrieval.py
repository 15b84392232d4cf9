"""Self-retrieval: can an item be found by a fragment of its own description?

Fragments are drawn as a user would type them, tokenized by the tokenizer in force and looked up in a BM25 index over
name, directory name and description of the whole corpus. No judgements are needed. An item with a copy (the same
description elsewhere) counts as found when any copy ranks.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scriptlint.corpus.judge import plain
from scriptlint.corpus.scriptof import profile
from scriptlint.corpus.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scriptlint.corpus.tokens import Tokens

SEED = 20_240_229
BATCH = 256


class NoIndexError(RuntimeError):
    """bm25s is not installed: one line for a person."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as the index reads it."""

    name: str
    dirname: str
    description: str

    @property
    def text(self) -> str:
        """What is indexed."""
        return f"{self.name} {self.dirname} {self.description}"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A query and the number of the item it was drawn from. ``script`` is the item's."""

    text: str
    item: int
    script: str


@dataclass(slots=True)
class Recall:
    """Counts for one script. A fragment has ``no_token`` in common when no token of it is one of its item's."""

    fragments: int = 0
    no_token: int = 0
    first: int = 0
    first_ten: int = 0

    def as_json(self) -> dict[str, float | int]:
        """Counts and shares, as ``scan --format json`` writes them."""
        n = max(1, self.fragments)
        return {
            "fragments": self.fragments,
            "no_token": round(self.no_token / n, 4),
            "recall_1": round(self.first / n, 4),
            "recall_10": round(self.first_ten / n, 4),
        }


@dataclass(slots=True)
class SelfRetrieval:
    """Recall by script, and over all."""

    by_script: dict[str, Recall] = field(default_factory=lambda: defaultdict(Recall))

    def as_json(self) -> dict[str, dict[str, float | int]]:
        """Script -> counts, most fragments first; ``all`` last."""
        order = sorted(self.by_script, key=lambda s: (-self.by_script[s].fragments, s))
        out = {script: self.by_script[script].as_json() for script in order}
        whole = Recall()
        for recall in self.by_script.values():
            whole.fragments += recall.fragments
            whole.no_token += recall.no_token
            whole.first += recall.first
            whole.first_ten += recall.first_ten
        out["all"] = whole.as_json()
        return out


def draw(entries: Sequence[Entry], each: int = 3, seed: int = SEED) -> list[Fragment]:
    """``each`` fragments of every description: a word or two of a spaced script, 2 to 6 characters of an unspaced one.

    The item's own names and stop words are left out. The fragments of an item depend on the seed and its texts
    alone, so adding an item changes no other's.
    """
    out: list[Fragment] = []
    for number, entry in enumerate(entries):
        if not entry.description.strip():
            continue
        script = profile(entry.description).script
        random_of = random.Random(f"{seed}\0{entry.name}\0{entry.dirname}\0{entry.description}")
        texts = _fragments(entry, random_of, each)
        out += [Fragment(text, number, script) for text in texts]
    return out


def _fragments(entry: Entry, rng: random.Random, each: int) -> list[str]:
    names = f"{entry.name} {entry.dirname}".lower()
    own = {w for w in re.split(r"[\W_]+", names) if w} | {names.strip()}
    words = _words(entry.description)
    starts: list[int] = []
    for n, (word, unspaced) in enumerate(words):
        if word.lower() not in own and word.lower() not in STOP_WORDS:
            # A long run of an unspaced script holds many words.
            starts += [n] * (1 + len(word) // 4 if unspaced else 1)
    rng.shuffle(starts)
    out: dict[str, None] = {}
    for n in starts:
        if len(out) == each:
            break
        word, unspaced = words[n]
        if unspaced:
            # Users don't type a clause as it stands there: of a longer run never all.
            size = min(max(2, len(word) - 1), rng.randint(2, 6))
            at = rng.randint(0, len(word) - size)
            out[word[at : at + size]] = None
            continue
        following = words[n + 1] if n + 1 < len(words) else ("", True)
        two = rng.random() < 0.5 and not following[1] and following[0].lower() not in own | STOP_WORDS
        out[f"{word} {following[0]}" if two else word] = None
    return list(out)


def _words(text: str) -> list[tuple[str, bool]]:
    """Words, and runs of unspaced scripts (true), with their marks."""
    from scriptlint.unicode.properties import category
    from scriptlint.unicode.scripts import UNSPACED, script_of

    out: list[tuple[str, bool]] = []
    run = ""
    kind: bool | None = None
    for char in text:
        point = ord(char)
        if char.isascii():
            here: bool | None = False if char.isalnum() else None
        else:
            group = category(point)[0]
            if group == "M" or char in "\u30fc\u3005\u200c\u200d":
                here = kind
            elif group in "LN":
                here = script_of(point) in UNSPACED
            else:
                here = None
        if here != kind:
            if run and kind is not None and len(run) > 1:
                out.append((run, kind))
            run = ""
        if here is not None:
            run += char
        kind = here
    if run and kind is not None and len(run) > 1:
        out.append((run, kind))
    return out


def self_retrieval(
    entries: Sequence[Entry],
    tokens: Tokens,
    fragments: Sequence[Fragment],
    tick: Callable[[int, float], None] | None = None,
) -> SelfRetrieval:
    """Rank every fragment's item under one tokenizer. Raises NoIndexError without bm25s."""
    index = Index(entries, tokens)
    copies: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        copies[plain(entry.description)].append(number)
    out = SelfRetrieval()
    for start in range(0, len(fragments), BATCH):
        batch = fragments[start : start + BATCH]
        ranks = index.ranks([f.text for f in batch], [copies[plain(entries[f.item].description)] for f in batch])
        for fragment, rank in zip(batch, ranks, strict=True):
            recall = out.by_script[fragment.script]
            recall.fragments += 1
            recall.no_token += rank == 0
            recall.first += rank == 1
            recall.first_ten += 1 <= rank <= 10
        if tick is not None:
            tick(start + len(batch), (start + len(batch)) / len(fragments))
    return out


class Index:
    """A BM25 index (k1 1.5, b 0.75) over the entries' texts, tokenized by ``tokens``."""

    def __init__(self, entries: Sequence[Entry], tokens: Tokens) -> None:
        try:
            import bm25s
            import numpy
        except ImportError:
            raise NoIndexError("--self-retrieval needs bm25s: pip install 'scriptlint[retrieval]'") from None
        self.numpy = numpy
        self.tokens = tokens
        self.ids: dict[str, int] = {}
        rows = [[self.ids.setdefault(t, len(self.ids)) for t in _tokens(tokens, e.text)] for e in entries]
        self.sets = [frozenset(row) for row in rows]
        self.engine: Any = None
        if self.ids:
            self.engine = bm25s.BM25(k1=1.5, b=0.75)
            self.engine.index((rows, self.ids), create_empty_token=False, show_progress=False)

    def ranks(self, queries: Sequence[str], wanted: Sequence[Iterable[int]]) -> list[int]:
        """The best rank (from 1) of any wanted entry for each query; 0 when no token is shared with any of them.

        Entries with the same score share the middle of their ranks' range: an order among equals says nothing.
        """
        return [self._rank(query, list(items)) for query, items in zip(queries, wanted, strict=True)]

    def _rank(self, query: str, wanted: list[int]) -> int:
        ids = list(dict.fromkeys(i for t in _tokens(self.tokens, query) if (i := self.ids.get(t)) is not None))
        shared = [n for n in wanted if not self.sets[n].isdisjoint(ids)]
        if not ids or not shared:
            return 0
        scores = self.engine.get_scores_from_ids(ids)
        best = max(scores[n] for n in shared)
        above = int(self.numpy.count_nonzero(scores > best + 1e-9))
        equal = int(self.numpy.count_nonzero(self.numpy.abs(scores - best) <= 1e-9))
        return above + 1 + max(0, equal - len(shared)) // 2


def _tokens(tokens: Tokens, text: str) -> list[str]:
    from scriptlint.corpus.tokens import TooSlow

    try:
        with tokens.limited():
            return tokens.tokens(text)
    except TooSlow:
        return []
