"""``scriptlint explain``."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import write

if TYPE_CHECKING:
    from scriptlint.registry import Registry, Rule
    from scriptlint.report.display import Style


@click.command("explain")
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option("--format", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@click.option(
    "--project-rules",
    is_flag=True,
    envvar="SCRIPTLINT_PROJECT_RULES",
    help="Know the rules that the settings' extend-rules names too: this runs the project's code.",
)
@shared.output_options
def command(rules: tuple[str, ...], format: str, **options: Any) -> int:
    """Print the page of a rule (by code or name), or list the rules."""
    import os

    from scriptlint.registry import load_registry
    from scriptlint.report.display import Style, terminal_width, wants_color

    settings = shared.resolve([], options).settings
    registry = load_registry(tuple(os.path.join(settings.root, p) for p in settings.extend_rules))
    style = Style(format == "text" and not options["output"] and wants_color(options["color"], sys.stdout))
    chosen = [registry.find(word) for word in rules]
    if format == "json":
        from scriptlint.report.json import dumps

        text = dumps({"format": "scriptlint/1", "rules": [_rule_dict(r) for r in chosen or registry]})
    elif not chosen:
        text = _listing(registry, style, terminal_width(sys.stdout))
    elif format == "markdown":
        from scriptlint.report.pages import rule_page

        text = "\n".join(rule_page(r) for r in chosen)
    else:
        text = "\n".join(_page(r, style) for r in chosen)
    write(text, options["output"], for_people=True)
    return 0


def _listing(registry: Registry, style: Style, columns: int) -> str:
    names = max(len(r.name) for r in registry)
    indent = " " * (6 + 2 + names + 2)
    room = max(columns - len(indent), 24)
    lines = []
    for rule in registry:
        first, *more = textwrap.wrap(rule.summary, room) or [""]
        lines.append(f"{style(rule.code.ljust(6), 'bold')}  {rule.name:{names}}  {first}\n")
        lines.extend(f"{indent}{line}\n" for line in more)
    return "".join(lines)


def _page(rule: Rule, style: Style) -> str:
    from scriptlint.report.pages import rule_page

    lines = rule_page(rule).splitlines()
    return "".join(f"{style(line.lstrip('# '), 'bold') if line.startswith('#') else line}\n" for line in lines)


def _rule_dict(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "level": rule.meta.level.value,
        "reads": rule.meta.reads,
        "options": dict(rule.meta.options),
        "default": rule.meta.default,
        "since": rule.meta.since,
        "summary": rule.summary,
        "page": rule.page,
    }
