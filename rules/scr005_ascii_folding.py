"""A step that turns text into ASCII and drops what has no ASCII form.

## What it does

Finds `encode("ascii", "ignore")`, and transliteration to ASCII, on the way to tokens, slugs or keys, and names the
scripts that such a step empties.

## Why it matters

After NFKD the step is a fine accent fold for French or Spanish. For Greek, Cyrillic, Arabic, Han or kana nothing is
left: `normalize("NFKD", s).encode("ascii", "ignore")` keeps not one letter of 27 of the 28 recommended scripts, so
that every title in them gives the same empty key.

## Example

```python
import unicodedata

def fold(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
```

## Use instead

Fold accents where they are accents, and leave other scripts alone:

```python
import unicodedata

def fold(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    bare = "".join(c for c in parts if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare)
```

## What it can't see

Whether the text can only ever be Latin.
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
    stages,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(
    code="SCR005", name="ascii-folding", level=Level.WARNING, reads="tokenizer", tags=("unicode", "normalization")
)

QUIET = (
    Example(
        'import unicodedata\n\ndef fold(text):\n    return unicodedata.normalize("NFKC", text).casefold().split()\n',
        note="Folds case and compatibility forms, drops nothing.",
    ),
    Example('def payload(text):\n    return text.encode("utf-8")\n', note="Every letter has a UTF-8 form."),
    Example(
        "import unicodedata\n\ndef fold(text):\n"
        '    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()\n',
        scripts=("Latn",),
        note="An accent fold, where Latin is all that is wanted.",
    ),
)
LOUD = (
    Example(
        "import unicodedata\n\ndef fold(text):\n"
        '    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()\n',
        note="Nothing of 27 scripts is left.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts that a step to ASCII empties."""
    tokenizer = facts.tokenizer
    flat = list(stages.flat_stages(tokenizer.stages))
    lost = [
        v
        for v in facts.with_verdict(Verdict.EXCLUDED)
        if v.lost_by is not None and v.lost_by < len(flat) and isinstance(flat[v.lost_by], stages.Encode)
    ]
    if not lost:
        return
    codes = prominent(v.script for v in lost)
    first = next(v for v in lost if v.script == codes[0])
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` turns text into ASCII and drops the rest: nothing of {script_list(codes)} is left",
        confidence=tokenizer.confidence,
        help="fold accents alone (NFD, drop U+0300 to U+036F, NFC) and leave other scripts as they are",
        scripts=codes,
        related=lost_elsewhere(tokenizer, first),
        tokenizer=tokenizer,
        witness=first.witness,
    )
