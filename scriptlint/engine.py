"""Bytes in, results out; files, processes and the cache at the edges.

``check_bytes`` is the core: it depends on its arguments alone. ``check_paths`` finds files and runs it over them.
``scriptlint.conclude`` turns what they give, and what a corpus or gate run gives, into a report.
"""

from __future__ import annotations

import gc
import json
import os
import stat
import warnings
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.config import Settings, SettingsError, settings_for
from scriptlint.errors import UserError
from scriptlint.finding import Problem
from scriptlint.results import FileResult
from scriptlint.rule import RuleSettings
from scriptlint.suppress import MARK, comments_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scriptlint.cache import Cache
    from scriptlint.finding import Finding, Level
    from scriptlint.registry import Registry, Rule
    from scriptlint.rule import Reads
    from scriptlint.tokenizer.model import Judged, SourceFacts, Tokenizer

__all__ = ["Checked", "NoFilesError", "Options", "Plan", "check_bytes", "check_paths", "plan_for", "wanted_scripts"]

_SERIAL_BELOW = 48
"""Files worth parsing below which starting processes costs more than it saves."""


_FILES_A_COLLECTION = 32
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


@dataclass(frozen=True)
class Plan:
    """Settings made ready: the rules that run, their levels and options, the wanted scripts.

    ``ignored`` pairs a glob with the codes that don't count in files that it covers.
    """

    settings: Settings
    registry: Registry
    active: frozenset[str]
    levels: Mapping[str, Level]
    ignored: tuple[tuple[str, frozenset[str]], ...]
    rule_settings: RuleSettings
    key: str

    def rules(self, reads: Reads) -> tuple[Rule, ...]:
        """The active rules that take this kind of facts."""
        return tuple(r for r in self.registry.reading(reads) if r.code in self.active)


_PLANS: dict[str, Plan] = {}


def plan_for(settings: Settings) -> Plan:
    """The plan of settings; raises SettingsError for a rule, script or language that nobody has."""
    key = json.dumps(settings.as_dict(), sort_keys=True, default=str)
    if key not in _PLANS:
        _PLANS[key] = _plan(settings, key)
    return _PLANS[key]


def _plan(settings: Settings, key: str) -> Plan:
    from scriptlint.registry import UnknownRuleError, load_registry

    registry = load_registry(tuple(os.path.join(settings.root, p) for p in settings.extend_rules))
    where = settings.source or "command line"

    def codes(selectors: Iterable[str]) -> set[str]:
        return {code for selector in selectors for code in registry.match(selector)}

    try:
        active = codes(settings.select) if settings.select else {r.code for r in registry if r.meta.default}
        if "ALL" in (s.upper() for s in settings.select):
            active = {r.code for r in registry if r.meta.default} | codes(s for s in settings.select if s != "ALL")
        active |= codes(settings.extend_select)
        active -= codes(settings.ignore)
        ignored = tuple((glob, frozenset(codes(words))) for glob, words in settings.per_file_ignores.items())
        levels = {code: level for word, level in settings.levels.items() for code in registry.match(word)}
        options = _rule_options(settings, registry)
    except UnknownRuleError as error:
        raise SettingsError(f"{where}: {error}") from error
    rule_settings = RuleSettings(wanted_scripts(settings), settings.languages, settings.pedantic, options)
    return Plan(settings, registry, frozenset(active), levels, ignored, rule_settings, key)


def _rule_options(settings: Settings, registry: Registry) -> dict[str, Mapping[str, object]]:
    from scriptlint.nearest import did_you_mean

    where = settings.source or "command line"
    options: dict[str, Mapping[str, object]] = {}
    for word, table in settings.rules.items():
        rule = registry.find(word)
        for name, value in table.items():
            if name not in rule.meta.options:
                hint = did_you_mean(name, rule.meta.options)
                raise SettingsError(f"{where}: rule {rule.name} has no option {name!r}{hint}")
            default = rule.meta.options[name]
            number = isinstance(default, float) and type(value) is int
            if type(value) is not type(default) and not number:
                kind = type(default).__name__
                raise SettingsError(f"{where}: option {name} of rule {rule.name} must be a {kind}, not {value!r}")
        options[rule.code] = table
    return options


def wanted_scripts(settings: Settings) -> tuple[str, ...]:
    """The scripts that findings speak about, as ISO 15924 codes: those that are set, those of the set languages,
    else the recommended ones. Raises SettingsError."""
    return _wanted(settings.scripts, settings.languages, settings.source)


@lru_cache(maxsize=64)
def _wanted(scripts: tuple[str, ...], languages: tuple[str, ...], source: str | None) -> tuple[str, ...]:
    from scriptlint.unicode import alphabets
    from scriptlint.unicode import scripts as table

    found: list[str] = []
    try:
        for word in scripts:
            found.extend(table.RECOMMENDED if word.lower() == "recommended" else [table.code(word)])
        for word in languages:
            found.extend(alphabets.language(word).scripts)
    except LookupError as error:
        raise SettingsError(f"{source or 'command line'}: {error}") from error
    return tuple(dict.fromkeys(found)) or table.RECOMMENDED


