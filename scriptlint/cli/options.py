"""Options that commands share, and the settings that come out of files and options together."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from scriptlint.config import Settings, SettingsError, load_settings, settings_for, show_path
from scriptlint.finding import Level
from scriptlint.report import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _words(value: str) -> tuple[str, ...]:
    """``"a, b"`` -> ``("a", "b")``."""
    return tuple(w.strip() for w in value.split(",") if w.strip())


def _list_option(name: str, help: str) -> Callable[..., Any]:
    """An option that takes comma-separated words and may be repeated."""
    return click.option(name, type=_words, multiple=True, metavar="LIST", help=help)


def _stack(*options: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return wrap


settings_options = _stack(
    click.option("--config", metavar="FILE", help="Use this settings file and no other."),
    click.option("--isolated", is_flag=True, help="Use no settings file."),
    _list_option("--scripts", "Scripts that matter: codes or names, or recommended."),
    _list_option("--languages", "Languages promised; their scripts matter."),
    click.option("--exclude", metavar="GLOB", multiple=True, help="Leave out more files (gitignore patterns)."),
    click.option("--force-exclude", is_flag=True, help="Leave out excluded files even when they are named."),
    click.option("--no-gitignore", is_flag=True, help="Read files that .gitignore leaves out."),
)
"""Options for what is read and which scripts matter."""

rule_options = _stack(
    _list_option("--select", "Run these rules alone (codes, prefixes, names, ALL)."),
    _list_option("--extend-select", "Run these rules too."),
    _list_option("--ignore", "Don't run these rules."),
    click.option("--pedantic", is_flag=True, help="Show findings of low and medium confidence too."),
    click.option(
        "--project-rules",
        is_flag=True,
        envvar="SCRIPTLINT_PROJECT_RULES",
        help="Run the rules that the settings' extend-rules names: this runs the project's code.",
    ),
)
"""Options for which rules speak."""

format_option = click.option(
    "--format",
    "--output-format",
    "format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    envvar="SCRIPTLINT_FORMAT",
    help="How the report looks.",
)
"""How a report looks."""

output_options = _stack(
    click.option("-o", "--output", "--output-file", metavar="FILE", help="Write the report here, not to stdout."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="NO_COLOR and FORCE_COLOR decide for auto.",
    ),
)
"""Options for where a report goes."""

shown_options = _stack(
    click.option("--statistics", is_flag=True, help="Counts per rule instead of the findings (text formats)."),
    click.option("--include-suppressed", is_flag=True, help="Report what comments and the baseline hide, marked so."),
)
"""Options for which findings a report shows, and how many words it makes of them."""

baseline_options = _stack(
    click.option("--baseline", metavar="FILE", help="Only findings that this file does not list count."),
    click.option("--write-baseline", metavar="FILE", help="Write every present finding into this file, and exit 0."),
    click.option("--keep-baseline", is_flag=True, help="Don't take out of the baseline what is no longer there."),
)
"""Options for findings that are known already."""

work_options = _stack(
    click.option("-j", "--jobs", type=click.IntRange(0), default=0, help="Processes; 0 uses as many as pay."),
    click.option("--no-cache", is_flag=True, help="Neither read nor write .scriptlint_cache."),
    click.option("--cache-dir", metavar="DIR", help="Keep the cache in this folder."),
)
"""Options for how the work is done."""

exit_options = _stack(
    click.option("--exit-zero", is_flag=True, help="Exit 0 in spite of findings."),
    click.option("--fail-on", type=click.Choice([level.value for level in Level]), help="Least level that exits 1."),
)
"""Options for the exit code."""


def split(words: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What a repeated comma-separated option gives, in one tuple."""
    return tuple(w for group in words for w in group)


@dataclass(frozen=True)
class Resolved:
    """The settings of a run, and those in force in any folder, with the command line's word in both."""

    settings: Settings
    of: Callable[[str], Settings]


def resolve(paths: Sequence[str], options: dict[str, Any]) -> Resolved:
    """Settings for a run over ``paths`` (files, folders; they need not exist). Raises SettingsError.

    ``options`` are a command's parameters as click gives them; those it does not have count as not given.
    """
    fixed: Settings | None = None
    if options.get("config"):
        fixed = load_settings(options["config"])
        if fixed is None:
            raise SettingsError(f"{show_path(options['config'])}: no [tool.scriptlint] in it")
    elif options.get("isolated"):
        fixed = Settings(root=os.getcwd().replace(os.sep, "/"))
    known: dict[int, Settings] = {}

    def of(folder: str) -> Settings:
        base = fixed or settings_for(folder)
        if id(base) not in known:
            known[id(base)] = override(base, options)
        return known[id(base)]

    return Resolved(of(common_folder(paths)), of)


def common_folder(paths: Sequence[str]) -> str:
    """The deepest folder that holds all the paths; the working directory for none."""
    folders = [os.path.abspath(p if os.path.isdir(p) else os.path.dirname(p) or ".") for p in paths]
    try:
        return os.path.commonpath(folders) if folders else os.getcwd()
    except ValueError:  # several drives (Windows)
        return os.getcwd()


def override(settings: Settings, options: dict[str, Any]) -> Settings:
    """Settings with what the command line says: it replaces, except that ignores and excludes add up."""
    changes: dict[str, Any] = {}
    for name in ("scripts", "languages", "select"):
        words = split(options.get(name) or ())
        if words:
            changes[name] = words
    if "scripts" in changes or "languages" in changes:
        changes = {"scripts": (), "languages": (), **changes}
    for name in ("extend_select", "ignore"):
        words = split(options.get(name) or ())
        if words:
            changes[name] = (*getattr(settings, name), *words)
    if options.get("exclude"):
        changes["exclude"] = (*settings.exclude, *options["exclude"])
    for name in ("force_exclude", "pedantic"):
        if options.get(name):
            changes[name] = True
    if options.get("no_gitignore"):
        changes["respect_gitignore"] = False
    if options.get("fail_on"):
        changes["fail_on"] = Level(options["fail_on"])
    if options.get("baseline"):
        changes["baseline"] = os.path.abspath(options["baseline"])
    if not options.get("project_rules"):
        changes["extend_rules"] = ()
    return replace(settings, **changes)
