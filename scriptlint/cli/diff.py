"""``scriptlint diff``."""

from __future__ import annotations

import os
from typing import Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, tell, write


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--pedantic", is_flag=True, help="Compare places of medium and low confidence too.")
@click.option(
    "--format",
    "--output-format",
    "format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="markdown is made for a pull request.",
)
@click.option(
    "--fail-on",
    "fails_on",
    type=click.Choice(["loss", "hole", "difference"]),
    default="loss",
    show_default=True,
    help="What exits 1: a script worse off; that or a new hole; any difference.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@shared.settings_options
@shared.output_options
def command(old: str, new: str, paths: tuple[str, ...], **options: Any) -> int:
    """Compare the tokenizers of OLD and NEW: files, folders, or git revisions (only what is below PATH).

    Tells, for each tokenizer, the scripts gained and lost, whether it makes the same of ASCII text (proved, or tried
    on many texts), and the holes that open next. Exits 1 when a script is lost. Nothing that is read is run.
    """
    from scriptlint.diff import compare
    from scriptlint.engine import plan_for
    from scriptlint.lines import Lines
    from scriptlint.report import diff as report
    from scriptlint.revision import side

    check_output(options["output"])
    places = [p for p in (*paths, old, new) if os.path.exists(p)]
    resolved = shared.resolve(places, options)
    plan = plan_for(resolved.settings)
    comparison = compare(
        side(old, paths, resolved.of), side(new, paths, resolved.of), plan.rule_settings.scripts,
        pedantic=options["pedantic"],
    )  # fmt: skip
    name = options["format"]
    context = context_for(options, plan.registry, Lines(), for_people=name == "text")
    if name == "json":
        text = report.render_json(comparison)
    elif name == "markdown":
        text = report.render_markdown(comparison)
    else:
        text = report.render_text(comparison, context)
    write(text, options["output"], for_people=name == "text")
    for problem in comparison.problems:
        tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
    failed = {
        "loss": comparison.losses,
        "hole": comparison.losses or comparison.opened,
        "difference": comparison.differs,
    }[options["fails_on"]]
    return int((failed or bool(comparison.problems)) and not options["exit_zero"])
