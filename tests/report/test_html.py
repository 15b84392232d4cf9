"""The HTML page: its structure, its colours, what it says, and how a browser shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from chromium import browser, found
from gate_sample import gate_sample
from html_page import Page, parse

from scriptlint.corpus.scan import scan_texts
from scriptlint.corpus.tokens import Tokens
from scriptlint.finding import Confidence, Location, Witness
from scriptlint.lines import Lines
from scriptlint.report.html import render
from scriptlint.report.html.chart import Curve, line_chart
from scriptlint.report.html.palette import DARK, LIGHT, PAIRS
from scriptlint.results import Report
from scriptlint.tokenizer.model import Judged, PatternSite, ScriptVerdict, Tokenizer, Verdict
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.tokenizer.stages import Lower

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = 'import re\n\n\tWORD = re.compile("[a-z<>&]+")  # \U0001f600 <script>alert(1)</script> \u202e\n'
FILES = {
    "skills/a/SKILL.md": "---\nname: b\ndescription: 把视频转录\n---\n",
    "skills/c/SKILL.md": "---\nname: c\ndescription: Merge files of <b>all</b> kinds\n---\n",
}


def judged(name: str, line: int) -> Judged:
    place = Location("app/<router>.py", 3, 20, 3, 32)
    site = PatternSite(place, "extract", "[a-z<>&]+", ("IGNORECASE",), stage=1)
    words = {"Hani": "视频", "Arab": "كتاب", "Deva": "हिन्दी", "Latn": "naïve"}
    made = {
        Verdict.EXCLUDED: (),
        Verdict.SHREDDED: ("ह", "न", "ी"),
        Verdict.PARTIAL: ("na", "ve"),
        Verdict.RETAINED: ("كتاب",),
    }
    verdicts = {
        "Hani": Verdict.EXCLUDED,
        "Arab": Verdict.RETAINED,
        "Deva": Verdict.SHREDDED,
        "Latn": Verdict.PARTIAL,
    }
    return Judged(
        Tokenizer(name, "app/<router>.py", line, "tokenizer", Confidence.HIGH, (Lower(),), (site,), ("<why>",)),
        {
            code: ScriptVerdict(
                code, v, True, 90_000, 12, Witness(words[code], made[v]), lost_by=1,
                short_dropped=code == "Arab", languages={"fr": "é", "de": "ß"} if code == "Latn" else {},
            )
            for code, v in verdicts.items()
        },
    )  # fmt: skip


@pytest.fixture
def everything(case: Any) -> tuple[Report, Any, list[dict[str, list[str] | None]]]:
    """A report with all parts, a context, and probes."""
    from scriptlint.cli.scan_json import counts_of

    specs = [Tokens(PRESETS[name], name) for name in ("ascii", "cjk")]
    corpora = tuple({"corpus": "skills", **counts_of(scan_texts(FILES, tokens), 0)} for tokens in specs)
    tokenizers = (judged("tok<en>ize", 3), judged("Index.tokens", 9))
    report = replace(
        case.report, tokenizers=tokenizers, items=3, measured={"corpora": corpora, "gate": (gate_sample(),)}
    )
    lines = Lines({"app/<router>.py": SOURCE.encode(), **{p: case.lines.data(p) for p in {"src/näh 漢%.py"}}})
    probes: list[dict[str, list[str] | None]] = [{"视频 <i>": [], "x": ["x"]}, {"视频 <i>": None, "x": ["x"] * 60}]
    return report, replace(case.context, lines=lines, include_suppressed=True), probes


@pytest.fixture
def page(everything: Any) -> Page:
    return parse(render(*everything))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(colours: dict[str, str]) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    weak = {pair: round(contrast(*(colours[c] for c in pair)), 2) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}
    assert LIGHT.keys() == DARK.keys()


def test_every_part_is_there(page: Page) -> None:
    titles = [e.name for e in page.all("h2")]
    assert titles == [
        "Tokenizers by scripts", "Reachability by script", "The gate", "Findings", "Errors and notices",
        "Rules that spoke",
    ]  # fmt: skip
    assert page.all("h1")[0].name == "8 findings, 2 errors"
    links = [e.attributes["href"] for e in page.all("a") if "nav" in e.above]
    assert links == ["#tokenizers", "#corpus", "#gate", "#findings", "#errors", "#rules"]
    policy = next(e.attributes["content"] for e in page.all("meta") if "http-equiv" in e.attributes)
    assert policy.startswith("default-src 'none'")


def test_a_cell_opens_the_witness_and_the_line(page: Page) -> None:
    cells = [e for e in page.all("button") if "cell" in e.attributes["class"].split()]
    assert [c.name for c in cells[:4]] == [
        "Han✗: excluded", "Arabic✓ !: retained, short words dropped", "Devanagari≈: shredded", "Latin◐: partial",
    ]  # fmt: skip
    popovers = {e.attributes["id"]: e for e in page.elements if "popover" in e.attributes}
    assert {c.attributes["popovertarget"] for c in cells} == set(popovers)
    han = popovers[cells[0].attributes["popovertarget"]]
    for part in ("excluded", "视频", "no tokens", "app/<router>.py:3:20", '"[a-z<>&]+"', "\\u202e", "<script>"):
        assert part in han.name
    shredded = popovers[cells[2].attributes["popovertarget"]]
    assert "◌ी" in shredded.name


def test_quoted_text_has_its_language(page: Page) -> None:
    said = {(e.attributes.get("lang"), e.name) for e in page.all("bdi")}
    for wanted in (("zh", "视频"), ("ar", "كتاب"), ("hi", "हिन्दी"), (None, "naïve"), ("zh", "视频 <i>")):
        assert wanted in said
    assert all(e.attributes["dir"] == "auto" for e in page.all("bdi"))


def test_verdicts_and_levels_are_told_in_words(page: Page) -> None:
    """Whatever has a colour has a word."""
    chips = [e for e in page.elements if "chip" in e.attributes.get("class", "").split()]
    assert chips and all(re.search(r"[A-Za-z!]", e.name) for e in chips)
    for svg in page.all("svg"):
        assert svg.attributes.get("aria-hidden") == "true" or svg.attributes.get("aria-label")


def test_gate_tables_and_curve(page: Page) -> None:
    text = page.all("main")[0].name
    for part in ("gate collapse", "tokens: proved", "77.6", "−76.2", "of 98.0", "<b>other</b>", "Best value"):
        assert part in text
    chart = next(e for e in page.all("svg") if "chart" in e.attributes.get("class", "").split())
    assert "Chinese from 5 % to 100 %" in chart.attributes["aria-label"]
    assert len([e for e in page.all("polyline") if "chart" not in e.attributes.get("class", "")]) == 3
    assert len(page.all("rect")) > 20


def test_a_grid_of_two_constants(case: Any) -> None:
    data = gate_sample()
    data["sweep"] = [
        {"set": {"A": a, "B": b}, "by_language": {"zh": {"gated_recall": a * b}}} for a in (0.1, 1) for b in (0.5, 1)
    ]
    page = parse(render(Report(measured={"gate": (data,)}), case.context))
    grid = next(t.name for t in page.all("table") if t.name.startswith("Gated Recall@5, Chinese"))
    assert re.sub(r"\s", "", grid) == "GatedRecall@5,ChinesezhA\\B0.510.15.0%10.0%150.0%100.0%"


def test_empty_reports(case: Any) -> None:
    page = parse(render(Report(files=2), case.context))
    assert page.all("h1")[0].name == "No findings"
    bare = {"conditions": [{"name": "broken", "error": "it does not load"}], "comparisons": [], "refused": []}
    assert "broken" in parse(render(Report(measured={"gate": (bare,)}), case.context)).all("main")[0].name


def test_flat_and_single_curves() -> None:
    said = {"title": "t", "description": "d", "x_label": "x", "y_label": "y"}
    assert line_chart([Curve("one", ((0.0, 0.5),))], **said) == ""
    assert "<polyline" in line_chart([Curve("flat", ((1.0, 0.5), (2.0, 0.5)))], **said)


def test_the_page_does_not_depend_on_the_hour(everything: Any) -> None:
    assert render(*everything) == render(*everything)


# --- in a browser ----------------------------------------------------------------------------------------------------

needs_chromium = pytest.mark.skipif(found() is None, reason="no Chromium on this machine; CHROMIUM may name one")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as running:
        yield running


@needs_chromium
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800, 390, 320])
def test_fits_the_window(chromium: Any, everything: Any, tmp_path: Path, width: int, dark: bool) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(*everything), encoding="utf-8")
    chromium.requests.clear()
    chromium.errors.clear()
    chromium.open(path, width, dark=dark)
    # Every part that can be opened, open, but for what covers the page.
    chromium.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert chromium.run("document.documentElement.scrollWidth") <= width
    assert chromium.requests == [path.as_uri()] and chromium.errors == []
    paper = chromium.run("getComputedStyle(document.documentElement).backgroundColor")
    wanted = (DARK if dark else LIGHT)["paper"]
    assert paper == f"rgb({', '.join(str(int(wanted[i : i + 2], 16)) for i in (1, 3, 5))})"
    assert len(chromium.screenshot()) > 20_000


@needs_chromium
def test_by_keyboard_and_screen_reader(chromium: Any, everything: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(*everything), encoding="utf-8")
    chromium.open(path, 390)
    chromium.press("Tab", 9)
    assert chromium.run("document.activeElement.className") == "skip"
    chromium.run("document.querySelector('.cell').focus()")
    chromium.press("Enter", 13, "\r")
    opened = "document.querySelector(':popover-open')?.id"
    assert chromium.run(opened) == "cell-0-Hani"
    chromium.press("Escape", 27)
    assert chromium.run(opened) is None
    assert chromium.run("document.activeElement.className").split()[0] == "cell"
    nodes = chromium.call("Accessibility.getFullAXTree")["nodes"]
    roles = [n["role"]["value"] for n in nodes if not n.get("ignored")]
    # On a phone the tables are laid out as cards, and are still tables.
    assert {"table", "columnheader", "rowheader", "cell", "navigation", "main", "button"} <= set(roles)
    named = {n.get("name", {}).get("value") for n in nodes if n["role"]["value"] == "button"}
    assert any("Han" in (name or "") and "excluded" in (name or "") for name in named)


@needs_chromium
def test_levels_can_be_hidden(chromium: Any, everything: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(*everything), encoding="utf-8")
    chromium.open(path, 1280)
    visible = "[...document.querySelectorAll('.finding.note')].filter(e => e.offsetHeight).length"
    assert chromium.run(visible) > 0
    chromium.run("document.getElementById('show-note').click()")
    assert chromium.run(visible) == 0


@needs_chromium
def test_on_paper(chromium: Any, everything: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(*everything), encoding="utf-8")
    chromium.open(path, 1280, dark=True, media="print")
    assert chromium.run("getComputedStyle(document.documentElement).backgroundColor") == "rgb(251, 250, 247)"
    shown = "getComputedStyle(document.getElementById('cell-0-{}')).display"
    assert chromium.run(shown.format("Hani")) == "block" and chromium.run(shown.format("Arab")) == "none"
    assert chromium.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert chromium.pdf().startswith(b"%PDF")
