"""Where reports go: a terminal, a pipe, or a file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from scriptlint.report.context import Context
from scriptlint.report.display import Style, can_print, storable, terminal_width, visible, wants_color

if TYPE_CHECKING:
    from scriptlint.lines import Lines
    from scriptlint.registry import Registry
    from scriptlint.results import Report


def context_for(
    options: dict[str, Any], registry: Registry, lines: Lines, *, for_people: bool, baseline: str | None = None
) -> Context:
    """The context of a report that goes where ``options`` say."""
    to_file = bool(options.get("output"))
    color = options.get("color") or "auto"
    paint = for_people and (color == "always" if to_file else wants_color(color, sys.stdout))
    return Context(
        registry,
        lines,
        Style(paint),
        100 if to_file else terminal_width(sys.stdout),
        symbols=to_file or can_print(sys.stdout, "\u2713\u2717\u2026\u25cc"),
        statistics=bool(options.get("statistics")),
        include_suppressed=bool(options.get("include_suppressed")),
        baseline=baseline,
    )


def write(text: str, output: str | None, *, for_people: bool) -> None:
    """Write a report to a file (whole or not at all), or to stdout. Raises click.UsageError when it can't."""
    if output:
        _spare_source(output)
        from scriptlint.files import write_text

        try:
            write_text(output, storable(text))
        except OSError as error:
            raise click.UsageError(f"--output {output}: {error.strerror or error}") from error
        return
    stream = sys.stdout
    if for_people:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        stream.write(text)
    else:
        # Machines get UTF-8 and \n whatever the terminal's encoding is.
        stream.flush()
        stream.buffer.write(storable(text).encode("utf-8"))
        stream.buffer.flush()


def check_output(output: str | None) -> None:
    """Refuse, before any work is done, an output that can't be written. Raises click.UsageError."""
    if not output:
        return
    if os.path.isdir(output):
        raise click.UsageError(f"--output {output}: is a folder")
    _spare_source(output)
    folder = os.path.dirname(os.path.abspath(output))
    if not os.path.isdir(folder):
        raise click.UsageError(f"--output {output}: no such folder: {os.path.dirname(output)}")


def _spare_source(output: str) -> None:
    from scriptlint.walk import PYTHON_SUFFIXES

    if output.endswith(PYTHON_SUFFIXES) and os.path.exists(output):
        raise click.UsageError(f"--output {output}: is a source file, and stays as it is; name another file")


def tell(text: str) -> None:
    """One line for a person, on stderr."""
    click.echo(visible(text), err=True)


def emit(report: Report, options: dict[str, Any], context: Context) -> None:
    """Write a report of findings in the format that ``options`` name; what a machine format hides goes to stderr."""
    from scriptlint.report import TERMINAL_FORMATS, render

    name = options["format"]
    write(render(name, report, context), options.get("output"), for_people=name in TERMINAL_FORMATS)
    if name not in TERMINAL_FORMATS or options.get("output"):
        for problem in report.problems:
            tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
        for notice in report.notices:
            tell(notice)
