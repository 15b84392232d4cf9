"""A whole gate audit: conditions run, compared pair by pair, and what was odd about it in words."""
# Paths are plain strings, as workers tell them.
# ruff: noqa: PTH100, PTH117, PTH120

from __future__ import annotations

import ast
import itertools
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scriptlint.config import show_path
from scriptlint.finding import Location, Problem
from scriptlint.gate.ascii import AsciiResult, compare_ascii, prove, texts_to_test
from scriptlint.gate.compare import Comparison, Limits, compare
from scriptlint.gate.facts import GateFacts
from scriptlint.gate.places import differences
from scriptlint.gate.queries import with_aliases
from scriptlint.gate.router import TOKENIZE_NAMES, patched
from scriptlint.gate.run import Condition, Driver, Failed, Run, run_all
from scriptlint.gate.touch import same_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scriptlint.gate.queries import Query
    from scriptlint.gate.settings import GateSettings
    from scriptlint.tokenizer.model import Tokenizer

    TokenizerOf = Callable[[str, str, Sequence[str]], Tokenizer | None]

ALIASED = frozenset({"skill", "agent", "command", "rule", "plugin"})
"""Kinds of items that routers index under the name of their place, too."""
TOLD = 5
"""Queries with one error that are told one by one."""


@dataclass
class Audit:
    """What an audit gave. ``ascii`` goes with ``comparisons``; ``entries`` counts the items given to ``build``."""

    gate: GateSettings
    queries: list[Query]
    items: list[dict[str, str]] | None
    runs: list[Run]
    comparisons: list[Comparison] = field(default_factory=list)
    ascii: list[AsciiResult] = field(default_factory=list)
    facts: GateFacts = field(init=False)
    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def entries(self) -> int:
        """Items that build was given; 0 when the router reads its own."""
        return len(self.items or ())

    def read(self) -> list[str]:
        """Files that the conditions opened, as reports show them, without the interpreter's and installed packages'."""
        import site
        import sys

        base = (sys.prefix, sys.base_prefix, sys.exec_prefix, *site.getsitepackages(), site.getusersitepackages())
        ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        skip = tuple(os.path.realpath(b) + os.sep for b in (*base, ours))
        found = {p for run in self.runs for p in run.read}
        return sorted(show_path(p) for p in found if not p.startswith(skip) and not p.startswith(("/dev/", "/proc/")))


def limits_of(options: Mapping[str, Any]) -> Limits:
    """The limits that the options of SCR202 (in points) mean."""
    return Limits(
        options["gated-drop"] / 100, options["recall-drop"] / 100, options["mrr-drop"] / 100, options["queries"]
    )


def audit(
    gate: GateSettings,
    queries: Sequence[Query],
    items: list[dict[str, str]] | None,
    notices: Sequence[str] = (),
    *,
    tokenizer_of: TokenizerOf,
    jobs: int = 1,
) -> Audit:
    """Run every condition and compare each with every later one.

    ``tokenizer_of(path, source, names)`` reads a tokenizer from source text. Never raises for what routers do.
    """
    names = _names(items)
    asked = list(with_aliases(queries, names)) if names else list(queries)
    runs = run_all(gate.conditions, gate.setup, asked, items, jobs=jobs)
    out = Audit(gate, asked, items, runs, notices=list(notices))
    out.problems += _unknown_gold(queries, names)
    for run in runs:
        out.problems += _problems(run)
        out.notices += _notices(run, gate.setup.k)
    good = [r for r in runs if not r.failure]
    pairs = list(itertools.combinations(good, 2))
    k = gate.setup.k
    out.comparisons = [
        compare((a.condition.name, a.answers, a.gate), (b.condition.name, b.answers, b.gate), k, gate.seed)
        for a, b in pairs
    ]
    out.ascii = _ascii(gate, pairs, asked, items, tokenizer_of)
    places = tuple(tuple(differences(a.condition, b.condition)) for a, b in pairs)
    first = gate.conditions[0]
    out.facts = GateFacts(k, tuple(good), tuple(out.comparisons), places, Location(first.shown, 1, 1, 1, 2))
    return out


def _names(items: Sequence[Mapping[str, str]] | None) -> list[tuple[str, ...]]:
    """The names of each item under which a router may index it."""
    out = []
    for item in items or ():
        names = (item["name"], item["dirname"]) if item["kind"] in ALIASED else (item["name"],)
        out.append(tuple(dict.fromkeys(n for n in names if n)))
    return out


def _unknown_gold(queries: Sequence[Query], names: Sequence[Sequence[str]]) -> list[Problem]:
    from scriptlint.nearest import did_you_mean

    known = {n for own in names for n in own}
    if not known:
        return []
    out = []
    for q in queries:
        if q.gold and known.isdisjoint(q.gold):
            hint = did_you_mean(q.gold[0], known)
            out.append(Problem(q.path, f"gold: no item is named {q.gold[0]!r}{hint}", q.line or None))
    return out


