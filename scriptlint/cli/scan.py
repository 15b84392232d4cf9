"""``scriptlint scan``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from scriptlint.cli import options as shared
from scriptlint.cli.output import check_output, context_for, emit, write
from scriptlint.errors import UserError
from scriptlint.report import TERMINAL_FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.config import Settings
    from scriptlint.corpus.judge import Window
    from scriptlint.corpus.retrieval import SelfRetrieval
    from scriptlint.corpus.scan import Outcome, Request
    from scriptlint.corpus.tokens import Tokens
    from scriptlint.engine import Plan
    from scriptlint.finding import Finding
    from scriptlint.lines import Lines
    from scriptlint.report.context import Context
    from scriptlint.results import Report

SHOWN = 50
"""Findings that a terminal format prints unless told otherwise."""


@click.command("scan")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--tokenizer",
    "-t",
    "tokenizers",
    multiple=True,
    metavar="SPEC",
    help="ascii, hangul, cjk, word, or FILE.py::name (read, never imported). Repeat to compare several.",
)
@click.option(
    "--fields", metavar="LIST", help="Columns of a table: name=..,dirname=..,description=..,path=..,source=.."
)
@click.option("--window", type=click.IntRange(1), metavar="N", help="Characters of a description that a cut leaves.")
@click.option(
    "--window-cuts",
    type=click.Choice(["tokens", "display"]),
    help="What the cut takes: text before it is tokenized, or only what is shown.",
)
@click.option(
    "--full/--quick",
    default=None,
    help="Count all tokens (frequencies, collisions), or stop at the first that decide. Full up to 2,000 files.",
)
@click.option("--common", type=click.FloatRange(0, 1), metavar="SHARE", help="Boilerplate share. [default: 0.02]")
@click.option("--aliases/--no-aliases", default=None, help="Count both names of an item as entries of the index.")
@click.option("--self-retrieval", is_flag=True, help="Can items be found by fragments of their own descriptions?")
@click.option("--fragments", type=click.IntRange(1), default=3, show_default=True, help="Fragments an item.")
@click.option("--seed", type=int, default=None, help="Seed of the fragments.")
@click.option("--by-source", is_flag=True, help="A second table, by source (text).")
@click.option("--max-findings", type=click.IntRange(0), default=10_000, show_default=True, help="Items told, at most.")
@click.option("--show", type=click.IntRange(0), default=SHOWN, show_default=True, help="Findings printed; 0 for all.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler; a local cluster is started without one.")
@click.option("--results", metavar="DIR", help="Write the verdict on every item there, as Parquet.")
@click.option("--progress/--no-progress", default=None, help="Items a second and time left on stderr.")
@click.option("-j", "--jobs", type=click.IntRange(0), default=1, show_default=True, help="Processes; 0: all cores.")
@shared.format_option
@shared.settings_options
@shared.rule_options
@shared.output_options
@shared.exit_options
@click.option("--statistics", is_flag=True, help="Counts per rule instead of the findings (text formats).")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find the items of a corpus that no query can reach, by script.

    PATH is a folder with definitions of skills, agents, commands, rules, plugins or tools, one such file, or a table
    (.jsonl, .csv, .tsv, .parquet), a row an item. Nothing of it is run.
    """
    from scriptlint.cli.scan_json import counts_of
    from scriptlint.conclude import Raw, conclude
    from scriptlint.corpus.scan import scan
    from scriptlint.engine import plan_for

    check_output(options["output"])
    resolved = shared.resolve(paths, options)
    plan = plan_for(resolved.settings)
    paths = paths or _configured_paths(resolved.settings)
    progress = Progress(options["progress"])
    request = _request(paths, options, plan, progress)
    try:
        outcome = scan(request)
        progress.done()
        retrieval = _retrieval(request, options, progress)
    except (ValueError, RuntimeError) as error:
        if type(error).__module__.startswith("scriptlint."):
            raise UserError(str(error)) from None
        raise
    finally:
        progress.done()
    findings = tuple(_findings(outcome, plan))
    lines = _lines_of(findings)
    raw = Raw(
        findings=findings,
        problems=tuple(outcome.problems),
        checked=frozenset(),
        reads=frozenset(("item", "corpus")),
        items=outcome.summaries[0].entries,
        notices=tuple(_notices(outcome)),
        measured={"corpora": tuple(counts_of(outcome, n, retrieval) for n in range(len(outcome.names)))},
    )
    report = conclude(raw, resolved.settings, settings_of=resolved.of, lines=lines)
    for_people = options["format"] in TERMINAL_FORMATS
    context = context_for(options, plan.registry, lines, for_people=for_people, baseline=resolved.settings.baseline)
    _emit(report, outcome, retrieval, options, context)
    code = report.exit_code(resolved.settings.fail_on)
    return 0 if options["exit_zero"] and code == 1 else code


