"""Suggestions for the findings of a file, and the file with them applied."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from scriptlint.fix.candidates import candidates
from scriptlint.fix.check import check, judge_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scriptlint.finding import Finding
    from scriptlint.fix.check import Checked
    from scriptlint.tokenizer.model import Judged

__all__ = ["FIXABLE", "Fixed", "fix_file", "settle", "suggest", "unified", "with_suggestions"]

FIXABLE = frozenset(("SCR001", "SCR002", "SCR003", "SCR004", "SCR007"))
MOST_ROUNDS = 10
"""How often a file is read again after repairs, at most: each of them gains something, so few are enough."""
_TRIED = 8
"""Candidates of one tokenizer that are checked, at most."""


_Key: TypeAlias = "tuple[str | None, tuple[int, int] | None]"
"""A tokenizer of a file, by name and statement: repairs add no line, so that it stays the same."""


@dataclass(slots=True)
class Fixed:
    """A file and what was done to it, with the tokenizers' names. ``left`` are repairs that hold and are not safe.

    ``touched`` are the tokenizers that were repaired, each once. ``settled``: no other repair would apply now.
    """

    path: str
    before: bytes
    after: bytes
    done: list[tuple[str, Checked]] = field(default_factory=list)
    left: list[tuple[str, Checked]] = field(default_factory=list)
    touched: set[_Key] = field(default_factory=set)
    settled: bool = True


def suggest(
    path: str,
    data: bytes,
    findings: Sequence[Finding],
    before: Sequence[Judged],
    *,
    unsafe: bool = False,
    prefer: str = "ranges",
) -> Checked | None:
    """The best repair for findings on one tokenizer: the best safe one when there is any; with ``unsafe`` the best."""
    target = _target(findings[0], before)
    if target is None:
        return None
    wanted = {s for f in findings for s in f.scripts}
    found: list[Checked] = []
    for number, candidate in enumerate(candidates(target, data, [f.code for f in findings], prefer=prefer)):
        if number == _TRIED:
            break
        held = check(candidate, path, data, before, target, wanted)
        if held is None:
            continue
        if prefer == "properties" and candidate.needs:
            return held  # that is what was asked for
        found.append(held)
        if held.safe and wanted <= set(held.better) and not held.next and not held.missed:
            return held  # there is no better one

    def worth(held: Checked) -> tuple[bool, int, bool, int, int]:
        gained = len(wanted & set(held.better)) - held.opened
        return held.safe or unsafe, gained, held.safe, -held.missed, -len(held.candidate.edits)

    return max(found, key=worth, default=None)


def _target(finding: Finding, judged: Iterable[Judged]) -> Judged | None:
    """The tokenizer that a finding is about."""
    named = [j for j in judged if j.tokenizer.name == finding.tokenizer]
    at = [j for j in named if j.tokenizer.statement == finding.statement]
    return next(iter(at or named), None)


def _groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings by tokenizer, in order."""
    out: dict[_Key, list[Finding]] = {}
    for finding in findings:
        if finding.code in FIXABLE and finding.tokenizer is not None:
            out.setdefault((finding.tokenizer, finding.statement), []).append(finding)
    return list(out.values())


def with_suggestions(
    findings: Sequence[Finding], path: str, data: bytes, scripts: Sequence[str], *, prefer: str = "ranges"
) -> list[Finding]:
    """The findings of one file; those that a repair was found for say so in their help."""
    groups = _groups(findings)
    before = judge_file(path, data, scripts) if groups else None
    if not before:
        return list(findings)
    said: dict[int, str] = {}
    for group in groups:
        held = suggest(path, data, group, before, prefer=prefer)
        if held is None:
            continue
        for finding in group:
            if set(finding.scripts) & set(held.better):
                safety = "--fix applies it" if held.safe else f"--unsafe-fixes applies it: {held.unsafe}"
                said[id(finding)] = f"{held.title} (checked: {held.evidence}; {safety})"
    return [replace(f, help=said[id(f)]) if id(f) in said else f for f in findings]


def fix_file(
    path: str,
    data: bytes,
    findings: Sequence[Finding],
    scripts: Sequence[str],
    *,
    unsafe: bool = False,
    prefer: str = "ranges",
) -> Fixed:
    """Repair what can be repaired of the findings of one file, one tokenizer at a time, each on what the last left.

    A tokenizer that the repair of another has changed, since they share a pattern, is left as it is by then: these
    findings are about what it was.
    """
    out = Fixed(path, data, data)
    first: list[Judged] | None = None
    for group in _groups(findings):
        before = judge_file(path, out.after, scripts)
        if before is None:
            break
        first = first or before
        then, now = _target(group[0], first), _target(group[0], before)
        if then is None or now is None or then.tokenizer.stages != now.tokenizer.stages:
            continue
        held = suggest(path, out.after, group, before, unsafe=unsafe, prefer=prefer)
        if held is None:
            continue
        name = group[0].tokenizer or ""
        if held.safe or unsafe:
            out.done.append((name, held))
            out.touched.add((group[0].tokenizer, group[0].statement))
            out.after = held.data
        else:
            out.left.append((name, held))
    return out


def settle(
    path: str,
    data: bytes,
    findings: Sequence[Finding],
    scripts: Sequence[str],
    again: Callable[[bytes], Sequence[Finding]],
    *,
    unsafe: bool = False,
    prefer: str = "ranges",
) -> Fixed:
    """``fix_file`` until nothing more applies. ``again`` gives the findings of the file as it is by then."""
    out = Fixed(path, data, data)
    for number in range(MOST_ROUNDS + 1):
        one = fix_file(path, out.after, findings, scripts, unsafe=unsafe, prefer=prefer)
        out.left = one.left
        if not one.done:
            break
        if number == MOST_ROUNDS:
            out.settled = False
            break
        out.after = one.after
        out.done += one.done
        out.touched |= one.touched
        findings = again(out.after)
    return out


def unified(fixed: Fixed) -> str:
    """The unified diff of a file; its lines keep their ends."""
    old, new = (_lines(d) for d in (fixed.before, fixed.after))
    return "".join(_ended(difflib.unified_diff(old, new, fixed.path, fixed.path, n=2)))


def _lines(data: bytes) -> list[str]:
    # At line feeds alone: form feeds and the like stand inside lines.
    return re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8", "surrogateescape"))


def _ended(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
