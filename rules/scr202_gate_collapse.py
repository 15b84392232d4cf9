"""Right answers still rank well, but the score gate no longer lets them through.

## What it does

Compares the conditions of `scriptlint gate` pair by pair. It speaks when gated Recall@k falls by more than
`gated-drop` points, over all queries or those of one language or script, while Recall@k and MRR fall by no more than
`recall-drop` and `mrr-drop` points. It points at the constant or line in which the two conditions differ.

## Why it matters

Where only results at or above a threshold are used, the score is a decision, not an order. A change that rescales
scores leaves every ranking metric as it was and closes the gate: in one audited router a factor of 0.35 on Chinese
pairs of characters left Recall@5 at 100 % and took gated Recall@5 from 95 % to 19 %. No ranking test can see it.

## Example

```toml
[tool.scriptlint.gate]
router = "router.py"
queries = "queries.jsonl"
items = "skills"

[[tool.scriptlint.gate.conditions]]
name = "discounted"
set = { DISCOUNT = 0.35 }
```

## Use instead

Scale for order, decide on something that is not scaled: a threshold per script, a margin over the next result, or a
constant chosen by `scriptlint gate --sweep` with its price in wrong items let through.

## What it can't see

Queries that are not in the query files, and a gate that was closed from the start: look at the table for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Finding, Level, Meta, and_list, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import GateFacts, RuleSettings

META = Meta(
    code="SCR202",
    name="gate-collapse",
    level=Level.WARNING,
    reads="gate",
    options={"gated-drop": 10.0, "recall-drop": 5.0, "mrr-drop": 10.0, "queries": 5},
    tags=("search", "threshold"),
)

_ROUTER = (
    "GATE_MIN = 2.0\nDISCOUNT = 1.0\n\n"
    "def build_index(items):\n    return items\n\n"
    "def search(index, query, k=5):\n"
    "    scored = [(i['name'], DISCOUNT * sum(c in i['description'] for c in query)) for i in index]\n"
    "    return sorted(scored, key=lambda pair: -pair[1])[:k]\n"
)
_ITEMS = '{"name": "video", "description": "视频转录成文字"}\n{"name": "trip", "description": "规划旅行路线"}\n'
_QUERIES = "".join(
    f'{{"query": "{query}", "gold": ["{gold}"], "lang": "zh"}}\n'
    for query, gold in (
        ("转录视频", "video"), ("把视频变成文字", "video"), ("视频文字", "video"),
        ("旅行路线", "trip"), ("规划旅行", "trip"),
    )
)  # fmt: skip


def _files(value: float) -> dict[str, str]:
    settings = (
        '[tool.scriptlint.gate]\nrouter = "router.py"\nitems = "items.jsonl"\nqueries = "queries.jsonl"\n\n'
        f'[[tool.scriptlint.gate.conditions]]\nname = "discounted"\nset = {{ DISCOUNT = {value} }}\n'
    )
    return {"pyproject.toml": settings, "router.py": _ROUTER, "items.jsonl": _ITEMS, "queries.jsonl": _QUERIES}


QUIET = (Example(files=_files(0.9), note="The scores shrink, and all stay above the gate."),)
LOUD = (Example(files=_files(0.35), note="The order is the same, and nothing is let through."),)


def check(facts: GateFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each pair of conditions between which the gate closes."""
    option = settings.option
    limits = (option(META, "gated-drop"), option(META, "recall-drop"), option(META, "mrr-drop"))
    for fall in facts.collapses(*limits, option(META, "queries")):
        k = facts.k
        code, worst = fall.groups[0]
        where = "" if not code else f" for {code}"
        names = [c for c, _ in fall.groups if c and c not in fall.scripts and c not in ("Jpan", "Zyyy")]
        more = f"; worst for {and_list(names)}" if not code and names else ""
        said = (
            f"gated Recall@{k}{where} falls by {-100 * worst.gated_recall:.1f} points from {fall.first} to"
            f" {fall.second} (p {_p(worst.p_value)}) while Recall@{k} changes by {100 * worst.recall:+.1f}"
            f" and MRR by {worst.mrr:+.3f}{more}"
        )
        help = "sweep the constant to see what each value lets through (scriptlint gate --sweep NAME=from:to:step)"
        if fall.hidden is not None:
            text, before, after, gate = fall.hidden
            scores = f"{before:.3f} to {after:.3f}"
            help = f"{text!r}: the right answer's score goes from {scores}, the gate is {gate:g}; {help}"
        yield finding(
            META,
            fall.place,
            said,
            help=help,
            scripts=fall.scripts,
            item=f"{fall.first} -> {fall.second}",
            related=fall.related,
        )


def _p(value: float) -> str:
    return f"= {value:.4f}" if value >= 0.0001 else "< 0.0001"
