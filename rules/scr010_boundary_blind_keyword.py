r"""A keyword between word boundaries, looked for in text that has none.

## What it does

Finds patterns that put `\b` around a keyword (`r"\b" + re.escape(word) + r"\b"`) and decide with it whether a text
matches.

## Why it matters

`\b` stands between a word character and something else. Chinese, Japanese and Thai put nothing between words, so
`\brefactor\b` does not match in `请帮我refactor这个模块`: both neighbours are word characters. In Hindi or Tamil
it matches inside words instead, since `re` takes combining marks for separators.

## Example

```python
import re

def mentions(word: str, text: str) -> bool:
    return re.search(r"\b" + re.escape(word) + r"\b", text) is not None
```

## Use instead

Ask for no ASCII word character beside an ASCII keyword, which is what `\b` was meant to say:

```python
import re

def mentions(word: str, text: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text) is not None
```

For keywords of a script with marks, use the `regex` module, whose `\b` knows them.

## What it can't see

Whether the texts are ever in such a script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Confidence, Example, Finding, Level, Meta, SourceFacts, Witness, finding, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(
    code="SCR010", name="boundary-blind-keyword", level=Level.WARNING, reads="source", tags=("unicode", "regex")
)

QUIET = (
    Example(
        "import re\n\ndef mentions(word, text):\n"
        '    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text) is not None\n',
        note="Only ASCII neighbours count.",
    ),
    Example(
        'import re\n\ndef todo(line):\n    return re.search(r"\\bTODO\\b", line)\n',
        note="A fixed marker, not a keyword of a user's.",
    ),
)
LOUD = (
    Example(
        "import re\n\ndef mentions(word, text):\n"
        '    return re.search(r"\\b" + re.escape(word) + r"\\b", text) is not None\n',
        note="Blind for a keyword that touches Han or kana.",
    ),
)

_SCRIPTS = ("Hani", "Hira", "Kana", "Deva", "Beng", "Taml", "Thai")


def check(facts: SourceFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each keyword between boundaries that decides over a text."""
    wanted = tuple(s for s in _SCRIPTS if not settings.scripts or s in settings.scripts)
    if not wanted:
        return
    for boundary in facts.boundaries:
        yield finding(
            META,
            place_of(boundary.place),
            f"{_who(boundary.function)} looks for a keyword between `\\b`: it misses one that touches Han, kana or "
            "Thai, and matches inside words of mark-using scripts",
            confidence=Confidence.HIGH,
            help=r"for ASCII keywords: (?<![A-Za-z0-9_])word(?![A-Za-z0-9_]); else regex, whose \b knows marks",
            scripts=wanted,
            tokenizer=boundary.function,
            witness=Witness("请帮我refactor这个模块", ()),
            statement=(boundary.place.line, boundary.place.end_line),
        )


def _who(function: str) -> str:
    return f"`{function}`" if function and function != "<lambda>" else "this pattern"
