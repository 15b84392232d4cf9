"""The matrix of tokenizers by scripts; a cell opens the witness and the source line. Then each tokenizer in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scriptlint.report.html.markup import (
    TONE,
    badge,
    esc,
    ident,
    path_text,
    place_text,
    quoted,
    source,
    tokens,
    witness_row,
)
from scriptlint.report.html.page import Section
from scriptlint.report.text import counted
from scriptlint.report.verdicts import SYMBOL
from scriptlint.rule import language_list, place_of, script_list
from scriptlint.tokenizer.model import Verdict
from scriptlint.unicode.scripts import name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scriptlint.finding import Location
    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged, ScriptVerdict

    Probes = Mapping[str, Sequence[str] | None]

MEANING = {
    Verdict.EXCLUDED: "no letter of the script comes through",
    Verdict.SHREDDED: "letters come through, marks cut the words",
    Verdict.UNSEGMENTED: "a run of the script stays one token",
    Verdict.PARTIAL: "letters that a language needs are lost",
    Verdict.RETAINED: "words come through whole",
    Verdict.UNKNOWN: "a step can\u2019t be read, so nothing is claimed",
}


_PLACES = 3


def tokenizers_section(judged: Sequence[Judged], probes: Sequence[Probes], context: Context) -> Section:
    """The section. ``probes`` are parallel to ``judged``, or none."""
    scripts = list(dict.fromkeys(code for one in judged for code in one.scripts))
    body = [_legend(judged), _matrix(judged, scripts), '<div class="pops">']
    body += [_popover(n, one, v, context) for n, one in enumerate(judged) for v in one.scripts.values()]
    body.append("</div><h3>Tokenizer by tokenizer</h3>")
    for n, one in enumerate(judged):
        body.append(_details(n, one, probes[n] if probes else {}, context, is_open=len(judged) == 1))
    lead = (
        "One verdict for each tokenizer and script. Choose a cell for a real word, what the tokenizer makes of it, and "
        "the line that decides."
    )
    return Section("tokenizers", "Tokenizers by scripts", lead, "".join(body))


def _legend(judged: Sequence[Judged]) -> str:
    counts = Counter(v.verdict for one in judged for v in one.scripts.values())
    rows = "".join(
        f'<li>{badge(TONE[v], SYMBOL[v], v.value)} <span class="soft">{MEANING[v]}</span></li>'
        for v in Verdict
        if counts[v]
    )
    extra = ""
    if any(v.short_dropped or v.glued for one in judged for v in one.scripts.values()):
        extra = (
            '<li><span class="chip dim">!</span> <span class="soft">short words are dropped, or Latin words are '
            "glued to their neighbours</span></li>"
        )
    return f'<ul class="legend">{rows}{extra}</ul>'


def _matrix(judged: Sequence[Judged], scripts: Sequence[str]) -> str:
    head = "".join(
        f'<th scope="col" role="columnheader"><span class="up">{esc(name(code))}</span></th>' for code in scripts
    )
    rows = []
    for n, one in enumerate(judged):
        cells = "".join(_cell(n, one.scripts.get(code), code) for code in scripts)
        tokenizer = one.tokenizer
        rows.append(
            f'<tr role="row"><th scope="row" role="rowheader"><a href="#tokenizer-{n}">'
            f'<span class="name">{esc(tokenizer.name)}</span> '
            f'<span class="at soft">{path_text(tokenizer.path)}:{tokenizer.line}</span></a></th>{cells}</tr>'
        )
    return (
        '<div class="scroll" role="region" aria-label="Tokenizers by scripts" tabindex="0">'
        '<table role="table" class="matrix"><caption class="vh">Verdict on each script, by tokenizer</caption>'
        f'<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Tokenizer</th>{head}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(rows)}</tbody></table></div>'
    )


def _cell(number: int, verdict: ScriptVerdict | None, code: str) -> str:
    if verdict is None:
        return '<td role="cell"><span class="vh">not judged</span></td>'
    extra = ' <sup aria-hidden="true">!</sup>' if verdict.short_dropped or verdict.glued else ""
    word = esc(name(code))
    return (
        f'<td role="cell"><button type="button" class="cell {TONE[verdict.verdict]}" '
        f'popovertarget="{ident("cell", number, code)}">'
        f'<span class="script">{word}</span><span aria-hidden="true">{SYMBOL[verdict.verdict]}</span>{extra}'
        f'<span class="vh">: {esc(", ".join([verdict.verdict.value, *_extras(verdict)]))}</span></button></td>'
    )


def _extras(verdict: ScriptVerdict) -> Iterator[str]:
    if verdict.short_dropped:
        yield "short words dropped"
    if verdict.glued:
        yield "Latin words glued"


def _popover(number: int, judged: Judged, verdict: ScriptVerdict, context: Context) -> str:
    """What a cell opens. Where popovers are unknown, and on paper, it is a block like any other."""
    tone, here = TONE[verdict.verdict], ident("cell", number, verdict.script)
    parts = [
        f'<div popover class="pop {tone}-pop" id="{here}" role="dialog" aria-labelledby="{here}-title">'
        f'<h4 id="{here}-title">{esc(name(verdict.script))} in <code>{esc(judged.tokenizer.name)}</code></h4>'
        f"<p>{badge(tone, SYMBOL[verdict.verdict], verdict.verdict.value)} {MEANING[verdict.verdict]}.</p>"
    ]
    if verdict.witness is not None:
        parts.append(witness_row(verdict.witness))
    if verdict.retained is not None:
        parts.append(f'<p class="soft">{verdict.retained:,} of {verdict.letters:,} letters come through.</p>')
    if verdict.languages:
        some = list(verdict.languages)[:3]
        lost = "; ".join(f"{language_list([c])} loses {_some(verdict.languages[c])}" for c in some)
        more = f", and {len(verdict.languages) - 3} more languages lose letters" if len(verdict.languages) > 3 else ""
        parts.append(f'<p class="soft">{lost}{more}.</p>')
    if verdict.short_dropped:
        shown = witness_row(verdict.short_witness) if verdict.short_witness is not None else ""
        parts.append(f"<p>Short words are dropped.</p>{shown}")
    if verdict.glued:
        parts.append("<p>A Latin word beside this script is not a token of its own.</p>")
    word, places = _places(judged, verdict)
    parts += [f'<p class="where">{word} {place_text(p)}</p>{source(p, context.lines)}' for p in places]
    parts.append(
        f'<button type="button" class="close" popovertarget="{here}" popovertargetaction="hide">Close</button></div>'
    )
    return "".join(parts)


def _some(letters: str) -> str:
    shown = " ".join(letters[:12])
    return quoted(shown + (" \u2026" if len(letters) > 12 else ""))


def _places(judged: Judged, verdict: ScriptVerdict) -> tuple[str, list[Location]]:
    """Where the script is lost, when one step loses it; else where the tokenizer's patterns are."""
    sites = judged.tokenizer.sites
    lost = [s for s in sites if s.stage is not None and s.stage == verdict.lost_by]
    if lost:
        return "Lost at", [place_of(s.place) for s in lost[:_PLACES]]
    chosen = [s for s in sites if s.pattern is not None] or list(sites)
    return "Decided at", [place_of(s.place) for s in chosen[:_PLACES]]


