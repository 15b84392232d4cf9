"""Dask: the same work on the workers of a cluster. Needs the extra ``scriptlint[cluster]``."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from scriptlint.corpus.engines import in_order, lost
from scriptlint.corpus.work import Part, work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.corpus.work import Job, Unit


class NoCluster(RuntimeError):  # noqa: N818  (a usage error with one line for a person)
    """There is no Dask, or no scheduler at the address."""


def cluster(units: Sequence[Unit], job: Job, jobs: int, scheduler: str | None) -> Iterator[tuple[int, Part]]:
    """The units on a Dask cluster: the one at ``scheduler``, else one of ``jobs`` workers started here.

    Every worker must see the files under the same paths. Lost workers' units are run again by the scheduler.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster("--engine dask needs distributed: pip install 'scriptlint[cluster]'") from None
    client = _client(Client, jobs, scheduler)
    try:
        yield from in_order(_results(client, units, job))
    finally:
        client.close()


def _client(make: Any, jobs: int, scheduler: str | None) -> Any:
    import logging

    # Its own messages about a worker that went away would stand between ours; we tell what matters.
    for name in ("distributed", "distributed.nanny", "distributed.scheduler", "distributed.worker"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if scheduler is None:
        return make(n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None)
    try:
        return make(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise NoCluster(f"--scheduler {scheduler}: no Dask scheduler answers there ({error})") from None


def _results(client: Any, units: Sequence[Unit], job: Job) -> Iterator[tuple[int, Part]]:
    from distributed import as_completed

    numbers: dict[Any, int] = {}
    waiting = list(range(len(units) - 1, -1, -1))
    width = max(4, 2 * sum(w.get("nthreads", 1) for w in client.scheduler_info()["workers"].values()))
    # The job is the same for all units: it travels once.
    shared = client.scatter(job, broadcast=True, hash=False)
    done: Any = as_completed()  # type: ignore[no-untyped-call]
    while waiting and len(numbers) < width:
        _submit(client, units, shared, waiting.pop(), numbers, done)
    for future in done:
        number = numbers.pop(future.key)
        try:
            part = future.result()
        except Exception as error:
            part = lost(units[number], job, f"failed on the cluster ({type(error).__name__}: {error})")
        future.release()
        if waiting:
            _submit(client, units, shared, waiting.pop(), numbers, done)
        yield number, part


def _submit(client: Any, units: Sequence[Unit], job: Any, number: int, numbers: dict[Any, int], done: Any) -> None:
    # Not pure: a key of its own, so that a scan never gets a result of an earlier one.
    future = client.submit(guarded_work, units[number], job, pure=False, retries=3)
    numbers[future.key] = number
    done.add(future)


def guarded_work(unit: Unit, job: Job) -> Part:
    """``work`` on a cluster's worker, where tasks run in threads and a thread can't keep a time limit.

    Patterns that can backtrack therefore run in a process of their own.
    """
    if all(tokens.linear for tokens in job.tokenizers):
        return work(unit, job)
    code = "import sys; from scriptlint.corpus.engines.cluster import serve; serve()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps((unit, job)),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=True,
    )
    part: Part = pickle.loads(done.stdout)
    return part


def serve() -> None:
    """Read a unit and a job from standard input, write the part to standard output."""
    unit, job = pickle.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(pickle.dumps(work(unit, job)))
