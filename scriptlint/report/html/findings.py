"""Findings with their source lines, what could not be read, and the rules that spoke."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scriptlint.finding import Level
from scriptlint.report.html.markup import (
    LEVEL_SYMBOL,
    LEVEL_TONE,
    badge,
    esc,
    ident,
    path_text,
    place_text,
    said,
    source,
    witness_row,
)
from scriptlint.report.html.page import Section
from scriptlint.report.text import counted
from scriptlint.rule import script_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.finding import Finding
    from scriptlint.report.context import Context
    from scriptlint.results import Report

_OPEN = 40
"""Findings up to which every file's list starts open."""
_SCRIPTS_NAMED = 6


def sections(report: Report, context: Context) -> Iterator[Section]:
    """The findings, the files that could not be read, the rules."""
    shown = [*report.findings, *(report.hidden if context.include_suppressed else ())]
    shown.sort(key=lambda f: (f.location, f.code))
    yield _findings(shown, context)
    if report.problems or report.notices:
        bad, note = badge("bad", "\u2717", "error"), badge("part", "\u25cf", "notice")
        rows = "".join(
            f"<li>{bad} {path_text(p.path)}{f':{p.line}' if p.line else ''}: {esc(p.message)}</li>"
            for p in report.problems
        )
        notices = "".join(f"<li>{note} {esc(n)}</li>" for n in report.notices)
        lead = "What could not be read, and what else to know."
        yield Section("errors", "Errors and notices", lead, f'<ul class="plain">{rows}{notices}</ul>')
    if shown:
        yield _rules(shown, context)


def _findings(shown: Sequence[Finding], context: Context) -> Section:
    if not shown:
        return Section("findings", "Findings", "Nothing was found.", "")
    by_path: dict[str, list[Finding]] = {}
    for finding in shown:
        by_path.setdefault(finding.location.path, []).append(finding)
    is_open = " open" if len(shown) <= _OPEN else ""
    body = [_filter(shown)]
    number = 0
    for path, listed in by_path.items():
        articles = "".join(_finding(number + n, f, context) for n, f in enumerate(listed, 1))
        number += len(listed)
        body.append(
            f'<details class="file"{is_open}><summary><h3>{path_text(path)}</h3> '
            f'<span class="tail">{counted(len(listed), "finding")}</span></summary>'
            f"{articles}</details>"
        )
    lead = f"{counted(len(shown), 'finding')} in {counted(len(by_path), 'file')}, in order of place."
    return Section("findings", "Findings", lead, "".join(body))


def _filter(shown: Sequence[Finding]) -> str:
    """Checkboxes that hide levels; the style sheet does the work."""
    counts = Counter(f.level for f in shown)
    if len(counts) < 2:
        return ""
    boxes = "".join(
        f'<label><input type="checkbox" id="show-{level.value}" checked autocomplete="off"> '
        f"{badge(LEVEL_TONE[level], LEVEL_SYMBOL[level], f'{level.value} ({counts[level]:,})')}</label>"
        for level in (Level.ERROR, Level.WARNING, Level.NOTE)
        if counts[level]
    )
    return f'<fieldset class="filter"><legend>Show</legend>{boxes}</fieldset>'


def _finding(number: int, finding: Finding, context: Context) -> str:
    level = finding.level
    parts = [
        f'<article class="finding {level.value}" id="finding-{number}"><p class="head">'
        f"{badge(LEVEL_TONE[level], LEVEL_SYMBOL[level], level.value)} "
        f'<a href="#rule-{ident(finding.code)}"><strong>{esc(finding.code)}</strong> {esc(finding.name)}</a> '
        f'<span class="soft">{place_text(finding.location)}</span></p>'
        f'<p class="message">{said(finding.message)}</p>'
    ]
    if finding.suppressed:
        parts.append(f'<p class="soft">suppressed, {esc(finding.suppressed)}</p>')
    if finding.location.message:
        parts.append(f'<p class="soft">in {esc(finding.location.message)}</p>')
    parts.append(source(finding.location, context.lines))
    if finding.witness is not None:
        parts.append(witness_row(finding.witness))
    if finding.help:
        parts.append(f'<p class="help"><strong>Help:</strong> {said(finding.help)}</p>')
    if len(finding.scripts) > _SCRIPTS_NAMED:
        parts.append(
            f"<details><summary>{len(finding.scripts)} scripts</summary>"
            f"<p>{esc(script_list(finding.scripts, limit=0))}</p></details>"
        )
    related = list(dict.fromkeys(finding.related))
    if related:
        rows = "".join(
            f"<li>{place_text(r)}{f': {said(r.message)}' if r.message else ''}{source(r, context.lines)}</li>"
            for r in related
        )
        parts.append(
            f"<details><summary>{counted(len(related), 'related place')}</summary>"
            f'<ul class="plain">{rows}</ul></details>'
        )
    parts.append("</article>")
    return "".join(parts)


def _rules(shown: Sequence[Finding], context: Context) -> Section:
    counts = Counter((f.code, f.name) for f in shown)
    rows = []
    for (code, name), count in sorted(counts.items()):
        rule = context.registry.rules.get(code)
        summary = said(rule.summary) if rule is not None else ""
        rows.append(
            f'<div id="rule-{ident(code)}"><dt><strong>{esc(code)}</strong> {esc(name)} '
            f'<span class="soft">{counted(count, "finding")}</span></dt><dd>{summary}</dd></div>'
        )
    return Section(
        "rules", "Rules that spoke", "What each of them looks for.", f'<dl class="rules">{"".join(rows)}</dl>'
    )
