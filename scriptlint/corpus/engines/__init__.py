"""Engines: who runs the units of a scan. Each gives ``(number, part)`` in unit order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.corpus.readers.tables import TableUnit
from scriptlint.corpus.work import Part, work
from scriptlint.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scriptlint.corpus.work import Job, Unit


def serial(units: Sequence[Unit], job: Job) -> Iterator[tuple[int, Part]]:
    """One process: this one."""
    for number, unit in enumerate(units):
        yield number, work(unit, job)


def in_order(parts: Iterable[tuple[int, Part]]) -> Iterator[tuple[int, Part]]:
    """Parts as they come, in the order of their numbers; those that are early wait."""
    ready: dict[int, Part] = {}
    following = 0
    for number, part in parts:
        ready[number] = part
        while following in ready:
            yield following, ready.pop(following)
            following += 1


def lost(unit: Unit, job: Job, why: str) -> Part:
    """What stands for a unit that can't be worked on: a told problem."""
    out = Part.empty(job)
    if isinstance(unit, TableUnit):
        path, what = unit.ref.path, f"part {unit.lo} to {unit.hi}"
    else:
        path, what = unit[0].path, "this file" if len(unit) == 1 else f"this file and {len(unit) - 1} after it"
    out.problems.append(Problem(path, f"{what}: {why}; these items are missing"))
    out.files["lost units"] += 1
    for census in out.censuses:
        census.close()
    return out
