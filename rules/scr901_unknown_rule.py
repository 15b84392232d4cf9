"""A suppression comment that names no rule, or one that nobody has.

## What it does

Finds `# scriptlint: ignore[...]` comments whose brackets hold a code or name that is no rule, and comments without
brackets.

## Why it matters

A mistyped code hides nothing, and its author believes that it does. A comment without brackets would hide whatever
comes next on its line, a different fault in a year's time included; so it hides nothing.

## Example

```python
TOKEN = re.compile("[a-z0-9]+")  # scriptlint: ignore[SRC001] identifiers only
```

## Use instead

```python
TOKEN = re.compile("[a-z0-9]+")  # scriptlint: ignore[SCR001] identifiers only
```

`scriptlint explain` lists the rules.

## What it can't see

Rules of the project's own (`extend-rules`) when they are not loaded: their codes count as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Comment, Example, Finding, Level, Location, Meta, SuppressionFacts, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(code="SCR901", name="unknown-rule", level=Level.WARNING, reads="suppressions")

QUIET = (
    Example(
        'import re\n\nTOKEN = re.compile("[a-z]+")  # scriptlint: ignore[SCR001] identifiers only\n',
        note="A code that is a rule.",
    ),
    Example(
        'import re\n\nTOKEN = re.compile("[a-z]+")  # scriptlint: ignore[excluded-script] identifiers only\n',
        note="A rule's name works as well as its code.",
    ),
)
LOUD = (
    Example(
        'import re\n\nTOKEN = re.compile("[a-z]+")  # scriptlint: ignore[SRC001] identifiers only\n',
        note="A mistyped code.",
    ),
    Example(
        'import re\n\nTOKEN = re.compile("[a-z]+")  # scriptlint: ignore\n',
        note="No brackets.",
    ),
)


def check(facts: SuppressionFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each word that names no rule, and for each comment that names none at all."""
    for comment, word, near in facts.unknown:
        hint = f"; did you mean {near}?" if near else ""
        yield finding(
            META,
            _place(comment),
            f"there is no rule {word!r}{hint}",
            help="scriptlint explain lists the rules",
        )
    for comment in facts.unscoped:
        yield finding(
            META,
            _place(comment),
            "this suppression names no rule, so it hides nothing",
            help="write the rule in brackets, and the reason after them: ignore[SCR001] identifiers only",
        )


def _place(comment: Comment) -> Location:
    return Location(comment.path, comment.line, comment.column, comment.line, comment.end_column)
