"""A probe for people and for scripts: the stages with what each gives and drops, and the table of verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.probe import by_script
from scriptlint.report.display import clip, fold, pad, visible, width
from scriptlint.report.text import counted, token_text
from scriptlint.report.verdicts import PAINT
from scriptlint.rule import language_list
from scriptlint.tokenizer.model import Verdict
from scriptlint.tokenizer.stages import Either, Union
from scriptlint.unicode.scripts import name as script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.probe import Probe, Step
    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged, ScriptVerdict
    from scriptlint.tokenizer.stages import Stage

_PIECES = 60


def render_probe(probe: Probe, context: Context) -> str:
    """One text through its stages."""
    style = context.style
    lines = [f"{style('text', 'bold')}    {clip(visible(probe.text), max(context.width - 8, 16))}"]
    lines.extend(_steps(probe.steps, context, "  "))
    if probe.tokens is None and probe.model is None:
        said = "not known: it can't be run as it is written, and its stages can't be run one by one"
        lines.extend(_labelled("result", said, context))
    else:
        lines.extend(_labelled("result", _tokens(probe.result or ()), context))
    if probe.tokens is None and probe.model is not None:
        lines.extend(_labelled("", "of its stages: as it is written it can't be run here", context))
    if probe.differs:
        lines.extend(_labelled("but", f"its stages, one by one, give {_tokens(probe.model or ())}", context))
    if probe.fell:
        lines.extend(_labelled("lost", f"{_fallen(probe.fell)}", context, "red"))
    return "\n".join(lines) + "\n"


def _steps(steps: Sequence[Step], context: Context, indent: str, elsewhere: str = "") -> Iterator[str]:
    """The lines of steps. ``elsewhere`` are characters that another way lets through: no loss of this one."""
    style = context.style
    for step in steps:
        what = clip(visible(step.what), max(context.width - len(indent), 16))
        yield f"{indent}{style(what, 'bold')}"
        for number, way in enumerate(step.ways, 1):
            yield f"{indent}  {style(f'way {number}', 'dim')}"
            yield from _steps(way, context, indent + "    ", elsewhere + "".join(step.pieces or ()))
        inner = indent + "  "
        if step.pieces is None:
            yield from _wrapped(step.why, inner, context, "dim")
        else:
            yield from _wrapped(_tokens(step.pieces), inner, context)
        fell = "".join(c for c in step.fell if c not in elsewhere)
        if fell:
            yield from _wrapped(f"drops {_fallen(fell)}", inner, context, "yellow")


def _tokens(tokens: Sequence[str]) -> str:
    if not tokens:
        return "no tokens"
    more = len(tokens) - _PIECES
    shown = " | ".join(token_text(t) for t in tokens[:_PIECES])
    return f"{counted(len(tokens), 'token')}: {shown}" + (f" and {more:,} more" if more > 0 else "")


def _fallen(text: str) -> str:
    """``Han 4 (视频下载), Latin 1 (é)``."""
    parts = []
    for code, chars in by_script(text).items():
        shown = "".join(chars[:24]) + ("..." if len(chars) > 24 else "")
        label = "other" if code == "Zyyy" else script_name(code)
        parts.append(f"{label} {len(chars)} ({token_text(shown)})")
    return ", ".join(parts)


def _labelled(label: str, text: str, context: Context, paint: str = "") -> Iterator[str]:
    lead = context.style(pad(label, 8), "bold", *([paint] if paint else [])) if label else " " * 8
    lines = list(fold(text, max(context.width - 8, 16)))
    yield lead + lines[0]
    yield from (" " * 8 + line for line in lines[1:])


def _wrapped(text: str, indent: str, context: Context, paint: str = "") -> Iterator[str]:
    for line in fold(text, max(context.width - len(indent), 16)):
        yield indent + (context.style(line, paint) if paint else line)


def render_stages(stages: Sequence[Stage], context: Context) -> str:
    """The stages, numbered as the table of verdicts counts them."""
    return "".join(f"{line}\n" for line in _numbered(stages, iter(range(1, 10_000)), "", context))


def _numbered(stages: Sequence[Stage], numbers: Iterator[int], indent: str, context: Context) -> Iterator[str]:
    for stage in stages:
        lead = f"{next(numbers):3}  {indent}"
        if isinstance(stage, (Union, Either)):
            together = isinstance(stage, Union)
            yield lead + (f"{len(stage.chains)} ways together" if together else f"one of {len(stage.chains)} ways")
            for chain in stage.chains:
                yield from _numbered(chain, numbers, indent + "  ", context)
                if not chain:
                    yield f"     {indent}  as it is"
        else:
            yield lead + clip(visible(stage.describe()), max(context.width - len(lead), 16))


def render_verdicts(judged: Judged, context: Context, letters: bool = False) -> str:
    """A line for each script: its verdict, a word with its tokens, the number of the stage that loses it.

    With ``letters`` the count of letters that were tried and came out stands beside it.
    """
    rows = list(judged.scripts.values())
    names = [script_name(v.script) for v in rows]
    room = max([width(n) for n in names] + [6])
    lines = []
    for name, verdict in zip(names, rows, strict=True):
        word = context.style(pad(verdict.verdict.value, 11), PAINT[verdict.verdict])
        counts = ""
        if letters:
            kept = "?" if verdict.retained is None else str(verdict.retained)
            counts = pad(f"{kept}/{verdict.letters}", 8) + " "
        head = f"{pad(name, room)} {word} {counts}"
        indent = room + 13 + len(counts)
        said = _said(verdict)
        if context.width - indent < 24:
            lines.append(head.rstrip())
            lines.extend("  " + line for line in fold(said, max(context.width - 2, 16)))
            continue
        first, *more = fold(said, context.width - indent)
        lines.append(f"{head}{first}".rstrip())
        lines.extend(" " * indent + line for line in more)
    return "\n".join(lines) + "\n"


def _said(verdict: ScriptVerdict) -> str:
    parts = []
    if verdict.witness is not None:
        tokens = verdict.witness.tokens
        shown = " | ".join(token_text(t) for t in tokens[:12]) + (" ..." if len(tokens) > 12 else "")
        parts.append(f"{visible(verdict.witness.text)} -> {shown or 'no tokens'}")
    if verdict.languages:
        first = next(iter(verdict.languages.values()))
        parts.append(f"lost: {' '.join(first[:8])} ({language_list(list(verdict.languages), 2)})")
    if verdict.short_dropped and verdict.short_witness is not None:
        parts.append(f"short words dropped: {visible(verdict.short_witness.text)}")
    if verdict.glued:
        parts.append("a Latin word inside is no token of its own")
    if verdict.lost_by is not None and verdict.verdict is not Verdict.RETAINED:
        parts.append(f"stage {verdict.lost_by + 1}")
    return "; ".join(parts)


def probe_dict(probe: Probe) -> dict[str, Any]:
    """A probe for JSON."""
    return {
        "text": probe.text,
        "steps": [_step_dict(s) for s in probe.steps],
        "tokens": None if probe.tokens is None else list(probe.tokens),
        "model": None if probe.model is None else list(probe.model),
        "differs": probe.differs,
        "fell": _points(probe.fell),
    }


def _step_dict(step: Step) -> dict[str, Any]:
    return {
        "stage": step.what,
        "pieces": None if step.pieces is None else list(step.pieces),
        "fell": _points(step.fell),
        "why": step.why or None,
        "ways": [[_step_dict(s) for s in way] for way in step.ways],
    }


def _points(text: str) -> list[dict[str, str]]:
    from scriptlint.unicode.scripts import script_of

    return [{"char": c, "point": f"U+{ord(c):04X}", "script": script_of(ord(c))} for c in text]
