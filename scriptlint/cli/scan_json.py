"""The JSON of ``scriptlint scan``: the report's keys, and the counts of each tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint import __version__
from scriptlint.report.json import FORMAT, dumps, finding_dict, problem_dict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.corpus.retrieval import SelfRetrieval
    from scriptlint.corpus.scan import Outcome
    from scriptlint.report.context import Context
    from scriptlint.results import Report


def scan_json(report: Report, outcome: Outcome, retrieval: Sequence[SelfRetrieval], context: Context) -> str:
    """One object. With one tokenizer its counts stand at the top, with several under ``tokenizers``."""
    from scriptlint.unicode import UNICODE_VERSION

    shown = [*report.findings, *(report.hidden if context.include_suppressed else ())]
    shown.sort(key=lambda f: (f.location, f.code))
    out: dict[str, Any] = {"format": FORMAT, "version": __version__, "unicode": UNICODE_VERSION}
    each = [counts_of(outcome, n, retrieval) for n in range(len(outcome.names))]
    files = outcome.files
    common = {
        "files": outcome.definition_files,
        "unreadable": files["unreadable"] + files["bad rows"],
        "file_states": {
            "with_items": files["items"],
            "without_items": files["none"],
            "unreadable": files["unreadable"],
            "not_definitions": files["other"],
        },
        "oddities": dict(outcome.odd.most_common()),
        "mode": "full" if outcome.full else "quick",
    }
    if len(each) == 1:
        out |= each[0] | common
    else:
        out |= {"tokenizers": each, "items": each[0]["items"], "definitions": each[0]["definitions"]} | common
    out["findings"] = [finding_dict(f) for f in shown]
    out["errors"] = [problem_dict(p) for p in report.problems]
    out["summary"] = report.summary()
    return dumps(out)


def counts_of(outcome: Outcome, number: int, retrieval: Sequence[SelfRetrieval] = ()) -> dict[str, Any]:
    """The counts of one of the tokenizers."""
    out: dict[str, Any] = {"tokenizer": outcome.names[number], **outcome.summaries[number].as_json()}
    if outcome.collisions:
        groups, items = outcome.collisions[number]
        out["collisions"] = {"groups": groups, "items": items}
    if outcome.left_out[number]:
        out["not_told"] = outcome.left_out[number]
    if retrieval:
        out["self_retrieval"] = retrieval[number].as_json()
    return out
