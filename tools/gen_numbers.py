"""Write the numbers of README.md from what scriptlint measures on fixtures/; ``--check`` says whether they are current.

python tools/gen_numbers.py [--check]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"
CONDITIONS = {
    "baseline": "`[a-z0-9]+` and Hangul pairs",
    "cjk_naive": "and Han and kana pairs",
    "cjk_full": "and the pairs' weight x 0.35",
}
LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "en": "English"}


def measured(*arguments: str) -> dict[str, Any]:
    """The JSON of a command, run on the repository's root."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SCRIPTLINT_")}
    done = subprocess.run(
        [sys.executable, "-m", "scriptlint", *arguments, "--format", "json"],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode > 1:
        sys.exit(f"scriptlint {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table() -> str:
    """The table in Markdown."""
    gate = measured("gate", "--config", "fixtures/gate/pyproject.toml")
    k = gate["k"]
    by_name = {c["name"]: c for c in gate["conditions"]}
    head = ["router", "blind items", *(f"{name}: gated / Recall@{k}" for name in LANGUAGES.values())]
    rows = [head, ["---"] * len(head)]
    for name, said in CONDITIONS.items():
        scan = measured("scan", "fixtures/registry", "--tokenizer", f"fixtures/router/{name}.py::tokenize")
        shares = []
        for code in LANGUAGES:
            group = by_name[name]["by_language"][code]
            shares.append(f"{100 * group['gated_recall']:.0f} / {100 * group['recall']:.0f} %")
        rows.append([f"`{name}.py`: {said}", f"{scan['totals']['blind']} of {scan['items']}", *shares])
    queries = sum(by_name["baseline"]["by_language"][code]["queries"] for code in LANGUAGES)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", f"{queries} queries; written by `tools/gen_numbers.py`, from `fixtures/`."])


def main(arguments: list[str]) -> int:
    """0 when current (or written), 1 when ``--check`` finds a difference."""
    text = README.read_text(encoding="utf-8")
    head, found, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    wanted = f"{head}{BEGIN}\n{table()}\n{END}{tail}" if found else text
    if wanted == text:
        return 0
    if "--check" in arguments:
        print("README.md: the numbers are not what scriptlint measures now; run python tools/gen_numbers.py")
        return 1
    README.write_text(wanted, encoding="utf-8", newline="\n")
    print("wrote README.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
