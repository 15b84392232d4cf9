"""``scriptlint gate``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, emit, tell, write
from scriptlint.errors import UserError
from scriptlint.report import TERMINAL_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scriptlint.conclude import Raw
    from scriptlint.config import Settings
    from scriptlint.engine import Plan
    from scriptlint.finding import Finding
    from scriptlint.gate.audit import Audit
    from scriptlint.gate.compare import Limits
    from scriptlint.gate.settings import GateSettings
    from scriptlint.gate.sweep import Axis, Swept
    from scriptlint.report.context import Context
    from scriptlint.results import Report
    from scriptlint.tokenizer.model import Tokenizer


@click.command("gate")
@click.option("--only", multiple=True, metavar="NAME", help="Measure this condition alone; may be repeated.")
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="NAME=FROM:TO:STEP",
    help="Measure a constant of the router over a range (or NAME=a,b,c); two make a grid.",
)
@click.option("--on", metavar="NAME", help="The condition to sweep. [default: the last]")
@click.option("--by", type=click.Choice(["language", "script"]), help="Groups of a sweep's tables and plot.")
@click.option(
    "--max-wrong",
    type=click.FloatRange(0),
    metavar="N",
    help="Wrong items per query that a best value may let through.",
)
@click.option("--plot", metavar="FILE", help="Draw the sweep: .svg, .png, or both without an ending.")
@click.option("--groups", "plot_groups", metavar="LIST", help="Languages or scripts in the sweep's tables and plot.")
@click.option("-k", "k", type=click.IntRange(1), help="Results that count. [default: the settings', else 5]")
@click.option("-j", "--jobs", type=click.IntRange(0), default=0, help="Conditions at a time; 0: as many as cores.")
@shared.settings_options
@shared.rule_options
@shared.format_option
@shared.output_options
@shared.exit_options
def command(**options: Any) -> int:
    """Find right answers that rank well and are never let through.

    Runs the router that [tool.scriptlint.gate] names, and each condition of it, in a process of its own: it may not
    write, delete, rename, start processes or open sockets there. Exit code 1 when a gate closes between two
    conditions (SCR202), so that a regression suite fails; 2 when no condition could be measured.
    """
    from scriptlint.conclude import conclude
    from scriptlint.engine import plan_for
    from scriptlint.lines import Lines

    check_output(options["output"])
    if options["plot"] and not options["sweeps"]:
        raise click.UsageError("--plot draws a sweep: name one with --sweep NAME=from:to:step")
    _check_plot(options["plot"])
    resolved = shared.resolve((), options)
    settings = resolved.settings
    plan = plan_for(settings)
    axes = _axes(options["sweeps"])
    gate = _settings(settings, options)
    audit = _audit(gate, options)
    swept = _sweep(gate, audit, axes, options) if axes else None
    lines = Lines()
    report = conclude(_raw(audit, plan), settings, settings_of=resolved.of, lines=lines)
    for_people = options["format"] in TERMINAL_FORMATS
    context = context_for(options, plan.registry, lines, for_people=for_people, baseline=settings.baseline)
    _emit(report, audit, swept, gate, plan, options, context)
    if all(run.failure for run in audit.runs):
        return 2  # nothing was measured: that is no finding
    code = report.exit_code(settings.fail_on)
    return 0 if options["exit_zero"] and code == 1 else code


def gather(settings: Settings, plan: Plan, options: dict[str, Any]) -> Raw:
    """What the gate that the settings name finds, for ``audit``. Raises UserError."""
    from scriptlint.report.gate import gate_data

    gate = _settings(settings, options)
    audit = _audit(gate, options)
    raw = _raw(audit, plan)
    measured = gate_data(audit, None, _limits(plan), gate.most_wrong)
    return replace(raw, notices=tuple(f"gate: {n}" for n in raw.notices), measured={"gate": (measured,)})


def _limits(plan: Plan) -> Limits:
    from scriptlint.gate.audit import limits_of

    rule = plan.registry.find("gate-collapse")
    return limits_of({name: plan.rule_settings.option(rule.meta, name) for name in rule.meta.options})


def _check_plot(plot: str | None) -> None:
    if not plot:
        return
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise click.UsageError("--plot needs matplotlib: pip install 'scriptlint[plot]'")
    ending = os.path.splitext(plot)[1].lower()
    if ending not in ("", ".svg", ".png"):
        raise click.UsageError(f"--plot {plot}: must end in .svg or .png, or in neither for both")
    check_output(plot)


def _axes(sweeps: Sequence[str]) -> list[Axis]:
    from scriptlint.gate.sweep import Axis

    if len(sweeps) > 2:
        raise click.UsageError("--sweep: at most two constants at once")
    return [Axis.parse(text) for text in sweeps]


def _settings(settings: Settings, options: dict[str, Any]) -> GateSettings:
    from scriptlint.gate.settings import read_gate
    from scriptlint.nearest import did_you_mean

    gate = read_gate(settings)
    if options.get("k"):
        gate = replace(gate, setup=replace(gate.setup, k=options["k"], depth=max(options["k"], gate.setup.depth)))
    if options.get("max_wrong") is not None:
        gate = replace(gate, most_wrong=options["max_wrong"])
    names = [c.name for c in gate.conditions]
    only = options.get("only") or ()
    # ``audit`` has an option of this name, too: there it names parts, not conditions.
    if "sweeps" in options:
        for word in (*only, *([options["on"]] if options["on"] else [])):
            if word not in names:
                raise UserError(
                    f"no condition {word!r}{did_you_mean(word, names) or '; there are ' + ', '.join(names)}"
                )
        if only:
            gate = replace(gate, conditions=tuple(c for c in gate.conditions if c.name in only))
    return gate


def _audit(gate: GateSettings, options: dict[str, Any]) -> Audit:
    from scriptlint.gate.audit import audit
    from scriptlint.gate.queries import read_queries
    from scriptlint.pool import cores

    items, problems = _items(gate)
    queries = read_queries(*gate.queries)
    return audit(gate, queries, items, problems, tokenizer_of=_tokenizer, jobs=options.get("jobs") or cores())


def _items(gate: GateSettings) -> tuple[list[dict[str, str]] | None, list[str]]:
    """The items that build gets, and notices about what could not be read; ``None`` when the router reads its own."""
    if not gate.items:
        return None, []
    from scriptlint.corpus.readers import read_file
    from scriptlint.corpus.readers.tables import Fields, FieldsError, TableUnit, rows
    from scriptlint.corpus.scan import NothingToScan, Request, units_of
    from scriptlint.corpus.walk import read_bytes
    from scriptlint.finding import Problem

    out: list[dict[str, str]] = []
    left = 0

    def add(name: str, dirname: str, description: str, path: str, kind: str) -> None:
        out.append({"name": name, "dirname": dirname, "description": description, "path": path, "kind": kind})

    try:
        fields = Fields.parse(",".join(gate.fields)) if gate.fields else None
        units, _, _ = units_of(Request(gate.items, (), fields))
    except (NothingToScan, FieldsError) as error:
        raise UserError(f"gate: items: {error}") from None
    for unit in units:
        if isinstance(unit, TableUnit):
            for row in rows(unit):
                if row.name or row.description:
                    add(row.name or row.dirname, row.dirname, row.description, row.path or unit.ref.path, row.kind)
            continue
        for ref in unit:
            data = read_bytes(ref)
            if isinstance(data, Problem):
                left += 1
                continue
            reading = read_file(ref, data)
            left += reading.unreadable
            for item in reading.items:
                add(item.name or item.dirname, item.dirname, item.description, item.path, item.kind)
    if not out:
        raise UserError(f"gate: items: {', '.join(gate.items)}: no definition of an item found")
    return out, [f"{left:,} definition files could not be read; scriptlint scan tells which"] if left else []


def _tokenizer(path: str, source: str, names: Sequence[str]) -> Tokenizer | None:
    """The first of the named tokenizers that source text has, read and not run."""
    from scriptlint.source import read_source
    from scriptlint.source.reader import named_function

    facts = read_source(path, source.encode("utf-8", "surrogatepass"))
    for name in names:
        for tokenizer in facts.tokenizers:
            if tokenizer.name == name:
                return tokenizer
        found = named_function(facts, name, path)
        if found is not None:
            return found
    return None


def _sweep(gate: GateSettings, audit: Audit, axes: list[Axis], options: dict[str, Any]) -> Swept:
    from scriptlint.gate.sweep import sweep
    from scriptlint.pool import cores

    name = options["on"] or gate.conditions[-1].name
    condition = next((c for c in gate.conditions if c.name == name), None)
    if condition is None:
        raise UserError(f"no condition {name!r} is measured: --only leaves it out")
    return sweep(condition, axes, gate.setup, audit.queries, audit.items, jobs=options["jobs"] or cores())


def _findings(audit: Audit, plan: Plan) -> Iterator[Finding]:
    for rule in plan.rules("gate"):
        yield from rule.check(audit.facts, plan.rule_settings)


def _raw(audit: Audit, plan: Plan) -> Raw:
    from scriptlint.conclude import Raw

    return Raw(
        findings=tuple(_findings(audit, plan)),
        problems=tuple(audit.problems),
        checked=frozenset(r.condition.shown for r in audit.runs if not r.condition.origin),
        reads=frozenset(("gate",)),
        items=audit.entries,
        notices=tuple(audit.notices),
    )


def _emit(
    report: Report,
    audit: Audit,
    swept: Swept | None,
    gate: GateSettings,
    plan: Plan,
    options: dict[str, Any],
    context: Context,
) -> None:
    limits = _limits(plan)
    by, groups = _groups(audit, swept, options)
    if options["plot"] and swept is not None:
        from scriptlint.gate.plot import draw

        for path in draw(swept, options["plot"], by=by, groups=groups, k=gate.setup.k, most_wrong=gate.most_wrong):
            tell(f"wrote {path}")
    name = options["format"]
    if name == "json":
        from scriptlint.report.gate import gate_json

        text = gate_json(report, audit, swept, limits, gate.most_wrong, context)
        write(text, options["output"], for_people=False)
    elif name in TERMINAL_FORMATS:
        from scriptlint.report import render
        from scriptlint.report.gate import gate_text

        parts = [render(name, report, context), gate_text(audit, limits, context)]
        if swept is not None:
            from scriptlint.report.gate_sweep import sweep_text

            parts.append(sweep_text(swept, by, groups, gate.most_wrong, gate.setup.k, context))
        write("\n".join(parts), options["output"], for_people=True)
    else:
        if name == "html":
            from scriptlint.report.gate import gate_data

            report = replace(report, measured={"gate": (gate_data(audit, swept, limits, gate.most_wrong),)})
        emit(report, options, context)
        return
    if name not in TERMINAL_FORMATS or options["output"]:
        for problem in report.problems:
            tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
        for notice in report.notices:
            tell(notice)


def _groups(audit: Audit, swept: Swept | None, options: dict[str, Any]) -> tuple[str, list[str]]:
    """``by_language`` or ``by_script``, and the groups shown: all that have answers, or those asked for."""
    if swept is None:
        return "by_language", []
    chosen = options["by"] or ("language" if all(q.lang for q in audit.queries if q.gold) else "script")
    have = swept.groups(f"by_{chosen}")
    wanted = [w.strip() for w in (options["plot_groups"] or "").split(",") if w.strip()]
    for word in wanted:
        if word not in have:
            raise UserError(f"--groups: no query with an answer is of {chosen} {word!r}; there are {', '.join(have)}")
    return f"by_{chosen}", wanted or have
