"""Reachability: how many entries of a corpus are blind, by script, under each tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.report.html.markup import bar, breaking, esc, path_text, percent, table
from scriptlint.report.html.page import Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Counts = Mapping[str, Any]

_COLUMNS = (
    ("items", "entries"),
    ("blind", "blind"),
    ("weak", "weak"),
    ("loanword_only", "loanword only"),
    ("boilerplate_only", "boilerplate only"),
    ("truncated", "truncated"),
    ("empty", "empty"),
    ("undecided", "undecided"),
)
_KEYS = "".join(
    f'<svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="{tone}" width="10" height="10"/></svg> '
    f"{word} "
    for tone, word in (("bad", "blind"), ("run", "loanword only"), ("rest", "the others"))
)
_KEYS = f'<p class="soft keys">{_KEYS}</p>'
_SPECIAL = {"Jpan": "Japanese", "Zyyy": "no letter"}


def corpus_section(corpora: Sequence[Counts]) -> Section:
    """The section; ``corpora`` are counts as ``scan --format json`` writes them, with ``corpus`` where it is known."""
    groups: dict[str, list[Counts]] = {}
    for counts in corpora:
        groups.setdefault(counts.get("corpus", ""), []).append(counts)
    body = []
    for corpus, listed in groups.items():
        if corpus and len(groups) > 1:
            body.append(f"<h3>{path_text(corpus)}</h3>")
        if len(listed) > 1:
            body += [_compared(listed), _KEYS]
        body += [_one(counts, is_open=len(listed) == 1) for counts in listed]
    lead = (
        "An entry is <strong>blind</strong> when its description adds no token to its name: nothing that it does can "
        "be searched for. <strong>Weak</strong>: fewer than three such tokens. <strong>Loanword only</strong>: a "
        "description in another script that is found by its embedded ASCII words alone."
    )
    return Section("corpus", "Reachability by script", lead, "".join(body))


def script_label(code: str) -> str:
    """A script's name, with its code."""
    from scriptlint.unicode.scripts import CODES, name

    word = _SPECIAL.get(code) or (name(code) if code in CODES else code)
    return f'{esc(word)} <span class="soft">{esc(code)}</span>'


def _compared(listed: Sequence[Counts]) -> str:
    scripts = list(dict.fromkeys(code for c in listed for code in c["by_script"]))
    rows = []
    for code in [*scripts, ""]:
        cells = []
        for counts in listed:
            n = counts["by_script"].get(code) if code else counts["totals"]
            cells.append(_blind(n) if n else "\u2013")
        entries = next((c["by_script"][code]["items"] for c in listed if code in c["by_script"]), listed[0]["items"])
        rows.append([script_label(code) if code else "<strong>All</strong>", f"{entries:,}", *cells])
    head = ["Script", "entries", *(f"blind under {_name(c)}" for c in listed)]
    return table("Blind entries by script and tokenizer", head, rows, kind="numbers")


def _blind(n: Mapping[str, Any]) -> str:
    loan = n.get("loanword_only", 0)
    more = f'<span class="soft">{loan:,} loanword only</span>' if loan else ""
    told = f'<span>{n["blind"]:,} <span class="soft">\u00b7 {percent(n["share"])}</span></span>'
    return f'<span class="with-bar">{told}{_reach(n)}{more}</span>'


def _name(counts: Counts) -> str:
    return f"<code>{breaking(counts['tokenizer'])}</code>"


def _reach(n: Mapping[str, Any]) -> str:
    total = n["items"] or 1
    return bar([("bad", n["blind"] / total), ("run", n.get("loanword_only", 0) / total)])


def _one(counts: Counts, *, is_open: bool) -> str:
    totals = counts["totals"]
    shown = [(key, word) for key, word in _COLUMNS if key in ("items", "blind", "weak") or totals.get(key)]
    rows = [_row(script_label(code), n, shown) for code, n in counts["by_script"].items()]
    rows.append(_row("<strong>All</strong>", totals, shown))
    head = ["Script", *(word for _, word in shown), "share blind"]
    tokenizer = _name(counts)
    parts = [table(f"Entries by the script of their description, under {tokenizer}", head, rows, kind="numbers")]
    parts.append(_KEYS)
    if len(counts.get("by_source", {})) > 1:
        sources = [_row(path_text(s), n, shown) for s, n in counts["by_source"].items()]
        parts.append(f"<details><summary>By source</summary>{_table('Entries by source', head, sources)}</details>")
    if "self_retrieval" in counts:
        parts.append(_retrieval(counts["self_retrieval"]))
    if "collisions" in counts and counts["collisions"]["groups"]:
        hit = counts["collisions"]
        parts.append(f"<p>{hit['items']:,} items in {hit['groups']:,} groups have the same tokens as another one.</p>")
    summary = f'{tokenizer} <span class="tail">{totals["blind"]:,} of {totals["items"]:,} entries blind</span>'
    return f'<details class="card"{" open" if is_open else ""}><summary>{summary}</summary>{"".join(parts)}</details>'


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(caption, ["Source", *head[1:]], rows, kind="numbers")


def _row(label: str, n: Mapping[str, Any], shown: Sequence[tuple[str, str]]) -> list[str]:
    return [
        label,
        *(f"{n.get(key, 0):,}" for key, _ in shown),
        f'<span class="with-bar">{percent(n["share"])}{_reach(n)}</span>',
    ]


def _retrieval(found: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [
            "<strong>All</strong>" if code == "all" else script_label(code),
            f"{n['fragments']:,}",
            percent(n["no_token"]),
            percent(n["recall_1"]),
            percent(n["recall_10"]),
        ]
        for code, n in found.items()
    ]
    head = ["Script", "fragments", "no token in common", "Recall@1", "Recall@10"]
    return table("Found by a fragment of its own description", head, rows, kind="numbers")
