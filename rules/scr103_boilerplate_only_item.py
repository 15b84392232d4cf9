"""A description whose only new tokens are stop words or words that a large share of the corpus has.

## What it does

Finds items that aren't blind in the strict sense, but whose every new token says nothing: a function word, a word that
every definition uses ("use this skill when"), or one that stands in more than a set share of the corpus (`--common`,
2 % unless set, and at least 20 items).

## Why it matters

Boilerplate hides blindness. A rewriter that appends "Use when this capability is needed." to each description brings
the number of blind items to nearly none, and makes none of them findable: every query that holds one of these words
matches the whole registry.

## Example

```yaml
name: video-notes
description: 把视频转录成文字稿。Use when the user asks for it.
```

## Use instead

Repair what hides behind the boilerplate: a tokenizer that drops the script of the description, or a description whose
own text was lost. Take the boilerplate out; it belongs into the loader's documentation.

## What it can't see

Stop words of other languages than English: their frequency in the corpus tells them, when all tokens are counted
(`--full`; definition files are always counted).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Meta, Witness, and_list, finding, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import ItemFacts, RuleSettings

META = Meta(code="SCR103", name="boilerplate-only-item", level=Level.WARNING, reads="item", tags=("corpus",))

_TEXT = "---\nname: video-notes\ndescription: 把视频转录成文字稿。Use when the user asks for it.\n---\n"
QUIET = (
    Example(files={"skills/video-notes/SKILL.md": _TEXT}, tokenizer="cjk"),
    Example(
        files={"skills/a/SKILL.md": "---\nname: a\ndescription: Use when a PDF has to be merged.\n---\n"},
        tokenizer="ascii",
        note="`pdf` and `merged` say something.",
    ),
)
LOUD = (
    Example(
        files={"skills/video-notes/SKILL.md": _TEXT},
        tokenizer="ascii",
        note="The description's own text is lost; what is left is the boilerplate.",
    ),
)


def check(facts: ItemFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for an entry that only words without meaning can find."""
    if not facts.boilerplate_only:
        return
    words = and_list([f"`{t}`" for t in facts.new], 6)
    often = f"; {and_list([f'`{t}`' for t in facts.common], 4)} stand in a large part of the corpus"
    if len(facts.common) == 1:
        often = f"; `{facts.common[0]}` stands in a large part of the corpus"
    yield finding(
        META,
        facts.place,
        f"`{facts.entry}`: under `{facts.tokenizer}` the description adds only words that say nothing: {words}"
        f"{often if facts.common else ''}",
        help="repair what hides behind them: the tokenizer when it drops the description's script, else the text",
        scripts=[code for code in facts.lost if code in settings.scripts or not settings.scripts],
        tokenizer=facts.tokenizer,
        item=facts.entry,
        witness=Witness(facts.sample, facts.sample_tokens) if facts.sample else None,
        related=tuple(place_of(loss.place) for loss in facts.losses if loss.place is not None),
    )
