"""Pieces of markup: escaping, languages of quoted text, places, source lines, witnesses, badges."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.finding import Level
from scriptlint.report.display import visible
from scriptlint.report.text import token_text
from scriptlint.report.verdicts import SYMBOL
from scriptlint.tokenizer.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scriptlint.finding import Location, Witness
    from scriptlint.lines import Lines

_LINES_SHOWN = 6
_COLUMNS = 360
_TOKENS = 40

TONE = {
    Verdict.EXCLUDED: "bad",
    Verdict.SHREDDED: "cut",
    Verdict.UNSEGMENTED: "run",
    Verdict.PARTIAL: "part",
    Verdict.RETAINED: "good",
    Verdict.UNKNOWN: "dim",
}
LEVEL_TONE = {Level.ERROR: "bad", Level.WARNING: "run", Level.NOTE: "part"}
LEVEL_SYMBOL = {Level.ERROR: "\u2717", Level.WARNING: "\u25b2", Level.NOTE: "\u25cf"}

_VOICE = {"Hani": "zh", "Hira": "ja", "Kana": "ja", "Jpan": "ja", "Arab": "ar", "Cyrl": "ru"}


def esc(text: object) -> str:
    """Text for an element or a quoted attribute; what can't be seen is shown as an escape."""
    return html.escape(visible(str(text)), quote=True)


def ident(*parts: object) -> str:
    """A value for an id: letters, digits and hyphens."""
    return "-".join(re.sub(r"[^A-Za-z0-9]+", "-", str(p)).strip("-") or "x" for p in parts)


def breaking(text: str) -> str:
    """A path or a qualified name that may break after its slashes and colons."""
    return esc(text).replace("/", "/<wbr>").replace("::", "::<wbr>")


def path_text(path: str) -> str:
    """A path, as such."""
    return f'<span class="path">{breaking(path)}</span>'


def said(text: str) -> str:
    """A message: what stands in backquotes becomes code."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"<code>{esc(p)}</code>" if n % 2 else esc(p) for n, p in enumerate(parts))


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """The language in which to read a text aloud, by its script; empty for Latin and for none."""
    from scriptlint.unicode.scripts import count_by_script

    counts = count_by_script(text)
    if "Hira" in counts or "Kana" in counts:
        return "ja"
    counts.pop("Latn", None)
    return voice(max(counts, key=lambda code: counts[code])) if counts else ""


@lru_cache(maxsize=256)
def voice(script: str) -> str:
    """The most spoken language of a script, as a BCP 47 tag."""
    from scriptlint.unicode.alphabets import languages

    return _VOICE.get(script) or next(iter(languages(script)), f"und-{script}")


def quoted(text: str, tag: str = "bdi") -> str:
    """A text from a corpus or a language, set apart from the direction and language around it."""
    lang = language_of(text)
    attribute = f' lang="{esc(lang)}"' if lang else ""
    return f'<{tag}{attribute} dir="auto">{esc(text)}</{tag}>'


def tokens(made: Sequence[str] | None) -> str:
    """Tokens as a row of chips."""
    if made is None:
        return '<span class="soft">not known: a step can\u2019t be read</span>'
    if not made:
        return f'<span class="chip bad">{SYMBOL[Verdict.EXCLUDED]} no tokens</span>'
    shown = "".join(f"<li>{_token(t)}</li>" for t in made[:_TOKENS])
    more = f"<li class=soft>and {len(made) - _TOKENS:,} more</li>" if len(made) > _TOKENS else ""
    return f'<ul class="tokens">{shown}{more}</ul>'


def _token(token: str) -> str:
    lang = language_of(token)
    attribute = f' lang="{esc(lang)}"' if lang else ""
    return f'<bdi{attribute} dir="auto">{html.escape(token_text(token))}</bdi>'


def witness_row(witness: Witness) -> str:
    """``text -> tokens``."""
    return f'<div class="witness">{quoted(witness.text)}<span class="to">becomes</span>{tokens(witness.tokens)}</div>'


def badge(tone: str, symbol: str, word: str) -> str:
    """A colour, a symbol and a word."""
    return f'<span class="chip {tone}"><span aria-hidden="true">{symbol}</span> {esc(word)}</span>'


def place_text(location: Location) -> str:
    """``path:line:column``."""
    return f"{path_text(location.path)}:{location.line}:{location.column}"


def source(location: Location, lines: Lines) -> str:
    """The source lines of a range, with the range marked; empty when the file can't be read."""
    if not lines.of(location.path):
        return ""
    last = max(location.line, location.end_line)
    out = []
    for number in range(location.line, last + 1):
        if number - location.line >= _LINES_SHOWN - 1 and number < last:
            if number - location.line == _LINES_SHOWN - 1:
                out.append('<span class="row soft">\u2026</span>')
            continue
        line = lines.line(location.path, number)
        start = location.column - 1 if number == location.line else len(line) - len(line.lstrip())
        end = location.end_column - 1 if number == location.end_line else len(line)
        out.append(f'<span class="row"><span class="no">{number}</span>{_marked(line, start, end)}</span>')
    return f'<pre class="src" dir="ltr"><code>{"".join(out)}</code></pre>'


