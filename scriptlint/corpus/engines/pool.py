"""Worker processes on this machine. Workers read their own parts of the input: units are sent, never lines."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from scriptlint.corpus.engines import in_order, lost
from scriptlint.corpus.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.corpus.work import Job, Part, Unit

TRIES = 2
"""How often a unit may take a worker of its own down before it is given up and told."""


def pool(units: Sequence[Unit], job: Job, jobs: int) -> Iterator[tuple[int, Part]]:
    """``jobs`` processes. A worker that dies costs a retry of the units under way, not an item."""
    return in_order(_any_order(units, job, jobs))


def _any_order(units: Sequence[Unit], job: Job, jobs: int) -> Iterator[tuple[int, Part]]:
    waiting = list(range(len(units) - 1, -1, -1))
    while waiting:
        pending: dict[Future[Part], int] = {}
        broken: list[int] = []
        with ProcessPoolExecutor(max_workers=min(jobs, len(waiting))) as executor:
            while (waiting or pending) and not broken:
                try:
                    # Few units in the pool at a time: what a dead worker takes along stays small, and so does memory.
                    while waiting and len(pending) < jobs * 2:
                        pending[executor.submit(work, units[waiting[-1]], job)] = waiting[-1]
                        waiting.pop()
                except BrokenProcessPool:
                    break
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    number = pending.pop(future)
                    if isinstance(future.exception(), BrokenProcessPool):
                        broken.append(number)
                    else:
                        yield number, future.result()
        for number in sorted({*broken, *pending.values()}):
            yield number, _alone(units[number], job)


def _alone(unit: Unit, job: Job) -> Part:
    """A unit that was under way when a worker died, in a process of its own."""
    for _ in range(TRIES):
        with ProcessPoolExecutor(max_workers=1) as executor:
            try:
                return executor.submit(work, unit, job).result()
            except BrokenProcessPool:
                continue
    return lost(unit, job, f"the worker process died {TRIES + 1} times")
