"""Why an item is hard to find, in full: made for the few items that a finding will be about."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scriptlint.corpus.facts import Collision, Cut, ItemFacts, Loss
from scriptlint.corpus.judge import BLIND, BOILERPLATE, LOANWORD, TRUNCATED, UNDECIDED
from scriptlint.corpus.stopwords import STOP_WORDS
from scriptlint.corpus.tokens import TooSlow
from scriptlint.finding import Location
from scriptlint.tokenizer.stages import CannotRun, Union, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.corpus.items import Item
    from scriptlint.corpus.judge import Judge
    from scriptlint.corpus.tokens import Tokens
    from scriptlint.tokenizer.stages import Stage

SHOWN = 12
"""Tokens that facts keep of each kind."""
_COUNTED = 10_000


def item_facts(item: Item, script: str, flags: int, judge: Judge, entry: str) -> ItemFacts:
    """The facts of one index entry. ``item`` comes with places when its file has any."""
    from scriptlint.unicode.scripts import count_by_script

    tokens = judge.tokens
    letters = count_by_script(item.description)
    place = item.description_location or item.name_location or Location(item.path, 1, 1, 1, 2)
    new: list[str] = []
    own: list[str] = []
    losses: tuple[Loss, ...] = ()
    cut = None
    if not flags & UNDECIDED:
        try:
            with tokens.limited():
                own = list(dict.fromkeys((*tokens.tokens(item.name), *tokens.tokens(item.dirname))))
                new = list(islice(judge.new_tokens(item.name, item.dirname, item.description), _COUNTED))
                losses = losing(tokens.stages, judge.seen(item.description), letters)
                if flags & TRUNCATED and judge.window is not None:
                    cut = _cut(item, judge)
        except TooSlow:
            flags |= UNDECIDED
    words: tuple[Location, ...] = ()
    if flags & LOANWORD:
        words = tuple(_places(item, new[:SHOWN], lowered=tokens.lowers))
    return ItemFacts(
        item=item,
        entry=entry,
        tokenizer=tokens.name,
        script=script,
        letters=letters,
        own=tuple(own[:SHOWN]),
        new=tuple(new[:SHOWN]),
        new_count=len(new),
        blind=bool(flags & BLIND),
        loanword_only=bool(flags & LOANWORD),
        boilerplate_only=bool(flags & BOILERPLATE),
        undecided=bool(flags & UNDECIDED),
        common=tuple(t for t in new[:SHOWN] if t in judge.noise and t not in STOP_WORDS),
        losses=losses,
        words=words,
        cut=cut,
        place=place,
    )


def collision(items: Sequence[Item], tokens: Tokens) -> Collision:
    """The facts of items with one token set."""
    from dataclasses import replace

    places = tuple(i.description_location or i.name_location or Location(i.path, 1, 1, 1, 2) for i in items)
    shared: list[str] = []
    losses: tuple[Loss, ...] = ()
    try:
        with tokens.limited():
            if items:
                shared = list(dict.fromkeys(tokens.tokens(items[0].description)))
                losses = losing(tokens.stages, items[0].description)
    except TooSlow:
        pass
    return Collision(tuple(replace(i, spot=None) for i in items), tuple(shared[:SHOWN]), places, losses)


def losing(stages: Sequence[Stage], text: str, letters: dict[str, int] | None = None) -> tuple[Loss, ...]:
    """The stages after which no letter of a script that the text has is left, in order."""
    from scriptlint.unicode.scripts import count_by_script

    present = set(letters if letters is not None else count_by_script(text))
    out: list[Loss] = []
    pieces = [text]
    try:
        for stage in stages:
            if not present:
                break
            before, pieces = pieces, stage.run(pieces)
            kept = set(count_by_script("".join(pieces)))
            gone = present - kept
            if gone:
                out += _losses(stage, before, gone)
            present &= kept
    except CannotRun:
        pass
    return tuple(out)


def _losses(stage: Stage, pieces: Sequence[str], gone: set[str]) -> Iterator[Loss]:
    """The stage that loses scripts; for a union, the one of each chain that does."""
    from scriptlint.unicode.scripts import count_by_script

    if isinstance(stage, Union):
        for chain in stage.chains:
            here = list(pieces)
            for inner in chain:
                here = inner.run(here)
                if not gone & set(count_by_script("".join(here))):
                    yield _loss(inner, gone)
                    break
    else:
        yield _loss(stage, gone)


def _loss(stage: Stage, gone: set[str]) -> Loss:
    pattern = pattern_of(stage)
    site = pattern.site if pattern is not None else None
    place = None
    if site is not None:
        message = f"{stage.describe()}: lets none of this text through"
        place = Location(site.path, site.line, site.column, site.end_line, site.end_column, message)
    return Loss(stage.describe(), tuple(sorted(gone)), place)


def _places(item: Item, words: Sequence[str], *, lowered: bool) -> Iterator[Location]:
    """Where the words stand in the description, as far as they can be found there."""
    if item.spot is None:
        return
    text = item.description
    folded = text.lower() if lowered else text
    if len(folded) != len(text):  # some capital's lower case is two characters: offsets would be off
        folded = text
    for word in words:
        at = folded.find(word)
        if at >= 0:
            yield item.spot.location(at, at + len(word), f"`{word}`")


def _cut(item: Item, judge: Judge) -> Cut:
    from scriptlint.corpus.judge import script_set

    window = judge.window
    assert window is not None
    tokens = judge.tokens
    own = {*tokens.tokens(item.name), *tokens.tokens(item.dirname)}
    head = set(tokens.tokens(item.description[: window.size])) - own
    lost = [t for t in dict.fromkeys(tokens.tokens(item.description)) if t not in head and t not in own]
    place = None
    if item.spot is not None:
        place = item.spot.location(window.size, len(item.description.rstrip()))
    scripts = script_set(lost) - script_set(head)
    return Cut(window.size, window.tokens, tuple(lost[:SHOWN]), tuple(sorted(scripts)), len(head), place)
