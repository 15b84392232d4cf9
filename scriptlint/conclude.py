"""From raw findings to a report: rules over the whole run, suppressions, levels, fingerprints, baseline, order.

Every command that finds something ends here, so that a suppression, a level or a baseline means the same in all.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from scriptlint import baseline as _baseline
from scriptlint.config import Settings, settings_for, show_path
from scriptlint.engine import plan_for
from scriptlint.finding import Confidence, Problem
from scriptlint.lines import Lines
from scriptlint.results import Report
from scriptlint.suppress import SuppressionFacts, apply, comments_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scriptlint.engine import Plan
    from scriptlint.finding import Finding
    from scriptlint.results import FileResult, Measured
    from scriptlint.rule import Reads
    from scriptlint.suppress import Comment
    from scriptlint.tokenizer.model import Judged

__all__ = ["Raw", "conclude", "from_results"]


@dataclass(frozen=True, slots=True)
class Raw:
    """What a command found, before anything is hidden or counted. Two of them add up.

    ``checked`` are the shown paths of all files that were read, ``reads`` the kinds of facts that rules saw: only
    their suppressions and baseline entries can be called unused. ``comments`` are those already found; the files
    of other findings are looked through. ``measured`` is what a part measured beside its findings, as
    ``Report.measured`` describes it. ``scanned`` are files and folders of which every item was judged as the
    settings say.
    """

    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    tokenizers: tuple[Judged, ...] = ()
    comments: Mapping[str, tuple[Comment, ...]] = field(default_factory=dict)
    checked: frozenset[str] = frozenset()
    reads: frozenset[Reads] = frozenset()
    items: int = 0
    notices: tuple[str, ...] = ()
    crashed: bool = False
    measured: Measured = field(default_factory=dict)
    scanned: frozenset[str] = frozenset()

    def __add__(self, other: Raw) -> Raw:
        return Raw(
            self.findings + other.findings,
            self.problems + other.problems,
            self.tokenizers + other.tokenizers,
            {**self.comments, **other.comments},
            self.checked | other.checked,
            self.reads | other.reads,
            self.items + other.items,
            self.notices + other.notices,
            self.crashed or other.crashed,
            {
                key: (*self.measured.get(key, ()), *other.measured.get(key, ()))
                for key in dict.fromkeys((*self.measured, *other.measured))
            },
            self.scanned | other.scanned,
        )


def from_results(results: Iterable[FileResult], problems: Iterable[Problem] = ()) -> Raw:
    """The raw outcome of checking source files."""
    listed = list(results)
    return Raw(
        tuple(f for r in listed for f in r.findings),
        (*problems, *(p for r in listed for p in r.problems)),
        tuple(t for r in listed for t in r.tokenizers),
        {r.path: r.comments for r in listed if r.comments},
        frozenset(r.path for r in listed),
        frozenset(("tokenizer", "run", "source")),
        crashed=any(r.crashed for r in listed),
    )


def conclude(
    raw: Raw,
    settings: Settings,
    *,
    settings_of: Callable[[str], Settings] = settings_for,
    lines: Lines | None = None,
    keep_baseline: bool = False,
    use_baseline: bool = True,
) -> Report:
    """The report of a run.

    ``settings`` are those of the run, ``settings_of(folder)`` those in force where a file stands. When the baseline
    has entries whose findings are gone, it is rewritten without them, unless ``keep_baseline``. Raises
    SettingsError, and BaselineError when the baseline can't be read.
    """
    lines = lines or Lines()
    plan = plan_for(settings)
    judged = _unique(raw.tokenizers)
    # Two readings of one place may say the same: of a file, and of another that imports from it.
    findings = list({(f.code, f.location, f.message): f for f in reversed(raw.findings)}.values())[::-1]
    if "run" in raw.reads:
        for rule in plan.rules("run"):
            findings.extend(rule.check(judged, plan.rule_settings))

    @cache
    def plan_at(path: str) -> Plan:
        return plan_for(settings_of(os.path.dirname(os.path.abspath(path))))

    findings = _suppress(findings, raw, plan_at, lines)
    findings = [f for f in (_filtered(f, plan_at(f.location.path)) for f in findings) if f is not None]
    findings = _fingerprint(sorted(findings, key=_order), plan_at, lines)
    notices = list(raw.notices)
    if use_baseline and settings.baseline:
        findings, told = _against_baseline(findings, raw, plan, plan_at, keep=keep_baseline)
        notices.extend(told)
    return Report(
        tuple(f for f in findings if f.suppressed is None),
        tuple(f for f in findings if f.suppressed is not None),
        tuple(sorted(raw.problems, key=lambda p: (p.path, p.line or 0, p.message))),
        judged,
        len(raw.checked),
        raw.items,
        tuple(notices),
        raw.crashed,
        raw.measured,
    )


def _unique(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """In order of place, each once: two parts of an audit may judge the same tokenizer."""
    seen = {(j.tokenizer.path, j.tokenizer.line, j.tokenizer.name): j for j in judged}
    return tuple(seen[k] for k in sorted(seen))


def _order(finding: Finding) -> tuple[object, ...]:
    return (finding.location, finding.code, finding.tokenizer or "", finding.item or "", finding.message)


def _suppress(findings: list[Finding], raw: Raw, plan_at: Callable[[str], Plan], lines: Lines) -> list[Finding]:
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.location.path].append(finding)
    out: list[Finding] = []
    for path in sorted(set(by_path) | set(raw.comments)):
        comments = raw.comments[path] if path in raw.comments else comments_in(path, lines.data(path))
        if not comments:
            out.extend(by_path[path])
            continue
        plan = plan_at(path)
        shown, used = apply(by_path[path], comments, require_reason=plan.settings.require_reason)
        out.extend(shown)
        facts = _facts(path, comments, used, plan, raw.reads)
        for rule in plan.rules("suppressions"):
            out.extend(rule.check(facts, plan.rule_settings))
    return out


def _facts(
    path: str, comments: Sequence[Comment], used: set[tuple[Comment, str]], plan: Plan, reads: frozenset[Reads]
) -> SuppressionFacts:
    unused: list[tuple[Comment, str]] = []
    unknown: list[tuple[Comment, str, str | None]] = []
    need_reason = plan.settings.require_reason
    for comment in comments:
        for word in comment.codes:
            rule = next((r for r in plan.registry if word.upper() == r.code or word.lower() == r.name), None)
            if rule is None:
                unknown.append((comment, word, plan.registry.nearest(word)))
            elif need_reason and not comment.reason:
                continue
            # A rule over the whole run may be silent only because this run saw a part of the project.
            elif (comment, word) not in used and rule.code in plan.active and rule.meta.reads in reads - {"run"}:
                unused.append((comment, word))
    return SuppressionFacts(
        path,
        tuple(unused),
        tuple(unknown),
        tuple(c for c in comments if not c.codes),
        tuple(c for c in comments if need_reason and c.codes and not c.reason),
    )


def _filtered(finding: Finding, plan: Plan) -> Finding | None:
    """The finding at its configured level, or ``None`` when the settings don't want it."""
    from scriptlint.walk import matches

    if finding.code not in plan.active:
        return None
    if finding.confidence is not Confidence.HIGH and not plan.settings.pedantic:
        return None
    for glob, codes in plan.ignored:
        if finding.code in codes and matches((glob,), os.path.abspath(finding.location.path), plan.settings.root):
            return None
    level = plan.levels.get(finding.code)
    return finding if level is None or level is finding.level else replace(finding, level=level)


