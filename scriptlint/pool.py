"""Running units of work in processes, with units that a dying worker took along sent again."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

U = TypeVar("U")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Lost(Generic[U]):
    """A unit whose worker died each time it ran alone."""

    unit: U


def map_units(
    work: Callable[[Sequence[U]], list[R]], units: Iterable[U], *, jobs: int, chunk: int = 8
) -> Iterator[tuple[U, R | Lost[U]]]:
    """``work(chunk of units)`` in ``jobs`` processes; yields (unit, result) as they come, in no fixed order.

    Units are taken as they are needed: what it costs to make them is spent while the workers work. ``work`` must be
    a module-level function that gives one result per unit, in order, and doesn't raise. When a worker dies, every
    chunk that was under way is sent again unit by unit; a unit that kills its worker when it runs alone comes back
    as :class:`Lost`.
    """
    source = iter(units)
    suspects: list[U] = []
    part = list(itertools.islice(source, chunk))
    while part:
        broken: list[list[U]] = []
        with ProcessPoolExecutor(max_workers=jobs) as pool:
            pending: dict[Future[list[R]], list[U]] = {}
            while part or pending:
                try:
                    # Few chunks in the pool at a time: what a dead worker takes along stays small.
                    while part and len(pending) < jobs * 2:
                        pending[pool.submit(work, part)] = part
                        part = list(itertools.islice(source, chunk))
                except BrokenProcessPool:
                    break
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                failed = [f for f in done if isinstance(f.exception(), BrokenProcessPool)]
                for future in done:
                    if future not in failed:
                        sent = pending.pop(future)
                        # A result that can't travel between processes is computed here instead.
                        results = future.result() if future.exception() is None else work(sent)
                        yield from zip(sent, results, strict=True)
                if failed:
                    break
            broken = list(pending.values())
        suspects.extend(itertools.chain.from_iterable(broken))
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
