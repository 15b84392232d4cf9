"""``scriptlint tokenizers``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, tell, write
from scriptlint.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.conclude import Raw
    from scriptlint.finding import Finding
    from scriptlint.report.context import Context
    from scriptlint.tokenizer.model import Judged


@click.command("tokenizers")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--probe", "probes", metavar="TEXT", multiple=True, help="Show the tokens that each makes of this text.")
@click.option("--probe-file", metavar="FILE", multiple=True, help="Probe with each line of this file (UTF-8).")
@click.option("--pedantic", is_flag=True, help="List places of medium and low confidence too.")
@click.option(
    "--format",
    "--output-format",
    "format",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
)
@shared.settings_options
@shared.output_options
@shared.work_options
def command(paths: tuple[str, ...], **options: Any) -> int:
    """List every tokenizer of a repository against the scripts, one verdict a cell.

    Exits 0 whatever the verdicts are, 1 when a file can't be read, 2 on a usage error.
    """
    from scriptlint.cli.check import gather
    from scriptlint.engine import plan_for, wanted_scripts
    from scriptlint.finding import Confidence
    from scriptlint.lines import Lines

    check_output(options["output"])
    paths = paths or (".",)
    texts = _texts(options["probes"], options["probe_file"])
    resolved = shared.resolve(paths, options)
    lines = Lines()
    raw, missing = gather(paths, resolved, {**options, "stdin_filename": None, "programs": bool(texts)}, lines)
    judged = sorted(raw.tokenizers, key=lambda j: (j.tokenizer.path, j.tokenizer.line, j.tokenizer.name))
    for place in missing:
        tell(f"error: no such file or folder: {place}")
    for problem in raw.problems:
        tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
    scripts = wanted_scripts(resolved.settings)
    plan = plan_for(resolved.settings)
    apart = [f for rule in plan.rules("run") for f in rule.check(tuple(judged), plan.rule_settings)]
    if not options["pedantic"]:
        everything, judged = judged, [j for j in judged if j.tokenizer.confidence is Confidence.HIGH]
    else:
        everything = judged
    if options["format"] == "json":
        text = _json(judged, texts, apart, paths)
    elif options["format"] == "html":
        text = _html(judged, texts, apart, raw, context_for(options, plan.registry, lines, for_people=False))
    else:
        from scriptlint.report.matrix import render_matrix
        from scriptlint.report.text import head

        shown = judged
        context = context_for(options, plan.registry, lines, for_people=True)
        text = render_matrix(shown, [_probe(j, texts) for j in shown], context, scripts=scripts)
        if apart:
            text += "\n" + "".join(f"{head(f, context)}\n" for f in apart)
        if len(shown) < len(everything):
            text += f"\n{len(everything) - len(shown)} of less confidence not shown; --pedantic shows them.\n"
    write(text, options["output"], for_people=options["format"] == "text")
    return 2 if missing or raw.crashed else int(bool(raw.problems))


def _texts(probes: Sequence[str], files: Sequence[str]) -> list[str]:
    """The texts to probe with, each once; raises UserError for a file that can't be read."""
    found = list(probes)
    for name in files:
        try:
            with open(name, encoding="utf-8-sig", newline="") as file:
                found.extend(line for line in file.read().replace("\r\n", "\n").split("\n") if line)
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{name}: {getattr(error, 'strerror', None) or error}") from error
    return list(dict.fromkeys(found))


def _probe(judged: Judged, texts: Sequence[str]) -> dict[str, list[str] | None]:
    """What becomes of each text, as one among others: what a verdict says, and no bound on their number hides it."""
    from scriptlint.tokenizer.run import run

    return {text: run(judged.tokenizer, text, among=True) for text in texts}


def _json(judged: Sequence[Judged], texts: Sequence[str], apart: Sequence[Finding], paths: Sequence[str]) -> str:
    """The listing; of one folder, as a repository's own: ``root`` is the folder, and paths are those below it."""
    from scriptlint.config import show_path
    from scriptlint.report.json import FORMAT, dumps, finding_dict, tokenizer_dict

    root = show_path(paths[0]) if len(paths) == 1 and os.path.isdir(paths[0]) else "."
    listed = [tokenizer_dict(j, _probe(j, texts)) for j in judged]
    out = {
        "format": FORMAT, "root": root, "tokenizers": listed, "disagreements": [finding_dict(f) for f in apart]
    }  # fmt: skip
    return dumps(out if root == "." else _below(out, root.rstrip("/") + "/"))


def _below(value: Any, folder: str) -> Any:
    """The same with every ``path`` below a folder as it is called there."""
    if isinstance(value, dict):
        return {
            k: v.removeprefix(folder) if k == "path" and isinstance(v, str) else _below(v, folder)
            for k, v in value.items()
        }
    return [_below(v, folder) for v in value] if isinstance(value, list) else value


def _html(judged: Sequence[Judged], texts: Sequence[str], apart: Sequence[Finding], raw: Raw, context: Context) -> str:
    from scriptlint.report.html import render
    from scriptlint.results import Report

    found = sorted(apart, key=lambda f: (f.location, f.code))
    report = Report(tuple(found), (), raw.problems, tuple(judged), len(raw.checked))
    return render(report, context, [_probe(j, texts) for j in judged])