def _configured_paths(settings: Settings) -> tuple[str, ...]:
    import os

    from scriptlint.config import show_path

    found = tuple(show_path(os.path.join(settings.root, p)) for entry in settings.corpus for p in entry.paths)
    if not found:
        raise click.UsageError("name a folder, a file or a table to scan, or set [[tool.scriptlint.corpus]]")
    return found


def _request(paths: tuple[str, ...], options: dict[str, Any], plan: Plan, progress: Progress) -> Request:
    from scriptlint.corpus.census import SHARE
    from scriptlint.corpus.readers.tables import Fields, FieldsError
    from scriptlint.corpus.scan import Request
    from scriptlint.pool import cores

    try:
        fields = Fields.parse(options["fields"]) if options["fields"] else None
    except FieldsError as error:
        raise click.UsageError(str(error)) from None
    specs = options["tokenizers"] or tuple(t for entry in plan.settings.corpus for t in entry.tokenizer)
    if not specs:
        raise click.UsageError("--tokenizer is missing: name ascii, hangul, cjk, word, or FILE.py::name")
    full = options["full"]
    return Request(
        paths,
        load_tokenizers(tuple(dict.fromkeys(specs))),
        fields,
        _window(options, plan),
        True if options["common"] is not None and full is None else full,
        SHARE if options["common"] is None else options["common"],
        options["jobs"] if options["jobs"] > (options["engine"] == "dask") else cores(),
        options["engine"],
        options["scheduler"],
        options["max_findings"],
        options["aliases"],
        results=_folder(options["results"]),
        tick=progress.tick,
    )


