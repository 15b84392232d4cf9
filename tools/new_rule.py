"""Scaffold a rule: its file under rules/, with page, examples and an empty check.

    python tools/new_rule.py SCR012 mixed-script-key --reads tokenizer

The examples in the file are its tests (tests/cli/test_rule_examples.py runs them) and its documentation
(tools/gen_docs.py writes docs/rules/ from them).
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import get_args

from scriptlint.registry import load_registry
from scriptlint.rule import Reads

ROOT = Path(__file__).resolve().parent.parent
FACTS = {
    "tokenizer": "Judged",
    "run": "tuple[Judged, ...]",
    "source": "SourceFacts",
    "item": "ItemFacts",
    "corpus": "CorpusFacts",
    "gate": "GateFacts",
    "suppressions": "SuppressionFacts",
}

TEMPLATE = '''"""One sentence: what this rule finds.

## What it does

Finds ...

## Why it matters

...

## Example

```python
...
```

## Use instead

```python
...
```

## What it can't see

...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.rule import Example, Level, Meta, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.rule import Finding, {imported}, RuleSettings

META = Meta(code="{code}", name="{name}", level=Level.WARNING, reads="{reads}")

QUIET = (
    Example("def words(text):\\n    return text.split()\\n", note="Why this is fine."),
)
LOUD = (
    Example("...\\n", note="What is wrong here."),
)


def check(facts: {facts}, settings: RuleSettings) -> Iterator[Finding]:
    """One finding for each ...: pure, from facts to findings."""
    yield from ()
'''


def main(arguments: list[str]) -> int:
    """Write the file; 2 for a code or name that is taken or malformed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("code", help="SCR and three digits")
    parser.add_argument("name", help="kebab-case; names the pattern, not the remedy")
    parser.add_argument("--reads", choices=get_args(Reads), default="tokenizer")
    options = parser.parse_args(arguments)
    code, name = options.code.upper(), options.name.lower()
    if not re.fullmatch(r"SCR[0-9]{3}", code) or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        parser.error("the code is SCR and three digits, the name kebab-case")
    for rule in load_registry():
        if code == rule.code or name == rule.name:
            parser.error(f"{rule.code} {rule.name} has that code or name: {rule.path}")
    path = ROOT / "rules" / f"{code.lower()}_{name.replace('-', '_')}.py"
    facts = FACTS[options.reads]
    imported = re.sub(r"^tuple\[(\w+).*", r"\1", facts)
    path.write_text(
        TEMPLATE.format(code=code, name=name, reads=options.reads, facts=facts, imported=imported),
        encoding="utf-8",
        newline="\n",
    )
    print(f"wrote {path.relative_to(ROOT)}; fill it in, then: pytest tests/cli/test_rule_examples.py -k {code}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