def _problems(run: Run) -> list[Problem]:
    """A condition that failed, and queries that got no answer; many with one error are told together."""
    name, shown = run.condition.name, run.condition.shown
    if run.failure:
        return [Problem(shown, f"condition {name} is not measured: {run.failure}")]
    failed = [a for a in run.answers if a.error]
    counts = Counter(a.error for a in failed)
    out = []
    seen: Counter[str] = Counter()
    for a in failed:
        seen[a.error] += 1
        if seen[a.error] > TOLD:
            continue
        more = counts[a.error] - TOLD
        tail = f" (and {more} more queries)" if seen[a.error] == TOLD and more > 0 else ""
        said = f"condition {name}: no answer to {a.query.text!r}: {a.error}{tail}"
        out.append(Problem(a.query.path or shown, said, a.query.line or None))
    return out


def _notices(run: Run, k: int) -> list[str]:
    name = run.condition.name
    out = [f"{name}: refused {told(r)}" for r in run.refused]
    if run.failure:
        return out
    good = [a for a in run.answers if not a.error]
    rising = sum(any(x[1] < y[1] for x, y in itertools.pairwise(a.results[:k])) for a in good)
    if rising > len(good) / 2:
        out.append(f"{name}: scores rise from rank to rank: is a lower score better? The gate takes a higher one")
    full = [a for a in good if len(a.results) > k]
    if not full and any(len(a.results) == k for a in good):
        out.append(f"{name}: search gives at most {k} results, so MRR knows no rank beyond {k}")
    if not run.has_tokenizer:
        out.append(f"{name}: no tokenizer found, so queries without a token are not counted; set tokenize")
    return out


def told(refusal: Mapping[str, Any]) -> str:
    """A refusal in words: ``write: .cache/index.json (router.py:12)``."""
    return f"{refusal['what']}: {target(refusal)}" + (f" ({place(refusal['line'])})" if refusal["line"] else "")


def target(refusal: Mapping[str, Any]) -> str:
    """What was refused, paths as reports show them."""
    text = str(refusal["target"])
    return show_path(text) if os.path.isabs(text) else text


def place(line: str) -> str:
    """``path:line`` with the path as reports show it."""
    path, _, number = line.rpartition(":")
    return f"{show_path(path)}:{number}" if path else ""


def _ascii(
    gate: GateSettings,
    pairs: Sequence[tuple[Run, Run]],
    queries: Sequence[Query],
    items: Sequence[Mapping[str, str]] | None,
    tokenizer_of: TokenizerOf,
) -> list[AsciiResult]:
    runs = list({id(r): r for pair in pairs for r in pair}.values())
    texts = texts_to_test([q.text for q in queries], [i["description"] for i in items or ()], gate.seed)
    stages: dict[str, Tokenizer | None] = {}
    drivers: dict[str, Driver | None] = {}
    names = (gate.setup.tokenize,) if gate.setup.tokenize else TOKENIZE_NAMES
    try:
        for run in runs:
            condition = run.condition
            stages[condition.name] = tokenizer_of(condition.path, _source(condition), names)
            drivers[condition.name] = _loaded(run, gate, items)
        out = []
        for a, b in pairs:
            one, other = stages[a.condition.name], stages[b.condition.name]
            constants = (*a.condition.constants, *b.condition.constants)
            if same_code(a.condition.source, b.condition.source, names, constants):
                why = ""
            elif one is None or other is None:
                why = "no tokenizer could be read from the source"
            else:
                why = prove(one.stages, other.stages)
            first, second = drivers[a.condition.name], drivers[b.condition.name]
            out.append(compare_ascii(why, first, second, texts, (a.answers, b.answers)))
        return out
    finally:
        for driver in drivers.values():
            if driver is not None:
                driver.__exit__()


def _source(condition: Condition) -> str:
    """The source with its constants set, as the reader of tokenizers sees it."""
    if not condition.constants:
        return condition.source
    try:
        return ast.unparse(patched(ast.parse(condition.source), condition.constants))
    except (SyntaxError, ValueError, RecursionError):
        return condition.source


def _loaded(run: Run, gate: GateSettings, items: Sequence[Mapping[str, str]] | None) -> Driver | None:
    """A worker with the condition in it, for its tokenizer; the index isn't needed."""
    if not run.has_tokenizer:
        return None
    driver = Driver(run.condition, gate.setup, items)
    try:
        driver.open(build=False)
    except Failed:
        driver.__exit__()
        return None
    return driver
