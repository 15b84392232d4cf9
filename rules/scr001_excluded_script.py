"""A tokenizer through which no letter of a wanted script can come.

## What it does

Finds tokenizers, slugs and comparison keys that let no letter of a script through: the character class leaves it
out, the separator takes it for noise, a filter deletes it. The message names the scripts, the witness shows a real
word and what is left of it.

## Why it matters

A search over such tokens does not rank these scripts badly: it does not see them. A query in Chinese or Russian has
no token, scores nothing against every document, and nothing warns. Slugs and keys of different titles become the
same empty text.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
```

## Use instead

Say which characters are separators rather than which letters you know, and keep combining marks:

```python
import regex

def tokenize(text: str) -> list[str]:
    return regex.findall(r"[\\p{L}\\p{M}\\p{N}]+", text.casefold())
```

Scripts that are written without blanks (Han, kana, Thai and others) also need overlapping pieces of two characters.

## What it can't see

Text that another route handles before it reaches this tokenizer, unless that route is in the same function. A
tokenizer whose pattern comes from outside the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import (
    Confidence,
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
    stages,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR001", name="excluded-script", level=Level.WARNING, reads="tokenizer", tags=("unicode", "search"))

QUIET = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"\\w+", text.lower())\n',
        note="Every letter is `\\w`.",
    ),
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"[\\p{L}\\p{M}\\p{N}]+", text.casefold())\n',
        note="Letters, marks and digits of every script.",
    ),
    Example(
        'import re\n\ndef count_words(text):\n    return len(re.findall(r"[a-z]+", text.lower()))\n',
        note="The pieces are only counted.",
    ),
    Example('import re\n\ndef version(text):\n    return re.findall(r"\\d+\\.\\d+", text)\n', note="Not words."),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[a-z0-9]+", text.lower())\n', note="ASCII alone."
    ),
    Example(
        'import re\n\ndef slugify(title):\n    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n',
        note="Every title in another script gives the same empty slug.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts that a tokenizer excludes."""
    tokenizer = facts.tokenizer
    flat = list(stages.flat_stages(tokenizer.stages))
    lost = [
        v
        for v in facts.with_verdict(Verdict.EXCLUDED)
        if not (v.lost_by is not None and v.lost_by < len(flat) and isinstance(flat[v.lost_by], stages.Encode))
    ]
    if not lost:
        return
    codes = prominent(v.script for v in lost)
    first = next(v for v in lost if v.script == codes[0])
    what = {"tokenizer": "the tokenizer", "normalizer": "the key", "match": "the match"}[tokenizer.kind]
    yield finding(
        META,
        main_site(tokenizer, first),
        f"{what} `{tokenizer.name}` excludes {script_list(codes)} of {len(facts.scripts)} {_kind(settings)} scripts: "
        "no letter comes out",
        confidence=_confidence(facts),
        help=_help(tokenizer.kind, codes),
        scripts=codes,
        related=lost_elsewhere(tokenizer, first),
        tokenizer=tokenizer,
        witness=first.witness,
    )


_RUNS = frozenset({"Hani", "Hira", "Kana", "Hang", "Thai", "Laoo", "Khmr", "Mymr"})
"""Scripts that a pattern of their own is often written for, beside the one for words between blanks."""


def _confidence(facts: Judged) -> Confidence:
    """What takes such a script alone leaves out all others on purpose: something else takes them, more often than
    not."""
    sure = facts.tokenizer.confidence
    kept = {code for code, v in facts.scripts.items() if v.verdict is not Verdict.EXCLUDED}
    alone = facts.tokenizer.attributes.get("one_script")
    beside_others = bool(alone) and bool(kept) and kept <= _RUNS
    # Plain words come out of a text, and none by itself: what takes it away has nothing to do with a script.
    unproven = alone is False and facts.tokenizer.kind == "tokenizer" and "Latn" in set(facts.scripts) - kept
    return min(sure, Confidence.MEDIUM, key=lambda c: c.rank) if beside_others or unproven else sure


def _kind(settings: RuleSettings) -> str:
    return "wanted" if settings.languages else "recommended"


def _help(kind: str, codes: list[str]) -> str:
    if kind != "tokenizer":
        return r"keep letters, marks and digits of every script: regex.sub(r'[^\p{L}\p{M}\p{N}]+', '-', text)"
    if {"Hani", "Hira", "Kana", "Thai", "Khmr", "Laoo", "Mymr"} & set(codes):
        return r"use regex with [\p{L}\p{M}\p{N}]+ and cut runs of unspaced scripts into overlapping pairs"
    return r"use regex with [\p{L}\p{M}\p{N}]+, or name the missing scripts in the class"
