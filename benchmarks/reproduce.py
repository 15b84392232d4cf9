"""The audit's three conditions on public data: the fixture routers over a folder with items.jsonl and queries.jsonl.

    python benchmarks/reproduce.py FOLDER                 # 1,900 items, as many as the audit had
    python benchmarks/reproduce.py FOLDER --items 0       # all of them
    python benchmarks/reproduce.py FOLDER --sweep sweep   # with the discount's curve, as sweep.svg and .png

Prints Markdown: the audit's figures beside those measured. The sample holds every right answer and others drawn with
a seed, so that two runs give the same numbers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SEED = 20260814
AUDIT = {
    "zh": {
        "baseline": (0.0, 0.0, 0.0, 0.0037),
        "cjk_naive": (95.24, 100.0, 95.24, 0.9683),
        "cjk_full": (90.48, 100.0, 19.05, 0.9444),
    },
    "ko": dict.fromkeys(("baseline", "cjk_naive", "cjk_full"), (51.11, 82.22, 75.56, 0.6256)),
}
"""Top-1, Recall@5, gated Recall@5 (in %) and MRR of the audit: 21 Chinese and 45 Korean queries on a private corpus."""
LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "en": "English"}
SETTINGS = """\
[gate]
router = "{root}/fixtures/router/baseline.py"
items = ["items.jsonl"]
queries = ["queries.jsonl"]
[[gate.conditions]]
name = "cjk_naive"
file = "{root}/fixtures/router/cjk_naive.py"
[[gate.conditions]]
name = "cjk_full"
file = "{root}/fixtures/router/cjk_full.py"
"""


def sample(corpora: Path, count: int, seed: int) -> tuple[list[str], str]:
    """Lines of items: all that a query wants, and others up to ``count`` (0: all of them); and the queries' text."""
    queries = (corpora / "queries.jsonl").read_text(encoding="utf-8")
    gold = {name for line in queries.splitlines() if line.strip() for name in json.loads(line)["gold"]}
    lines = [line for line in (corpora / "items.jsonl").read_text(encoding="utf-8").split("\n") if line.strip()]
    if not count or count >= len(lines):
        return lines, queries
    wanted = []
    for n, line in enumerate(lines):
        item = json.loads(line)
        if gold & {item["name"], item["dirname"]}:
            wanted.append(n)
    others = sorted(set(range(len(lines))) - set(wanted))
    drawn = Random(seed).sample(others, max(0, count - len(wanted)))
    return [lines[n] for n in sorted((*wanted, *drawn))], queries


def run(folder: Path, sweep: str | None) -> dict[str, Any]:
    """The gate's JSON for the settings in a folder."""
    more = [] if not sweep else ["--sweep", "BIGRAM_DISCOUNT=0.1:1:0.05", "--plot", sweep, "--groups", "zh,ja,ko"]
    command = [
        sys.executable,
        "-m",
        "scriptlint",
        "gate",
        "--config",
        str(folder / "scriptlint.toml"),
        "--format",
        "json",
    ]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(found: dict[str, Any]) -> str:
    """Conditions by languages, the audit's figures where it has some."""
    rows = [
        "| queries | condition | Top-1 | Recall@5 | gated Recall@5 | MRR | wrong | no token | loanword only |"
        " audit: Top-1 | Recall@5 | gated | MRR |",
        "| --- | --- |" + " ---: |" * 11,
    ]
    for code, language in LANGUAGES.items():
        for condition in found["conditions"]:
            m = condition["by_language"].get(code)
            if m is None:
                continue
            own = [f"{100 * m[n]:.1f}" for n in ("top1", "recall", "gated_recall")] + [f"{m['mrr']:.4f}"]
            own += [f"{m['wrong_let_through']:.2f}", f"{100 * m['no_token']:.1f}", f"{100 * m['loanword_only']:.1f}"]
            audit = AUDIT.get(code, {}).get(condition["name"])
            theirs = [f"{v:g}" for v in audit] if audit else ["", "", "", ""]
            cells = [f"{m['queries']} {language}", condition["name"], *own, *theirs]
            rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def differences(found: dict[str, Any]) -> str:
    """What changes from cjk_naive to cjk_full."""
    (c,) = (c for c in found["comparisons"] if (c["from"], c["to"]) == ("cjk_naive", "cjk_full"))
    rows = [
        "| cjk_naive to cjk_full | gated Recall@5 | 95 % interval | p | Recall@5 | MRR |",
        "| --- |" + " ---: |" * 5,
    ]
    for code, language in LANGUAGES.items():
        d = c["by_language"].get(code)
        if d is not None:
            low, high = d["gated_recall_interval"]
            rows.append(
                f"| {language} | {100 * d['gated_recall']:+.1f} | {100 * low:+.1f} to {100 * high:+.1f} |"
                f" {d['p_value']:.2g} | {100 * d['recall']:+.1f} | {d['mrr']:+.4f} |"
            )
    ascii_ = c["ascii"]
    said = (
        f"ASCII: {ascii_['verdict']}; {ascii_['same_results']} of {ascii_['queries']} ASCII queries with equal results."
    )
    return "\n".join([*rows, "", f"Collapse: {', '.join(c['collapsed']) or 'none'}. {said}"])


def curve(found: dict[str, Any]) -> str:
    """Gated recall and wrong items against the constant."""
    codes = [c for c in ("zh", "ja", "ko") if c in found["sweep"][0]["by_language"]]
    rows = [
        "| BIGRAM_DISCOUNT | " + " | ".join(f"{LANGUAGES[c]}: gated | wrong" for c in codes) + " |",
        "| --- |" + " ---: |" * (2 * len(codes)),
    ]
    for point in found["sweep"]:
        cells = [f"{point['set']['BIGRAM_DISCOUNT']:g}"]
        for code in codes:
            m = point["by_language"][code]
            cells += [f"{100 * m['gated_recall']:.1f}", f"{m['wrong_let_through']:.2f}"]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--items", type=int, default=1900, help="items in the sample; 0: all")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--sweep", metavar="FILE", help="sweep BIGRAM_DISCOUNT and draw it there")
    options = parser.parse_args()
    lines, queries = sample(options.corpora, options.items, options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "items.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "queries.jsonl").write_text(queries, encoding="utf-8")
        (folder / "scriptlint.toml").write_text(SETTINGS.format(root=ROOT.as_posix()), encoding="utf-8")
        sweep = str(Path(options.sweep).resolve()) if options.sweep else None
        found = run(folder, sweep)
    asked = sum(1 for line in queries.splitlines() if line.strip())
    print(f"{len(lines):,} items, {asked:,} queries, gate {found['gate']:g}, k {found['k']}.\n")
    print(table(found), differences(found), *([curve(found)] if options.sweep else []), sep="\n\n")


if __name__ == "__main__":
    main()
