"""The baseline: a file that lists the findings a project has agreed to live with, so that only new ones fail.

Entries hold fingerprints, never line numbers. Paths are relative to the project's root, so that the file means the
same from every working directory.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scriptlint.errors import UserError
from scriptlint.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scriptlint.finding import Finding

FORMAT = "scriptlint-baseline/1"


class BaselineError(UserError):
    """A baseline that can't be used: one line with the file and what is wrong."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One accepted finding. ``path`` is relative to the project's root."""

    path: str
    code: str
    fingerprint: str
    message: str = ""


def read_baseline(path: str) -> tuple[Entry, ...]:
    """The entries of a baseline file; raises BaselineError."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise BaselineError(f"{path}: not a baseline: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("findings"), list):
        raise BaselineError(f"{path}: not a baseline: no format {FORMAT!r} with a list of findings")
    entries = []
    for n, row in enumerate(data["findings"]):
        try:
            entries.append(Entry(row["path"], row["code"], row["fingerprint"], row.get("message", "")))
        except (TypeError, KeyError, AttributeError) as error:
            raise BaselineError(f"{path}: finding {n} has no path, code or fingerprint") from error
    return tuple(entries)


def write_baseline(path: str, entries: Iterable[Entry]) -> None:
    """Write entries sorted, one a line, so that merges are easy. Raises OSError, and BaselineError rather than write
    over a file that is something else."""
    if os.path.isfile(path) and os.path.getsize(path):
        read_baseline(path)
    rows = [
        json.dumps(
            {"path": e.path, "code": e.code, "fingerprint": e.fingerprint, "message": e.message}, ensure_ascii=False
        )
        for e in sorted(set(entries))
    ]
    body = ",\n    ".join(rows)
    write_text(path, f'{{\n  "format": "{FORMAT}",\n  "findings": [\n    {body}\n  ]\n}}\n' if rows else _EMPTY)


_EMPTY = f'{{\n  "format": "{FORMAT}",\n  "findings": []\n}}\n'


def entry_of(finding: Finding, root_path: str) -> Entry:
    """The entry for a finding; ``root_path`` is its path relative to the project's root."""
    return Entry(root_path, finding.code, finding.fingerprint, finding.message)


def apply(findings: Iterable[Finding], entries: Sequence[Entry]) -> tuple[list[Finding], list[Entry]]:
    """Findings with ``suppressed = "baseline"`` where an entry says so, and the entries that matched nothing."""
    known = {e.fingerprint: e for e in entries}
    matched: set[str] = set()
    out = []
    for finding in findings:
        if finding.fingerprint in known:
            matched.add(finding.fingerprint)
            out.append(finding if finding.suppressed else replace(finding, suppressed="baseline"))
        else:
            out.append(finding)
    return out, [e for e in entries if e.fingerprint not in matched]


def gone(unmatched: Iterable[Entry], *, root: str, seen: Callable[[Entry], bool]) -> tuple[Entry, ...]:
    """Those unmatched entries that really are gone: their file was ``seen`` by their rule, or is no more."""
    return tuple(e for e in unmatched if seen(e) or not os.path.exists(os.path.join(root, e.path)))
