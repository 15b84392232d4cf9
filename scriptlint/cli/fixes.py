"""``check --suggest``, ``--diff`` and ``--fix``: what is shown of repairs, and what is written."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass, field, replace
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
    Again = Callable[[str, bytes], Report]
    """The report on one file with other bytes."""

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


@dataclass
class Repairs:
    """What came of ``--fix`` or ``--diff`` over all files. ``failed`` are those that could not be written."""

    done: int = 0
    """Repairs, as against the tokenizers that they are of."""
    touched: set[tuple[Any, ...]] = field(default_factory=set)
    left: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    tried: dict[str, list[Any]] = field(default_factory=dict)
    """The stages of each file's tokenizers when it was left: as long as they are the same, there is nothing to try."""
    spared: set[tuple[Any, ...]] = field(default_factory=set)
    """What the baseline hides. A repair of its line changes the fingerprint, and it is left alone all the same."""

    def spare(self, report: Report) -> None:
        """Leave alone what the baseline hides by now."""
        self.spared |= {_spared(f) for f in report.hidden if f.suppressed == "baseline"}

    def wanted(self, report: Report) -> Iterator[tuple[str, list[Finding]]]:
        """The findings to look at, file by file."""
        for path, findings in _by_path(report):
            found = [f for f in findings if _spared(f) not in self.spared]
            if found and path not in self.failed and _stages(report, path) != self.tried.get(path):
                yield path, found

    def add(self, fixed: Fixed) -> None:
        """Count what was done to one file."""
        self.done += len(fixed.done)
        self.touched |= {(fixed.path, *key) for key in fixed.touched}

    def say(self, what: str) -> None:
        """The last line."""
        from scriptlint.report.text import counted

        several = f" ({counted(self.done, 'repair')})" if self.done != len(self.touched) else ""
        left = sum(self.left.values())
        more = f"; {left} more with --unsafe-fixes" if left else ""
        tell(f"{what} {counted(len(self.touched), 'tokenizer')}{several}{more}.")


def _stages(report: Report, path: str) -> list[Any]:
    """What the tokenizers of a file do; patterns that it imports are in it."""
    return [j.tokenizer.stages for j in report.tokenizers if j.tokenizer.path == path]


def _spared(finding: Finding) -> tuple[Any, ...]:
    return finding.location.path, finding.code, finding.tokenizer, finding.statement


def show_diff(report: Report, options: dict[str, Any], lines: Lines, scripts_at: ScriptsAt, again: Again) -> int:
    """Print what would change; 1 when anything would, or a file can't be read."""
    from scriptlint.fix.apply import unified

    made = Repairs()
    for fixed in _fixed(made, report, options, lines, scripts_at, again):
        made.add(fixed)
        _tell_done(fixed)
        if fixed.done:
            # As bytes: a file that is not in UTF-8 has to get its own back.
            write("", None, for_people=False)
            sys.stdout.buffer.write(unified(fixed).encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()
    for problem in report.problems:
        tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
    made.say("Would repair")
    return int(made.done > 0 or bool(report.problems))


def apply_fixes(
    report: Report,
    options: dict[str, Any],
    lines: Lines,
    scripts_at: ScriptsAt,
    again: Again,
    anew: Callable[[], tuple[Report, Lines]],
) -> tuple[Repairs, Report, Lines]:
    """Write the repaired files, until none changes; with what was done come the report and the lines of then.

    ``anew`` checks all files again: one may import a pattern from another that was repaired after it.
    """
    from scriptlint.fix.apply import MOST_ROUNDS

    made = Repairs()
    for _ in range(MOST_ROUNDS):
        done = made.done
        for fixed in _fixed(made, report, options, lines, scripts_at, again):
            _write(fixed, made)
        if made.done == done:
            break
        report, lines = anew()
    made.say("Repaired")
    return made, report, lines


def _write(fixed: Fixed, made: Repairs) -> None:
    """Write one file; when that can't be, tell, so that the others still are."""
    from scriptlint.files import write_bytes

    if not fixed.done:
        return
    try:
        write_bytes(fixed.path, fixed.after, spare_read_only=True)
    except OSError as error:
        tell(f"error: --fix {fixed.path}: {error.strerror or error}")
        made.failed.append(fixed.path)
        return
    _tell_done(fixed)
    made.add(fixed)


def _tell_done(fixed: Fixed) -> None:
    for name, held in fixed.done:
        tell(f"{fixed.path}: {name}: {held.title} ({held.evidence})")
    if not fixed.settled:
        from scriptlint.fix.apply import MOST_ROUNDS
        from scriptlint.report.text import counted

        rounds = counted(MOST_ROUNDS, "round")
        tell(f"{fixed.path}: not settled after {rounds} of repairs: another run would change more")


def _fixed(
    made: Repairs, report: Report, options: dict[str, Any], lines: Lines, scripts_at: ScriptsAt, again: Again
) -> Iterator[Fixed]:
    from scriptlint.fix.apply import settle

    made.spare(report)
    for path, findings in list(made.wanted(report)):

        def next_findings(data: bytes, path: str = path) -> list[Finding]:
            new = again(path, data)
            made.tried[path] = _stages(new, path)
            return [f for f in dict(_by_path(new)).get(path, []) if _spared(f) not in made.spared]

        made.tried[path] = _stages(report, path)
        fixed = settle(
            path, lines.data(path), findings, scripts_at(path), next_findings,
            unsafe=options["unsafe_fixes"], prefer=options["fix_with"],
        )  # fmt: skip
        made.left[path] = len(fixed.left)
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
