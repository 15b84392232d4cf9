"""The corpus rules speak on their loud examples and stay quiet on the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scriptlint.corpus.judge import Window
from scriptlint.corpus.scan import scan_texts
from scriptlint.corpus.tokens import Tokens
from scriptlint.registry import Rule, load_registry
from scriptlint.rule import Example, RuleSettings
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.unicode.scripts import RECOMMENDED

if TYPE_CHECKING:
    from scriptlint.finding import Finding

RULES = [r for r in load_registry() if r.code.startswith("SCR1")]


def speak(rule: Rule, example: Example) -> list[Finding]:
    options = example.options
    window = None
    if options.get("window"):
        window = Window(
            int(str(options["window"])), {"tokens": True, "display": False}.get(str(options["window-cuts"]))
        )
    outcome = scan_texts(example.files, Tokens(PRESETS[example.tokenizer], example.tokenizer), window)
    settings = RuleSettings(scripts=RECOMMENDED, options={rule.code: options})
    facts = outcome.items[0] if rule.meta.reads == "item" else outcome.corpora
    return [f for seen in facts for f in rule.check(seen, settings)]


def cases() -> list[object]:
    return [
        pytest.param(rule, example, loud, id=f"{rule.code}-{'loud' if loud else 'quiet'}-{n}")
        for rule in RULES
        for loud, examples in ((False, rule.quiet), (True, rule.loud))
        for n, example in enumerate(examples)
    ]


@pytest.mark.parametrize(("rule", "example", "loud"), cases())
def test_examples(rule: Rule, example: Example, loud: bool) -> None:
    found = speak(rule, example)
    assert bool(found) is loud
    for finding in found:
        assert finding.location.path in example.files
        assert finding.code == rule.code
        assert "\n" not in finding.message


def test_all_six() -> None:
    assert [r.code for r in RULES] == ["SCR101", "SCR102", "SCR103", "SCR104", "SCR105", "SCR106"]


def test_the_side_of_the_window() -> None:
    rule = next(r for r in RULES if r.code == "SCR105")
    said = {}
    for cuts in ("tokens", "display", "unknown"):
        example = Example(files=rule.loud[0].files, tokenizer="cjk", options={"window": 60, "window-cuts": cuts})
        (finding,) = speak(rule, example)
        said[cuts] = (finding.level.value, finding.confidence.value, finding.message.rpartition("; ")[2])
    assert said == {
        "tokens": ("warning", "high", "`cjk` gets the cut text alone, so no query finds them"),
        "display": ("note", "high", "only the display is cut there, so `cjk` still indexes them"),
        "unknown": ("note", "medium", "whether `cjk` sees the whole text is not known"),
    }
