r"""Regex syntax that means something else than it says.

## What it does

Finds, in the patterns of tokenizers, syntax that the engine takes without a word and reads differently: set
difference `--` and intersection `&&` outside version 1 of `regex`, POSIX classes `[[:alpha:]]` under `re`, `\p{..}`
under the ASCII flag, `[A-z]` with its six signs.

## Why it matters

`[\w--\d]` is a union, not a difference, under version 0; `[[:alpha:]]` under `re` is the characters `[:alph` before a
bracket. The pattern compiles, the tokens are wrong, and whoever reads it believes what it says.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return re.findall(r"[A-z0-9]+", text)
```

## Use instead

`[A-Za-z0-9]`, or a property such as `\p{L}` with the `regex` module; set operations with `(?V1)`.

## What it can't see

Patterns outside tokenizers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Judged, Level, Meta, finding, pattern_traps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR008", name="silent-set-syntax", level=Level.WARNING, reads="tokenizer", tags=("regex",))

QUIET = (
    Example('import re\n\ndef tokenize(text):\n    return re.findall(r"[A-Za-z0-9]+", text)\n', note="Two ranges."),
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"(?V1)[\\w--\\d]+", text)\n',
        note="Version 1 has set operations.",
    ),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[A-z0-9]+", text)\n',
        note="`[A-z]` holds `[`, `]`, `^`, `_` and two more.",
    ),
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"[\\w--\\d]+", text)\n',
        note="A union under version 0.",
    ),
)

_SAID = {
    "set-operation": "`{text}` is no set operation here: its characters are members of the class",
    "nested-set": "a `[` inside a class is a plain member here",
    "posix-class": "`{text}` is no POSIX class under `re`: it is a set of these characters",
    "property-escape": "`{text}` is no property here",
    "letter-gap": "`{text}` also holds the six signs between `Z` and `a`",
    "ascii-property": "the ASCII flag shrinks `{text}` to ASCII",
    "any-set": "`{text}` matches every character",
}


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each trap in a tokenizer's patterns."""
    tokenizer = facts.tokenizer
    for kind, text, place in pattern_traps(tokenizer):
        yield finding(
            META,
            place,
            f"in `{tokenizer.name}`, " + _SAID[kind].format(text=text),
            confidence=tokenizer.confidence,
            help="write what is meant: separate ranges, a property with regex, or (?V1) for set operations",
            tokenizer=tokenizer,
        )
