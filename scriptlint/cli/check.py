"""``scriptlint check``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import fixes
from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, emit, tell, write
from scriptlint.report import TERMINAL_FORMATS

if TYPE_CHECKING:
    from scriptlint.conclude import Raw
    from scriptlint.config import Settings
    from scriptlint.lines import Lines
    from scriptlint.results import Report


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@shared.settings_options
@shared.rule_options
@shared.format_option
@shared.output_options
@shared.shown_options
@shared.exit_options
@shared.work_options
@click.option("--stdin-filename", metavar="NAME", help="The name of what - reads.")
@shared.baseline_options
@click.option("--add-ignores", metavar="REASON", help="Add a suppression comment with this reason to every finding.")
@fixes.fix_options
@click.option("--show-settings", is_flag=True, help="Print the settings in force and stop.")
@click.option("--show-files", is_flag=True, help="Print the files that would be read and stop.")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find tokenizers in Python source, and the scripts that each of them loses.

    PATH is a file, a folder, or - for stdin; without one, the settings' paths or the working directory. A file
    that can't be read or parsed is told, and the run goes on and exits 1.
    """
    from scriptlint.conclude import conclude
    from scriptlint.engine import plan_for
    from scriptlint.lines import Lines

    check_output(options["output"])
    if options["add_ignores"] is not None and "-" in paths:
        raise click.UsageError("--add-ignores writes files; it can't change what - reads")
    repairs = fixes.wants_fixes(options)
    if options["fix"] and "-" in paths:
        raise click.UsageError("--fix writes files; it can't change what - reads (--diff shows what would change)")
    resolved = shared.resolve([p for p in paths if p != "-"] or _stdin_place(options), options)
    settings = resolved.settings
    if options["show_settings"]:
        return _show_settings(resolved)
    paths = paths or tuple(configured(settings)) or (".",)
    if options["show_files"]:
        return _show_files(paths, resolved)
    lines = Lines(_stdin(options) if "-" in paths else None)
    raw, missing = gather(paths, resolved, options, lines)
    for place in missing:
        tell(f"error: no such file or folder: {place}")
    if not options["no_cache"]:
        _remember(settings)
    report = conclude(
        raw,
        settings,
        settings_of=resolved.of,
        lines=lines,
        keep_baseline=options["keep_baseline"],
        use_baseline=not options["write_baseline"],
    )
    if options["write_baseline"]:
        return save_baseline(options["write_baseline"], report, resolved)
    made = fixes.Repairs()
    if repairs:

        def scripts_at(path: str) -> tuple[str, ...]:
            return plan_for(resolved.of(os.path.dirname(os.path.abspath(path)))).rule_settings.scripts

        def again(path: str, data: bytes) -> Report:
            return conclude_one(path, data, resolved)

        if options["show_diff"]:
            code = fixes.show_diff(report, options, lines, scripts_at, again)
            return 2 if missing or report.crashed else 0 if options["exit_zero"] else code
        if options["fix"]:

            def anew() -> tuple[Report, Lines]:
                fresh = Lines()
                found, _ = gather(paths, resolved, options, fresh)
                return conclude(found, settings, settings_of=resolved.of, lines=fresh, keep_baseline=True), fresh

            made, report, lines = fixes.apply_fixes(report, options, lines, scripts_at, again, anew)
        if options["suggest"] or (options["unsafe_fixes"] and not options["fix"]):
            report = fixes.suggested(report, options, lines, scripts_at)
    if options["add_ignores"] is not None:
        return _add_ignores(report, options["add_ignores"], lines)
    context = context_for(
        options,
        plan_for(settings).registry,
        lines,
        for_people=options["format"] in TERMINAL_FORMATS,
        baseline=settings.baseline,
    )
    emit(report, options, context)
    code = report.exit_code(settings.fail_on)
    if made.done and options["exit_non_zero_on_fix"]:
        code = max(code, 1)
    return 2 if missing or made.failed or code == 2 else 0 if options["exit_zero"] else code


