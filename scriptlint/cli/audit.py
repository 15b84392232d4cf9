"""``scriptlint audit``."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, emit, tell
from scriptlint.errors import UserError
from scriptlint.report import TERMINAL_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.conclude import Raw
    from scriptlint.config import CorpusEntry, Settings
    from scriptlint.corpus.join import Harms
    from scriptlint.corpus.scan import Outcome, Request
    from scriptlint.engine import Plan
    from scriptlint.finding import Finding

PARTS = ("check", "scan", "gate")


@click.command("audit")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="Run this part alone; may be repeated.")
@shared.settings_options
@shared.rule_options
@shared.format_option
@shared.output_options
@shared.shown_options
@shared.exit_options
@shared.work_options
@shared.baseline_options
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Run what [tool.scriptlint] names of check, scan and gate, into one report.

    PATH is what check reads; without one, the settings' paths or the working directory. A gate runs the project's
    router: leave it out with --only when that isn't wanted.
    """
    from scriptlint.conclude import conclude
    from scriptlint.engine import plan_for
    from scriptlint.lines import Lines

    check_output(options["output"])
    resolved = shared.resolve(paths, options)
    settings = resolved.settings
    plan = plan_for(settings)
    lines = Lines()
    raw, missing = _gather(paths, resolved, plan, options, lines)
    for place in missing:
        tell(f"error: no such file or folder: {place}")
    report = conclude(
        raw,
        settings,
        settings_of=resolved.of,
        lines=lines,
        keep_baseline=options["keep_baseline"],
        use_baseline=not options["write_baseline"],
    )
    if options["write_baseline"]:
        from scriptlint.cli.check import save_baseline

        return save_baseline(options["write_baseline"], report, resolved)
    for_people = options["format"] in TERMINAL_FORMATS
    context = context_for(options, plan.registry, lines, for_people=for_people, baseline=settings.baseline)
    emit(report, options, context)
    code = report.exit_code(settings.fail_on)
    return 2 if missing or code == 2 else 0 if options["exit_zero"] else code


def _gather(
    paths: tuple[str, ...], resolved: shared.Resolved, plan: Plan, options: dict[str, Any], lines: Any
) -> tuple[Raw, list[str]]:
    from scriptlint.cli.check import configured, gather
    from scriptlint.conclude import Raw

    settings = resolved.settings
    wanted = options["only"] or PARTS
    raw, missing = Raw(), list[str]()
    if "check" in wanted:
        read = paths or tuple(configured(settings)) or (".",)
        raw, missing = gather(read, resolved, {**options, "stdin_filename": None}, lines)
    if "scan" in wanted and settings.corpus:
        from scriptlint.corpus.join import add_up, joined

        scanned = [_corpus(entry, settings, plan, options) for entry in settings.corpus]
        harms = add_up(harm for _, harm in scanned)
        raw = replace(raw, findings=tuple(joined(raw.findings, harms)))
        for part, _ in scanned:
            raw += part
    if "gate" in wanted and settings.gate:
        if find_spec("scriptlint.cli.gate") is None:
            raise UserError(f"{settings.source}: [tool.scriptlint.gate] needs a version with the gate command")
        from importlib import import_module

        raw += import_module("scriptlint.cli.gate").gather(settings, plan, options)
    return raw, missing


def _corpus(entry: CorpusEntry, settings: Settings, plan: Plan, options: dict[str, Any]) -> tuple[Raw, Harms]:
    """The raw findings of one ``[[tool.scriptlint.corpus]]``, and what its tokenizers do to it; raises UserError."""
    from scriptlint.cli.scan_json import counts_of
    from scriptlint.conclude import Raw
    from scriptlint.corpus.join import harm_of
    from scriptlint.corpus.scan import scan

    try:
        request = _request(entry, settings, plan, options)
        outcome = scan(request)
    except (ValueError, RuntimeError) as error:
        if type(error).__module__.startswith("scriptlint."):
            raise UserError(f"{settings.source}: corpus: {error}") from None
        raise
    notices = tuple(
        f"{name}: {left:,} more items are counted but not told"
        for name, left in zip(outcome.names, outcome.left_out, strict=True)
        if left
    )
    corpus = ", ".join(request.paths)
    raw = Raw(
        findings=tuple(_findings(outcome, plan)),
        problems=tuple(outcome.problems),
        reads=frozenset(("item", "corpus")),
        items=outcome.summaries[0].entries,
        notices=notices,
        measured={"corpora": tuple({"corpus": corpus, **counts_of(outcome, n)} for n in range(len(outcome.names)))},
        scanned=frozenset(() if any(outcome.left_out) else request.paths),
    )
    return raw, harm_of(outcome, request.tokenizers)


def _request(entry: CorpusEntry, settings: Settings, plan: Plan, options: dict[str, Any]) -> Request:
    from scriptlint.cli.scan import load_tokenizers
    from scriptlint.config import show_path
    from scriptlint.corpus.judge import Window
    from scriptlint.corpus.readers.tables import Fields
    from scriptlint.corpus.scan import Request

    def here(path: str) -> str:
        return show_path(os.path.join(settings.root, path))

    specs = []
    for spec in entry.tokenizer:
        file, colons, name = spec.partition("::")
        specs.append(f"{here(file)}::{name}" if colons else spec)
    rule = plan.registry.find("truncated-trigger")
    size = plan.rule_settings.option(rule.meta, "window")
    cuts = plan.rule_settings.option(rule.meta, "window-cuts")
    return Request(
        tuple(here(p) for p in entry.paths),
        load_tokenizers(specs),
        Fields.parse(",".join(entry.fields)) if entry.fields else None,
        Window(size, {"tokens": True, "display": False}.get(cuts)) if size else None,
        jobs=options["jobs"] or 1,
    )


def _findings(outcome: Outcome, plan: Plan) -> Iterator[Finding]:
    for facts in (f for listed in outcome.items for f in listed):
        for rule in plan.rules("item"):
            yield from rule.check(facts, plan.rule_settings)
    for corpus in outcome.corpora:
        for rule in plan.rules("corpus"):
            yield from rule.check(corpus, plan.rule_settings)
