"""A whole scan: the same counts by every engine and cut, and places that hold."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.corpus import work as work_module
from scriptlint.corpus.engines import pool as pool_module
from scriptlint.corpus.judge import BLIND, Window
from scriptlint.corpus.readers.tables import Fields, FieldsError, TableUnit
from scriptlint.corpus.scan import NothingToScan, Outcome, Request, scan
from scriptlint.corpus.tokens import Tokens
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.tokenizer.stages import Extract, Lower, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scriptlint.corpus.work import Job, Part, Unit

ASCII = Tokens(PRESETS["ascii"], "ascii")
CJK = Tokens(PRESETS["cjk"], "cjk")
FIELDS = Fields.parse("name=n,dirname=d,description=t,source=s")


def rows(count: int = 400) -> list[dict[str, Any]]:
    rng = random.Random(3)
    texts = [
        "视频转录成文字", "Merge PDF files", "用 AI 审核代码", "用 AI 生成祝福", "領収書を読む Excel", "",
        "use it when", "привет мир", "🎉𠮷 emoji", "pdf files merge",
    ]  # fmt: skip
    return [
        {"n": f"item-{n}", "d": f"dir-{n % 7}", "t": rng.choice(texts), "s": f"src{n % 3}", "x": {"t": 1}}
        for n in range(count)
    ]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(r, ensure_ascii=bool(n % 2)) + "\n" for n, r in enumerate(rows())), "utf-8")
    return path


def facts(outcome: Outcome) -> list[object]:
    return [
        [s.as_json() for s in outcome.summaries],
        [[(f.entry, f.place, f.new, f.blind, f.words) for f in listed] for listed in outcome.items],
        outcome.collisions,
        outcome.odd,
        outcome.problems,
        [[c.places for c in corpus.collisions] for corpus in outcome.corpora],
    ]


def run(path: Path | str, *tokens: Tokens, fields: Fields | None = FIELDS, **more: Any) -> Outcome:
    return scan(Request((str(path),), tokens or (ASCII, CJK), fields, **more))


@pytest.mark.parametrize("full", [False, True])
def test_cuts_and_engines_agree(table: Path, full: bool) -> None:
    whole = facts(run(table, full=full))
    assert facts(run(table, full=full, unit_bytes=1000)) == whole
    assert facts(run(table, full=full, unit_bytes=37)) == whole
    assert facts(run(table, full=full, unit_bytes=1000, jobs=2)) == whole


def test_one_tokenizer_takes_the_quick_way(table: Path) -> None:
    both = run(table)
    one = run(table, ASCII)
    assert one.summaries[0].as_json() == both.summaries[0].as_json()
    assert [f.entry for f in one.items[0]] == [f.entry for f in both.items[0]]


def test_places_in_rows(table: Path) -> None:
    lines = table.read_text("utf-8").split("\n")
    for found in run(table, ASCII).items[0]:
        place = found.place
        row = json.loads(lines[place.line - 1])
        assert row["n"] == found.entry
        raw = lines[place.line - 1][place.column - 1 : place.end_column - 1]
        assert json.loads(f'"{raw}"') == row["t"]


def test_formats_agree(tmp_path: Path, table: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    listed = [{k: v for k, v in r.items() if k != "x"} for r in rows()]
    for name, delimiter in (("items.csv", ","), ("items.tsv", "\t")):
        with (tmp_path / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["n", "d", "t", "s"], delimiter=delimiter)
            writer.writeheader()
            writer.writerows(listed)
    pq.write_table(pa.Table.from_pylist(listed), tmp_path / "items.parquet", row_group_size=90)
    truth = [s.as_json() for s in run(table, full=False).summaries]
    for name in ("items.csv", "items.tsv", "items.parquet"):
        found = run(tmp_path / name, full=False)
        assert [s.as_json() for s in found.summaries] == truth, name
    text = (tmp_path / "items.csv").read_text("utf-8").split("\n")
    place = run(tmp_path / "items.csv", ASCII).items[0][0].place
    assert text[place.line - 1][place.column - 1 : place.end_column - 1] == "视频转录成文字" or place.line > 1


def test_odd_rows_are_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    good = json.dumps({"n": "a", "t": "视频"})
    path.write_bytes(
        b"\xef\xbb\xbf" + good.encode() + b"\r\n\r\n{broken\n[1]\n"
        b'{"n": 7, "t": "numbers"}\n{"n": "b", "t": null}\n{"n": "c", "t": ["x", "y"]}\n'
        b'{"n": "d", "t": "one", "t": "two"}\n{"n": "e", "t": "bad \xff byte"}\n{"n": "f"}'
    )
    outcome = run(path, ASCII, fields=Fields.parse("name=n,description=t"))
    assert dict(outcome.odd) == {
        "bad-row": 2, "name-type": 1, "description-type": 1, "duplicate-key": 1, "bad-bytes": 1,
    }  # fmt: skip
    assert outcome.files["bad rows"] == 2
    assert outcome.summaries[0].definitions == 7
    assert outcome.summaries[0].totals()["empty"] == 2
    assert sorted(o.line for o in outcome.oddities) == [3, 4, 5, 7, 8, 9]


def test_long_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scriptlint.corpus.readers import jsonl

    monkeypatch.setattr(jsonl, "MAX_LINE", 3000)
    monkeypatch.setattr(jsonl, "BLOCK", 1000)
    path = tmp_path / "long.jsonl"
    row = json.dumps({"name": "a", "description": "pdf"})
    path.write_text(f"{row}\n" + json.dumps({"name": "b", "description": "x" * 9000}) + f"\n{row}\n", "utf-8")
    for size in (100_000, 500):
        outcome = run(path, ASCII, fields=None, unit_bytes=size)
        assert outcome.summaries[0].definitions == 2
        assert outcome.odd["bad-row"] == 1


def test_fields() -> None:
    for text in ("name", "name=a", "nom=a,description=b", "name=,description=b"):
        with pytest.raises(FieldsError):
            Fields.parse(text)
    assert Fields.guess(["api_name", "api_description"]) == Fields(
        (("name", "api_name"), ("description", "api_description"))
    )
    assert Fields.guess(["a", "b"]) is None


def test_wrong_columns(table: Path) -> None:
    with pytest.raises(FieldsError, match="no column 'q' for description; its columns: n, d, t, s, x"):
        run(table, fields=Fields.parse("name=n,description=q"))
    with pytest.raises(FieldsError, match="can't tell which columns"):
        run(table, fields=None)


def test_registry(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    outcome = run("fixtures/registry", Tokens(PRESETS["hangul"], "hangul"), fields=None)
    blind = [f for f in outcome.items[0] if f.blind]
    assert [f.entry for f in blind] == ["bilibili-transcript", "bilibili-video-transcript"]
    assert {f.item.path for f in blind} == {"fixtures/registry/skills/bilibili-video-transcript/SKILL.md"}
    assert outcome.summaries[0].cjk_dominant() == {"items": 37, "blind": 2}
    assert outcome.summaries[0].definitions == 68
    assert not outcome.problems
    assert set(outcome.odd) <= {"no-name"}
    for preset in ("cjk", "word"):
        assert run("fixtures/registry", Tokens(PRESETS[preset], preset), fields=None).summaries[0].count(BLIND) == 0


def test_aliases(root: Path) -> None:
    place = root / "fixtures" / "registry"
    once = run(place, ASCII, fields=None, aliases=False)
    assert once.summaries[0].entries == once.summaries[0].definitions == 68


def _work_that_dies(unit: Unit, job: Job) -> Part:
    """Stands in for ``work``: ends its process the first times that the first unit comes."""
    mark = os.environ["SCAN_TEST_MARK"]
    assert isinstance(unit, TableUnit)
    if unit.lo == 0 and len(os.listdir(mark)) < int(os.environ["SCAN_TEST_DEATHS"]):
        open(os.path.join(mark, str(os.getpid())), "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return work_module.work(unit, job)


@pytest.mark.parametrize(("deaths", "lost"), [(1, False), (99, True)])
def test_a_dead_worker_costs_a_retry(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: int, lost: bool
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("SCAN_TEST_MARK", str(marks))
    monkeypatch.setenv("SCAN_TEST_DEATHS", str(deaths))
    whole = facts(run(table, ASCII))
    monkeypatch.setattr(pool_module, "work", _work_that_dies)
    outcome = run(table, ASCII, unit_bytes=8000, jobs=2)
    if lost:
        assert [p.message for p in outcome.problems] == [
            "part 0 to 8000: the worker process died 3 times; these items are missing"
        ]
        assert 0 < outcome.summaries[0].definitions < 400
    else:
        assert facts(outcome) == whole


def test_slow_patterns_are_told(project: Callable[..., Path]) -> None:
    project(
        {
            "skills/a/SKILL.md": "---\nname: a\ndescription: " + "a" * 60 + "\n---\n",
            "skills/b/SKILL.md": "---\nname: b\ndescription: fine text here\n---\n",
        }
    )
    slow = Tokens((Lower(), Extract(Pattern("(?:[a-z]+)+(?:\\s|$)|(?:a+)+!"))), "slow", seconds=0.3)
    outcome = run("skills", slow, ASCII, fields=None)
    assert [(p.path, p.line, p.message) for p in outcome.problems] in (
        [],
        [("skills/a/SKILL.md", 3, "`a`: slow took too long on this description; it is not judged")],
    )
    stuck = Tokens((Extract(Pattern("(?:a+)+!")),), "stuck", seconds=0.3)
    outcome = run("skills", stuck, fields=None)
    assert [p.line for p in outcome.problems] == [3]
    assert outcome.summaries[0].totals()["undecided"] == 1


def test_links_and_loops(project: Callable[..., Path]) -> None:
    place = project({"r/skills/a/SKILL.md": "---\nname: a\ndescription: b\n---\n", "r/notes.txt": "x"})
    (place / "r/skills/up").symlink_to(place / "r")
    (place / "r/skills/gone.md").symlink_to(place / "nowhere.md")
    (place / "r/loop.md").symlink_to(place / "r/loop.md")
    os.mkfifo(place / "r/pipe.md")
    outcome = run("r", ASCII, fields=None)
    assert outcome.summaries[0].definitions == 1
    assert {p.path: p.message.split(";")[0] for p in outcome.problems} == {
        "r/skills/up": "is a symbolic link to a folder above it (a loop)",
        "r/skills/gone.md": "is a symbolic link that points nowhere",
        "r/loop.md": "is a symbolic link that leads to itself",
    }


def test_folders_that_look_built(project: Callable[..., Path]) -> None:
    text = "---\nname: a\ndescription: b\n---\n"
    project({"skills/build/SKILL.md": text, "skills/env/SKILL.md": text, "skills/node_modules/x/SKILL.md": text})
    assert run("skills", ASCII, fields=None).summaries[0].definitions == 2


def test_nothing_to_scan(project: Callable[..., Path]) -> None:
    project({"a/README.txt": "x", "b/README.md": "x", "c.py": ""})
    for path in ("a", "b", "missing", "*.nope"):
        with pytest.raises(NothingToScan, match=path.replace("*", r"\*")):
            run(path, ASCII, fields=None)


def test_boilerplate_by_frequency(project: Callable[..., Path]) -> None:
    files = {
        f"skills/s{n}/SKILL.md": f"---\nname: s{n}\ndescription: capability number{n} thing{n}\n---\n"
        for n in range(40)
    }
    files["skills/lost/SKILL.md"] = "---\nname: lost\ndescription: Use when this capability is needed.\n---\n"
    files["skills/only/SKILL.md"] = "---\nname: only\ndescription: Use when this capability.\n---\n"
    project(files)
    outcome = run("skills", ASCII, fields=None)
    assert [f.entry for f in outcome.items[0] if f.boilerplate_only] == ["only"]
    assert outcome.items[0][0].common == ("capability",)
    assert outcome.summaries[0].totals()["boilerplate_only"] == 1


def test_results_as_parquet(table: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder = tmp_path / "out"
    folder.mkdir()
    outcome = run(table, full=False, results=str(folder), unit_bytes=9000, jobs=2)
    found = pq.read_table(folder)
    assert found.num_rows == 400
    assert sum(found["ascii.blind"].to_pylist()) == outcome.summaries[0].count(BLIND)
    assert not list(folder.glob("*.partial"))


def test_judge_batch() -> None:
    import pyarrow as pa

    from scriptlint.corpus.arrow import judge_batch

    batch = pa.RecordBatch.from_pydict({"name": ["a", None], "description": ["视频转录", None]})
    found = judge_batch(batch, [j for t in (ASCII, CJK) for j in work_module.Job((t,)).judges()]).to_pydict()
    assert found["script"] == ["Hani", "Zyyy"]
    assert found["ascii.blind"] == [True, False]
    assert found["cjk.blind"] == [False, False]
    assert found["ascii.empty"] == [False, True]


def test_window_facts(project: Callable[..., Path]) -> None:
    text = "Summarizes long recordings and keeps speakers apart. 触发词：视频转录"
    project({"skills/recap/SKILL.md": f"---\nname: recap\ndescription: >-\n  {text}\n---\n"})
    found = run("skills", CJK, fields=None, window=Window(53, True)).items[0][0]
    assert found.cut is not None
    assert found.cut.scripts == ("Hani",)
    assert found.cut.place is not None
    assert (found.cut.place.line, found.cut.place.column, found.cut.place.end_column) == (4, 56, 64)


@pytest.mark.long
def test_dask(table: Path) -> None:
    assert facts(run(table, engine="dask", jobs=2, unit_bytes=8000)) == facts(run(table))
