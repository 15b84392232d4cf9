"""A suppression comment that hides nothing.

## What it does

Finds `# scriptlint: ignore[...]` comments (and `ignore-file`, and their Markdown and YAML forms) that name a rule
which ran and found nothing there. With `require-reason` it also finds comments that give no reason: those hide
nothing until they do.

## Why it matters

A comment that outlives its finding hides the next one. The pattern was repaired, the comment stayed, and the day
somebody writes the ASCII class back nobody is told.

## Example

```python
import re

# scriptlint: ignore[SCR001] English identifiers only
def tokens(text: str) -> list[str]:
    return [t for t in text.lower().split() if t]
```

## Use instead

Delete the comment, or the rule's code from its brackets.

## What it can't see

Whether a rule that needs the whole project (such as sibling-tokenizers-disagree) would have spoken when only a part
of it is checked; such codes are never called unused. A rule that was not selected in this run is not, either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Comment, Example, Finding, Level, Location, Meta, SuppressionFacts, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR900", name="unused-suppression", level=Level.WARNING, reads="suppressions")

QUIET = (
    Example(
        "import re\n\n"
        "def tokens(text):\n"
        '    return re.findall("[a-z]+", text.lower())  # scriptlint: ignore[SCR001] English identifiers only\n',
        note="The comment hides a finding.",
    ),
    Example("def tokens(text):\n    return text.split()  # nothing to hide\n", note="No suppression comment."),
)
LOUD = (
    Example(
        "def tokens(text):\n    return text.lower().split()  # scriptlint: ignore[SCR001] English only\n",
        note="`split` on white space loses no script, so there is nothing to hide.",
    ),
)


def check(facts: SuppressionFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each word that hides nothing, and for each comment without the reason it needs."""
    for comment, word in facts.unused:
        yield finding(
            META,
            _place(comment),
            f"this suppression of {word} hides nothing",
            help=f"delete the comment, or {word} from it",
        )
    for comment in facts.unexplained:
        yield finding(
            META,
            _place(comment),
            f"this suppression of {', '.join(comment.codes)} gives no reason, so it hides nothing",
            help="say why after the brackets: require-reason is set",
        )


def _place(comment: Comment) -> Location:
    return Location(comment.path, comment.line, comment.column, comment.line, comment.end_column)
