"""Running units of work in processes, with units that a dying worker took along sent again."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

U = TypeVar("U")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Lost(Generic[U]):
    """A unit whose worker died each time it ran alone."""

    unit: U


def map_units(
    work: Callable[[Sequence[U]], list[R]], units: Sequence[U], *, jobs: int, chunk: int = 8
) -> Iterator[tuple[U, R | Lost[U]]]:
    """``work(chunk of units)`` in ``jobs`` processes; yields (unit, result) as they come, in no fixed order.

    ``work`` must be a module-level function that gives one result per unit, in order, and doesn't raise. When a
    worker dies, every chunk that was under way is sent again unit by unit; a unit that kills its worker when it
    runs alone comes back as :class:`Lost`.
    """
    waiting = [list(units[i : i + chunk]) for i in range(0, len(units), chunk)]
    suspects: list[U] = []
    while waiting:
        broken: list[list[U]] = []
        with ProcessPoolExecutor(max_workers=min(jobs, len(waiting))) as pool:
            pending: dict[Future[list[R]], list[U]] = {}
            while waiting or pending:
                try:
                    # Few chunks in the pool at a time: what a dead worker takes along stays small.
                    while waiting and len(pending) < jobs * 2:
                        pending[pool.submit(work, waiting[-1])] = waiting[-1]
                        waiting.pop()
                except BrokenProcessPool:
                    break
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                failed = [f for f in done if isinstance(f.exception(), BrokenProcessPool)]
                for future in done:
                    if future not in failed:
                        part = pending.pop(future)
                        # A result that can't travel between processes is computed here instead.
                        results = future.result() if future.exception() is None else work(part)
                        yield from zip(part, results, strict=True)
                if failed:
                    break
            broken = list(pending.values())
        for part in broken:
            suspects.extend(part)
    for unit in suspects:
        outcome = _alone(work, unit)
        yield unit, outcome


def _alone(work: Callable[[Sequence[U]], list[R]], unit: U) -> R | Lost[U]:
    for _ in range(2):
        with ProcessPoolExecutor(max_workers=1) as pool:
            try:
                return pool.submit(work, [unit]).result()[0]
            except BrokenProcessPool:
                continue
    return Lost(unit)


def cores() -> int:
    """How many processes this machine runs at once for us."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
