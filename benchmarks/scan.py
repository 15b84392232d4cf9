"""How fast a corpus scan is, against floors that are measured in the same run.

    python benchmarks/scan.py                  1,000,000 rows of JSON Lines and 10,000 SKILL.md files
    python benchmarks/scan.py --rows 100000    smaller
    python benchmarks/scan.py --dask           the same rows on Dask with two workers, one of them ended half-way
    python benchmarks/scan.py --check          exit 1 when a figure misses its bound

Every measurement is a process of its own; CPU time is that of the process and its children, the median of
``--rounds`` interleaved rounds. Wall times depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIELDS = "name=name,dirname=dirname,description=description"
COUNTS = ("--max-findings", "0")
"""Reading and deciding alone, without the work on what is told."""
BOUNDS = {
    "scan / decode (CPU)": ("<=", 5.0),
    "1 worker / 2 workers (wall)": (">=", 1.6),
    "peak memory, MB": ("<=", 300.0),
    "files: scan / read (CPU)": ("<=", 3.0),
}

_SYLLABLES = re.findall("..", "babebicocudadedifafegagohaheinjokakelalilomamemuminonaorpareru")
_MEANT = """build review deploy parse format convert merge split export import test trace profile cache index search
rank filter route publish notify schedule backup restore encrypt sign verify compress archive translate summarize
extract classify label draft edit refactor migrate monitor alert measure report forecast plan invoice ledger budget
contract meeting calendar image audio video subtitle transcript podcast chart table diagram notebook spreadsheet
database query schema migration container cluster pipeline release branch commit patch ticket incident""".split()  # noqa: SIM905
# Words as texts have them: a few are everywhere, most are rare.
_ENGLISH = [*_MEANT, *("".join(p) for p in itertools.product(_SYLLABLES, repeat=3))][:20_000]
_OFTEN = list(itertools.accumulate(1 / (n + 3) for n in range(len(_ENGLISH))))
_FOREIGN = {
    "zh": "把视频转录成文字稿并整理要点适合快速了解长内容自动分类记账统计每月支出生成报表审查合同风险给出修改建议",
    "ja": "領収書の写真から日付と金額を読み取り申請書を作成します会議の録音から議事録を整理します",
    "ko": "문서의 맞춤법과 띄어쓰기를 검사하고 바꾼 이유를 설명합니다 아파트 시세를 조회하고 비교합니다 ",
    "ru": "пишет деловые письма и претензии помогает вести учёт считает налоги составляет список покупок ",
    "hi": "किसानों के लिए मौसम का पूर्वानुमान और सिंचाई की सलाह देता है सरकारी योजनाओं की पात्रता जाँचता है ",
}


def row(number: int, rng: random.Random) -> dict[str, str]:
    """An item of about 480 bytes; one in seven is in another script, most of those without a Latin word."""
    words = rng.choices(_ENGLISH, k=2)
    name = f"{words[0]}-{words[1]}-{number}"
    if rng.random() < 0.85:
        text = " ".join(rng.choices(_ENGLISH, cum_weights=_OFTEN, k=46)).capitalize() + "."
    else:
        source = _FOREIGN[rng.choice(list(_FOREIGN))]
        text = "".join(rng.choice(source) for _ in range(110))
        if rng.random() < 0.2:
            text += " " + rng.choice(("PDF", "Excel", "SQL", "API"))
    return {"name": name, "dirname": name, "description": text, "path": f"skills/{name}/SKILL.md"}


def make_rows(path: Path, rows: int, seed: int = 7) -> None:
    """A table of ``rows`` items."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            file.write(json.dumps(row(number, rng), ensure_ascii=False) + "\n")


def make_files(folder: Path, files: int, seed: int = 8) -> None:
    """A tree of ``files`` SKILL.md of about 3 kB, a hundred to a folder."""
    rng = random.Random(seed)
    for number in range(files):
        item = row(number, rng)
        place = folder / f"group-{number // 100}" / f"{item['name']}"
        place.mkdir(parents=True)
        body = " ".join(rng.choices(_ENGLISH, cum_weights=_OFTEN, k=400))
        head = f"---\nname: {item['name']}\ndescription: {item['description']}\nlicense: MIT\n---\n\n"
        (place / "SKILL.md").write_text(head + f"# {item['name']}\n\n{body}\n", encoding="utf-8")


_DECODE = """
import sys, msgspec
Row = msgspec.defstruct("Row", [(f, str, "") for f in ("name", "dirname", "description")], gc=False)
decode = msgspec.json.Decoder(Row).decode
n = 0
with open(sys.argv[1], "rb") as file:
    for line in file:
        decode(line); n += 1
print(n)
"""
_READ = """
import os, sys
def walk(folder):
    with os.scandir(folder) as entries:
        listed = list(entries)
    for entry in listed:
        if entry.is_dir(): yield from walk(entry.path)
        else: yield entry.path
n = 0
for path in walk(sys.argv[1]):
    with open(path, "rb", buffering=0) as file:
        n += len(file.read())
print(n)
"""