def _fingerprint(findings: Iterable[Finding], plan_at: Callable[[str], Plan], lines: Lines) -> list[Finding]:
    """Fingerprints from rule, path, names and the text at the place, without line numbers; equal ones are counted."""
    seen: dict[str, int] = defaultdict(int)
    out = []
    for finding in findings:
        path = _root_path(finding.location.path, plan_at)
        text = " ".join(lines.text(finding.location).split())
        parts = (finding.code, path, finding.tokenizer or "", finding.item or "", text)
        base = "\0".join(parts)
        seen[base] += 1
        digest = hashlib.sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()
        out.append(replace(finding, fingerprint=digest[:32]))
    return out


def _root_path(path: str, plan_at: Callable[[str], Plan]) -> str:
    root = plan_at(path).settings.root
    try:
        return os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    except ValueError:  # another drive (Windows)
        return path


def _against_baseline(
    findings: list[Finding], raw: Raw, plan: Plan, plan_at: Callable[[str], Plan], *, keep: bool
) -> tuple[list[Finding], list[str]]:
    file = show_path(os.path.join(plan.settings.root, plan.settings.baseline or ""))
    entries = _baseline.read_baseline(file)
    findings, unmatched = _baseline.apply(findings, entries)
    rules = {r.code: r.meta.reads for r in plan.registry}
    checked = frozenset(_root_path(p, plan_at) for p in raw.checked)
    scanned = tuple(_root_path(p, plan_at) for p in raw.scanned)

    def seen(entry: _baseline.Entry) -> bool:
        reads = rules.get(entry.code)
        if entry.code not in plan.active or reads not in raw.reads - {"run"}:
            return False
        if reads in ("item", "corpus"):
            return any(place in (".", entry.path) or entry.path.startswith(f"{place}/") for place in scanned)
        return entry.path in checked

    gone = _baseline.gone(unmatched, root=plan.settings.root, seen=seen)
    if not gone:
        return findings, []
    count = f"{len(gone)} finding{'s' * (len(gone) != 1)}"
    if keep:
        return findings, [f"baseline {file}: {count} no longer there; run without --keep-baseline to shrink it"]
    _baseline.write_baseline(file, [e for e in entries if e not in gone])
    return findings, [f"baseline {file}: {count} no longer there, removed; {len(entries) - len(gone)} left"]


def baseline_entries(report: Report, settings_of: Callable[[str], Settings] = settings_for) -> list[_baseline.Entry]:
    """The entries that a new baseline would hold: every finding that no comment suppresses."""
    found = [*report.findings, *(f for f in report.hidden if f.suppressed == "baseline")]
    out = []
    for finding in found:
        root = settings_of(os.path.dirname(os.path.abspath(finding.location.path))).root
        path = os.path.relpath(os.path.abspath(finding.location.path), root).replace(os.sep, "/")
        out.append(_baseline.entry_of(finding, path))
    return out
