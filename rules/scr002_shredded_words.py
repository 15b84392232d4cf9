"""A tokenizer that cuts words at their combining marks.

## What it does

Finds tokenizers for which a combining mark is a separator: `\\w` under `re`, `[^\\W_]`, `\\p{L}+`, `str.isalnum`. The
letters of the script survive, its words don't.

## Why it matters

Most vowels of Hindi, Bengali, Tamil, Thai and many other languages are combining marks. `re` does not count them as
word characters, so `हिन्दी` becomes `ह`, `न`, `द`: three letters that match every third word. A length filter then
deletes these fragments, and the word is gone altogether. Vocalized Arabic and Hebrew fall apart in the same way.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return re.findall(r"\\w+", text.lower())
```

## Use instead

The `regex` module counts marks as word characters; with explicit properties it is plain to the reader as well:

```python
import regex

def tokenize(text: str) -> list[str]:
    return regex.findall(r"[\\p{L}\\p{M}\\p{N}]+", text.lower())
```

## What it can't see

Whether another tokenizer of the same index keeps these words whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import (
    Example,
    Finding,
    Judged,
    Level,
    Meta,
    Verdict,
    finding,
    lost_elsewhere,
    main_site,
    prominent,
    script_list,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR002", name="shredded-words", level=Level.WARNING, reads="tokenizer", tags=("unicode", "search"))

QUIET = (
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"\\w+", text.lower())\n',
        note="`regex` keeps marks.",
    ),
    Example("def words(text):\n    return set(text.lower().split())\n", note="Blanks are the only separators."),
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[a-z]+", text.lower())\n',
        note="Excluded, not shredded.",
    ),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"\\w+", text.lower())\n',
        note="Marks are not `\\w` under `re`.",
    ),
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"\\p{L}+", text)\n',
        note="Letters without their marks.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts whose words a tokenizer cuts at marks."""
    lost = facts.with_verdict(Verdict.SHREDDED)
    if not lost:
        return
    tokenizer = facts.tokenizer
    codes = prominent(v.script for v in lost)
    codes = [*(c for c in codes if c not in ("Arab", "Hebr")), *(c for c in codes if c in ("Arab", "Hebr"))]
    first = next(v for v in lost if v.script == codes[0])
    gone = first.witness is not None and not first.witness.tokens
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` cuts words at combining marks: {_names(codes)} "
        + ("lose whole words" if gone else "fall into fragments"),
        confidence=tokenizer.confidence,
        help=r"count marks as part of a word: regex.findall(r'[\p{L}\p{M}\p{N}]+', text)",
        scripts=codes,
        related=lost_elsewhere(tokenizer, first),
        tokenizer=tokenizer,
        witness=first.witness,
    )


def _names(codes: list[str]) -> str:
    optional = [c for c in codes if c in ("Arab", "Hebr")]
    if len(optional) == len(codes):
        return "vocalized " + script_list(codes)
    return script_list(codes, ordered=True)
