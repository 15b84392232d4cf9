"""A description in another script than Latin that can be reached only through its few ASCII words or digits.

## What it does

Finds items whose description is mostly in a script that the tokenizer drops, but which aren't blind, because the text
holds a product name, an acronym or a number in ASCII. The message lists every token that can find the item.

## Why it matters

Such an item looks healthy: it has tokens and it turns up now and then. But nobody who describes the task in the
language of the description can find it, and everybody who types the loanword alone gets it with all the others that
share the word. Mixed queries escape to a wrong answer, so monitoring of empty results never sees the hole.

## Example

```yaml
name: expense-notes
description: 从账单里自动分类记账，统计每月支出，生成 Excel 报表
```

Under `[a-z0-9]+` the one token is `excel`.

## Use instead

Let the tokenizer keep the script of the description: overlapping two-character tokens for Han, kana and Hangul, `\\w+`
with marks kept for Cyrillic, Greek, Arabic or Devanagari.

## What it can't see

Whether users do type the loanword. In a registry that is searched in English only, a handful of English keywords at
the end of the description may be all that is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Meta, Witness, and_list, finding, place_of, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import ItemFacts, RuleSettings

META = Meta(
    code="SCR102",
    name="loanword-only-item",
    level=Level.WARNING,
    reads="item",
    options={"most-tokens": 4},
    tags=("corpus",),
)

_TEXT = "---\nname: expense-notes\ndescription: 从账单里自动分类记账，统计每月支出，生成 Excel 报表\n---\n"
QUIET = (
    Example(files={"skills/expense-notes/SKILL.md": _TEXT}, tokenizer="cjk"),
    Example(
        files={"skills/notes/SKILL.md": "---\nname: notes\ndescription: Writes an Excel report of expenses\n---\n"},
        tokenizer="ascii",
        note="A Latin description is all ASCII words; that is no loss.",
    ),
)
LOUD = (
    Example(
        files={"skills/expense-notes/SKILL.md": _TEXT},
        tokenizer="ascii",
        note="`excel` is all that is left of a Chinese sentence.",
    ),
)


def check(facts: ItemFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for an entry that few ASCII words hold up; ``most-tokens`` is where "few" ends."""
    if not facts.loanword_only or facts.new_count > settings.option(META, "most-tokens"):
        return
    lost = [code for code in facts.lost if code in settings.scripts or not settings.scripts]
    if settings.scripts and not lost:
        return
    words = and_list([f"`{t}`" for t in facts.new], 6)
    digits = all(t.isdigit() for t in facts.new)
    what = ("the number" if facts.new_count == 1 else "numbers") if digits else "the loanword"
    what += "" if digits or facts.new_count == 1 else "s"
    because = f"`{facts.tokenizer}` drops {script_list(lost)}" if lost else f"`{facts.tokenizer}` keeps no more of it"
    yield finding(
        META,
        facts.place,
        f"`{facts.entry}`: {because}, so beyond its name the {facts.writing} description is found by "
        f"{what} {words} alone",
        help="let the tokenizer keep the script of the description",
        scripts=lost,
        tokenizer=facts.tokenizer,
        item=facts.entry,
        witness=Witness(facts.sample, facts.sample_tokens) if facts.sample else None,
        related=(*facts.words[:4], *(place_of(loss.place) for loss in facts.losses if loss.place is not None)),
    )