def measure(argv: list[str]) -> tuple[float, float, float, str]:
    """CPU seconds (children included), wall seconds, peak MB of the largest process, standard output."""
    began = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{argv[:6]}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1024, out


def scan_argv(path: Path, *more: str) -> list[str]:
    """The command as a user runs it."""
    base = [sys.executable, "-m", "scriptlint", "scan", str(path), "-t", "ascii", "--format", "json", "--isolated"]
    return [*base, "--no-progress", *more]


def medians(commands: dict[str, list[str]], rounds: int) -> dict[str, tuple[float, float, float, str]]:
    """Interleaved rounds; medians of CPU and wall, the largest peak, the last output."""
    seen: dict[str, list[tuple[float, float, float, str]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, argv in commands.items():
            seen[name].append(measure(argv))
    return {
        name: (
            statistics.median(r[0] for r in runs),
            statistics.median(r[1] for r in runs),
            max(r[2] for r in runs),
            runs[-1][3],
        )
        for name, runs in seen.items()
    }


def summary_of(output: str) -> dict[str, object]:
    """The counts of a scan's JSON."""
    found = json.loads(output)
    return {key: found[key] for key in ("items", "totals", "by_script", "cjk_dominant", "by_source")}


def bench(folder: Path, rows: int, files: int, rounds: int) -> dict[str, float]:
    """Run all, print a table, give the figures that have bounds."""
    table = folder / "items.jsonl"
    tree = folder / "tree"
    make_rows(table, rows)
    make_files(tree, files)
    print(f"{rows:,} rows, {table.stat().st_size / rows:.0f} bytes each; {files:,} files; {os.cpu_count()} cores")
    commands = {
        "start-up (a scan of one file)": scan_argv(next((tree / "group-0").iterdir()), *COUNTS),
        "decode lines (floor)": [sys.executable, "-c", _DECODE, str(table)],
        "scan, 1 process": scan_argv(table, "--fields", FIELDS, *COUNTS),
        "scan, 2 processes": scan_argv(table, "--fields", FIELDS, *COUNTS, "-j", "2"),
        "scan with 10,000 findings": scan_argv(table, "--fields", FIELDS),
        "walk and read files (floor)": [sys.executable, "-c", _READ, str(tree)],
        "scan files": scan_argv(tree, *COUNTS),
        "scan files with findings": scan_argv(tree),
        "scan files, full": scan_argv(tree, "--full"),
    }
    found = medians(commands, rounds)
    for name, (cpu, wall, peak, _) in found.items():
        many = rows if "files" not in name else files
        print(f"  {name:<30} {cpu:7.2f} s CPU {wall:7.2f} s wall {peak:6.0f} MB {cpu / many * 1e6:7.2f} us each")
    one, two = found["scan, 1 process"], found["scan, 2 processes"]
    if summary_of(one[3]) != summary_of(two[3]):
        raise SystemExit("two processes count other items than one")
    return {
        "scan / decode (CPU)": one[0] / found["decode lines (floor)"][0],
        "1 worker / 2 workers (wall)": one[1] / two[1],
        "peak memory, MB": max(one[2], two[2]),
        "files: scan / read, with start-up": found["scan files"][0] / found["walk and read files (floor)"][0],
        "files: scan / read (CPU)": (found["scan files"][0] - found["start-up (a scan of one file)"][0])
        / found["walk and read files (floor)"][0],
    }


def dask(folder: Path, rows: int) -> None:
    """Two Dask workers over the rows, one of them ended half-way: the summary must be that of one process."""
    import signal
    import threading

    from distributed import LocalCluster

    table = folder / "items.jsonl"
    if not table.exists():
        make_rows(table, rows)
    truth = summary_of(measure(scan_argv(table, "--fields", FIELDS))[3])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def end_one() -> None:
            print(f"  ending worker process {pids[0]}")
            os.kill(pids[0], signal.SIGKILL)

        more = ("--fields", FIELDS, "--engine", "dask", "--scheduler", cluster.scheduler_address)
        single = measure(scan_argv(table, *more))
        timer = threading.Timer(single[1] / 2, end_one)
        timer.start()
        broken = measure(scan_argv(table, *more))
        timer.cancel()
    for name, result in (("two workers", single), ("one ended half-way", broken)):
        same = "the same summary" if summary_of(result[3]) == truth else "ANOTHER SUMMARY"
        print(f"  {name:<20} {result[1]:6.1f} s wall  {same} as one process")
        if summary_of(result[3]) != truth:
            raise SystemExit(1)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", type=Path, help="keep the inputs here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        folder.mkdir(exist_ok=True)
        if options.dask:
            dask(folder, options.rows)
            return 0
        figures = bench(folder, options.rows, options.files, options.rounds)
    missed = False
    for name, value in figures.items():
        sign, bound = BOUNDS.get(name, ("", 0.0))
        fine = not sign or (value <= bound if sign == "<=" else value >= bound)
        missed |= not fine
        print(f"{name:<34} {value:6.2f}  {f'({sign} {bound:g})' if sign else ''}{'' if fine else '  MISSED'}")
    return int(missed and options.check)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    raise SystemExit(main())
