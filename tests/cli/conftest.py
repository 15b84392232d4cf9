"""A small stand-in for the finder and the judge, so that the engine and the commands are tested on their own.

The stand-in finds ``re.compile("...")`` on one line, and says that a pattern without a letter beyond ASCII loses Han
and Cyrillic. ``ACME1`` is a rule of the tests' own; it speaks for each tokenizer that loses a script.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint import config
from scriptlint.finding import Confidence, Problem, Witness
from scriptlint.source import SourceFacts
from scriptlint.tokenizer.model import Judged, PatternSite, ScriptVerdict, Tokenizer, Verdict
from scriptlint.tokenizer.stages import Extract, Lower, Pattern, Site

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

RULE = '''"""A tokenizer that loses a script.

## What it does
## Why it matters
## Example
## Use instead
## What it can't see
"""
from scriptlint.rule import Confidence, Example, Level, Meta, Verdict, finding, script_list
META = Meta(code="ACME1", name="lost-script", level=Level.WARNING, reads="tokenizer", options={"least": 1})
QUIET = LOUD = (Example("x"),)
def check(facts, settings):
    lost = [v.script for v in facts.with_verdict(Verdict.EXCLUDED)]
    if len(lost) >= settings.option(META, "least"):
        sure = Confidence.LOW if "maybe" in facts.tokenizer.name else Confidence.HIGH
        yield finding(META, facts.tokenizer.sites[0].place, f"`{facts.tokenizer.name}` loses {script_list(lost)}",
                      scripts=lost, tokenizer=facts.tokenizer, confidence=sure, help="say which letters are words",
                      witness=facts.scripts[lost[0]].witness)
'''


def read_source(path: str, data: bytes, *, project: object = None, whole: bool = False) -> SourceFacts:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return SourceFacts(path, problems=(Problem(path, f"not UTF-8: {error.reason}"),))
    if "CRASH" in text:
        raise RuntimeError("boom")
    if "SYNTAX" in text:
        return SourceFacts(path, problems=(Problem(path, "invalid syntax", 1),))
    found = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for hit in re.finditer(r'(\w+) = re\.compile\(("([^"]*)")\)', line):
            place = Site(path, number, hit.start(2) + 1, number, hit.end(2) + 1)
            pattern = Pattern(hit[3], site=place)
            found.append(
                Tokenizer(
                    hit[1],
                    path,
                    number,
                    "tokenizer",
                    Confidence.HIGH,
                    (Lower(), Extract(pattern)),
                    (PatternSite(place, "extract", hit[3], stage=1),),
                    ("it is compiled",),
                    (number, number),
                )
            )
    return SourceFacts(path, tuple(found))


def judge(tokenizer: Tokenizer, scripts: Sequence[str]) -> Judged:
    if "BUG" in tokenizer.name:
        raise ValueError("verdict and witness disagree")
    wide = any(c > "\x7f" for c in tokenizer.sites[0].pattern or "")
    words = {"Hani": "视频下载", "Cyrl": "привет", "Latn": "hello"}
    verdicts = {}
    for script in scripts:
        lost = script != "Latn" and not wide
        verdict = Verdict.EXCLUDED if lost else Verdict.RETAINED
        word = words.get(script, script)
        witness = Witness(word, () if lost else (word,))
        verdicts[script] = ScriptVerdict(script, verdict, True, 100, 0 if lost else 100, witness)
    return Judged(tokenizer, verdicts)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the stand-in where the engine looks for the finder and the judge."""

    def may_matter(data: bytes) -> bool:
        return b"re.compile" in data

    prefilter = ModuleType("scriptlint.source.prefilter")
    prefilter.may_matter = may_matter  # type: ignore[attr-defined]
    prefilter.is_python = lambda data: True  # type: ignore[attr-defined]
    verdict = ModuleType("scriptlint.tokenizer.verdict")
    verdict.judge = judge  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "scriptlint.source.prefilter", prefilter)
    monkeypatch.setitem(sys.modules, "scriptlint.tokenizer.verdict", verdict)
    monkeypatch.setattr("scriptlint.source.read_source", read_source, raising=False)
    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    config.project_root.cache_clear()


@pytest.fixture
def run(stand_in: None, run: Callable[..., Any]) -> Callable[..., Any]:
    """The command line in this process, with the stand-ins in their places: ``run("check", ".")``."""
    return run


@pytest.fixture
def acme(project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes a project that uses the tests' own rule: ``acme({"a.py": ...}, 'fail-on = "error"')``."""
    monkeypatch.setenv("SCRIPTLINT_PROJECT_RULES", "1")

    def make(files: dict[str, Any], settings: str = "") -> Path:
        head = (
            'extend-rules = ["acme.rule"]\nselect = ["ACME1", "SCR900", "SCR901"]\nscripts = ["Latn", "Hani", "Cyrl"]\n'
        )
        return project({"acme.rule/lost_script.py": RULE, "scriptlint.toml": head + settings, **files})

    return make