def _details(number: int, judged: Judged, probes: Probes, context: Context, *, is_open: bool) -> str:
    tokenizer = judged.tokenizer
    lost = [v for v in judged.scripts.values() if v.verdict not in (Verdict.RETAINED, Verdict.UNKNOWN)]
    total = len(judged.scripts)
    short = f"{len(lost)} of {total} scripts lose something" if lost else f"{total} scripts"
    steps = "".join(f"<li><code>{esc(stage.describe())}</code></li>" for stage in tokenizer.stages)
    parts = [
        f'<details class="card" id="tokenizer-{number}"{" open" if is_open else ""}><summary>'
        f'<span class="name">{esc(tokenizer.name)}</span> <span class="soft">{path_text(tokenizer.path)}:'
        f'{tokenizer.line}</span> <span class="tail">{short}</span></summary>'
        f'<dl class="facts"><dt>Steps</dt><dd><ol class="steps">{steps or "<li>none</li>"}</ol></dd>'
    ]
    for verdict in Verdict:
        codes = [v.script for v in judged.with_verdict(verdict)]
        if codes:
            parts.append(
                f"<dt>{badge(TONE[verdict], SYMBOL[verdict], verdict.value)}</dt><dd>"
                f"{esc(script_list(codes, limit=0))}</dd>"
            )
    if tokenizer.reasons:
        parts.append(f"<dt>Taken for a {esc(tokenizer.kind)}</dt><dd>{esc('; '.join(tokenizer.reasons))}</dd>")
    parts.append("</dl>")
    for site in tokenizer.sites:
        flags = f" ({', '.join(map(esc, site.flags))})" if site.flags else ""
        where = place_of(site.place)
        parts.append(f'<p class="where">{esc(site.role)}{flags} at {place_text(where)}</p>')
        parts.append(source(where, context.lines))
    for text, made in probes.items():
        count = "" if made is None else f' <span class="soft">{counted(len(made), "token")}</span>'
        parts.append(f'<div class="witness">{quoted(text)}<span class="to">becomes</span>{tokens(made)}{count}</div>')
    parts.append("</details>")
    return "".join(parts)
