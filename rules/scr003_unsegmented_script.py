"""A tokenizer that leaves a run of an unspaced script as one token.

## What it does

Finds tokenizers under which a clause of Chinese, Japanese, Thai, Lao, Khmer or Burmese stays one token, with no stage
that cuts it into overlapping pieces. It also says when a Latin word that touches such text is no token of its own.

## Why it matters

These scripts put no blanks between words, so the token is a whole clause, and nobody will ever type exactly that
clause. The index holds it, no query reaches it: measured on public skill descriptions, `\\w+` finds fewer Chinese
items than an ASCII class does. `使用Redis缓存` as one token hides the Latin word too.

## Example

```python
import re

def tokenize(text: str) -> set[str]:
    return set(re.findall(r"\\w+", text.lower()))
```

## Use instead

Add overlapping pairs of every run, beside the words:

```python
import re

RUN = re.compile(r"[\\u3040-\\u30ff\\u3400-\\u9fff]+")

def tokenize(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    pairs = [run[i : i + 2] for run in RUN.findall(text) for i in range(len(run) - 1)]
    return {*words, *pairs}
```

## What it can't see

A segmenter that is called elsewhere on the same text before it comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Judged, Level, Meta, Verdict, finding, main_site, prominent, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(
    code="SCR003", name="unsegmented-script", level=Level.WARNING, reads="tokenizer", tags=("unicode", "search")
)

QUIET = (
    Example(
        "import re\n\n"
        "def tokenize(text):\n"
        '    words = re.findall(r"[a-z0-9]+", text.lower())\n'
        '    for run in re.findall(r"[\\u3040-\\u30ff\\u4e00-\\u9fff]+", text):\n'
        "        words += [run[i : i + 2] for i in range(len(run) - 1)]\n"
        "    return words\n",
        note="Runs are cut into overlapping pairs.",
    ),
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"[a-z]+|[\\u4e00-\\u9fff]", text.lower())\n',
        note="One character a token.",
    ),
    Example(
        'import re\n\ndef slugify(title):\n    return re.sub(r"\\W+", "-", title.lower())\n',
        note="A slug is meant to be one piece.",
    ),
)
LOUD = (
    Example(
        'import re\n\ndef tokenize(text):\n    return re.findall(r"\\w+", text.lower())\n', note="One token a clause."
    ),
    Example(
        "def overlap(query, document):\n    return len(set(query.lower().split()) & set(document.lower().split()))\n",
        note="White space is the only separator, and there is none.",
    ),
)


def check(facts: Judged, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for all unspaced scripts whose runs stay one token."""
    lost = facts.with_verdict(Verdict.UNSEGMENTED)
    if not lost:
        return
    tokenizer = facts.tokenizer
    codes = prominent(v.script for v in lost)
    first = next(v for v in lost if v.script == codes[0])
    glued = any(v.glued for v in lost)
    yield finding(
        META,
        main_site(tokenizer, first),
        f"`{tokenizer.name}` leaves a run of {script_list(codes, 6)} as one token"
        + ("; a Latin word inside it is lost with it" if glued else ""),
        confidence=tokenizer.confidence,
        help="add overlapping pieces of two characters for scripts that are written without blanks",
        scripts=codes,
        tokenizer=tokenizer,
        witness=first.witness,
    )
