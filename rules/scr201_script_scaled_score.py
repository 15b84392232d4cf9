"""A constant scales scores of some scripts only, where scores are held against an absolute threshold.

## What it does

Finds a factor other than 1 that is applied when a token is of certain scripts (a range of characters, a pattern, a
helper that tests for one), in a module that also compares scores with a fixed number.

## Why it matters

A threshold is calibrated on scores as they were. A factor for one script moves that script's scores and leaves the
threshold where it is: the order of the results stays, and none of them is let through any more. Ranking metrics don't
show it. A constant that was tuned on Korean is a claim about Chinese as soon as its condition covers Han.

## Example

```python
GATE_MIN = 6.0
DISCOUNT = 0.35

def score(tokens, entry):
    total = 0.0
    for token in tokens:
        weight = entry.get(token, 0.0)
        if "가" <= token[0] <= "힣":
            weight *= DISCOUNT
        total += weight
    return total

def route(tokens, entries):
    return [e for e in entries if score(tokens, e) >= GATE_MIN]
```

## Use instead

Measure it: `scriptlint gate --sweep DISCOUNT=0.35:1:0.05` shows gated recall and wrong items per script for each
value. Then keep the factor with a threshold of its own for that script, or drop it.

## What it can't see

Whether the scaled score is the one that meets the threshold, and factors that come from settings or another file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Meta, finding, place_of, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings, SourceFacts

META = Meta(
    code="SCR201",
    name="script-scaled-score",
    level=Level.WARNING,
    reads="source",
    tags=("search", "threshold"),
)

_HEAD = "import re\n\nGATE_MIN = 6.0\n"
_GATED = (
    "\n\ndef route(query, entries):\n"
    "    for entry in entries:\n"
    "        value = score(re.findall(r'\\w+', query.lower()), entry)\n"
    "        if value >= GATE_MIN:\n"
    "            yield entry\n"
)
QUIET = (
    Example(
        f"{_HEAD}\n\ndef score(tokens, entry):\n"
        "    return sum(entry.get(t, 0.0) * (0.5 if len(t) < 3 else 1.0) for t in tokens)\n" + _GATED,
        note="Short tokens weigh less, in every script.",
    ),
    Example(
        "import re\n\n\ndef score(tokens, entry):\n"
        '    return sum(entry.get(t, 0.0) * (0.35 if "가" <= t[0] <= "힣" else 1.0) for t in tokens)\n\n\n'
        "def rank(query, entries):\n"
        "    tokens = re.findall(r'\\w+', query.lower())\n"
        "    return sorted(entries, key=lambda e: -score(tokens, e))\n",
        note="No threshold: scores only order.",
    ),
)
LOUD = (
    Example(
        f"{_HEAD}DISCOUNT = 0.35\n\n\ndef is_hangul(token):\n"
        '    return "가" <= token[0] <= "힣"\n\n\n'
        "def score(tokens, entry):\n"
        "    total = 0.0\n"
        "    for token in tokens:\n"
        "        weight = entry.get(token, 0.0)\n"
        "        if is_hangul(token):\n"
        "            weight *= DISCOUNT\n"
        "        total += weight\n"
        "    return total\n" + _GATED,
        note="Korean scores shrink to a third, the gate stays.",
    ),
    Example(
        f"{_HEAD}HAN = re.compile('[一-鿿]')\n\n\ndef score(tokens, entry):\n"
        "    return sum(entry.get(t, 0.0) * (0.5 if HAN.search(t) else 1.0) for t in tokens)\n" + _GATED,
        note="Half for whatever holds a Han character.",
    ),
)


def check(facts: SourceFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each factor, with the test that chooses the scripts and the threshold beside it."""
    if facts.scores is None or not facts.scores.thresholds:
        return
    threshold = facts.scores.thresholds[0]
    for scaled in facts.scores.scaled:
        codes = [code for code in scaled.scripts if code in settings.scripts]
        if not codes:
            continue
        others = [code for code in settings.scripts if code not in codes]
        whose = f"{script_list(codes)} alone" if len(codes) <= len(others) else f"all scripts but {script_list(others)}"
        factor = f"{scaled.constant} = {scaled.factor:g}" if scaled.constant else f"{scaled.factor:g}"
        sweep = f"scriptlint gate --sweep {scaled.constant or 'NAME'}=from:to:step"
        yield finding(
            META,
            scaled.place,
            f"a factor ({factor}) scales scores of {whose}, and scores are held against {threshold.shown}",
            help=f"measure what the gate lets through per script ({sweep}), or scale the threshold, too",
            scripts=codes,
            related=(
                place_of(scaled.test, "what decides which scripts"),
                place_of(threshold.place, "the absolute threshold"),
            ),
            statement=scaled.statement,
        )
