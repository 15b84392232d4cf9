"""Every rule's examples hold: quiet ones first, then loud ones, run through the real engine.

pytest tests/cli/test_rule_examples.py -k SCR001
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scriptlint import config
from scriptlint.config import Settings
from scriptlint.registry import load_registry
from scriptlint.rule import HEADINGS, RuleSettings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from _pytest.mark import ParameterSet

    from scriptlint.finding import Finding
    from scriptlint.registry import Rule
    from scriptlint.rule import Example

REGISTRY = load_registry()


def examples(kind: str) -> list[ParameterSet]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{n}")
        for rule in REGISTRY
        for n, example in enumerate(getattr(rule, kind))
    ]


@pytest.fixture(autouse=True)
def forget() -> None:
    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()


def found(rule: Rule, example: Example, project: Callable[..., Path]) -> list[Finding]:
    top = project(dict(example.all_files))
    options = {rule.code: dict(example.options)} if example.options else {}
    settings = Settings(root=str(top), scripts=example.scripts, rules=options)
    of = {"item": _of_corpus, "corpus": _of_corpus, "gate": _of_gate}.get(rule.meta.reads)
    findings = of(rule, example, settings) if of is not None else _of_source(settings)
    return [f for f in findings if f.code == rule.code]


def _of_source(settings: Settings) -> list[Finding]:
    from scriptlint.conclude import conclude, from_results
    from scriptlint.run import Options, check_paths

    done = check_paths(["."], settings, Options(use_cache=False), settings_of=lambda _: settings)
    report = conclude(from_results(done.results, done.problems), settings, settings_of=lambda _: settings)
    assert not report.crashed, report.problems
    return list(report.findings)


def _of_corpus(rule: Rule, example: Example, settings: Settings) -> list[Finding]:
    from scriptlint.corpus.judge import Window
    from scriptlint.corpus.scan import Request, scan
    from scriptlint.corpus.tokens import Tokens
    from scriptlint.engine import wanted_scripts
    from scriptlint.tokenizer.presets import PRESETS

    spec = example.tokenizer or "ascii"
    if spec not in PRESETS:
        spec_module = pytest.importorskip("scriptlint.corpus.spec", reason="no reader of FILE.py::name yet")
        tokens = spec_module.tokens_of(spec)
    else:
        tokens = Tokens(PRESETS[spec], spec)
    cut = example.options.get("window-cuts")
    size = int(str(example.options.get("window", 0)))
    window = Window(size, None if cut is None else cut == "tokens") if size else None
    outcome = scan(Request((".",), (tokens,), window=window))
    own = RuleSettings(scripts=wanted_scripts(settings), options=settings.rules)
    facts = outcome.items[0] if rule.meta.reads == "item" else outcome.corpora
    return [f for fact in facts for f in rule.check(fact, own)]


def _of_gate(rule: Rule, example: Example, settings: Settings) -> list[Finding]:
    from scriptlint.cli.gate import gather
    from scriptlint.engine import plan_for

    loaded = config.load_settings("pyproject.toml")
    assert loaded is not None
    own = replace(loaded, rules=settings.rules, scripts=settings.scripts)
    raw = gather(own, plan_for(own), {})
    assert raw.problems == ()
    return list(raw.findings)


@pytest.mark.parametrize(("rule", "example"), examples("quiet"))
def test_quiet(rule: Rule, example: Example, project: Callable[..., Path]) -> None:
    assert found(rule, example, project) == []


@pytest.mark.parametrize(("rule", "example"), examples("loud"))
def test_loud(rule: Rule, example: Example, project: Callable[..., Path]) -> None:
    findings = found(rule, example, project)
    assert findings, "the rule says nothing"
    for one in findings:
        assert one.name == rule.name
        assert one.message and not one.message.endswith("."), "a message is a phrase without a full stop"
        assert "\n" not in one.message + one.help
        assert one.location.line >= 1 and one.location.column >= 1
        assert (one.location.end_line, one.location.end_column) >= (one.location.line, one.location.column)


@pytest.mark.parametrize("rule", list(REGISTRY), ids=lambda r: r.code)
def test_pages_are_whole(rule: Rule) -> None:
    assert rule.summary.endswith(".") and len(rule.summary) <= 110
    for heading in HEADINGS:
        assert rule.section(heading), heading
