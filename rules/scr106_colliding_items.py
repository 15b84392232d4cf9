"""Items with different descriptions that have the same set of tokens: no query can tell them apart.

## What it does

Groups the items whose descriptions, tokenized, give the same set, though their texts differ. Blind items are left
out (see blind-item); equal texts are no collision but copies.

## Why it matters

Which one of the group a search returns is decided by the order of the index. It is the plainest sign that the
tokenizer drops what tells items apart: under `[a-z0-9]+` all Chinese items that mention "AI" are one item.

## Example

```yaml
description: 用 AI 生成祝福语      # skills/greetings
description: 用 AI 审核代码改动    # skills/review
```

Under `[a-z0-9]+` both are `ai`.

## Use instead

Let the tokenizer keep the scripts of the descriptions. When it does, and they still collide, the descriptions say the
same in another order: tell the items apart in words.

## What it can't see

Items that differ in how often a word occurs, and rankings that use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Location, Meta, and_list, finding, place_of, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import CorpusFacts, RuleSettings

META = Meta(code="SCR106", name="colliding-items", level=Level.WARNING, reads="corpus", tags=("corpus",))

_FILES = {
    "skills/greetings/SKILL.md": "---\nname: greetings\ndescription: 用 AI 生成祝福语\n---\n",
    "skills/review/SKILL.md": "---\nname: review\ndescription: 用 AI 审核代码改动\n---\n",
}
QUIET = (
    Example(files=_FILES, tokenizer="cjk"),
    Example(
        files={
            "skills/a/SKILL.md": "---\nname: a\ndescription: Merge PDF files\n---\n",
            "skills/b/SKILL.md": "---\nname: b\ndescription: Merge PDF files\n---\n",
        },
        tokenizer="ascii",
        note="The same text twice is a copy.",
    ),
)
LOUD = (
    Example(files=_FILES, tokenizer="ascii", note="Both descriptions are `ai`."),
    Example(
        files={
            "skills/a/SKILL.md": "---\nname: a\ndescription: merge pdf files\n---\n",
            "skills/b/SKILL.md": "---\nname: b\ndescription: 'PDF files: merge!'\n---\n",
        },
        tokenizer="ascii",
        note="The same words in another order.",
    ),
)


def check(facts: CorpusFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for a group, at its first item; the others are related places."""
    for group in facts.collisions:
        names = and_list([f"`{item.title}`" for item in group.items], 4)
        tokens = and_list([f"`{t}`" for t in group.tokens], 5)
        lost = tuple(dict.fromkeys(code for loss in group.losses for code in loss.scripts))
        because = f"; {facts.tokenizer} drops {script_list(lost)}" if lost else ""
        others = [_at(place, item.title) for place, item in zip(group.places[1:6], group.items[1:6], strict=True)]
        yield finding(
            META,
            group.places[0],
            f"{len(group.items)} items with different descriptions have the same tokens ({tokens}): {names}{because}",
            help="let the tokenizer keep what tells them apart" if lost else "tell them apart in words",
            scripts=lost,
            tokenizer=facts.tokenizer,
            item=group.items[0].title,
            related=(*others, *(place_of(loss.place) for loss in group.losses if loss.place is not None)),
        )


def _at(place: Location, title: str) -> Location:
    return place_of(place, f"`{title}` has the same tokens")
