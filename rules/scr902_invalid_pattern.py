"""A pattern that the regex engine rejects.

## What it does

Finds patterns that do not compile, with the engine's own message and the position inside the literal.

## Why it matters

The call raises when it is first reached, which for a fallback tokenizer may be in production; and scriptlint can't
judge a tokenizer whose pattern means nothing.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return re.findall(r"[a-z", text)
```

## Use instead

A pattern that compiles: the message says what is missing.

## What it can't see

Patterns that are put together from values that are not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Meta, SourceFacts, finding, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR902", name="invalid-pattern", level=Level.ERROR, reads="source", tags=("regex",))

QUIET = (
    Example('import re\n\ndef tokenize(text):\n    return re.findall(r"[a-z]+", text)\n', note="It compiles."),
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"\\p{L}+", text)\n',
        note="`regex` knows properties.",
    ),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[a-z", text)\n', note="The class is never closed."
    ),
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"\\p{L}+", text)\n', note="`re` has no properties."
    ),
)


def check(facts: SourceFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each pattern that does not compile."""
    for bad in facts.bad_patterns:
        where = f" at position {bad.position}" if bad.position is not None else ""
        yield finding(
            META,
            place_of(bad.place),
            f"the pattern does not compile: {bad.message.removesuffix(where)}{where}",
            help="`re` has no \\p{..}; use the regex module for properties"
            if "\\p" in bad.text
            else "mend the pattern",
            statement=(bad.place.line, bad.place.end_line),
        )
