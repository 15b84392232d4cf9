r"""A length filter that deletes whole words.

## What it does

Finds a minimum length (`len(t) > 2`, `\w\w+`, `{3,}`) that deletes words of scripts whose words are short: a single
Han character, two Hangul syllables, every pair that the same tokenizer cut itself.

## Why it matters

Three letters are half a word in English and two words in Chinese. After a tokenizer has learned to cut runs into
pairs, `len(t) > 2` throws every one of them away again: measured, it takes the recall of Korean queries from 0.93 to
0.05 while English does not move.

## Example

```python
import re

def tokenize(text: str) -> list[str]:
    return [t for t in re.findall(r"\w+", text.lower()) if len(t) > 2]
```

## Use instead

Filter by length only what is written in an alphabet: `if len(t) > 2 or not t.isascii()`.

## What it can't see

Stop words of one character that the filter was meant for; a list of them says so better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Judged, Level, Meta, finding, main_site, prominent, script_list, stages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import Location, RuleSettings, ScriptVerdict, Tokenizer

META = Meta(
    code="SCR007", name="short-token-filter", level=Level.WARNING, reads="tokenizer", tags=("unicode", "search")
)

QUIET = (
    Example(
        "import re\n\ndef tokenize(text):\n"
        '    return [t for t in re.findall(r"\\w+", text.lower()) if len(t) > 2 or not t.isascii()]\n',
        note="The filter is on ASCII words alone.",
    ),
    Example(
        'import re\n\ndef tokenize(text):\n    return [t for t in re.findall(r"[a-z]+", text) if len(t) > 2]\n',
        note="No other script gets that far.",
    ),
    Example('import re\n\ndef tokenize(text):\n    return re.findall(r"\\w+", text.lower())\n', note="No filter."),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return [t for t in re.findall(r"\\w+", text.lower()) if len(t) > 2]\n',
        note="Deletes two-syllable Korean words.",
    ),
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"\\w\\w+", text.lower())\n',
        note="A minimum of two, inside the pattern.",
    ),
)


def _place(tokenizer: Tokenizer, flat: list[stages.Stage], lost: ScriptVerdict) -> stages.Site | Location:
    """Where what is measured is cut out: the last pattern before the length filter, else what makes the tokens."""
    at = next((j for j, s in enumerate(flat) if isinstance(s, stages.Length) and s.least), None)
    before = [s for s in tokenizer.sites if at is not None and s.stage is not None and s.stage < at]
    cuts = [s for s in before if s.role in ("extract", "separate", "call") and s.place.path == tokenizer.path]
    return max(cuts, key=lambda s: s.stage or 0).place if cuts else main_site(tokenizer, lost)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all scripts of which a length filter deletes words."""
    tokenizer = facts.tokenizer
    if tokenizer.kind != "tokenizer":
        return
    lost = [v for v in facts.scripts.values() if v.short_dropped]
    if not lost:
        return
    codes = prominent(v.script for v in lost)
    first = next(v for v in lost if v.script == codes[0])
    short = first.short_witness
    flat = list(stages.flat_stages(tokenizer.stages))
    least = max((s.least for s in flat if isinstance(s, stages.Length)), default=0)
    pairs = any(isinstance(s, stages.NGrams) and s.n < least for s in flat)
    if pairs:
        lost_all = f"{script_list(codes)} lose all"
        said = f"a minimum of {least} characters deletes every piece that `{tokenizer.name}` cuts itself: {lost_all}"
    else:
        two = any(c != "Hani" for c in codes) or (short is not None and len(short.text) > 1)
        words = "words of one or two characters" if two else "words of one character"
        said = f"a minimum length in `{tokenizer.name}` deletes {words}: {script_list(codes)}"
    yield finding(
        META,
        _place(tokenizer, flat, first),
        said,
        level=Level.WARNING if pairs or any(c != "Hani" for c in codes) else Level.NOTE,
        confidence=tokenizer.confidence,
        help=f"measure length only on words of an alphabet: if len(t) > {least - 1 if least else 2} or not t.isascii()",
        scripts=codes,
        tokenizer=tokenizer,
        witness=short,
    )
