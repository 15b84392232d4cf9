"""``scriptlint probe``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, tell, write
from scriptlint.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.imported import Imported
    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged, Tokenizer


@click.command("probe")
@click.argument("spec", required=False, metavar="[SPEC]")
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@click.option(
    "--import",
    "imported",
    metavar="MODULE:NAME",
    help="Run this callable in a guarded process, instead of SPEC. This runs its code.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For loading what --import names, and its first text.",
)
@click.option(
    "--format", "--output-format", "format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@shared.settings_options
@shared.output_options
def command(spec: str | None, texts: tuple[str, ...], imported: str | None, timeout: float, **options: Any) -> int:
    """Show what one tokenizer does to a text, stage by stage, and which code points fall at which stage.

    SPEC is FILE.py::qualified.name (read, never imported) or a preset: ascii, hangul, cjk, word. Without TEXT, words
    of every script are tried and a table of verdicts is printed. Exits 0 whatever the verdicts are, 2 on an error.
    """
    from scriptlint.engine import plan_for
    from scriptlint.lines import Lines

    check_output(options["output"])
    if imported is not None:
        texts = texts if spec is None else (spec, *texts)
        spec = None
    elif spec is None:
        raise click.UsageError("name a tokenizer: FILE.py::name, a preset, or --import module:function")
    file = spec.partition("::")[0] if spec else ""
    resolved = shared.resolve([file] if file else [], options)
    plan = plan_for(resolved.settings)
    scripts = plan.rule_settings.scripts
    context = context_for(options, plan.registry, Lines(), for_people=options["format"] == "text")
    if imported is not None:
        text = _imported(imported, timeout, texts, scripts, options["format"], context)
    else:
        assert spec is not None
        text = _read(spec, texts, scripts, options["format"], context)
    write(text, options["output"], for_people=options["format"] == "text")
    return 0


def find(spec: str) -> Tokenizer:
    """The tokenizer of a spec or preset. Raises UserError."""
    from scriptlint.finding import Confidence
    from scriptlint.tokenizer.model import Tokenizer
    from scriptlint.tokenizer.presets import PRESETS

    if spec in PRESETS:
        return Tokenizer(spec, "preset", 1, "tokenizer", Confidence.HIGH, PRESETS[spec], (), ("a preset",))
    from scriptlint.source import TokenizerNotFound, load_tokenizer
    from scriptlint.source.reader import looks_like_spec

    if not looks_like_spec(spec):
        from scriptlint.nearest import did_you_mean

        hint = did_you_mean(spec, PRESETS) or f"; presets: {', '.join(PRESETS)}; or FILE.py::name"
        raise UserError(f"{spec}: no such preset{hint}")
    try:
        return load_tokenizer(spec)
    except TokenizerNotFound as error:
        raise UserError(str(error)) from None


def _read(spec: str, texts: Sequence[str], scripts: Sequence[str], format: str, context: Context) -> str:
    from scriptlint.probe import probe
    from scriptlint.tokenizer.verdict import judge

    tokenizer = find(spec)
    probes = [probe(tokenizer, t) for t in texts]
    judged = judge(tokenizer, scripts) if not texts or format == "json" else None
    if format == "json":
        assert judged is not None
        return _json(judged, [], probes)
    from scriptlint.report.probe import render_probe, render_stages, render_verdicts

    parts = [_title(tokenizer, context)]
    if judged is not None:
        parts.append(render_stages(tokenizer.stages, context))
        parts.append(render_verdicts(judged, context))
    return "\n".join([*parts, *(render_probe(p, context) for p in probes)])


def _imported(
    name: str, timeout: float, texts: Sequence[str], scripts: Sequence[str], format: str, context: Context
) -> str:
    from scriptlint.imported import Imported, judge_imported
    from scriptlint.probe import probe
    from scriptlint.report.probe import render_probe, render_verdicts

    with Imported(name, os.getcwd(), timeout) as imported:
        tokenizer = imported.tokenizer()
        probes = [probe(tokenizer, t) for t in texts]
        judged = judge_imported(imported, scripts) if not texts or format == "json" else None
    for what, target in imported.refused:
        tell(f"refused: {what}: {target}")
    if imported.gone:
        tell(f"error: {name}: {imported.gone}; what was not asked by then is unknown")
    if format == "json":
        assert judged is not None
        return _json(judged, [{"what": w, "target": t} for w, t in imported.refused], probes, imported)
    parts = [f"{context.style(name, 'bold')}, run in a process of its own\n"]
    if judged is not None:
        parts.append(render_verdicts(judged, context, letters=True))
    parts += [render_probe(p, context) for p in probes]
    if imported.failed:
        text, why = next(iter(imported.failed.items()))
        tell(f"{len(imported.failed)} texts failed, first {text!r}: {why}")
    return "\n".join(parts)


def _title(tokenizer: Tokenizer, context: Context) -> str:
    from scriptlint.report.display import visible

    place = f"{visible(tokenizer.path)}:{tokenizer.line} " if tokenizer.path != "preset" else ""
    return f"{place}{context.style(visible(tokenizer.name), 'bold')}\n"


def _json(
    judged: Judged, refused: Sequence[dict[str, str]], probes: Sequence[Any], imported: Imported | None = None
) -> str:
    from scriptlint.report.json import FORMAT, dumps, tokenizer_dict
    from scriptlint.report.probe import probe_dict

    return dumps(
        {
            "format": FORMAT,
            "tokenizer": tokenizer_dict(judged, {}),
            "texts": [probe_dict(p) for p in probes],
            "imported": None if imported is None else imported.spec,
            "refused": list(refused),
            "failed": {} if imported is None else dict(imported.failed),
        }
    )
