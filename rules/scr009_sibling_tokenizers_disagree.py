r"""Two tokenizers that should agree keep different scripts.

## What it does

Compares the tokenizers of a run: the one that indexes with the one that reads queries, in one class, module or
package, and copies of one function in different files: the same name, and nearly the same names in the body. It
prints the scripts that one keeps and the other loses.

## Why it matters

Tokens meet only when both sides make the same ones. After a repair on one side, documents hold Chinese pairs that no
query ever asks for, or queries ask for what no document holds. Copies in other files keep the old fault.

## Example

```python
import re

class Index:
    def index_tokens(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    def query_tokens(self, text: str) -> list[str]:
        return re.findall(r"[a-z0-9]+", text.lower())
```

## Use instead

One function, called from both sides.

## What it can't see

Which of two tokenizers of different names belong together, and whether two functions that share nothing but a name
were meant to do the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scriptlint.rule import (
    Confidence,
    Example,
    Finding,
    Judged,
    Level,
    Meta,
    Tokenizer,
    Verdict,
    finding,
    main_site,
    place_of,
    prominent,
    script_list,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import RuleSettings

META = Meta(
    code="SCR009", name="sibling-tokenizers-disagree", level=Level.WARNING, reads="run", tags=("unicode", "search")
)

QUIET = (
    Example(
        "import re\n\nclass Index:\n"
        "    def index_tokens(self, text):\n"
        '        return re.findall(r"[a-z0-9]+", text.lower())\n\n'
        "    def query_tokens(self, text):\n"
        '        return re.findall(r"[a-z0-9]+", text.lower())\n',
        note="Both sides lose the same.",
    ),
    Example(
        "import re\n\n"
        "def tokenize(text):\n"
        '    return re.findall(r"\\w+", text.lower())\n\n'
        "def slugify(title):\n"
        '    return re.sub(r"[^a-z0-9]+", "-", title.lower())\n',
        note="A tokenizer and a slug have nothing to agree on.",
    ),
)
LOUD = (
    Example(
        "import re\n\nclass Index:\n"
        "    def index_tokens(self, text):\n"
        '        return re.findall(r"\\w+", text.lower())\n\n'
        "    def query_tokens(self, text):\n"
        '        return re.findall(r"[a-z0-9]+", text.lower())\n',
        note="Documents hold what no query asks for.",
    ),
)

_INDEX_SIDE = re.compile(r"index|build|add|ingest|document|doc\b|corpus|store|fit", re.IGNORECASE)
_QUERY_SIDE = re.compile(r"query|search|ask|lookup|match|retriev|find|recall|rank|score", re.IGNORECASE)
_KEPT = (Verdict.RETAINED, Verdict.PARTIAL, Verdict.UNSEGMENTED, Verdict.SHREDDED)


def check(facts: tuple[Judged, ...], settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each tokenizer that loses scripts which its sibling keeps."""
    firm = [j for j in facts if j.tokenizer.kind == "tokenizer" and j.tokenizer.confidence is Confidence.HIGH]
    said: set[tuple[str, str, int]] = set()
    for a, b, why in _siblings(firm):
        for poor, rich in ((a, b), (b, a)):
            codes = prominent(
                c for c, v in poor.scripts.items() if v.verdict is Verdict.EXCLUDED and rich.scripts[c].verdict in _KEPT
            )
            key = (poor.tokenizer.path, poor.tokenizer.name, poor.tokenizer.line)
            if not codes or key in said:
                continue
            said.add(key)
            first = poor.scripts[codes[0]]
            yield finding(
                META,
                main_site(poor.tokenizer, first),
                f"`{poor.tokenizer.name}` loses {script_list(codes)}, which {_told(rich, poor)} keeps: {why}",
                confidence=poor.tokenizer.confidence,
                help="tokenize both sides with one function",
                scripts=codes,
                tokenizer=poor.tokenizer,
                witness=first.witness,
                related=(place_of(main_site(rich.tokenizer), f"`{rich.tokenizer.name}` keeps them"),),
            )


def _siblings(firm: list[Judged]) -> Iterator[tuple[Judged, Judged, str]]:
    groups: dict[tuple[str, str], list[Judged]] = {}
    names: dict[str, list[Judged]] = {}
    for j in firm:
        owner, _, leaf = j.tokenizer.name.rpartition(".")
        groups.setdefault((j.tokenizer.path, owner), []).append(j)
        names.setdefault(leaf.lstrip("_"), []).append(j)
    for members in groups.values():
        for i, a in enumerate(members):
            for b in members[i + 1 :]:
                if _opposite(a.tokenizer.name, b.tokenizer.name):
                    yield a, b, "one reads documents, the other queries"
    for leaf, members in names.items():
        if leaf in ("<module>", "main", "run", "search", "check", "analyze", "process"):
            continue
        for i, a in enumerate(members):
            for b in members[i + 1 :]:
                if a.tokenizer.path == b.tokenizer.path:
                    continue
                if _copies(a.tokenizer, b.tokenizer):
                    yield a, b, "two copies of one function"
                elif _two_sides(a.tokenizer, b.tokenizer):
                    yield a, b, "one reads documents, the other queries"


def _told(rich: Judged, poor: Judged) -> str:
    """The name of the one that keeps them, with its file when that is another."""
    there = "" if rich.tokenizer.path == poor.tokenizer.path else f" of {rich.tokenizer.path}"
    return f"`{rich.tokenizer.name}`{there}"


def _copies(a: Tokenizer, b: Tokenizer) -> bool:
    """Whether two functions of one name are written with the same names: a repaired copy has more of them.

    What a framework calls by a name (a hook) stands in every plug-in, and has nothing else in common.
    """
    one, other = set(_body(a)), set(_body(b))
    return bool(one and other) and len(one & other) >= 0.75 * min(len(one), len(other))


def _body(tokenizer: Tokenizer) -> tuple[str, ...]:
    body = tokenizer.attributes.get("body")
    return body if isinstance(body, tuple) else ()


def _two_sides(a: Tokenizer, b: Tokenizer) -> bool:
    """Whether modules or classes of one package index and query with functions of one name."""
    (folder, _, file), (other, _, beside) = a.path.rpartition("/"), b.path.rpartition("/")
    sides = [f"{f.removesuffix('.py')} {t.name.rpartition('.')[0]}" for f, t in ((file, a), (beside, b))]
    return folder == other and _differ(*sides)


def _opposite(a: str, b: str) -> bool:
    return _differ(a.rpartition(".")[2], b.rpartition(".")[2])


def _differ(a: str, b: str) -> bool:
    """Whether one name is of the index side and the other of the query side."""
    return bool(
        (_INDEX_SIDE.search(a) and not _QUERY_SIDE.search(a) and _QUERY_SIDE.search(b) and not _INDEX_SIDE.search(b))
        or (_INDEX_SIDE.search(b) and not _QUERY_SIDE.search(b) and _QUERY_SIDE.search(a) and not _INDEX_SIDE.search(a))
    )
