"""Sweeps: one or two constants of a router over ranges, and what the gate lets through at each value."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scriptlint.errors import UserError
from scriptlint.gate.metrics import metrics
from scriptlint.gate.run import Driver
from scriptlint.gate.touch import Touch, touch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scriptlint.gate.metrics import Answer, Metrics
    from scriptlint.gate.queries import Query
    from scriptlint.gate.run import Condition, Setup

MOST_POINTS = 2000


class SweepError(UserError):
    """A sweep that can't be done: one line."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A constant and its values."""

    name: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> Axis:
        """``NAME=from:to:step`` (the end included), or ``NAME=a,b,c``. Raises SweepError."""
        name, equals, rest = text.partition("=")
        name = name.strip()
        good = equals and all(part.isidentifier() for part in name.split("."))
        try:
            numbers = [float(part) for part in rest.replace(",", ":").split(":")] if good else []
        except ValueError:
            numbers = []
        if not numbers or not all(map(math.isfinite, numbers)):
            raise SweepError(f"--sweep {text}: must be NAME=from:to:step, as in DISCOUNT=0.35:1:0.05")
        if ":" not in rest:
            return cls(name, tuple(map(_tidy, numbers)))
        if len(numbers) != 3 or "," in rest:
            raise SweepError(f"--sweep {text}: a range has three parts, from:to:step")
        first, last, step = numbers
        if step == 0 or (last - first) * step < 0:
            raise SweepError(f"--sweep {text}: the step {step:g} never leads from {first:g} to {last:g}")
        steps = math.floor((last - first) / step + 1e-9)
        if steps >= MOST_POINTS:
            raise SweepError(f"--sweep {text}: more than {MOST_POINTS:,} values")
        return cls(name, tuple(_tidy(first + n * step) for n in range(steps + 1)))


def _tidy(value: float) -> float:
    """Without the last digits that counting in binary leaves: 0.35 + 7 * 0.05 is 0.7."""
    value = round(value, 10)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


@dataclass(frozen=True, slots=True)
class Point:
    """The metrics at one setting of the constants; ``failure`` (one line) when there are none."""

    constants: Mapping[str, float]
    gate: float = 0.0
    metrics: Metrics | None = None
    failure: str = ""

    def of(self, by: str, code: str) -> Metrics | None:
        """The metrics of a group (``by_language`` or ``by_script``), of all queries for ``""``."""
        if self.metrics is None or not code:
            return self.metrics
        groups: Mapping[str, Metrics] = getattr(self.metrics, by)
        return groups.get(code)

    def as_json(self) -> dict[str, Any]:
        """An entry of ``sweep``."""
        out: dict[str, Any] = {"set": dict(self.constants), "gate": self.gate}
        if self.failure or self.metrics is None:
            return {**out, "error": self.failure}
        return {**out, **self.metrics.as_json()}


@dataclass(slots=True)
class Swept:
    """A sweep over one condition. ``builds`` and ``searches`` count how often that had to be done."""

    condition: str
    axes: tuple[Axis, ...]
    points: list[Point] = field(default_factory=list)
    builds: int = 0
    searches: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)

    def groups(self, by: str) -> list[str]:
        """Codes of the groups (``by_language`` or ``by_script``) that have queries with an answer."""
        codes = {c for p in self.points if p.metrics for c, m in getattr(p.metrics, by).items() if m.queries}
        return sorted(codes)

    def best(self, by: str, most_wrong: float) -> dict[str, Point]:
        """For every group, and for all queries (``""``), the point with the most gated recall among those with at
        most ``most_wrong`` wrong items let through per query; of equals the one with fewest wrong, then the first."""
        out: dict[str, Point] = {}
        for code in ["", *self.groups(by)]:
            rated = []
            for number, p in enumerate(self.points):
                m = p.of(by, code)
                if m is None or m.gated_recall is None or m.wrong_let_through is None:
                    continue
                if m.wrong_let_through <= most_wrong + 1e-9:
                    rated.append((-m.gated_recall, m.wrong_let_through, number, p))
            if rated:
                out[code] = min(rated, key=lambda r: r[:3])[3]
        return out


