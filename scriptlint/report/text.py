"""Text for people: each finding with its source line, carets under the place, the words it loses and a help line."""

from __future__ import annotations

import textwrap
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from scriptlint.finding import Level
from scriptlint.report.display import clip, excerpt, pad, visible, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.finding import Finding, Location, Problem, Witness
    from scriptlint.report.context import Context
    from scriptlint.results import Report

_PAINT = {Level.NOTE: "blue", Level.WARNING: "yellow", Level.ERROR: "red"}
_LINES_SHOWN = 4
_SCRIPTS_NAMED = 6


def render(report: Report, context: Context) -> str:
    """The full form."""
    if context.statistics:
        return statistics(report, context)
    blocks = [block(f, context) for f in _shown(report, context)]
    blocks.extend(problem_line(p, context) for p in report.problems)
    return "\n".join([*blocks, summary(report, context)])


def render_concise(report: Report, context: Context) -> str:
    """One line a finding."""
    if context.statistics:
        return statistics(report, context)
    lines = [f"{head(f, context)}\n" for f in _shown(report, context)]
    lines.extend(problem_line(p, context) for p in report.problems)
    return "".join([*lines, summary(report, context)])


def _shown(report: Report, context: Context) -> list[Finding]:
    hidden = report.hidden if context.include_suppressed else ()
    return sorted([*report.findings, *hidden], key=lambda f: (f.location, f.code))


def place(location: Location, context: Context) -> str:
    """``path:line:column``."""
    return f"{context.style(visible(location.path), 'bold')}:{location.line}:{location.column}"


def head(finding: Finding, context: Context) -> str:
    """``path:line:column: CODE name: message``, on one line."""
    style = context.style
    code = style(finding.code, "bold", _PAINT[finding.level])
    level = "" if finding.level is Level.WARNING else f" ({finding.level.value})"
    hidden = f" [suppressed, {visible(finding.suppressed)}]" if finding.suppressed else ""
    return f"{place(finding.location, context)}: {code} {finding.name}{level}: {visible(finding.message)}{hidden}"


def block(finding: Finding, context: Context) -> str:
    """One finding in full, ending in a line break."""
    style = context.style
    gutter = len(str(max([finding.location.end_line, *(r.end_line for r in finding.related)])))
    out = [head(finding, context)]
    code = style(finding.code, "bold", _PAINT[finding.level])
    bar = f"{' ' * gutter} {style('|', 'blue', 'bold')}"
    source = list(_source(finding.location, gutter, context, "^", code, _PAINT[finding.level]))
    out.extend([bar, *source] if source else ())
    for related in dict.fromkeys(finding.related):
        said = f": {visible(related.message)}" if related.message else ""
        out.append(f"{' ' * gutter} {style('::', 'blue', 'bold')} {place(related, context)}{said}")
        source = list(_source(related, gutter, context, "-", "", "blue"))
        out.extend(source)
    out.extend([bar] if source else ())
    for word, text in _notes(finding):
        out.extend(_note(word, text, gutter, context))
    return "\n".join(out) + "\n"


def _source(location: Location, gutter: int, context: Context, mark: str, label: str, paint: str) -> Iterator[str]:
    """The lines of a range, each with marks under what belongs to it."""
    style = context.style
    bar = style("|", "blue", "bold")
    room = max(context.width - gutter - 3, 20)
    numbers = range(location.line, max(location.line, location.end_line) + 1)
    if not context.lines.of(location.path):
        return
    for number in numbers:
        skip = len(numbers) > _LINES_SHOWN and _LINES_SHOWN - 2 < number - location.line < len(numbers) - 1
        if skip:
            if number - location.line == _LINES_SHOWN - 1:
                yield f"{' ' * gutter} {style('...', 'blue', 'bold')}"
            continue
        line = context.lines.line(location.path, number)
        start = location.column - 1 if number == location.line else len(line) - len(line.lstrip())
        end = location.end_column - 1 if number == location.end_line else len(line)
        shown = excerpt(line, start, end, room)
        yield f"{style(str(number).rjust(gutter), 'blue', 'bold')} {bar} {shown.text}".rstrip()
        marks = style(mark * max(shown.end - shown.start, 1), paint, "bold")
        last = f" {label}" if number == numbers[-1] and label else ""
        yield f"{' ' * gutter} {bar} {' ' * shown.start}{marks}{last}"


