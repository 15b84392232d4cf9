"""A comparison of tokenizers as text, as Markdown for a pull request, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.diff import HOLES
from scriptlint.report.display import fold, pad, visible
from scriptlint.report.text import counted, token_text
from scriptlint.rule import prominent, script_list
from scriptlint.tokenizer.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.diff import Change, Comparison, Hole, Pair
    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged
    from scriptlint.tokenizer.same import Sameness

_NAMED = 8
_LABEL = 15


def render_text(comparison: Comparison, context: Context) -> str:
    """For a terminal."""
    blocks = ["\n".join(_block(pair, context)) + "\n" for pair in comparison.pairs]
    return "\n".join([*blocks, "".join(f"{line}\n" for line in fold(_summary(comparison), context.width))])


def _summary(comparison: Comparison) -> str:
    pairs = comparison.pairs
    same = f"{counted(comparison.same, 'tokenizer')} as before" if comparison.same else ""
    if not pairs:
        return f"No tokenizer differs ({same})." if same else "No tokenizer differs."
    parts = [f"{sum(bool(p.gained) for p in pairs)} with gains", f"{sum(bool(p.lost) for p in pairs)} with losses"]
    parts.append(f"{sum(bool(p.holes) for p in pairs)} with new holes")
    added, removed = sum(p.old is None for p in pairs), sum(p.new is None for p in pairs)
    parts += [f"{n} {word}" for n, word in ((added, "added"), (removed, "removed")) if n]
    told = f"{counted(len(pairs), 'tokenizer')} changed: {', '.join(parts)}"
    return f"{told}; {same}." if same else f"{told}."


def _where(pair: Pair) -> str:
    judged = pair.new or pair.old
    assert judged is not None
    at = f"{judged.tokenizer.path}:{judged.tokenizer.line}"
    return f"{pair.old.tokenizer.path} -> {at}" if pair.moved and pair.old is not None else at


def _block(pair: Pair, context: Context) -> Iterator[str]:
    style = context.style
    state = " (added)" if pair.old is None else " (removed)" if pair.new is None else ""
    yield f"{visible(_where(pair))} {style(visible(pair.name), 'bold')}{state}"
    one = pair.new if pair.old is None else pair.old if pair.new is None else None
    if one is not None:
        for word, codes in _verdicts(one):
            yield from _row(word, script_list(codes, _NAMED), context)
        return
    for label, changes, paint in (("lost", pair.lost, "red"), ("gained", pair.gained, "green")):
        for group in _groups(changes):
            yield from _row(label, _changed(group), context, paint)
            yield from _row("", _before_after(group[0]), context)
    for group in _groups(pair.unsure):
        yield from _row("unsure", _changed(group), context, "dim")
    if pair.ascii is not None:
        yield from _row("ASCII", _ascii(pair.ascii), context, "" if pair.ascii.equal else "yellow")
    for hole in pair.holes:
        yield from _row("hole", _hole(hole), context, "yellow")


def _verdicts(judged: Judged) -> Iterator[tuple[str, list[str]]]:
    for verdict in Verdict:
        codes = prominent(v.script for v in judged.with_verdict(verdict))
        if codes:
            yield verdict.value, codes


def _groups(changes: Sequence[Change]) -> list[list[Change]]:
    """Changes with the same two verdicts together, in the order in which scripts are named."""
    order = {code: i for i, code in enumerate(prominent(c.script for c in changes))}
    out: dict[tuple[Verdict, Verdict], list[Change]] = {}
    for change in sorted(changes, key=lambda c: order[c.script]):
        out.setdefault((change.old.verdict, change.new.verdict), []).append(change)
    return list(out.values())


def _changed(group: Sequence[Change]) -> str:
    first = group[0]
    names = script_list([c.script for c in group], _NAMED, ordered=True)
    if first.old.verdict is first.new.verdict:
        return f"{names}: {first.new.verdict.value}, but short words are dropped now"
    return f"{names}: {first.old.verdict.value} -> {first.new.verdict.value}"


def _tokens(tokens: Sequence[str]) -> str:
    shown = " | ".join(token_text(t) for t in tokens[:12]) + (" ..." if len(tokens) > 12 else "")
    return shown or "no tokens"


def _before_after(change: Change) -> str:
    """A text with what the new tokenizer makes of it, and what the old one made."""
    if change.before is None or change.after is None:
        return "no word of ours shows it"
    return f"{visible(change.text)} -> {_tokens(change.after)} (was {_tokens(change.before)})"


def _ascii(same: Sameness) -> str:
    order = ", in another order or number" if same.order else ""
    if same.how == "proved":
        return f"same tokens{order}: proved"
    if same.how == "tested":
        why = f" (no proof: {visible(same.why)})" if same.why else ""
        return f"same tokens{order} for {same.texts} texts{why}"
    if same.how == "different":
        old, new = (" | ".join(map(token_text, t or ())) or "no tokens" for t in (same.old, same.new))
        return f"differs for {_clip(same.text)!r}: {_clip(old)}, now {_clip(new)}"
    return f"not known: {visible(same.why)}"


def _clip(text: str) -> str:
    return visible(text) if len(text) <= 80 else visible(text[:77]) + "..."


def _hole(hole: Hole) -> str:
    codes = prominent(hole.scripts)
    by_code = {v.script: v for v in hole.verdicts}
    first = by_code[codes[0]]
    witness = first.short_witness if hole.kind == "short" else None if hole.kind == "glued" else first.witness
    shown = f": {visible(witness.text)} -> {_tokens(witness.tokens)}" if witness is not None else ""
    return f"{HOLES[hole.kind]} ({script_list(codes, _NAMED)}){shown}"


def _row(label: str, text: str, context: Context, paint: str = "") -> Iterator[str]:
    lead = context.style(pad(f"  {label}", _LABEL), *([paint] if paint and label else []))
    for line in fold(text, max(context.width - _LABEL, 20)):
        yield lead + line
        lead = " " * _LABEL


# --- Markdown --------------------------------------------------------------------------------------------------------


def render_markdown(comparison: Comparison) -> str:
    """For a pull request: a table, then the words that show each change."""
    out = [f"### Tokenizers: `{_code(comparison.old)}` to `{_code(comparison.new)}`", "", _summary(comparison), ""]
    both = [p for p in comparison.pairs if p.old is not None and p.new is not None]
    if both:
        out += ["| tokenizer | lost | gained | ASCII output | new holes |", "| --- | --- | --- | --- | --- |"]
        out += [_table_row(p) for p in both]
        out.append("")
        for pair in both:
            out += _details(pair)
    for pair in comparison.pairs:
        one = pair.new if pair.old is None else pair.old if pair.new is None else None
        if one is not None:
            state = "Added" if pair.old is None else "Removed"
            told = "; ".join(f"{word}: {script_list(codes, _NAMED)}" for word, codes in _verdicts(one))
            out += [f"- {state}: `{_code(pair.name)}` in `{_code(_where(pair))}` ({told})"]
    for problem in comparison.problems:
        out.append(f"- Not read: `{_code(problem.path)}`: {_plain(problem.message)}")
    return "\n".join(out).rstrip("\n") + "\n"


def _table_row(pair: Pair) -> str:
    cells = [
        f"`{_code(pair.name)}`<br>{_plain(_where(pair))}",
        "<br>".join(_plain(_changed(g)) for g in _groups(pair.lost)) or "none",
        "<br>".join(_plain(_changed(g)) for g in _groups(pair.gained)) or "none",
        _plain(_verdict_on_ascii(pair.ascii)),
        "<br>".join(_plain(f"{HOLES[h.kind]}: {script_list(prominent(h.scripts), 4)}") for h in pair.holes) or "none",
    ]
    return f"| {' | '.join(cells)} |"


def _verdict_on_ascii(same: Sameness | None) -> str:
    if same is None:
        return ""
    words = {"proved": "same, proved", "different": "differs", "unknown": "not known"}
    return words.get(same.how) or f"same for {same.texts} texts"


def _details(pair: Pair) -> list[str]:
    groups = [*_groups(pair.lost), *_groups(pair.gained)]
    rows = [f"- {_plain(_changed(group))}: {_plain(_before_after(group[0]))}" for group in groups]
    rows += [f"- hole: {_plain(_hole(h))}" for h in pair.holes]
    if pair.ascii is not None and (pair.ascii.how == "different" or pair.ascii.why):
        rows.append(f"- ASCII: {_plain(_ascii(pair.ascii))}")
    if not rows:
        return []
    return [f"<details><summary><code>{_plain(pair.name)}</code></summary>", "", *rows, "", "</details>", ""]


def _code(text: str) -> str:
    return visible(text).replace("`", "'").replace("|", "\\|")


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing to do."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|#~" else c for c in text)


# --- JSON ------------------------------------------------------------------------------------------------------------


def render_json(comparison: Comparison) -> str:
    """For scripts."""
    from scriptlint.report.json import FORMAT, dumps, problem_dict

    return dumps(
        {
            "format": FORMAT,
            "old": comparison.old,
            "new": comparison.new,
            "scripts": list(comparison.scripts),
            "tokenizers": [_pair_dict(p) for p in comparison.pairs],
            "unchanged": comparison.same,
            "errors": [problem_dict(p) for p in comparison.problems],
            "losses": comparison.losses,
            "holes": comparison.opened,
        }
    )


def _pair_dict(pair: Pair) -> dict[str, Any]:
    from scriptlint.report.json import tokenizer_dict

    same = pair.ascii
    return {
        "name": pair.name,
        "old": None if pair.old is None else tokenizer_dict(pair.old, {}),
        "new": None if pair.new is None else tokenizer_dict(pair.new, {}),
        "moved": pair.moved,
        "gained": [_change_dict(c) for c in pair.gained],
        "lost": [_change_dict(c) for c in pair.lost],
        "unsure": [_change_dict(c) for c in pair.unsure],
        "holes": [{"kind": h.kind, "scripts": list(h.scripts)} for h in pair.holes],
        "ascii": None
        if same is None
        else {
            "result": same.how,
            "texts": same.texts,
            "text": same.text or None,
            "old": None if same.old is None else list(same.old),
            "new": None if same.new is None else list(same.new),
            "other_order": same.order,
            "why": same.why or None,
        },
    }


def _change_dict(change: Change) -> dict[str, Any]:
    return {
        "script": change.script,
        "old": change.old.verdict.value,
        "new": change.new.verdict.value,
        "text": change.text or None,
        "before": None if change.before is None else list(change.before),
        "after": None if change.after is None else list(change.after),
    }
