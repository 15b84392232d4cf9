"""A whole scan: units, an engine, what only the whole tells, and facts for the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scriptlint.corpus.census import SHARE
from scriptlint.corpus.facts import Collision, CorpusFacts, ItemFacts
from scriptlint.corpus.items import index_names
from scriptlint.corpus.judge import UNDECIDED, Judge, Window
from scriptlint.corpus.readers.files import FileRef
from scriptlint.corpus.readers.tables import UNIT_BYTES, Fields, FieldsError, TableUnit, plan
from scriptlint.corpus.scriptof import profile
from scriptlint.corpus.walk import Found, find
from scriptlint.corpus.work import Job, Part, bare, items_at, texts
from scriptlint.finding import Location, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scriptlint.corpus.items import Item, Oddity
    from scriptlint.corpus.summary import Summary
    from scriptlint.corpus.tokens import Tokens
    from scriptlint.corpus.work import Hit, Unit

FILES_A_UNIT = 256
FULL_FILES = 2000
COLLISIONS = 1000
"""Groups of colliding items that are told; all are counted."""


class NothingToScan(ValueError):  # noqa: N818  (a usage error with one line for a person)
    """The arguments name nothing that can be read."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to scan and how.

    ``full`` makes all tokens of every item (document frequencies, collisions); ``None``: when there are no more
    than ``FULL_FILES`` definition files and no table. ``jobs`` processes, or ``engine="dask"`` at ``scheduler`` (its
    own local cluster without one).
    ``results`` is an existing folder for the verdicts on all items, as Parquet.
    ``tick(items so far, share of the input done)`` is called after every unit.
    """

    paths: tuple[str, ...]
    tokenizers: tuple[Tokens, ...]
    fields: Fields | None = None
    window: Window | None = None
    full: bool | None = None
    share: float = SHARE
    jobs: int = 1
    engine: str = "local"
    scheduler: str | None = None
    limit: int = 10_000
    aliases: bool | None = None
    unit_bytes: int = UNIT_BYTES
    results: str | None = None
    tick: Callable[[int, float], None] | None = None


@dataclass(slots=True)
class Outcome:
    """What a scan found. ``items`` and ``corpora`` (one each) go with the tokenizers.

    ``files``: definition files by what they gave (``items``, ``none``, ``unreadable``), ``other`` files that are no
    definitions, and ``bad rows`` of tables. ``left_out`` counts hits beyond the limit.
    """

    names: tuple[str, ...]
    summaries: list[Summary]
    items: list[list[ItemFacts]]
    corpora: list[CorpusFacts]
    oddities: list[Oddity]
    odd: Counter[str]
    problems: list[Problem]
    files: Counter[str]
    left_out: list[int]
    full: bool
    collisions: list[tuple[int, int]] = field(default_factory=list)
    """For each tokenizer in full mode: groups of colliding items, and items in them."""

    @property
    def definition_files(self) -> int:
        """Files that are definitions or tables, readable or not."""
        return sum(self.files[key] for key in ("items", "none", "unreadable"))


def scan(request: Request) -> Outcome:
    """Run a scan. Raises NothingToScan, FieldsError, and NoCluster when the engine isn't there."""
    units, found, problems = units_of(request)
    return _scan(units, found, problems, request)


def _scan(units: list[Unit], found: Found, problems: list[Problem], request: Request) -> Outcome:
    full = request.full
    if full is None:
        full = len(found.files) <= FULL_FILES and not any(isinstance(u, TableUnit) for u in units)
    job = Job(request.tokenizers, request.window, full, request.share, request.limit, request.aliases, request.results)
    whole = Part.empty(job)
    sizes: dict[int, list[int]] = {}
    total = sum(_weight(u) for u in units) or 1
    done = 0
    for number, part in _engine(units, job, request):
        sizes[number] = part.sizes
        whole.merge(part, number, request.limit)
        done += _weight(units[number])
        if request.tick is not None:
            request.tick(whole.definitions, done / total)
    whole.problems[:0] = problems
    whole.files["other"] += found.skipped
    if not whole.definitions and not whole.files["none"] and not whole.files["unreadable"] and not whole.problems:
        shown = ", ".join(request.paths)
        raise NothingToScan(f"{shown}: no definition of a skill, agent, command, rule, plugin or tool found")
    common = _boilerplate(whole, units, job)
    facts = _facts(whole, units, sizes, job, common)
    collisions, counts = _collisions(whole, units, sizes, job) if full else ([()] * len(job.tokenizers), [])
    _number_lines(whole, facts, collisions)
    whole.problems += _too_slow(facts)
    corpora = [
        CorpusFacts(t.name, summary, tuple(whole.oddities) if n == 0 else (), tuple(groups))
        for n, (t, summary, groups) in enumerate(zip(job.tokenizers, whole.summaries, collisions, strict=True))
    ]
    return Outcome(
        names=tuple(t.name for t in job.tokenizers),
        summaries=whole.summaries,
        items=facts,
        corpora=corpora,
        oddities=whole.oddities,
        odd=whole.odd,
        problems=whole.problems,
        files=whole.files,
        left_out=whole.left_out,
        full=full,
        collisions=counts,
    )


