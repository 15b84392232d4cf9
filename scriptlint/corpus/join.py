"""The join of a corpus with the findings on its tokenizers: a script that is lost is an error once items are lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scriptlint.finding import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scriptlint.corpus.scan import Outcome
    from scriptlint.corpus.tokens import Tokens
    from scriptlint.finding import Finding


@dataclass(frozen=True, slots=True)
class Harm:
    """What a tokenizer does to a corpus: ``blind`` of ``items`` index entries, and blind ones by script (``Jpan``
    counts for Han, Hiragana and Katakana)."""

    items: int
    blind: int
    by_script: Mapping[str, int]

    def __add__(self, other: Harm) -> Harm:
        """The harm to two corpora."""
        codes = dict.fromkeys((*self.by_script, *other.by_script))
        by_script = {code: self.by_script.get(code, 0) + other.by_script.get(code, 0) for code in codes}
        return Harm(self.items + other.items, self.blind + other.blind, by_script)


Harms = dict[tuple[str, str], Harm]
"""Harm by (path, tokenizer name)."""


def harm_of(outcome: Outcome, tokenizers: Sequence[Tokens]) -> Harms:
    """The harm of each tokenizer that comes from a file, under its own path and those of its patterns: a finding
    stands at the pattern that loses a script, which may be imported."""
    out: Harms = {}
    for tokens, summary in zip(tokenizers, outcome.summaries, strict=True):
        if isinstance(tokens.tokenizer, tuple):
            continue
        by_script: dict[str, int] = {}
        for script, counts in summary.by_script().items():
            for code in ("Hani", "Hira", "Kana") if script == "Jpan" else (script,):
                by_script[code] = by_script.get(code, 0) + counts["blind"]
        totals = summary.totals()
        harm = Harm(totals["items"], totals["blind"], by_script)
        places = {tokens.tokenizer.path, *(site.place.path for site in tokens.tokenizer.sites)}
        out.update(((path, tokens.tokenizer.name), harm) for path in places)
    return out


def add_up(several: Iterable[Harms]) -> Harms:
    """The harm to several corpora together."""
    out: Harms = {}
    for harms in several:
        for key, harm in harms.items():
            out[key] = out[key] + harm if key in out else harm
    return out


def joined(findings: Iterable[Finding], harms: Mapping[tuple[str, str], Harm]) -> list[Finding]:
    """Findings on tokenizers, each with the number of items that its tokenizer makes blind, and an error when its
    own scripts are among theirs. Findings on items are left as they are."""
    out: list[Finding] = []
    for finding in findings:
        harm = harms.get((finding.location.path, finding.tokenizer or ""))
        if harm is None or finding.item is not None or not harm.blind:
            out.append(finding)
            continue
        count = f"{harm.blind:,} of {harm.items:,} entries of the corpus are blind under it"
        level = Level.ERROR if any(harm.by_script.get(code) for code in finding.scripts) else finding.level
        out.append(replace(finding, message=f"{finding.message}; {count}", level=level))
    return out
