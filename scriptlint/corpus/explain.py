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
SAMPLE = 18
"""Characters of a sample, at most."""
_COUNTED = 10_000
_STOPS = "、。，．；：！？（）「」【】,.;:!?()|"


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
    sample, sample_tokens = _sample(item, losses, letters, judge) if not flags & UNDECIDED else ("", ())
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
        sample=sample,
        sample_tokens=sample_tokens,
    )


def _sample(item: Item, losses: Sequence[Loss], letters: dict[str, int], judge: Judge) -> tuple[str, tuple[str, ...]]:
    """A few words of the lost scripts (of the beginning when none is lost), and the tokens made of them."""
    text = " ".join(judge.seen(item.description).split())
    gone = {code for loss in losses for code in loss.scripts}
    start = next((i for i, c in enumerate(text) if _script(c) in gone), 0) if gone else 0
    end = start
    while end < len(text) and end - start < SAMPLE and not (gone and end > start and text[end] in _STOPS):
        end += 1
    # A word that goes on is shown up to the last blank, when it has one.
    cut = text.rfind(" ", start, end) if end < len(text) and text[end] not in _STOPS + " " else -1
    sample = text[start : cut if cut > start else end].strip()
    try:
        with judge.tokens.limited():
            return sample, tuple(judge.tokens.tokens(sample)[:SHOWN])
    except TooSlow:
        return sample, ()


def _script(char: str) -> str:
    from scriptlint.unicode.scripts import script_of

    return script_of(ord(char)) if char.isalpha() else ""


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
    # A description quotes the pattern as Python does, with its backslashes doubled.
    said = stage.describe().replace("\\\\", "\\")
    if site is not None:
        message = f"{said}: lets none of this text through"
        place = Location(site.path, site.line, site.column, site.end_line, site.end_column, message)
    return Loss(said, tuple(sorted(gone)), place)


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
