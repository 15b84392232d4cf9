"""What the engine hands on: the result of one file, and the report of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scriptlint.finding import Level

if TYPE_CHECKING:
    from scriptlint.finding import Finding, Problem
    from scriptlint.suppress import Comment
    from scriptlint.tokenizer.model import Judged

Measured = Mapping[str, tuple[Mapping[str, Any], ...]]
"""What parts of a run measured beside their findings: ``corpora`` (the counts of each tokenizer on each corpus, as
``scan --format json`` writes them) and ``gate`` (what ``gate --format json`` writes)."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """Everything one file gives, before suppressions: it depends on the file, the files that it imports names from,
    and the settings.

    ``depends`` are those other files, relative to the file's folder, with the SHA-256 of their bytes. ``crashed``
    says that a problem is a fault of scriptlint itself.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    tokenizers: tuple[Judged, ...] = ()
    comments: tuple[Comment, ...] = ()
    depends: tuple[tuple[str, str], ...] = ()
    crashed: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found, in report order.

    ``hidden`` are the findings that a comment or the baseline suppresses. ``files`` counts the files that were
    read; ``items`` the corpus items, when a corpus was read. ``notices`` are sentences for a person, such as what
    became of the baseline.
    """

    findings: tuple[Finding, ...] = ()
    hidden: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    tokenizers: tuple[Judged, ...] = ()
    files: int = 0
    items: int = 0
    notices: tuple[str, ...] = ()
    crashed: bool = False
    measured: Measured = field(default_factory=dict)

    def exit_code(self, fail_on: Level = Level.WARNING) -> int:
        """0 clean, 1 findings at or above ``fail_on`` or something unreadable, 2 a fault of scriptlint's own."""
        if self.crashed:
            return 2
        if self.problems:
            return 1
        return int(any(f.level.rank >= fail_on.rank for f in self.findings))

    def summary(self) -> dict[str, object]:
        """Counts for machines: files, items, findings, suppressed, baselined, errors, by level and by code."""
        levels = Counter(f.level.value for f in self.findings)
        codes = Counter(f.code for f in self.findings)
        baselined = sum(f.suppressed == "baseline" for f in self.hidden)
        return {
            "files": self.files,
            "items": self.items,
            "tokenizers": len(self.tokenizers),
            "findings": len(self.findings),
            "suppressed": len(self.hidden) - baselined,
            "baselined": baselined,
            "errors": len(self.problems),
            "by_level": {level.value: levels.get(level.value, 0) for level in Level},
            "by_code": dict(sorted(codes.items())),
        }
