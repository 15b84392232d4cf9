"""Files under paths, through the cache and as many processes as pay."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.config import Settings, settings_for
from scriptlint.engine import check_file, clean_file, plan_for, portable
from scriptlint.errors import UserError
from scriptlint.finding import Problem
from scriptlint.results import FileResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scriptlint.cache import Cache
    from scriptlint.walk import Unit

__all__ = ["Checked", "NoFilesError", "Options", "check_paths"]

_SERIAL_BELOW = 48
"""Files worth parsing below which starting processes costs more than it saves."""


_FILES_A_COLLECTION = 32
"""Files after which what their syntax trees left behind is collected."""
_PARSED_WHOLE = 64
"""In a run of up to so many files each is parsed from end to end: whoever checks a few hears of every syntax error."""
_SAMPLE = b"import re\ndef tokenize(text):\n    return re.findall('[a-z]+', text.lower())\n"


class NoFilesError(UserError):
    """The arguments name no file to read: a usage error."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a run works, as against what it finds. ``jobs`` 0 means as many as pay."""

    jobs: int = 0
    use_cache: bool = True
    cache_dir: str | None = None
    force_exclude: bool = False
    programs: bool = False
    """Keep with each tokenizer what runs it as it is written; such results stay in this process, out of the cache."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Results in walk order, problems of the walk itself, and the arguments that name nothing."""

    results: list[FileResult]
    problems: list[Problem]
    missing: list[str]


def check_paths(
    paths: Sequence[str],
    settings: Settings,
    options: Options = Options(),
    *,
    settings_of: Callable[[str], Settings] = settings_for,
) -> Checked:
    """Check every file under ``paths``.

    ``settings`` are those of the run, ``settings_of(folder)`` those in force in a folder. Raises NoFilesError when
    nothing matches, SettingsError for settings that can't be used.
    """
    from scriptlint.walk import discover

    walk = discover(paths, settings_of, force_exclude=options.force_exclude or settings.force_exclude)
    problems = [Problem(place, f"cannot be read: {why}") for place, why in walk.unreadable]
    if not walk.units and walk.missing:
        raise NoFilesError(f"no such file or folder: {', '.join(walk.missing)}")
    if not walk.units and not problems and not (walk.excluded and options.force_exclude):
        raise NoFilesError(f"no Python file in {', '.join(paths)}")
    plan_for(settings)
    run = _Run(options, whole=len(walk.units) <= _PARSED_WHOLE)
    with _collector_at_rest():
        for job, result in _finished(run.jobs(walk.units), options):
            run.keep(job, result)
    for cache in run.caches.values():
        cache.save()
    return Checked([run.results[i] for i in range(len(walk.units))], problems, walk.missing)