def conclude_one(path: str, data: bytes, resolved: shared.Resolved) -> Report:
    """The report on one file with these bytes; the baseline is read, and stays as it is."""
    from scriptlint.conclude import conclude, from_results
    from scriptlint.engine import check_bytes
    from scriptlint.lines import Lines

    result = check_bytes(path, data, resolved.of(os.path.dirname(os.path.abspath(path))))
    given = Lines({path: data})
    return conclude(from_results([result]), resolved.settings, settings_of=resolved.of, lines=given, keep_baseline=True)


def gather(
    paths: tuple[str, ...], resolved: shared.Resolved, options: dict[str, Any], lines: Lines
) -> tuple[Raw, list[str]]:
    """Raw findings of source files (``-`` is what ``lines`` was given), and arguments that name nothing."""
    from scriptlint.conclude import from_results
    from scriptlint.engine import check_bytes
    from scriptlint.run import Options, check_paths

    work = Options(
        jobs=options["jobs"],
        use_cache=not options["no_cache"],
        cache_dir=options["cache_dir"],
        force_exclude=options["force_exclude"],
        programs=options.get("programs", False),
    )
    results, problems, missing = [], [], []
    on_disk = tuple(p for p in paths if p != "-")
    if on_disk:
        checked = check_paths(on_disk, resolved.settings, work, settings_of=resolved.of)
        results, problems, missing = checked.results, checked.problems, checked.missing
    if "-" in paths:
        for name in _stdin_place(options):
            here = resolved.of(os.path.dirname(os.path.abspath(name)))
            results.append(check_bytes(name, lines.data(name), here))
    return from_results(results, problems), missing


def _remember(settings: Settings) -> None:
    """Let runs without a candidate skip this settings file. With a baseline they can't: it may have to shrink."""
    if settings.source and not settings.baseline and not settings.extend_rules:
        from scriptlint.cache import stamp_settings

        stamp_settings(settings.source, settings.root)


def _stdin_place(options: dict[str, Any]) -> list[str]:
    return [options["stdin_filename"] or "stdin.py"]


def _stdin(options: dict[str, Any]) -> dict[str, bytes]:
    return {name: sys.stdin.buffer.read() for name in _stdin_place(options)}


def configured(settings: Settings) -> list[str]:
    """The paths that the settings name, as seen from the working directory."""
    from scriptlint.config import show_path

    return [show_path(os.path.join(settings.root, p)) for p in settings.paths]


def _show_settings(resolved: shared.Resolved) -> int:
    from scriptlint.engine import plan_for
    from scriptlint.report.json import dumps

    plan = plan_for(resolved.settings)
    effective = {"scripts": list(plan.rule_settings.scripts), "rules": sorted(plan.active)}
    write(dumps({**resolved.settings.as_dict(), "in-force": effective}), None, for_people=False)
    return 0


def _show_files(paths: tuple[str, ...], resolved: shared.Resolved) -> int:
    from scriptlint.report.display import visible
    from scriptlint.walk import discover

    walk = discover(paths, resolved.of, force_exclude=resolved.settings.force_exclude)
    write("".join(f"{visible(unit.shown)}\n" for unit in walk.units), None, for_people=True)
    for place in walk.missing:
        tell(f"error: no such file or folder: {place}")
    return 2 if walk.missing else 0


def save_baseline(path: str, report: Report, resolved: shared.Resolved) -> int:
    """Write every finding that no comment hides into a baseline; gives the exit code."""
    from scriptlint.baseline import write_baseline
    from scriptlint.conclude import baseline_entries
    from scriptlint.report.text import counted

    entries = baseline_entries(report, resolved.of)
    write_baseline(path, entries)
    tell(f"{path}: wrote {counted(len(entries), 'finding')}")
    return 2 if report.crashed else 0


def _add_ignores(report: Report, reason: str, lines: Lines) -> int:
    from scriptlint.report.text import counted
    from scriptlint.suppress_edit import add_ignores

    done, left = add_ignores(report.findings, reason, lines)
    for why in left:
        tell(why)
    tell(f"added {counted(done, 'suppression')}")
    return 1 if left else 0
