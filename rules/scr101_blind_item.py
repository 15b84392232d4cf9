"""An item whose description adds nothing to its name: no query can reach it by what it does.

## What it does

Runs the tokenizer over an item's description and takes away the tokens that its name and its directory name give.
When nothing is left the item is structurally blind: only somebody who knows its name can find it. An item that is
indexed under two names is two findings, one for each entry.

## Why it matters

A lexical search can only reach what its tokenizer lets through. A router with `[a-z0-9]+` indexes a Chinese skill
under the two words of its directory name, whatever its description says, and nothing warns: results simply never
hold it. On public registries 17 % of the items whose descriptions are Chinese or Japanese are blind that way.

## Example

`skills/video-notes/SKILL.md` under a tokenizer of ASCII words:

```yaml
name: video-notes
description: 把视频转录成文字稿，按章节整理要点
```

## Use instead

Repair the tokenizer, not the item: let it make overlapping two-character tokens of the scripts it drops. Where you
can't, put words that users type into the description, in a script that the tokenizer keeps.

## What it can't see

Whether the tokens that are left are the right ones (an item with one loanword is not blind: see loanword-only-item),
and what a semantic search beside the lexical one would find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Location, Meta, Witness, and_list, finding, place_of, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import ItemFacts, RuleSettings

META = Meta(code="SCR101", name="blind-item", level=Level.WARNING, reads="item", tags=("corpus",))

QUIET = (
    Example(
        files={"skills/video-notes/SKILL.md": "---\nname: video-notes\ndescription: 把视频转录成文字稿\n---\n"},
        tokenizer="cjk",
        note="Bigrams of Han give the description tokens of its own.",
    ),
    Example(
        files={"skills/notes/SKILL.md": "---\nname: notes\ndescription: Keeps what was said in a meeting\n---\n"},
        tokenizer="ascii",
    ),
)
LOUD = (
    Example(
        files={"skills/video-notes/SKILL.md": "---\nname: video-notes\ndescription: 把视频转录成文字稿\n---\n"},
        tokenizer="ascii",
        note="No ASCII word in the description: only the name is indexed.",
    ),
    Example(
        files={"skills/pdf-tools/SKILL.md": "---\nname: pdf-tools\ndescription: PDF tools\n---\n"},
        tokenizer="ascii",
        note="A description that repeats the name adds nothing.",
    ),
)


def check(facts: ItemFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for a blind index entry, on the description."""
    if not facts.blind:
        return
    name = and_list([f"`{t}`" for t in facts.own], 4) or "none"
    lost = [code for code in facts.lost if code in settings.scripts or not settings.scripts]
    if facts.script == "Zyyy":
        said = f"`{facts.entry}`: the description has no letter, so nothing of it can be searched for"
        advice = "say in words what the item is for"
    elif lost:
        said = (
            f"`{facts.entry}` can be found by its name alone: `{facts.tokenizer}` drops {script_list(lost)}, and the "
            f"{facts.writing} description adds no token to those of the name ({name})"
        )
        advice = _advice(facts)
    else:
        said = f"`{facts.entry}`: the description adds no token to those of the name ({name}) under `{facts.tokenizer}`"
        advice = "say what the item does in other words than its name"
    yield finding(
        META,
        facts.place,
        said,
        help=advice,
        scripts=lost,
        tokenizer=facts.tokenizer,
        item=facts.entry,
        witness=Witness(facts.sample, facts.sample_tokens) if facts.sample else None,
        related=tuple(_places(facts)),
    )


def _advice(facts: ItemFacts) -> str:
    stages = and_list([f"`{loss.stage}`" for loss in facts.losses], 2)
    stages += " lets" if len(facts.losses) == 1 else " let"
    if {"Hani", "Hira", "Kana", "Hang", "Thai", "Khmr", "Laoo", "Mymr"} & set(facts.lost):
        return f"{stages} none of it through; add overlapping 2-grams of these scripts to the tokenizer"
    return f"{stages} none of it through; widen the pattern to these scripts, with their marks"


def _places(facts: ItemFacts) -> Iterator[Location]:
    for loss in facts.losses:
        if loss.place is not None:
            yield place_of(loss.place)