def sweep(
    condition: Condition,
    axes: Sequence[Axis],
    setup: Setup,
    queries: Sequence[Query],
    items: Sequence[Mapping[str, str]] | None,
    *,
    jobs: int = 1,
    tick: Callable[[], None] | None = None,
) -> Swept:
    """Measure every combination of the axes' values; the index is rebuilt only where a constant touches it."""
    if len({a.name for a in axes}) < len(axes):
        raise SweepError(f"--sweep: {axes[0].name} is named twice")
    total = math.prod(len(a.values) for a in axes)
    if total > MOST_POINTS:
        raise SweepError(f"--sweep: {total:,} combinations are more than {MOST_POINTS:,}")
    searching = [setup.search, *([setup.tokenize] if setup.tokenize else [])]
    cost = {a.name: touch(condition.source, a.name, setup.build, searching) for a in axes}
    # What is dear to change changes least often.
    order = sorted(range(len(axes)), key=lambda n: -cost[axes[n].name])
    settings = [
        {axes[i].name: value for i, value in zip(order, values, strict=True)}
        for values in itertools.product(*(axes[i].values for i in order))
    ]
    out = Swept(condition.name, tuple(axes))
    parts = _split(settings, max(1, min(jobs, len(settings))))
    done: dict[tuple[float, ...], Point] = {}
    for part in _map(lambda p: _part(condition, p, cost, setup, queries, items, tick), parts):
        for point in part.points:
            done[tuple(point.constants[a.name] for a in axes)] = point
        out.builds += part.builds
        out.searches += part.searches
        out.refused += [r for r in part.refused if r not in out.refused]
    out.points = [
        Point({a.name: v for a, v in zip(axes, values, strict=True)}, p.gate, p.metrics, p.failure)
        for values in itertools.product(*(a.values for a in axes))
        for p in [done[tuple(values)]]
    ]
    return out


def _split(settings: list[dict[str, float]], parts: int) -> list[list[dict[str, float]]]:
    size = math.ceil(len(settings) / parts)
    return [settings[n : n + size] for n in range(0, len(settings), size)]


def _map(work: Callable[[list[dict[str, float]]], Swept], parts: list[list[dict[str, float]]]) -> list[Swept]:
    if len(parts) == 1:
        return [work(parts[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=len(parts)) as pool:
        return list(pool.map(work, parts))


def _part(
    condition: Condition,
    settings: Sequence[dict[str, float]],
    cost: Mapping[str, Touch],
    setup: Setup,
    queries: Sequence[Query],
    items: Sequence[Mapping[str, str]] | None,
    tick: Callable[[], None] | None,
) -> Swept:
    """A run of settings in one worker."""
    from scriptlint.gate.run import Failed

    out = Swept(condition.name, ())
    answers: list[Answer] = []
    before: dict[str, float] | None = None
    with Driver(condition, setup, items) as driver:
        for constants in settings:
            changed = [n for n, v in constants.items() if before is None or before[n] != v]
            how = Touch.LOAD if before is None else max((cost[n] for n in changed), default=Touch.NOTHING)
            try:
                if how is Touch.LOAD or driver.session is None:
                    driver.open(constants)
                else:
                    driver.set(constants)
                    if how is Touch.BUILD:
                        driver.build()
                if how is not Touch.NOTHING:
                    answers = list(driver.answers(queries))
                    out.searches += len(queries)
                out.points.append(Point(constants, driver.gate, metrics(answers, driver.gate, setup.k)))
                before = constants
            except Failed as error:
                out.points.append(Point(constants, failure=str(error)))
                before = None
            if tick is not None:
                tick()
    out.builds, out.refused = driver.builds, driver.refused
    return out