@dataclass(slots=True)
class _Run:
    """The state of one ``check_paths``: results by file number, and the caches by root."""

    options: Options
    whole: bool
    results: dict[int, FileResult] = field(default_factory=dict)
    caches: dict[str, Cache] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    """What the results depend on beside the file, by the identity of the settings, which outlive the run."""

    def jobs(self, units: Iterable[Unit]) -> Iterator[_Job]:
        """The files worth parsing of which the cache knows nothing; the others have their result at once."""
        for index, unit in enumerate(units):
            try:
                data = _read(unit)
            except OSError as error:
                problem = Problem(unit.shown, f"cannot be read: {error.strerror or error}")
                self.results[index] = FileResult(unit.shown, problems=(problem,))
                continue
            found = self._look(index, unit, data)
            if isinstance(found, FileResult):
                self.results[index] = found
            else:
                yield found

    def _look(self, index: int, unit: Unit, data: bytes) -> FileResult | _Job:
        from scriptlint.cache import is_current
        from scriptlint.source.prefilter import may_matter

        # Of many files, most hold nothing; that is remembered by content, and a digest is quicker than a look.
        cache = self._cache(unit.settings) if self.options.use_cache and not self.options.programs else None
        if cache is not None and not self.whole and cache.passed_over(data):
            return FileResult(unit.shown)
        # Whoever has run before knows most results by their key, which is quicker than a look, too.
        ask_first = cache is not None and (self.whole or cache.knows_some)
        if not ask_first and not may_matter(data):
            return self._nothing(unit, data, cache)
        key = ""
        if cache is not None:
            key = cache.key(unit.shown, data, self._key(unit.settings))
            stored = FileResult(unit.shown) if cache.is_empty(key) else cache.get(key, FileResult)
            if stored is not None and is_current(stored.path, stored.depends):
                return stored
        if ask_first and not may_matter(data):
            return self._nothing(unit, data, cache)
        return _Job(index, unit.shown, data, unit.settings, self.whole, key)

    def _nothing(self, unit: Unit, data: bytes, cache: Cache | None) -> FileResult:
        """The result of a file that holds nothing of interest, which is remembered."""
        result = clean_file(unit.shown, data, unit.settings, self.whole)
        if cache is not None and not self.whole and not result.comments:
            cache.pass_over(data)
        return result

    def keep(self, job: _Job, result: FileResult) -> None:
        """Take a result in, and store it."""
        self.results[job.index] = result
        if job.key and result == FileResult(job.shown):
            self._cache(job.settings).note_empty(job.key)
        elif job.key and not result.crashed:
            self._cache(job.settings).put(job.key, result)

    def _cache(self, settings: Settings) -> Cache:
        root = self.options.cache_dir or settings.root
        if root not in self.caches:
            from scriptlint.cache import Cache

            self.caches[root] = Cache(root, "")
        return self.caches[root]

    def _key(self, settings: Settings) -> str:
        if id(settings) not in self.keys:
            self.keys[id(settings)] = f"{plan_for(settings).key} {self.whole}"
        return self.keys[id(settings)]


def _read(unit: Unit) -> bytes:
    """The bytes of a file. Raises ``OSError``, also for a pipe that somebody has yet to write into."""
    if unit.given and stat.S_ISFIFO(os.stat(unit.path).st_mode) and not unit.path.startswith(("/dev/", "/proc/")):
        raise OSError("a pipe; give what it holds on standard input, as -")
    with open(unit.path, "rb", buffering=0) as file:
        return file.read()


@dataclass(frozen=True, slots=True)
class _Job:
    """A file worth parsing. It carries its bytes, so that what is stored under ``key`` is what was read for it."""

    index: int
    shown: str
    data: bytes = field(repr=False)
    settings: Settings = field(repr=False)
    whole: bool
    key: str = ""


def _finished(jobs: Iterator[_Job], options: Options) -> Iterator[tuple[_Job, FileResult]]:
    """Jobs with their results, in no fixed order. A job is made when its turn comes."""
    if options.programs:
        for job in jobs:
            yield job, check_file(job.shown, job.data, job.settings, job.whole)
        return
    least = 2 if options.jobs else _SERIAL_BELOW
    first = list(itertools.islice(jobs, least)) if options.jobs != 1 else []
    processes = 1
    if len(first) == least:
        from scriptlint.pool import cores

        processes = options.jobs or cores()
    jobs = itertools.chain(first, jobs)
    if processes == 1:
        for job in jobs:
            yield job, _result(job)
        return
    from scriptlint.pool import Lost, map_units

    # Workers that are forked share what is loaded by then: the modules, and the tables that any tokenizer needs.
    check_file("sample.py", _SAMPLE, first[0].settings, False)
    for job, result in map_units(_results, jobs, jobs=processes):
        if isinstance(result, Lost):
            problem = Problem(job.shown, "internal error: the worker process died on this file")
            yield job, FileResult(job.shown, problems=(problem,), crashed=True)
        else:
            yield job, result


def _results(jobs: Sequence[_Job]) -> list[FileResult]:
    gc.disable()  # in a worker for good, which ends with the run
    return [_result(job) for job in jobs]


_made = itertools.count(1)


def _result(job: _Job) -> FileResult:
    """What a file gives. The collector of cycles is at rest in between: on syntax trees it costs a third of the time.

    What a file leaves behind is young; what was there before, and the results, need not be looked through again.
    """
    result = portable(check_file(job.shown, job.data, job.settings, job.whole))
    if next(_made) % _FILES_A_COLLECTION == 0:
        gc.collect()
        gc.freeze()
    return result


@contextlib.contextmanager
def _collector_at_rest() -> Iterator[None]:
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was:
            gc.enable()
