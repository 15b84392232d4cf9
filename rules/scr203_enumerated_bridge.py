"""A hand-kept table of words bridges some scripts to the index, and the others not at all.

## What it does

Finds a literal table that maps words of one script to words of another (or lists such pairs), read by code that handles
queries, and counts its entries per pair of scripts. It speaks from `entries` entries on.

## Why it matters

Such a table grows by one entry after each miss that somebody reports. It hides that the tokenizer or the index can't
read the script, for the users who complain, and does nothing for all others: one audited router had 230 entries for
Korean, and none for Chinese or Japanese, whose queries found nothing.

## Example

```python
SYNONYMS = {"번역": "translate", "요약": "summarize", "검색": "search"}  # and 227 more

def expand(query: str) -> str:
    return " ".join([query, *(english for korean, english in SYNONYMS.items() if korean in query)])
```

## Use instead

Let the tokenizer keep the script, and index descriptions in the languages that users write. Keep a table for real
synonyms, and measure per language what it brings (`scriptlint gate`).

## What it can't see

Tables in files that are read at run time, and whether the words of a table are what users type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Confidence, Example, Finding, Level, Meta, finding, prominent, script_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings, SourceFacts

META = Meta(
    code="SCR203",
    name="enumerated-bridge",
    level=Level.WARNING,
    reads="source",
    options={"entries": 8},
    tags=("search", "maintenance"),
)

_WORDS = (
    *(("번역", "translate"), ("요약", "summarize"), ("검색", "search"), ("일정", "calendar"), ("배포", "deploy")),
    *(("그래프", "chart"), ("보고서", "report"), ("이미지", "image"), ("음성", "audio")),
)
_EXPAND = (
    "\n\ndef tokenize(query):\n"
    "    words = [english for word, english in SYNONYMS.items() if word in query]\n"
    "    return re.findall(r'[a-z0-9]+', ' '.join([query.lower(), *words]))\n"
)
_TABLE = "".join(f'    "{word}": "{english}",\n' for word, english in _WORDS)
QUIET = (
    Example(
        'import re\n\nSYNONYMS = {"colour": "color", "lorry": "truck", "flat": "apartment"}\n' + _EXPAND,
        note="Synonyms within one script.",
    ),
    Example(
        "import re\n\nLETTERS = {"
        + ", ".join(f'"{a}": "{b}"' for a, b in zip("абвгдеклмн", "abvgdeklmn", strict=True))
        + "}\n\n\ndef tokenize(text):\n"
        "    return re.findall(r'[a-z0-9]+', ''.join(LETTERS.get(c, c) for c in text.lower()))\n",
        note="A transliteration bridges an alphabet, not words.",
    ),
)
LOUD = (
    Example(
        "import re\n\nSYNONYMS = {\n" + _TABLE + "}\n" + _EXPAND,
        note="Nine Korean words; a Chinese or Japanese user gets nothing.",
    ),
)


def check(facts: SourceFacts, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each table that is long enough."""
    for bridge in facts.scores.bridges if facts.scores is not None else ():
        counts = sorted(bridge.pairs.items(), key=lambda pair: (-pair[1], pair[0]))
        total = sum(n for _, n in counts)
        bridged = [s for s in dict.fromkeys(s for pair, _ in counts for s in pair) if s != "Latn"]
        wanted = [s for s in bridged if s in settings.scripts]
        left = [s for s in settings.scripts if s not in bridged and s != "Latn"]
        if total < settings.option(META, "entries") or not wanted or not left:
            continue
        told = ", ".join(f"{n} {script_list([a])} to {script_list([b])}" for (a, b), n in counts[:4])
        yield finding(
            META,
            bridge.place,
            f"`{bridge.name}` bridges scripts by hand ({told}), and none of {script_list(left)}",
            confidence=Confidence.HIGH if bridge.used and facts.tokenizers else Confidence.MEDIUM,
            help="let the tokenizer keep these scripts; a table reaches only the words that somebody missed",
            scripts=prominent(wanted),
            statement=bridge.statement,
        )
