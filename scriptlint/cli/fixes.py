"""``check --suggest``, ``--diff`` and ``--fix``: what is shown of repairs, and what is written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli.options import _stack
from scriptlint.cli.output import tell, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scriptlint.finding import Finding
    from scriptlint.fix.apply import Fixed
    from scriptlint.lines import Lines
    from scriptlint.results import Report

    ScriptsAt = Callable[[str], Sequence[str]]
    """The wanted scripts where a file stands."""

fix_options = _stack(
    click.option("--suggest", is_flag=True, help="Look for repairs, and name those that hold with the findings."),
    click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change; write nothing."),
    click.option("--fix", is_flag=True, help="Apply safe repairs, then report what is left."),
    click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the other repairs that hold, too."),
    click.option(
        "--fix-with",
        type=click.Choice(["ranges", "properties"]),
        default="ranges",
        show_default=True,
        help=r"How classes grow: ranges in the same engine, or \p{L}\p{M}\p{N} of the regex module.",
    ),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit 1 when something was fixed."),
)
"""Options for repairs."""


def wants_fixes(options: dict[str, Any]) -> bool:
    """Whether any of the options asks for repairs. Raises click.UsageError for those that don't go together."""
    if options["fix"] and options["show_diff"]:
        raise click.UsageError("--diff writes nothing and --fix does: give one of them")
    return bool(options["fix"] or options["show_diff"] or options["suggest"] or options["unsafe_fixes"])


def suggested(
    report: Report, options: dict[str, Any], lines: Lines, scripts_at: Callable[[str], Sequence[str]]
) -> Report:
    """The report with repairs named in the findings' help."""
    from scriptlint.fix.apply import with_suggestions

    found: dict[int, Finding] = {}
    for path, findings in _by_path(report):
        new = with_suggestions(findings, path, lines.data(path), scripts_at(path), prefer=options["fix_with"])
        found.update((id(a), b) for a, b in zip(findings, new, strict=True))
    return replace(report, findings=tuple(found.get(id(f), f) for f in report.findings))


def show_diff(report: Report, options: dict[str, Any], lines: Lines, scripts_at: ScriptsAt) -> int:
    """Print what would change; 1 when anything would, or a file can't be read."""
    from scriptlint.fix.apply import unified

    done = left = 0
    for fixed in _fixed(report, options, lines, scripts_at):
        done += len(fixed.done)
        left += len(fixed.left)
        if fixed.done:
            write(unified(fixed), None, for_people=False)
    for problem in report.problems:
        tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
    _summary("Would repair", done, left)
    return int(done > 0 or bool(report.problems))


def apply_fixes(report: Report, options: dict[str, Any], lines: Lines, scripts_at: ScriptsAt) -> int:
    """Write the repaired files; how many tokenizers were repaired. Raises click.UsageError when one can't be."""
    from scriptlint.files import write_bytes

    done = left = 0
    for fixed in _fixed(report, options, lines, scripts_at):
        left += len(fixed.left)
        if not fixed.done:
            continue
        try:
            write_bytes(fixed.path, fixed.after)
        except OSError as error:
            raise click.UsageError(f"--fix {fixed.path}: {error.strerror or error}") from error
        done += len(fixed.done)
    _summary("Repaired", done, left)
    return done


def _fixed(report: Report, options: dict[str, Any], lines: Lines, scripts_at: ScriptsAt) -> Iterator[Fixed]:
    from scriptlint.fix.apply import fix_file

    for path, findings in _by_path(report):
        fixed = fix_file(
            path, lines.data(path), findings, scripts_at(path),
            unsafe=options["unsafe_fixes"], prefer=options["fix_with"],
        )  # fmt: skip
        for name, held in fixed.done:
            tell(f"{path}: {name}: {held.title} ({held.evidence})")
        for name, held in fixed.left:
            tell(f"{path}: {name}: not applied, unsafe ({held.unsafe}): {held.title} ({held.evidence})")
        yield fixed


def _by_path(report: Report) -> Iterator[tuple[str, list[Finding]]]:
    """The findings that a repair is known for, file by file; notebooks are read only."""
    from scriptlint.fix.apply import FIXABLE

    found: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        if finding.code in FIXABLE and not finding.location.path.endswith(".ipynb"):
            found[finding.location.path].append(finding)
    yield from sorted(found.items())


def _summary(what: str, done: int, left: int) -> None:
    from scriptlint.report.text import counted

    more = f"; {counted(left, 'more')} with --unsafe-fixes".replace("mores", "more") if left else ""
    tell(f"{what} {counted(done, 'tokenizer')}{more}.")