def scan_texts(files: Mapping[str, str], tokens: Tokens, window: Window | None = None) -> Outcome:
    """A scan of definition files that are given as texts: path -> text."""
    refs = [FileRef(path, path, path, data=text.encode()) for path, text in files.items()]
    return _scan([tuple(refs)], Found(), [], Request(tuple(files), (tokens,), window=window, full=True))


def units_of(request: Request) -> tuple[list[Unit], Found, list[Problem]]:
    """The units of a request, what the walk met, and the problems so far. Raises NothingToScan, FieldsError."""
    found = find(request.paths)
    if found.missing:
        raise NothingToScan(f"{', '.join(found.missing)}: no such file or folder")
    problems = list(found.problems)
    size = FILES_A_UNIT if request.jobs == 1 else max(16, min(FILES_A_UNIT, len(found.files) // (request.jobs * 4) + 1))
    units: list[Unit] = [tuple(found.files[n : n + size]) for n in range(0, len(found.files), size)]
    for ref in found.tables:
        try:
            units += plan(ref, request.fields, request.unit_bytes)
        except FieldsError:
            if ref.given or request.fields is not None:
                raise
            found.skipped += 1  # a table in a folder that is no list of items
        except OSError as error:
            problems.append(Problem(ref.path, f"can't be read: {error.strerror or error}"))
    if not units and not problems:
        shown = ", ".join(request.paths)
        raise NothingToScan(f"{shown}: no file that could hold definitions (.md, .mdc, .json, .yaml, .jsonl, .csv ...)")
    return units, found, problems


def _weight(unit: Unit) -> int:
    return max(1, unit.hi - unit.lo) if isinstance(unit, TableUnit) else 4096 * len(unit)


def _engine(units: Sequence[Unit], job: Job, request: Request) -> Iterator[tuple[int, Part]]:
    if request.engine == "dask":
        from scriptlint.corpus.engines.cluster import cluster

        return cluster(units, job, request.jobs, request.scheduler)
    if request.jobs > 1 and len(units) > 1:
        from scriptlint.corpus.engines.pool import pool

        return pool(units, job, request.jobs)
    from scriptlint.corpus.engines import serial

    return serial(units, job)


def _boilerplate(whole: Part, units: Sequence[Unit], job: Job) -> list[frozenset[str]]:
    """Common tokens of each tokenizer; items found by nothing else get their flag and become hits."""
    out: list[frozenset[str]] = []
    for index, census in enumerate(whole.censuses):
        sure, doubt = census.common()
        if doubt and census.suspects(sure | doubt):
            sure |= _recount(doubt, units, job.tokenizers[index], census.threshold)
        out.append(sure)
        by_unit: dict[int, set[int]] = {}
        for unit, number in map(census.locate, census.suspects(sure)):
            by_unit.setdefault(unit, set()).add(number)
        found: dict[tuple[int, int], Hit] = {}
        for unit, numbers in by_unit.items():
            found |= _rejudged(units[unit], unit, numbers, whole.summaries[index], job, index, sure)
        known = [hit for hit in whole.hits[index] if hit[:2] not in found]
        merged = sorted([*known, *found.values()])
        whole.hits[index] = merged[: job.limit]
        whole.left_out[index] += len(merged) - len(whole.hits[index])
    return out or [frozenset()] * len(job.tokenizers)


def _rejudged(
    unit: Unit, at: int, numbers: set[int], summary: Summary, job: Job, index: int, common: frozenset[str]
) -> dict[tuple[int, int], Hit]:
    """The items of a unit that common tokens make boilerplate, by (unit, number); their counts are moved."""
    before = Judge(job.tokenizers[index], window=job.window)
    after = Judge(job.tokenizers[index], window=job.window, common=common)
    out: dict[tuple[int, int], Hit] = {}
    for number, (name, dirname, description, kind, source) in enumerate(texts(unit)):
        if number not in numbers:
            continue
        seen = profile(description)
        old = before.verdict(name, dirname, description, seen).flags
        new = after.verdict(name, dirname, description, seen).flags
        if new != old and not new & UNDECIDED:
            summary.change(source, seen.script, old, new, entries(name, dirname, kind, unit, job))
            out[at, number] = (at, number, seen.script, new)
    return out


def entries(name: str, dirname: str, kind: str, unit: Unit, job: Job) -> int:
    """As how many index entries an item counts."""
    if isinstance(unit, TableUnit):
        return 2 if job.aliases is True and name and dirname and name != dirname else 1
    return 1 if job.aliases is False else max(1, len(index_names(name, dirname, kind)))


def _recount(doubt: frozenset[str], units: Sequence[Unit], tokens: Tokens, threshold: float) -> frozenset[str]:
    """Those of the tokens that are in more than ``threshold`` items."""
    counts: Counter[str] = Counter()
    for unit in units:
        for _, _, description, _, _ in texts(unit):
            counts.update(doubt.intersection(tokens.tokens(description)))
    return frozenset(t for t, n in counts.items() if n > threshold)


def _fetched(
    places: Sequence[tuple[int, int]], units: Sequence[Unit], sizes: dict[int, list[int]]
) -> dict[int, dict[int, Item]]:
    """Unit -> number -> item, with places."""
    by_unit: dict[int, list[int]] = {}
    for unit, number in places:
        by_unit.setdefault(unit, []).append(number)
    return {unit: items_at(units[unit], numbers, sizes.get(unit, ())) for unit, numbers in by_unit.items()}


def _facts(
    whole: Part, units: Sequence[Unit], sizes: dict[int, list[int]], job: Job, common: Sequence[frozenset[str]]
) -> list[list[ItemFacts]]:
    from scriptlint.corpus.explain import item_facts

    out: list[list[ItemFacts]] = [[] for _ in job.tokenizers]
    wanted: dict[int, list[tuple[int, int, str, int]]] = {}
    for index, hits in enumerate(whole.hits):
        for unit, number, script, flags in hits:
            wanted.setdefault(unit, []).append((number, index, script, flags))
    judges = job.judges(common)
    for unit in sorted(wanted):
        items = items_at(units[unit], [number for number, *_ in wanted[unit]], sizes.get(unit, ()))
        for number, index, script, flags in sorted(wanted[unit]):
            item = items.get(number)
            if item is None:  # the file changed under us
                continue
            names = item.names if entries(item.name, item.dirname, item.kind, units[unit], job) > 1 else (item.title,)
            facts = item_facts(item, script, flags, judges[index], names[0])
            slim = replace(facts, item=bare(item))
            out[index] += [replace(slim, entry=name) for name in names]
    return out


def _too_slow(facts: Sequence[Sequence[ItemFacts]]) -> Iterator[Problem]:
    """The items on which a tokenizer ran out of time, each told once for each tokenizer."""
    told: set[tuple[str, Location]] = set()
    for listed in facts:
        for f in listed:
            if f.undecided and (f.tokenizer, f.place) not in told:
                told.add((f.tokenizer, f.place))
                why = f"`{f.entry}`: {f.tokenizer} took too long on this description; it is not judged"
                yield Problem(f.place.path, why, f.place.line)


def _collisions(
    whole: Part, units: Sequence[Unit], sizes: dict[int, list[int]], job: Job
) -> tuple[list[tuple[Collision, ...]], list[tuple[int, int]]]:
    from scriptlint.corpus.explain import collision

    out: list[tuple[Collision, ...]] = []
    counts: list[tuple[int, int]] = []
    for census, tokens in zip(whole.censuses, job.tokenizers, strict=True):
        groups = census.collisions()
        counts.append((len(groups), sum(map(len, groups))))
        groups = groups[:COLLISIONS]
        places = {n: census.locate(n) for group in groups for n in group}
        fetched = _fetched(list(places.values()), units, sizes)
        found = []
        for group in groups:
            items = [fetched[places[n][0]].get(places[n][1]) for n in group]
            found.append(collision([i for i in items if i is not None], tokens))
        out.append(tuple(c for c in found if len(c.items) > 1))
    return out, counts


def _number_lines(whole: Part, facts: list[list[ItemFacts]], collisions: list[tuple[Collision, ...]]) -> None:
    """Turn the byte offsets that stand for lines of JSON Lines into line numbers."""
    from scriptlint.corpus.rowplaces import Numberer

    number = Numberer()
    places: list[Location | None] = []
    for listed in facts:
        for f in listed:
            places += [f.place, f.item.name_location, f.item.description_location, *f.words]
            places.append(f.cut.place if f.cut is not None else None)
    for groups in collisions:
        for c in groups:
            places += c.places
    number.learn([p for p in places if p is not None], whole.oddities)
    if not number.needed:
        return
    for listed in facts:
        listed[:] = [number.facts(f) for f in listed]
    for n, groups in enumerate(collisions):
        collisions[n] = tuple(replace(c, places=tuple(number.place(p) for p in c.places)) for c in groups)
    whole.oddities[:] = [number.oddity(o) for o in whole.oddities]
