"""Words that make an item findable stand only past a window, where a cut takes them away (or seems to).

## What it does

With `--window N` it looks at what the first N characters of a description leave. It speaks when the cut takes an item
that is reachable and leaves it blind or weak, or when every token of some script stands past the cut: triggers in a
second language at the end of a long description. It says on which side of the tokenizer the cut is: `--window-cuts
tokens` means that the tokenizer gets the cut text alone; `display` that only what is shown is cut, and then the
tokens are in the index all the same (a note).

## Why it matters

Both mistakes cost. A cut before the tokenizer makes items unreachable. A cut of the display gets the blame for what
the tokenizer does: in one audit a 300-character cut was answered by moving trigger words to the front of hundreds
of descriptions by hand, and it had never touched a token.

## Example

A description of 400 characters whose last line is `触发词：视频转录、字幕`, under a window of 300.

## Use instead

Cut after tokenizing. If the cut must come first, put the words of every language that users type before it.

## What it can't see

A window that nobody told it: name it with `--window`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Confidence, Example, Finding, Level, Meta, and_list, finding, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import ItemFacts, RuleSettings

META = Meta(
    code="SCR105",
    name="truncated-trigger",
    level=Level.WARNING,
    reads="item",
    options={"window": 0, "window-cuts": "unknown"},
    tags=("corpus",),
)

_LONG = (
    "Summarizes long recordings. " + "Works offline and keeps the speakers apart. " * 2 + "触发词：视频转录、字幕下载"
)
_FILES = {"skills/recap/SKILL.md": f"---\nname: recap\ndescription: {_LONG}\n---\n"}
QUIET = (
    Example(files=_FILES, tokenizer="cjk", options={"window": 300, "window-cuts": "tokens"}),
    Example(files=_FILES, tokenizer="ascii", options={"window": 60, "window-cuts": "tokens"}),
)
LOUD = (
    Example(
        files=_FILES,
        tokenizer="cjk",
        options={"window": 60, "window-cuts": "tokens"},
        note="All Chinese tokens stand past the cut.",
    ),
)


def check(facts: ItemFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for an entry that a window takes something essential from."""
    cut = facts.cut
    if cut is None:
        return
    words = and_list([f"`{t}`" for t in cut.lost], 5)
    what = f"every {script_list(cut.scripts)} token" if cut.scripts else "all but " + _count(cut.left)
    where = f"`{facts.entry}`: {what} of the description stands past the first {cut.size} characters ({words})"
    if cut.before is False:
        said = f"{where}; only the display is cut there, so `{facts.tokenizer}` still indexes them"
        level, confidence = Level.NOTE, Confidence.HIGH
        advice = "no need to move words to the front: the cut does not reach the index"
    elif cut.before:
        said = f"{where}; `{facts.tokenizer}` gets the cut text alone, so no query finds them"
        level, confidence = META.level, Confidence.HIGH
        advice = "tokenize first and cut for display, or put these words before the cut"
    else:
        said = f"{where}; whether `{facts.tokenizer}` sees the whole text is not known"
        level, confidence = Level.NOTE, Confidence.MEDIUM
        advice = "say where the cut is with --window-cuts tokens or --window-cuts display"
    yield finding(
        META,
        cut.place or facts.place,
        said,
        level=level,
        confidence=confidence,
        help=advice,
        scripts=cut.scripts,
        tokenizer=facts.tokenizer,
        item=facts.entry,
    )


def _count(left: int) -> str:
    return "no token" if not left else "1 new token" if left == 1 else f"{left} new tokens"