def _notes(finding: Finding) -> Iterator[tuple[str, str]]:
    if finding.location.message:
        yield "in", visible(finding.location.message)
    if len(finding.scripts) > _SCRIPTS_NAMED:
        from scriptlint.rule import script_list

        yield "scripts", script_list(finding.scripts, limit=0)
    if finding.witness is not None:
        yield "witness", witness_text(finding.witness)
    if finding.help:
        yield "help", visible(finding.help)


def _note(word: str, text: str, gutter: int, context: Context) -> Iterator[str]:
    lead = f"{' ' * gutter} {context.style('=', 'blue', 'bold')} {context.style(word, 'bold')}: "
    indent = gutter + len(word) + 5
    lines = _wrap(text, max(context.width - indent, 24))
    yield lead + lines[0]
    yield from (" " * indent + line for line in lines[1:])


def _wrap(text: str, columns: int) -> list[str]:
    """Text in lines of at most ``columns``, broken at blanks; a wide word stays whole."""
    if width(text) <= columns:
        return [text]
    if text.isascii():
        return textwrap.wrap(text, columns, break_long_words=False, break_on_hyphens=False) or [""]
    lines, line = [], ""
    for word in text.split(" "):
        if line and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def witness_text(witness: Witness) -> str:
    """``视频下载 -> no tokens`` or ``हिन्दी -> ह | न | द``."""
    if not witness.tokens:
        return f"{visible(witness.text)} -> no tokens"
    return f"{visible(witness.text)} -> {' | '.join(map(token_text, witness.tokens))}"


def token_text(token: str) -> str:
    """A token ready to print: a dotted circle before a mark that stands first, quotes around blanks and nothing."""
    if token and unicodedata.category(token[0]).startswith("M"):
        token = f"\u25cc{token}"
    shown = visible(token)
    return f"'{shown}'" if not token or token != token.strip() else shown


def problem_line(problem: Problem, context: Context) -> str:
    """``path:line: error: message`` with a line break."""
    at = f":{problem.line}" if problem.line else ""
    where = f"{context.style(visible(problem.path), 'bold')}{at}"
    return f"{where}: {context.style('error', 'bold', 'red')}: {visible(problem.message)}\n"


def counted(number: int, word: str, plural: str | None = None) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def summary(report: Report, context: Context) -> str:
    """The last line: how much was read, found and hidden, and what became of the baseline."""
    style = context.style
    read = [counted(report.files, "file")]
    if report.items:
        read.append(counted(report.items, "item"))
    if report.tokenizers:
        read.append(counted(len(report.tokenizers), "tokenizer"))
    hidden = []
    baselined = sum(f.suppressed == "baseline" for f in report.hidden)
    if len(report.hidden) > baselined:
        hidden.append(f"{len(report.hidden) - baselined:,} suppressed")
    if baselined:
        hidden.append(f"{baselined:,} in the baseline")
    tail = f" ({', '.join(hidden)})" if hidden else ""
    notices = "".join(f"{visible(n)}\n" for n in report.notices)
    errors = f" and {counted(len(report.problems), 'error')}" if report.problems else ""
    if report.findings or errors:
        found = style(f"{counted(len(report.findings), 'finding')}{errors}", "bold")
        return f"{notices}Found {found}{tail} in {', '.join(read)}.\n"
    return f"{notices}{style('No findings', 'bold', 'green')}{tail} in {', '.join(read)}.\n"


def statistics(report: Report, context: Context) -> str:
    """Counts per rule, most first, instead of the findings."""
    findings = _shown(report, context)
    counts = Counter(f.code for f in findings)
    files = {code: len({f.location.path for f in findings if f.code == code}) for code in counts}
    lines = []
    digits = len(f"{max(counts.values(), default=0):,}")
    names = max((len(f.name) for f in findings), default=0)
    for code, count in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])):
        name = next(f.name for f in findings if f.code == code)
        where = f"in {counted(files[code], 'file')}"
        lines.append(
            f"{count:>{digits},}  {context.style(code, 'bold')}  {pad(name, names)}  "
            f"{clip(where, max(context.width - digits - names - 12, 12))}\n"
        )
    lines.extend(problem_line(p, context) for p in report.problems)
    return "".join([*lines, summary(report, context)])