def _marked(line: str, start: int, end: int) -> str:
    start, end = min(start, len(line)), min(max(end, start), len(line))
    first, last = 0, len(line)
    if last > _COLUMNS:  # a minified file, or a table's row: what is around the range will do
        first = max(0, start - _COLUMNS // 4)
        last = min(last, max(end, first + _COLUMNS), start + 2 * _COLUMNS)
        end = min(end, last)
    before = ("\u2026" if first else "") + _code(line[first:start])
    after = _code(line[end:last]) + ("\u2026" if last < len(line) else "")
    return f"{before}<mark>{_code(line[start:end])}</mark>{after}"


def _code(text: str) -> str:
    return "\t".join(html.escape(visible(part)) for part in text.split("\t"))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "") -> str:
    """A table whose first column names the row. ``head`` and cells are markup; on a phone each row is a card."""
    if len(head) < 4:
        kind = f"few {kind}".strip()
    labels = [re.sub(r"<[^>]+>", "", h) for h in head]
    top = "".join(f'<th scope="col" role="columnheader">{h}</th>' for h in head)
    body = []
    for row in rows:
        cells = "".join(
            f'<td role="cell" data-label="{label}">{cell}</td>' for label, cell in zip(labels[1:], row[1:], strict=True)
        )
        body.append(f'<tr role="row"><th scope="row" role="rowheader">{row[0]}</th>{cells}</tr>')
    # Roles are repeated, for a table that CSS lays out as cards is no table to some screen readers.
    return (
        f'<div class="wide"><table role="table" class="stack {kind}"><caption>{caption}</caption>'
        f'<thead role="rowgroup"><tr role="row">{top}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(body)}</tbody></table></div>'
    )


def percent(value: float | None, digits: int = 1) -> str:
    """A share as a percentage; a dash when it is not known."""
    return "\u2013" if value is None else f"{100 * value:.{digits}f}\u202f%"


def points(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    if value is None:
        return "\u2013"
    shown = f"{100 * value:+.1f}".replace("-", "\u2212")
    return "\u00b10.0" if shown in ("+0.0", "\u22120.0") else shown


def bar(parts: Sequence[tuple[str, float]]) -> str:
    """A bar of shares (tone, share); what the shares leave is empty. The numbers stand beside it as text."""
    at, out = 0.0, []
    for tone, share in parts:
        if share > 0:
            out.append(f'<rect class="{tone}" x="{at:.2f}" width="{100 * share:.2f}" height="10"/>')
        at += 100 * share
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect class="rest" width="100" height="10"/>{"".join(out)}</svg>'
    )
