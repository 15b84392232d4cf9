"""What one gate run tells the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scriptlint.gate.compare import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.finding import Location
    from scriptlint.gate.compare import Comparison, Difference
    from scriptlint.gate.run import Run

Places = tuple[tuple["Location | None", "Location | None"], ...]


@dataclass(frozen=True, slots=True)
class Collapse:
    """A fall of gated recall between two conditions.

    ``groups`` are the languages and scripts in which it fell (``""``: all queries), worst first. ``place`` is where
    the conditions differ, ``related`` are the other places. ``hidden`` are a query whose right answer ranks among
    the first k in both and is let through in the first alone, the answer's score before and after, and the gate.
    """

    first: str
    second: str
    groups: tuple[tuple[str, Difference], ...]
    scripts: tuple[str, ...]
    place: Location
    related: tuple[Location, ...]
    hidden: tuple[str, float, float, float] | None = None


@dataclass(frozen=True)
class GateFacts:
    """The runs of a gate audit and their comparisons; ``places`` go with ``comparisons``: where they differ.

    ``fallback`` is the place of a comparison whose conditions differ nowhere that can be shown.
    """

    k: int
    runs: tuple[Run, ...]
    comparisons: tuple[Comparison, ...]
    places: tuple[Places, ...]
    fallback: Location

    def collapses(self, gated: float, recall: float, mrr: float, queries: int) -> Iterator[Collapse]:
        """Comparisons in which gated recall fell by more than ``gated`` and the ranking stayed within its limits.

        All limits are in points (hundredths); ``queries`` is the least size of a group.
        """
        limits = Limits(gated / 100, recall / 100, mrr / 100, queries)
        for comparison, places in zip(self.comparisons, self.places, strict=True):
            groups = comparison.collapsed(limits)
            if groups:
                yield self._collapse(comparison, places, groups)

    def _collapse(self, comparison: Comparison, places: Places, groups: list[tuple[str, Difference]]) -> Collapse:
        groups = sorted(groups, key=lambda g: (g[0] != "", g[1].gated_recall))
        # The second condition is the one to mend; what only the first has is where something was taken out.
        listed = [p for pair in places for p in (pair[1], pair[0]) if p is not None]
        place = replace(listed[0], message="") if listed else self.fallback
        scripts = {code for code, _ in groups if code in comparison.by_script}
        expanded = {s for code in scripts for s in (("Hani", "Hira", "Kana") if code == "Jpan" else (code,))}
        return Collapse(
            comparison.first,
            comparison.second,
            tuple(groups),
            tuple(sorted(expanded - {"Zyyy"})),
            place,
            tuple(listed[1:]),
            self._hidden(comparison),
        )

    def _hidden(self, comparison: Comparison) -> tuple[str, float, float, float] | None:
        runs = {r.condition.name: r for r in self.runs}
        first, second = runs[comparison.first], runs[comparison.second]
        worst: tuple[float, str, float, float, float] | None = None
        for a, b in zip(first.answers, second.answers, strict=True):
            lost = a.gated(self.k, first.gate) and b.hit(self.k) and not b.gated(self.k, second.gate)
            if lost and a.score is not None and b.score is not None:
                # Of many, the one that ranks first in both and falls deepest says most.
                weight = (a.rank == 1) + (b.rank == 1) + (a.score - b.score) / max(a.score, 1e-9)
                if worst is None or weight > worst[0]:
                    worst = (weight, a.query.text, a.score, b.score, second.gate)
        return None if worst is None else worst[1:]
