"""The page around the sections: head, summary, navigation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint import __version__
from scriptlint.finding import Level
from scriptlint.report.html.markup import LEVEL_SYMBOL, LEVEL_TONE, esc
from scriptlint.report.html.style import stylesheet
from scriptlint.report.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.report.context import Context
    from scriptlint.results import Report

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: its id, its heading, a sentence on what it shows, and its markup."""

    id: str
    title: str
    lead: str
    body: str


def page(report: Report, context: Context, sections: Sequence[Section]) -> str:
    """The whole document."""
    from scriptlint.unicode import UNICODE_VERSION

    title = _title(report)
    nav = "".join(f'<li><a href="#{s.id}">{s.title}</a></li>' for s in sections)
    body = "".join(
        f'<section class="room" id="{s.id}" aria-labelledby="{s.id}-title">'
        f'<h2 id="{s.id}-title">{s.title}</h2><p class="lead">{s.lead}</p>{s.body}</section>\n'
        for s in sections
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>scriptlint: {esc(title)}</title>\n<style>{stylesheet()}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the report</a>\n'
        f'<header><p class="brand">scriptlint</p><h1>{esc(title)}</h1>'
        f'<p class="lead">{esc(_read(report))}</p>{"".join(_tiles(report))}'
        f'<nav aria-label="Parts of the report"><ul>{nav}</ul></nav></header>\n'
        f'<main id="main">\n{body}</main>\n'
        f"<footer><p>scriptlint {esc(__version__)}, with the tables of Unicode {esc(UNICODE_VERSION)}. "
        "<code>scriptlint explain CODE</code> prints a rule\u2019s page.</p></footer>\n</body>\n</html>\n"
    )


def _title(report: Report) -> str:
    found = counted(len(report.findings), "finding") if report.findings else "No findings"
    return f"{found}, {counted(len(report.problems), 'error')}" if report.problems else found


def _read(report: Report) -> str:
    read = []
    if report.files:
        read.append(counted(report.files, "source file"))
    if report.items:
        read.append(counted(report.items, "corpus entry", "corpus entries"))
    if report.tokenizers:
        read.append(counted(len(report.tokenizers), "tokenizer"))
    read += [counted(data.get("queries", 0), "query", "queries") for data in _conditions(report)[:1]]
    baselined = sum(f.suppressed == "baseline" for f in report.hidden)
    hidden = []
    if len(report.hidden) > baselined:
        hidden.append(f"{len(report.hidden) - baselined:,} suppressed")
    if baselined:
        hidden.append(f"{baselined:,} in the baseline")
    tail = f" Not counted: {', '.join(hidden)}." if hidden else ""
    return f"Read {', '.join(read)}.{tail}" if read else f"Nothing was read.{tail}"


def _conditions(report: Report) -> list[dict[str, int]]:
    return [c for data in report.measured.get("gate", ()) for c in data.get("conditions", ())]


def _tiles(report: Report) -> Iterator[str]:
    if not report.findings:
        return
    yield '<ul class="tiles">'
    for level in (Level.ERROR, Level.WARNING, Level.NOTE):
        count = sum(f.level is level for f in report.findings)
        word = level.value if count == 1 else f"{level.value}s"
        tone = LEVEL_TONE[level] if count else "dim"
        yield (
            f'<li class="tile {tone}"><span class="n">{count:,}</span> '
            f'<span><span aria-hidden="true">{LEVEL_SYMBOL[level]}</span> {word}</span></li>'
        )
    yield "</ul>"
