"""A tokenizer that keeps a script but loses letters a language needs.

## What it does

Finds classes that were written from memory and miss letters: `[а-я]` without `ё`, `[А-Яа-я]` without the Ukrainian
`і ї є ґ`, `[À-ÿ]` without the Hungarian `ő`, `[ぁ-ん]` without `ー`, plain `[a-z]` without every accented
letter. Languages and letters come from the alphabets of CLDR.

## Why it matters

The missing letter does not only vanish, it cuts: `Łódź` becomes `d`, `função` becomes `fun` and `o`. Fragments match
where they should not, and the word itself can't be found.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return re.findall(r"[а-я]+", text.lower())
```

## Use instead

Take whole scripts instead of ranges: `regex.findall(r"[\\p{L}\\p{M}]+", text)`.

## What it can't see

Whether the texts are really in these languages; `languages = [...]` in the settings narrows it down.
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
    language_list,
    lost_elsewhere,
    main_site,
    prominent,
    script_list,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings, ScriptVerdict

META = Meta(code="SCR004", name="partial-alphabet", level=Level.WARNING, reads="tokenizer", tags=("unicode", "search"))

QUIET = (
    Example(
        'import regex\n\ndef tokenize(text):\n    return regex.findall(r"\\p{Cyrillic}+", text.lower())\n',
        scripts=("Cyrl",),
        note="The whole script.",
    ),
    Example('import re\n\ndef tokenize(text):\n    return re.findall(r"\\w+", text.lower())\n', note="Every letter."),
    Example(
        "import unicodedata\n\ndef fold(text):\n"
        '    text = unicodedata.normalize("NFKD", text.lower())\n'
        '    return "".join(c for c in text if not unicodedata.combining(c)).split()\n',
        scripts=("Latn",),
        note="An accent fold keeps every letter's base.",
    ),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[а-я]+", text.lower())\n',
        note="`ё` is outside the range.",
    ),
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[a-zA-ZÀ-ÿ]+", text)\n',
        note="`ő`, `ł` and `š` are outside the range.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts of which languages lose letters."""
    tokenizer = facts.tokenizer
    lost = [v for v in facts.with_verdict(Verdict.PARTIAL) if v.languages or v.cut]
    if settings.languages:
        lost = [v for v in lost if set(v.languages) & set(settings.languages)]
    if not lost:
        return
    codes = prominent(v.script for v in lost)
    by_code = {v.script: v for v in lost}
    first = by_code[codes[0]]
    parts = [_part(by_code[c], settings, 3 if len(codes) == 1 else 2) for c in codes[:3]]
    rest = f"; also {script_list(codes[3:])}" if codes[3:] else ""
    # What is said of letters holds when the bounds are exact, and when a run has shown it.
    shown = first.exact or (bool(first.languages) and not first.cut and first.witness is not None)
    verb = "cuts words at letters" if first.cut else "loses letters"
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` {verb}: " + "; ".join(parts) + rest,
        confidence=tokenizer.confidence
        if shown
        else min(tokenizer.confidence, Confidence.MEDIUM, key=lambda c: c.rank),
        help=r"take the whole script instead of a range: regex with \p{L} and \p{M}",
        scripts=codes,
        related=lost_elsewhere(tokenizer, first),
        tokenizer=tokenizer,
        witness=first.witness,
    )


def _part(v: ScriptVerdict, settings: RuleSettings, most: int) -> str:
    """Letters with the languages that need them, the best known first."""
    if not v.languages:
        return f"every word of {script_list([v.script])}"
    wanted = [c for c in v.languages if not settings.languages or c in settings.languages] or list(v.languages)
    said: list[str] = []
    known = ""
    for language in wanted[:most]:
        own = _some(v.languages[language], known, 4)
        known += v.languages[language]
        if own:
            said.append(f"{own} ({language_list([language])})")
    more = len(wanted) - most
    return ", ".join(said) + (f" and those of {more} more language{'s' if more > 1 else ''}" if more > 0 else "")


def _some(letters: str, known: str, most: int) -> str:
    """The first letters that were not told yet."""
    fresh = [c for c in dict.fromkeys(letters) if c not in known]
    return " ".join(fresh[:most]) + (" ..." if len(fresh) > most else "")
