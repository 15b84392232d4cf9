"""Marks are stripped after decomposition, and take letters with them.

## What it does

Finds tokenizers and keys that drop combining marks (often after NFD or NFKD) from scripts in which a mark is not an
accent: `が` becomes `か`, `й` becomes `и`, a Hindi word loses its vowels, decomposed Hangul falls out of the range of
composed syllables.

## Why it matters

Different words become equal. `फूल` (flower) and `फल` (fruit) give one key, `バス` (bus) is found as `ハス`
(lotus). The loss makes no empty result, so nothing looks wrong.

## Example

```python
import unicodedata

def fold(text: str) -> str:
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")
```

## Use instead

Strip the marks that are accents in Latin and Greek, and compose what is left:

```python
import unicodedata

def fold(text: str) -> str:
    parts = unicodedata.normalize("NFD", text.lower())
    bare = "".join(c for c in parts if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare)
```

## What it can't see

Whether stripping harakat or niqqud was meant: for vocalized Arabic and Hebrew it often is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import (
    Example,
    Finding,
    Judged,
    Level,
    Meta,
    ScriptVerdict,
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
    code="SCR006", name="lossy-decomposition", level=Level.WARNING, reads="tokenizer", tags=("unicode", "normalization")
)

QUIET = (
    Example(
        "import unicodedata\n\ndef fold(text):\n"
        '    parts = unicodedata.normalize("NFD", text.lower())\n'
        '    return "".join(c for c in parts if unicodedata.category(c) != "Mn")\n',
        scripts=("Latn",),
        note="An accent fold on Latin keeps every base letter.",
    ),
    Example(
        'import unicodedata\n\ndef key(text):\n    return unicodedata.normalize("NFC", text).casefold()\n',
        note="Composes, drops nothing.",
    ),
)
LOUD = (
    Example(
        "import unicodedata\n\ndef fold(text):\n"
        '    parts = unicodedata.normalize("NFD", text.lower())\n'
        '    return "".join(c for c in parts if unicodedata.category(c) != "Mn")\n',
        note="Kana lose their voicing, Hindi its vowels; Hangul is left in jamo.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts whose letters change when marks are stripped."""
    tokenizer = facts.tokenizer
    flat = list(stages.flat_stages(tokenizer.stages))
    decomposed = any(isinstance(s, stages.Normalize) and s.form in ("NFD", "NFKD") for s in flat)
    lost = [v for v in facts.with_verdict(Verdict.PARTIAL) if not v.languages and not v.cut]
    if decomposed:
        lost += [
            v
            for v in facts.with_verdict(Verdict.EXCLUDED)
            if v.script == "Hang" and len(facts.with_verdict(Verdict.EXCLUDED)) < 3
        ]
    if not lost:
        return
    hangul = facts.scripts.get("Hang")
    apart = hangul is not None and hangul not in lost and _falls_apart(hangul)
    codes = prominent([*(v.script for v in lost), *(["Hang"] if apart else [])])
    changed = [c for c in codes if c != "Hang" or not apart]
    first = next(v for c in codes for v in lost if v.script == c)
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` strips combining marks and changes letters of {script_list(changed)}: "
        "different words become equal" + ("; Hangul stays in jamo, unlike what people type" if apart else ""),
        confidence=tokenizer.confidence,
        help="strip U+0300 to U+036F alone after NFD, then compose again with NFC",
        scripts=codes,
        related=lost_elsewhere(tokenizer, first),
        tokenizer=tokenizer,
        witness=first.witness,
    )


def _falls_apart(verdict: ScriptVerdict) -> bool:
    """Whether syllables come out decomposed: nothing composes them again."""
    tokens = "".join(verdict.witness.tokens) if verdict.witness is not None else ""
    return any("\u1100" <= c <= "\u11ff" for c in tokens)
