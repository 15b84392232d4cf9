"""How long a reach takes: cold tables, typical tokenizer patterns, the worst of a file, hostile patterns.

    python benchmarks/reach.py [labels.jsonl]

``labels.jsonl`` holds one object a line with ``pattern_value``, ``flags`` (names), ``call`` and ``label``. Every time
is the best of five runs of parse and analysis without the result cache; tables are warm unless it says so.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from scriptlint.pattern import PatternError, parse
from scriptlint.pattern.ir import lower
from scriptlint.pattern.reach import Reach, reach_of
from scriptlint.unicode import CodePoints, scripts

if TYPE_CHECKING:
    from collections.abc import Callable

TYPICAL = (
    r"[a-z0-9]+",
    r"\w+",
    r"(?u)\b\w\w+\b",
    r"[^\w\s]",
    r"[A-Za-z0-9_]+(?:'[a-z]+)?",
    r"[\u4e00-\u9fff\u3040-\u30ff]|[a-z0-9]+",
    r"(?i)[a-zà-ÿ]{2,}",
    r"\s+|(?<=[a-z])(?=[A-Z])|[_\-]+",
    r"https?://\S+|\w+(?:[-']\w+)*",
    r"^[^\W\d_](?:[^\W\d_]|['-])*$",
)
HOSTILE = {
    "nested 10,000 deep": "(" * 10_000 + ")" * 10_000 + "a" * 80_000,
    "50,000 branches": "a|" * 50_000,
    "12,000 large classes": r"[\w\W\d]" * 12_000,
    "9,000 words": "|".join(f"w{i}é" for i in range(9_000)),
}
COLD = """
import time
begin = time.perf_counter()
from scriptlint.pattern import analyze
imported = time.perf_counter()
analyze({pattern!r}, 0, {dialect!r})
print((imported - begin) * 1000, (time.perf_counter() - imported) * 1000)
"""


def once(pattern: str, flags: int, dialect: str) -> Reach:
    """One analysis, nothing remembered."""
    return reach_of(lower(parse(pattern, flags, dialect)))  # type: ignore[arg-type]


def best(work: Callable[[], object], runs: int = 5) -> float:
    """Milliseconds of the fastest run."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


def cold(pattern: str, dialect: str) -> tuple[float, float]:
    """Milliseconds to import and to run the first analysis, in fresh interpreters."""
    program = COLD.format(pattern=pattern, dialect=dialect)
    runs = [subprocess.check_output([sys.executable, "-c", program]).split() for _ in range(5)]
    return min(float(r[0]) for r in runs), min(float(r[1]) for r in runs)


def labelled(file: Path) -> dict[tuple[str, int, str], set[str]]:
    """Distinct patterns of a file with flags and dialect, and their labels."""
    found: dict[tuple[str, int, str], set[str]] = {}
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        pattern = row.get("pattern_value")
        if pattern is None:
            continue
        dialect = "regex" if row["call"].startswith("regex") or r"\p{" in pattern else "re"
        names = re.findall(r"\w+", row.get("flags") or "")
        flags = 0
        for name in names if dialect == "re" else ():
            flags |= int(getattr(re, name, 0)) if name.isupper() else 0
        found.setdefault((pattern, flags, dialect), set()).add(row["label"])
    return found


def row(name: str, *cells: object) -> None:
    print(f"| {name} | " + " | ".join(map(str, cells)) + " |")


def main() -> None:
    for pattern in (r"(?i)\w", r"(?i)k"):
        once(pattern, 0, "re")
        once(pattern, 0, "regex")
    print("| what | ms |\n| --- | --- |")
    times = [best(lambda p=p: once(p, 0, "re")) for p in TYPICAL]  # type: ignore[misc]
    row("typical tokenizer pattern, median", f"{statistics.median(times):.3f}")
    row("typical tokenizer pattern, slowest", f"{max(times):.3f}")
    if len(sys.argv) > 1:
        measure(labelled(Path(sys.argv[1])))
    for pattern, dialect in (("[a-z0-9]+", "re"), (r"\w+", "re"), (r"[\p{L}\p{M}]+", "regex")):
        imported, first = cold(pattern, dialect)
        row(f"fresh interpreter, `{pattern}` ({dialect}): import, first analysis", f"{imported:.1f}, {first:.1f}")
    word = once(r"\w", 0, "re").may
    scripts.sweep(word)
    clear = scripts._sweep.cache_clear
    row("sweep of `\\w` over all scripts", f"{best(lambda: (clear(), scripts.sweep(word))):.3f}")
    row("sweep of everything", f"{best(lambda: (clear(), scripts.sweep(CodePoints.ALL))):.3f}")
    text = "Привет мир, hello 日本語のテキスト " * 4
    row("letters per script of 130 characters", f"{best(lambda: scripts.count_by_script(text), 200):.4f}")
    for name, pattern in HOSTILE.items():
        row(f"hostile: {name}", f"{best(lambda p=pattern: attempt(p), 2):.0f}")  # type: ignore[misc]


def attempt(pattern: str) -> None:
    with suppress(PatternError):
        once(pattern, 0, "re")


def measure(patterns: dict[tuple[str, int, str], set[str]]) -> None:
    times: list[tuple[float, str]] = []
    exact: dict[str, list[bool]] = {}
    for key, labels in patterns.items():
        try:
            reach = once(*key)
        except PatternError:
            continue
        times.append((best(lambda k=key: once(*k)), key[0]))  # type: ignore[misc]
        for label in labels:
            exact.setdefault(label, []).append(reach.exact)
    times.sort()
    row(f"{len(times)} labelled patterns, median", f"{times[len(times) // 2][0]:.3f}")
    row("labelled patterns, 95th of 100", f"{times[len(times) * 95 // 100][0]:.3f}")
    row("labelled patterns, slowest", f"{times[-1][0]:.3f}")
    for label, flags in sorted(exact.items()):
        row(f"exact reach, {label}", f"{sum(flags)} of {len(flags)}")


if __name__ == "__main__":
    main()