def _folder(name: str | None) -> str | None:
    """The absolute path of a folder that is made when it isn't there. Raises click.UsageError."""
    import os

    if name is None:
        return None
    try:
        os.makedirs(name, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--results {name}: {error.strerror or error}") from None
    return os.path.abspath(name)


def _window(options: dict[str, Any], plan: Plan) -> Window | None:
    from scriptlint.corpus.judge import Window

    rule = plan.registry.find("truncated-trigger")
    size = options["window"] or plan.rule_settings.option(rule.meta, "window")
    cuts = options["window_cuts"] or plan.rule_settings.option(rule.meta, "window-cuts")
    return Window(size, {"tokens": True, "display": False}.get(cuts)) if size else None


def load_tokenizers(specs: Sequence[str]) -> tuple[Tokens, ...]:
    """The tokenizers that specs name: presets, and models of functions in files. Raises UserError."""
    from scriptlint.corpus.tokens import NotRunnable, Tokens
    from scriptlint.tokenizer.presets import PRESETS

    out: list[Tokens] = []
    for spec in specs:
        if spec in PRESETS:
            out.append(Tokens(PRESETS[spec], spec))
            continue
        if "::" not in spec:
            from scriptlint.nearest import did_you_mean

            hint = did_you_mean(spec, PRESETS) or f"; presets: {', '.join(PRESETS)}; or FILE.py::name"
            raise UserError(f"--tokenizer {spec}: no such preset{hint}")
        from scriptlint.source import TokenizerNotFound, load_tokenizer

        try:
            tokenizer = load_tokenizer(spec)
            out.append(Tokens(tokenizer, spec if len(specs) > 1 else tokenizer.name))
        except TokenizerNotFound as error:
            raise UserError(f"--tokenizer {spec}: {error}") from None
        except NotRunnable as error:
            raise UserError(f"--tokenizer {spec}: its model can't be run: {error}") from None
    return tuple(out)


def _findings(outcome: Outcome, plan: Plan) -> Any:
    for listed in outcome.items:
        for rule in plan.rules("item"):
            for facts in listed:
                yield from rule.check(facts, plan.rule_settings)
    for corpus in outcome.corpora:
        for rule in plan.rules("corpus"):
            yield from rule.check(corpus, plan.rule_settings)


def _lines_of(findings: Sequence[Finding]) -> Lines:
    """The lines of the files that findings are about; of large tables only the lines that are needed."""
    from scriptlint.cli.scan_lines import TableLines
    from scriptlint.corpus.readers import TABLES

    wanted: dict[str, set[int]] = {}
    for finding in findings:
        for place in (finding.location, *finding.related):
            if any(place.path.lower().endswith(suffix) for suffix in TABLES):
                wanted.setdefault(place.path, set()).update(range(place.line, place.end_line + 1))
    return TableLines(wanted)


def _notices(outcome: Outcome) -> list[str]:
    out = []
    for name, left in zip(outcome.names, outcome.left_out, strict=True):
        if left:
            out.append(f"{name}: {left:,} more items are counted but not told; --max-findings raises the limit")
    if not outcome.full:
        out.append("quick: word frequencies and colliding items were not counted; --full counts them")
    return out


def _retrieval(request: Request, options: dict[str, Any], progress: Progress) -> list[SelfRetrieval]:
    if not options["self_retrieval"]:
        return []
    from scriptlint.corpus.retrieval import SEED, Entry, draw, self_retrieval
    from scriptlint.corpus.scan import units_of
    from scriptlint.corpus.work import texts

    units, _, _ = units_of(request)
    entries = [Entry(*found[:3]) for unit in units for found in texts(unit)]
    fragments = draw(entries, options["fragments"], SEED if options["seed"] is None else options["seed"])
    out = []
    for tokens in request.tokenizers:
        progress.start(f"{tokens.name}: fragments")
        out.append(self_retrieval(entries, tokens, fragments, progress.tick))
        progress.done()
    return out


def _emit(
    report: Report, outcome: Outcome, retrieval: list[SelfRetrieval], options: dict[str, Any], context: Context
) -> None:
    name = options["format"]
    if name == "json":
        from scriptlint.cli.scan_json import scan_json

        write(scan_json(report, outcome, retrieval, context), options["output"], for_people=False)
        _tell_problems(report)
        return
    if name not in TERMINAL_FORMATS:
        emit(report, options, context)
        return
    from dataclasses import replace

    from scriptlint.corpus.table import counts_table, retrieval_table
    from scriptlint.report import render

    limit = options["show"]
    shown = replace(report, findings=report.findings[:limit]) if limit and not context.statistics else report
    parts = []
    if shown.findings or shown.problems or shown.notices or context.statistics:
        text = render(name, shown, context)
        parts.append((text if shown is report else text.rsplit("\n", 2)[0]).rstrip("\n") + "\n")
    left = len(report.findings) - len(shown.findings)
    if left > 0:
        parts.append(
            f"... and {left:,} more finding{'s' * (left != 1)}; --show 0 prints them all, --statistics counts them.\n"
        )
    width = context.width
    parts.append(_headline(outcome))
    parts.append(counts_table(outcome, width))
    if options["by_source"]:
        parts.append(counts_table(outcome, width, by="source"))
    if retrieval:
        parts.append(retrieval_table(outcome.names, retrieval, width))
        parts.append("share of fragments with no token in common, recall@1, recall@10\n")
    if outcome.odd:
        told = ", ".join(f"{kind} {n:,}" for kind, n in outcome.odd.most_common())
        parts.append(f"oddities: {told}\n")
    write("\n".join(parts), options["output"], for_people=True)
    if options["output"]:
        _tell_problems(report)


def _headline(outcome: Outcome) -> str:
    summary = outcome.summaries[0]
    files = outcome.definition_files
    told = f"{summary.definitions:,} items ({summary.entries:,} index entries) in {files:,} file{'s' * (files != 1)}"
    if outcome.files["unreadable"] or outcome.files["bad rows"]:
        told += f", {outcome.files['unreadable'] + outcome.files['bad rows']:,} unreadable"
    blind = ", ".join(f"{s.count(2):,} blind under {n}" for n, s in zip(outcome.names, outcome.summaries, strict=True))
    return f"{told}; {blind}.\n"


def _tell_problems(report: Report) -> None:
    from scriptlint.cli.output import tell

    for problem in report.problems:
        tell(f"{problem.path}{f':{problem.line}' if problem.line else ''}: error: {problem.message}")
    for notice in report.notices:
        tell(notice)


class Progress:
    """Items, items a second and the time left, on stderr: on a terminal unless asked for otherwise."""

    def __init__(self, wanted: bool | None, what: str = "items") -> None:
        self.on = sys.stderr.isatty() if wanted is None else wanted
        self.live = sys.stderr.isatty()
        self.start(what)

    def start(self, what: str) -> None:
        """A new thing to count."""
        self.what = what
        self.began = time.monotonic()
        self.last = 0.0
        self.written = False

    def tick(self, items: int, share: float) -> None:
        """Called after every part of the work."""
        now = time.monotonic()
        if not self.on or (share < 1 and now - self.last < (0.1 if self.live else 2.0)):
            return
        self.last = now
        spent = now - self.began
        rate = items / spent if spent else 0.0
        left = spent / share - spent if share else 0.0
        text = f"{items:,} {self.what}, {rate:,.0f} a second, {share:.0%}, {_clock(left)} left"
        sys.stderr.write(f"\r\x1b[K{text}" if self.live else f"{text}\n")
        sys.stderr.flush()
        self.written = True

    def done(self) -> None:
        """Take the line away again."""
        if self.live and self.written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.written = False


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02}"
