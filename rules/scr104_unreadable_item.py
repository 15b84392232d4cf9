"""A definition that is damaged, or that loaders read in different ways: where, why, and how it was read here.

## What it does

Tells everything about a definition file that may keep an item out of an index: front matter that is not valid YAML,
JSON that doesn't parse, no front matter or no closing line, wrong types, keys that stand twice, bad bytes, NUL
characters, a byte order mark, a description below the top level. Where real loaders accept what YAML refuses (an
unquoted colon, `globs: *.ts`, `description: **bold**`) the item is read as they read it, and a note says what was
assumed. A warning means that text was lost.

## Why it matters

A parser's failure looks like a blind item, or like no item at all. One loader takes the line, the next one skips the
file, and the same registry has two sizes. Neither of them says so.

## Example

```yaml
name: video-notes
description: Notes: what was said, and by whom
```

`: ` inside an unquoted value is an error in YAML.

## Use instead

Put the value in quotes, or use a block scalar (`description: >-`, with the text indented below it). Save files as
UTF-8 without a byte order mark.

## What it can't see

Text that was damaged before it was saved (mojibake): the bytes are fine, the letters are wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Confidence, Example, Finding, Level, Location, Meta, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import CorpusFacts, RuleSettings

META = Meta(code="SCR104", name="unreadable-item", level=Level.WARNING, reads="corpus", tags=("corpus",))

QUIET = (
    Example(
        files={"skills/notes/SKILL.md": "---\nname: notes\ndescription: 'Notes: what was said'\n---\n"},
        tokenizer="ascii",
    ),
)
LOUD = (
    Example(
        files={"skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes: what was said\n---\n"},
        tokenizer="ascii",
        note="Read as its line says; strict loaders refuse the file.",
    ),
    Example(
        files={"skills/notes/SKILL.md": "# Notes\n\nKeeps what was said.\n"},
        tokenizer="ascii",
        note="Without front matter a router sees no description.",
    ),
)


def check(facts: CorpusFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each oddity; common ones (`\\r` line ends) are of medium confidence."""
    for odd in facts.oddities:
        yield finding(
            META,
            Location(odd.path, odd.line, odd.column, odd.end_line, odd.end_column),
            odd.message,
            level=odd.level,
            confidence=Confidence.MEDIUM if odd.common else Confidence.HIGH,
            item=odd.item or None,
        )