def check_bytes(path: str, data: bytes, settings: Settings) -> FileResult:
    """What one file gives. ``path`` is the name that findings carry; nothing is opened, run or imported from it."""
    from scriptlint.source.prefilter import may_matter

    if not may_matter(data):
        return _clean(path, data, settings, True)
    return _check(path, data, settings, True)


def _clean(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
    """What a file gives that holds nothing of interest; with ``whole``, that it is not Python."""
    from scriptlint.source.prefilter import is_python

    if whole and not path.endswith(".ipynb") and not is_python(data):
        return _check_source(path, data, settings, True)
    return FileResult(path, comments=comments_in(path, data)) if MARK in data else FileResult(path)


def _check(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
    if path.endswith(".ipynb"):
        return _check_notebook(path, data, settings, whole)
    return _check_source(path, data, settings, whole)


def _check_source(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
    from scriptlint.cache import dependencies
    from scriptlint.source import read_source
    from scriptlint.source.project import Project
    from scriptlint.tokenizer.verdict import judge

    plan = plan_for(settings)
    comments = comments_in(path, data)
    findings: list[Finding] = []
    problems: list[Problem] = []
    judged: list[Judged] = []
    crashed = False

    def guarded(what: str, line: int | None, work: Callable[[], None]) -> None:
        nonlocal crashed
        try:
            work()
        except Exception as error:
            # One file or rule that we fail on must not take the run along; the report says so and exits 2.
            if os.environ.get("SCRIPTLINT_TRACEBACK"):
                raise
            crashed = True
            problems.append(Problem(path, f"internal error in {what}: {type(error).__name__}: {error}", line))

    # A project of its own for each file: then results don't depend on which files were read before, or by whom.
    project = Project()
    try:
        with warnings.catch_warnings():
            # The engines warn of patterns that they read in an odd way; a rule of ours says so where it matters.
            warnings.simplefilter("ignore")
            facts = read_source(path, data, project=project, whole=whole)
    except Exception as error:
        if os.environ.get("SCRIPTLINT_TRACEBACK"):
            raise
        said = f"internal error in the reader: {type(error).__name__}: {error}"
        return FileResult(path, problems=(Problem(path, said),), comments=comments, crashed=True)
    problems.extend(facts.problems)
    for tokenizer in facts.tokenizers:

        def one(tokenizer: Tokenizer = tokenizer) -> None:
            judged.append(judge(tokenizer, plan.rule_settings.scripts))

        guarded("the judge", tokenizer.line, one)
    per_tokenizer, per_source = plan.rules("tokenizer"), plan.rules("source")
    work: list[tuple[Rule, object, int | None]] = [
        (rule, v, v.tokenizer.line) for v in judged for rule in per_tokenizer
    ]
    work += [(rule, facts, None) for rule in per_source]
    for rule, seen, line in work:

        def apply(rule: Rule = rule, seen: object = seen) -> None:
            findings.extend(_with_statement(f, facts) for f in rule.check(seen, plan.rule_settings))

        guarded(rule.code, line, apply)
    depends = dependencies(path, project.files)
    return FileResult(path, tuple(findings), tuple(problems), tuple(judged), comments, depends, crashed)


def _with_statement(finding: Finding, facts: SourceFacts) -> Finding:
    """The finding with the lines of the whole statement that it stands in: a comment on any of them is meant for it."""
    place, module = finding.location, facts.module
    lines = module.statement_lines(place.line) if module is not None and place.path == facts.path else None
    if lines is None:
        return finding
    first, last = finding.statement or lines
    return replace(finding, statement=(min(first, lines[0]), max(last, lines[1])))


def _check_notebook(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
    from scriptlint.notebook import Notebook, NotebookError

    try:
        notebook = Notebook(path, data)
    except NotebookError as error:
        return FileResult(path, problems=(Problem(path, str(error), error.line),))
    code = notebook.code.encode("utf-8", "surrogatepass")
    return notebook.lift_result(_check_source(path, code, settings, whole))


@dataclass(slots=True)
class _Run:
    """The state of one ``check_paths``: results by file number, and the caches by root."""

    options: Options
    results: dict[int, FileResult] = field(default_factory=dict)
    caches: dict[str, Cache] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    """What the results depend on beside the file, by the identity of the settings, which outlive the run."""

    def cache(self, settings: Settings) -> Cache:
        root = self.options.cache_dir or settings.root
        if root not in self.caches:
            from scriptlint.cache import Cache

            self.caches[root] = Cache(root, "")
        return self.caches[root]

    def key(self, settings: Settings, whole: bool) -> str:
        if id(settings) not in self.keys:
            self.keys[id(settings)] = f"{plan_for(settings).key} {whole}"
        return self.keys[id(settings)]


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
    from scriptlint.cache import is_current
    from scriptlint.source.prefilter import may_matter
    from scriptlint.walk import discover

    walk = discover(paths, settings_of, force_exclude=options.force_exclude or settings.force_exclude)
    problems = [Problem(place, f"cannot be read: {why}") for place, why in walk.unreadable]
    if not walk.units and walk.missing:
        raise NoFilesError(f"no such file or folder: {', '.join(walk.missing)}")
    if not walk.units and not problems and not (walk.excluded and options.force_exclude):
        raise NoFilesError(f"no Python file in {', '.join(paths)}")
    plan_for(settings)
    run = _Run(options)
    whole = len(walk.units) <= _PARSED_WHOLE
    todo: list[_Job] = []
    for index, unit in enumerate(walk.units):
        try:
            if unit.given and _is_pipe(unit.path):
                raise OSError("a pipe; give what it holds on standard input, as -")
            with open(unit.path, "rb", buffering=0) as file:
                data = file.read()
        except OSError as error:
            problem = Problem(unit.shown, f"cannot be read: {error.strerror or error}")
            run.results[index] = FileResult(unit.shown, problems=(problem,))
            continue
        # Of many files, most hold nothing; that is remembered by content, and a digest is quicker than a look.
        cache = run.cache(unit.settings) if options.use_cache and not options.programs else None
        known = cache is not None and not whole and cache.passed_over(data)
        key = ""
        warm = cache is not None and not known and (whole or cache.knows_some)
        matters = not known and (warm or may_matter(data))
        if cache is not None and matters:
            key = cache.key(unit.shown, data, run.key(unit.settings, whole))
            stored = FileResult(unit.shown) if cache.is_empty(key) else cache.get(key, FileResult)
            if stored is not None and is_current(stored.path, stored.depends):
                run.results[index] = stored
                continue
        if warm:
            matters = may_matter(data)
        if not matters:
            run.results[index] = FileResult(unit.shown) if known else _clean(unit.shown, data, unit.settings, whole)
            if cache is not None and not known and not whole and not run.results[index].comments:
                cache.pass_over(data)
            continue
        todo.append(_Job(index, unit.shown, data, unit.settings, whole, key))
    finished: Iterable[tuple[_Job, FileResult]]
    if options.programs:
        finished = ((job, _check(job.shown, job.data, job.settings, job.whole)) for job in todo)
    else:
        finished = _run_jobs(todo, options.jobs)
    for job, result in finished:
        run.results[job.index] = result
        if job.key and result == FileResult(job.shown):
            run.cache(job.settings).note_empty(job.key)
        elif job.key and not result.crashed:
            run.cache(job.settings).put(job.key, result)
    for cache in run.caches.values():
        cache.save()
    return Checked([run.results[i] for i in range(len(walk.units))], problems, walk.missing)


def _is_pipe(path: str) -> bool:
    """Whether opening a path would wait for whoever writes into it. Raises ``OSError``."""
    return stat.S_ISFIFO(os.stat(path).st_mode) and not path.startswith(("/dev/", "/proc/"))


@dataclass(frozen=True, slots=True)
class _Job:
    """A file worth parsing. It carries its bytes, so that what is stored under ``key`` is what was read for it."""

    index: int
    shown: str
    data: bytes = field(repr=False)
    settings: Settings = field(repr=False)
    whole: bool
    key: str = ""


def _run_jobs(todo: Sequence[_Job], jobs: int) -> Iterator[tuple[_Job, FileResult]]:
    if jobs != 1 and len(todo) >= (2 if jobs else _SERIAL_BELOW):
        from scriptlint.pool import cores

        jobs = jobs or cores()
    else:
        jobs = 1
    if jobs == 1:
        yield from zip(todo, _rarely_collecting(todo), strict=True)
        return
    from scriptlint.pool import Lost, map_units

    # Workers that are forked share what is loaded by then: the modules, and the tables that any tokenizer needs.
    _check("sample.py", _SAMPLE, todo[0].settings, False)
    for job, result in map_units(_work, todo, jobs=jobs):
        if isinstance(result, Lost):
            problem = Problem(job.shown, "internal error: the worker process died on this file")
            yield job, FileResult(job.shown, problems=(problem,), crashed=True)
        else:
            yield job, result


def _work(jobs: Sequence[_Job]) -> list[FileResult]:
    return list(_rarely_collecting(jobs))


def _rarely_collecting(jobs: Sequence[_Job]) -> Iterator[FileResult]:
    """Results with the collector of cycles at rest in between: on syntax trees it costs a third of the time.

    What a file leaves behind is young; what was there before, and the results, need not be looked through again.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        for number, job in enumerate(jobs, 1):
            yield _portable(_check(job.shown, job.data, job.settings, job.whole))
            if number % _FILES_A_COLLECTION == 0:
                gc.collect()
                gc.freeze()
    finally:
        gc.unfreeze()
        if was:
            gc.enable()


def _portable(result: FileResult) -> FileResult:
    """The result without programs: they are large, and hold syntax trees that have no place in a cache."""
    if all(j.tokenizer.program is None for j in result.tokenizers):
        return result
    kept = tuple(replace(j, tokenizer=replace(j.tokenizer, program=None)) for j in result.tokenizers)
    return replace(result, tokenizers=kept)
