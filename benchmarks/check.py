"""How long `check` takes on a tree, in CPU seconds of whole processes, with peers beside it.

    python benchmarks/check.py TREE... [--rounds 3] [--peers]

Prints a Markdown table: cold (no cache), warm (cache by content), walking and reading the files alone, one clean file,
one file with a candidate, a bare interpreter, and with `--peers` ruff (three preview rules on regexes) when installed.
Every figure is the median of the rounds, with the least of them in brackets.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CLEAN = "def add(a: int, b: int) -> int:\n    return a + b\n"
CANDIDATE = 'import re\n\ndef tokens(text):\n    return re.findall(r"[a-z]+", text.lower())\n'


def cpu(command: list[str], cwd: Path | None = None) -> tuple[float, float]:
    """CPU seconds (user and system, with children) and peak MB of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024


def row(name: str, command: list[str], rounds: int, cwd: Path | None = None) -> None:
    """Run a command a few times and print its line of the table."""
    taken = [cpu(command, cwd) for _ in range(rounds)]
    seconds = [t for t, _ in taken]
    print(
        f"| {name} | {statistics.median(seconds):.3f} ({min(seconds):.3f}) | {max(m for _, m in taken):.0f} |",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    trees = [str(t.resolve()) for t in options.trees]
    files = [p for t in options.trees for p in t.rglob("*.py")]
    size = sum(p.stat().st_size for p in files) / 1e6
    print(f"{len(files)} files, {size:.1f} MB, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    print("| what | CPU s, median (least) | peak MB so far |\n| --- | --- | --- |")
    check = [sys.executable, "-m", "scriptlint", "check", "--exit-zero", "--output-format", "concise"]
    read = (
        "import sys, os\nfor t in sys.argv[1:]:\n for d, _, fs in os.walk(t):\n  for f in fs:\n"
        "   f.endswith('.py') and open(os.path.join(d, f), 'rb').read()"
    )
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "clean.py").write_text(CLEAN)
        (here / "candidate.py").write_text(CANDIDATE)
        row("a bare interpreter", [sys.executable, "-c", "pass"], options.rounds)
        row("one clean file", [sys.executable, "-m", "scriptlint", "check", "clean.py"], options.rounds, here)
        row("one file with a tokenizer", [*check, "--no-cache", "candidate.py"], options.rounds, here)
        row("walk and read the tree", [sys.executable, "-c", read, *trees], options.rounds)
        row("check, cold", [*check, "--no-cache", *trees], options.rounds, here)
        cached = [*check, *trees]
        cpu(cached, here)
        row("check, warm", cached, options.rounds, here)
        ruff = shutil.which("ruff") or shutil.which("ruff", path=str(Path(sys.executable).parent))
        if options.peers and ruff:
            rules = [
                "check",
                "--isolated",
                "--no-cache",
                "--preview",
                "--select",
                "RUF039,RUF043,RUF055",
                "--exit-zero",
            ]
            row("ruff, three regex rules, no cache", [ruff, *rules, *trees], options.rounds)


if __name__ == "__main__":
    main()
