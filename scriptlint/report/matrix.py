"""The table of tokenizers by scripts, one verdict a cell, fitted to the terminal.

Three shapes, the widest that fits: script codes across with one column each, codes written downwards, or a list per
tokenizer that groups the scripts by verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.report.display import clip, pad, visible, width
from scriptlint.report.text import counted, token_text
from scriptlint.report.verdicts import PAINT, SYMBOL
from scriptlint.rule import script_list
from scriptlint.tokenizer.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged, ScriptVerdict

    Probes = Mapping[str, Sequence[str] | None]

_LETTERS = {
    Verdict.EXCLUDED: "x",
    Verdict.SHREDDED: "s",
    Verdict.UNSEGMENTED: "u",
    Verdict.PARTIAL: "p",
    Verdict.RETAINED: ".",
    Verdict.UNKNOWN: "?",
}
_NAME_MOST, _NAME_LEAST = 48, 24
_TOKENS_SHOWN = 40


def render_matrix(
    judged: Sequence[Judged], probes: Sequence[Probes], context: Context, *, scripts: Sequence[str]
) -> str:
    """The table, its legend and what each tokenizer makes of the probes (parallel to ``judged``)."""
    if not judged:
        return "No tokenizers.\n"
    names = [_name(j) for j in judged]
    room = min(max(map(width, names)), _NAME_MOST)
    least = min(room, _NAME_LEAST)
    if least + 5 * len(scripts) + 1 <= context.width:
        room = min(room, context.width - 5 * len(scripts) - 1)
        table = _across(judged, names, scripts, room, context)
    elif least + 2 * len(scripts) + 1 <= context.width:
        room = min(room, context.width - 2 * len(scripts) - 1)
        table = _downwards(judged, names, scripts, room, context)
    else:
        return "\n".join([*_grouped(judged, names, context), *_probes(judged, names, probes, context)]) + "\n"
    return "\n".join([*table, "", *_legend(judged, context), *_probes(judged, names, probes, context)]) + "\n"


def _name(judged: Judged) -> str:
    tokenizer = judged.tokenizer
    return f"{visible(tokenizer.path)}:{tokenizer.line} {visible(tokenizer.name)}"


def _short(name: str, room: int) -> str:
    """A name clipped at its beginning, for its end tells more."""
    if width(name) <= room:
        return pad(name, room)
    kept, used = "", 1
    for char in reversed(name):
        used += width(char)
        if used > room:
            break
        kept = char + kept
    return pad(f"\u2026{kept}", room)


def _across(
    judged: Sequence[Judged], names: Sequence[str], scripts: Sequence[str], room: int, context: Context
) -> Iterator[str]:
    yield " " * room + "".join(f" {context.style(s, 'bold')}" for s in scripts)
    for name, one in zip(names, judged, strict=True):
        cells = "".join(f"  {_cell(one.scripts.get(s), context)}{_extra(one.scripts.get(s))} " for s in scripts)
        yield (_short(name, room) + cells).rstrip()


def _downwards(
    judged: Sequence[Judged], names: Sequence[str], scripts: Sequence[str], room: int, context: Context
) -> Iterator[str]:
    for row in zip(*(s.ljust(4) for s in scripts), strict=True):
        yield (" " * room + " " + " ".join(row)).rstrip()
    for name, one in zip(names, judged, strict=True):
        cells = "".join(_cell(one.scripts.get(s), context) + _extra(one.scripts.get(s)) for s in scripts)
        yield f"{_short(name, room)} {cells}".rstrip()


def _cell(verdict: ScriptVerdict | None, context: Context) -> str:
    if verdict is None:
        return " "
    symbols = SYMBOL if context.symbols else _LETTERS
    return context.style(symbols[verdict.verdict], PAINT[verdict.verdict])


def _extra(verdict: ScriptVerdict | None) -> str:
    return "!" if verdict is not None and (verdict.short_dropped or verdict.glued) else " "


def _legend(judged: Sequence[Judged], context: Context) -> list[str]:
    symbols = SYMBOL if context.symbols else _LETTERS
    words = {v: v.value for v in Verdict}
    shown = [f"{context.style(symbols[v], PAINT[v])} {words[v]}" for v in Verdict]
    verdicts = [v for j in judged for v in j.scripts.values()]
    if any(v.short_dropped or v.glued for v in verdicts):
        shown.append("! short words dropped, or Latin words glued")
    lines, line = [], ""
    for item in shown:
        if line and width(_plain(line)) + 3 + width(_plain(item)) > context.width:
            lines.append(line)
            line = item
        else:
            line = f"{line}   {item}" if line else item
    return [*lines, line]


def _plain(text: str) -> str:
    import re

    return re.sub("\x1b\\[[0-9;]*m", "", text)


def _grouped(judged: Sequence[Judged], names: Sequence[str], context: Context) -> Iterator[str]:
    for number, (name, one) in enumerate(zip(names, judged, strict=True)):
        if number:
            yield ""
        yield from _fold(name, context.width, "  ", bold=context)
        for verdict in Verdict:
            codes = [v.script for v in one.with_verdict(verdict)]
            if codes:
                word = pad(verdict.value, 12)
                everything = len(codes) == len(one.scripts) > 1
                named = f"all {len(codes)} scripts" if everything else script_list(codes, limit=0)
                lines = list(_fold(named, max(context.width - 14, 16), ""))
                yield f"  {context.style(word, PAINT[verdict])}{lines[0]}"
                yield from (" " * 14 + line for line in lines[1:])
        for label, codes in (
            ("short words dropped", [v.script for v in one.scripts.values() if v.short_dropped]),
            ("Latin words glued", [v.script for v in one.scripts.values() if v.glued]),
        ):
            if codes:
                yield from _fold(f"  {label}: {script_list(codes, limit=0)}", context.width, "    ")


def _fold(text: str, columns: int, indent: str, bold: Context | None = None) -> Iterator[str]:
    line = " " * (len(text) - len(text.lstrip(" ")))
    for word in text.split():
        if line.strip() and width(line) + 1 + width(word) > columns:
            yield bold.style(line, "bold") if bold else line
            line = indent + word
        else:
            line = f"{line} {word}" if line.strip() else line + word
    yield bold.style(line, "bold") if bold else line


def _probes(
    judged: Sequence[Judged], names: Sequence[str], probes: Sequence[Probes], context: Context
) -> Iterator[str]:
    texts = list(dict.fromkeys(text for one in probes for text in one))
    for text in texts:
        yield ""
        yield context.style(clip(visible(text), context.width), "bold")
        for name, one in zip(names, probes, strict=True):
            yield from _fold(f"  {name} -> {_tokens(one.get(text))}", context.width, "    ")


def _tokens(tokens: Sequence[str] | None) -> str:
    if tokens is None:
        return "not known: a stage can't be read"
    if not tokens:
        return "no tokens"
    shown = " | ".join(map(token_text, tokens[:_TOKENS_SHOWN]))
    more = len(tokens) - _TOKENS_SHOWN
    return f"{counted(len(tokens), 'token')}: {shown}" + (f" and {more:,} more" if more > 0 else "")
