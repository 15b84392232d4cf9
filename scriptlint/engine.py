"""Bytes in, results out: what one file gives depends on its bytes, its name, the settings, and what it imports.

``scriptlint.run`` finds files and runs this over them; ``scriptlint.conclude`` turns what they give, and what a corpus
or gate run gives, into a report.
"""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.config import Settings, SettingsError
from scriptlint.finding import Problem
from scriptlint.results import FileResult
from scriptlint.rule import RuleSettings
from scriptlint.suppress import MARK, comments_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scriptlint.finding import Finding, Level, Location
    from scriptlint.registry import Registry, Rule
    from scriptlint.rule import Reads
    from scriptlint.tokenizer.model import Judged, SourceFacts, Tokenizer

__all__ = ["Plan", "check_bytes", "check_file", "clean_file", "plan_for", "portable", "wanted_scripts"]


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
        return clean_file(path, data, settings, True)
    return check_file(path, data, settings, True)


def clean_file(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
    """What a file gives that holds nothing of interest; with ``whole``, that it is not Python."""
    from scriptlint.source.prefilter import is_python

    if whole and not path.endswith(".ipynb") and not is_python(data):
        return _check_source(path, data, settings, True)
    return FileResult(path, comments=comments_in(path, data)) if MARK in data else FileResult(path)


def check_file(path: str, data: bytes, settings: Settings, whole: bool) -> FileResult:
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
            told = _told_elsewhere(seen)
            new = (f for f in rule.check(seen, plan.rule_settings) if f.location not in told)
            findings.extend(_with_statement(f, facts) for f in new)

        guarded(rule.code, line, apply)
    depends = dependencies(path, project.files)
    return FileResult(path, tuple(findings), tuple(problems), tuple(judged), comments, depends, crashed)


def _told_elsewhere(seen: object) -> frozenset[Location]:
    """Places of a tokenizer that are those of another one, by which they are told."""
    tokenizer = getattr(seen, "tokenizer", None)
    places = tokenizer.attributes.get("told") if tokenizer is not None else None
    return places if isinstance(places, frozenset) else frozenset()


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


def portable(result: FileResult) -> FileResult:
    """The result without programs: they are large, and hold syntax trees that have no place in a cache."""
    if all(j.tokenizer.program is None for j in result.tokenizers):
        return result
    kept = tuple(replace(j, tokenizer=replace(j.tokenizer, program=None)) for j in result.tokenizers)
    return replace(result, tokenizers=kept)
