"""A report made by hand, on lines that break naive columns."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from scriptlint.finding import Confidence, Finding, Level, Location, Problem, Witness
from scriptlint.lines import Lines
from scriptlint.registry import load_registry
from scriptlint.report.context import Context
from scriptlint.results import Report

sys.path.insert(0, str(Path(__file__).parent))

LITERAL = '"[a-z0-9]+"'

NASTY = (
    f"TOKEN = re.compile({LITERAL})\n"
    f'x = ("\U0001f600漢", re.compile({LITERAL}))\r\n'
    f'y = ("\U00020000\U00020000", {LITERAL})\n'
    f"\t\tz = f({LITERAL})  # tabs\n"
    f'"\U0001f468\u200d\U0001f469\u200d\U0001f467", {LITERAL}\r'
    f'"e\u0301\u0301 हिन्दी", {LITERAL}\n'
    f'"\x1b[31m\x07\u202e\u2028", {LITERAL}\n'
    'many = re.compile(\n    r"""\n    [a-z]\n    | [0-9]\n    | x\n    | y\n    """,\n    re.VERBOSE,\n)\n'
)
PATH = "src/näh 漢%.py"


@dataclass
class Case:
    """A report, the context to render it in, and the lines it is about."""

    report: Report
    context: Context
    lines: Lines


def place_of(text: str, wanted: str, nth: int, lines: tuple[str, ...]) -> Location:
    """The nth line that holds ``wanted``, and its range there."""
    hits = [(n, line.index(wanted)) for n, line in enumerate(lines, 1) if wanted in line]
    line, start = hits[nth]
    return Location(PATH, line, start + 1, line, start + 1 + len(wanted))


@pytest.fixture
def case() -> Case:
    lines = Lines({PATH: NASTY.encode()})
    split = lines.of(PATH)
    witness = Witness("视频下载", ())
    common = {"code": "SCR900", "name": "unused-suppression", "confidence": Confidence.HIGH}
    findings = []
    for n in range(7):
        level = (Level.WARNING, Level.ERROR, Level.NOTE)[n % 3]
        findings.append(
            Finding(
                **common,
                level=level,
                message=f"`tokens_{n}` loses Han and Hiragana",
                location=place_of(NASTY, LITERAL, n, split),
                help="say which letters are words: [^\\W_]+ with marks, and n-grams for Han",
                scripts=("Hani", "Hira"),
                tokenizer=f"tokens_{n}",
                witness=witness,
                fingerprint=f"{n:032x}",
            )
        )
    start = next(n for n, line in enumerate(split, 1) if 'r"""' in line)
    findings.append(
        Finding(
            **common,
            level=Level.WARNING,
            message="bad \ud800 text\x00 with `control` \x1b[31m and [a](1) link",
            location=Location(PATH, start, 5, start + 5, 8),
            witness=Witness("हिन्दी", ("ह", "न", "ी", " x")),
            related=(
                Location(PATH, 1, 9, 1, 19, "the other copy"),
                Location(PATH, 1, 9, 1, 19, "the other copy"),
            ),
            fingerprint="f" * 32,
        )
    )
    hidden = (
        Finding(
            **common,
            level=Level.WARNING,
            message="hidden by a comment",
            location=Location(PATH, 1, 1, 1, 6),
            suppressed="inline: only English",
            fingerprint="a" * 32,
        ),
        Finding(
            **common,
            level=Level.WARNING,
            message="hidden by the baseline",
            location=Location(PATH, 1, 1, 1, 6),
            suppressed="baseline",
            fingerprint="b" * 32,
        ),
    )
    problems = (
        Problem("broken.py", "invalid syntax: unexpected\nindent", 3),
        Problem("gone.py", "cannot be read: Permission denied"),
    )
    report = Report(tuple(findings), hidden, problems, (), 3, 0, ("baseline b.json: 1 finding gone",))
    return Case(report, Context(load_registry(), lines, width=100), lines)


@pytest.fixture
def clean(case: Case) -> Case:
    return Case(Report(files=2), case.context, case.lines)
