"""An empty key falls back to a constant, so that different inputs collide.

## What it does

Finds slugs and keys that lose whole scripts and then say `or "untitled"`, or return a constant when nothing is left.

## Why it matters

The constant hides the loss and makes it worse: every title in Chinese, Korean or Arabic becomes the same file, the
same anchor, the same row, and the second import overwrites the first.

## Example

```python
import re

def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled"
```

## Use instead

Keep letters of every script, and make what is left distinct: a hash of the title, a counter.

## What it can't see

A fallback that another function adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Judged, Level, Meta, Verdict, finding, main_site, prominent, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(
    code="SCR011", name="constant-fallback", level=Level.WARNING, reads="tokenizer", tags=("unicode", "identity")
)

QUIET = (
    Example(
        'import re\n\ndef slug(title):\n    return re.sub(r"[^\\w]+", "-", title.lower()).strip("-") or "untitled"\n',
        note="No script comes out empty.",
    ),
    Example(
        'import re\n\ndef slug(title):\n    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n',
        note="Empty, but it says so.",
    ),
)
LOUD = (
    Example(
        "import re\n\ndef slug(title):\n"
        '    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled"\n',
        note="Every Chinese title is `untitled`.",
    ),
    Example(
        "import re\n\ndef slug(title):\n"
        '    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n'
        '    if not key:\n        return "untitled"\n    return key\n',
        note="The same in two steps.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for a key whose empty form is a constant."""
    tokenizer = facts.tokenizer
    fallback = tokenizer.attributes.get("fallback")
    lost = facts.with_verdict(Verdict.EXCLUDED)
    if fallback is None or not lost:
        return
    codes = prominent(v.script for v in lost)
    first = next(v for v in lost if v.script == codes[0])
    if first.witness is not None and any(t != fallback for t in first.witness.tokens):
        # Something is left in every text (``_``), so that the constant never comes.
        return
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` gives {fallback!r} for every text in {script_list(codes)}: different inputs collide",
        confidence=tokenizer.confidence,
        help="keep letters of every script, and tell the rest apart by a hash or a counter",
        scripts=codes,
        tokenizer=tokenizer,
        witness=first.witness,
    )
