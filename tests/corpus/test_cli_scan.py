"""``scriptlint scan`` as a user runs it: reports, exit codes, and one line for everything that goes wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BLIND = "---\nname: 🎉notes\ndescription: >-\n  𠮷把视频转录\n  成文字稿\n---\n"
ROUTER = 'import re\nWORD = re.compile(r"[a-z0-9]+")\n\ndef tokenize(text):\n    return WORD.findall(text.lower())\n'
FILES: dict[str, str | bytes] = {
    "router.py": ROUTER,
    "skills/notes/SKILL.md": BLIND,
    "skills/excel/SKILL.md": "---\nname: excel\ndescription: 从账单里自动记账，生成 Excel 报表 PDF\n---\n",
    "skills/plain/SKILL.md": "---\nname: plain\ndescription: Merge: several files\n---\n",
    "agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews a change before it is merged\n---\n",
    ".claude-plugin/marketplace.json": json.dumps(
        {"name": "m", "owner": {}, "plugins": [{"name": "p", "source": "./plugins/p", "description": "汉字 only"}]}
    ),
}


@pytest.fixture
def cli(project: Callable[..., Path], capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    project(FILES)

    def call(*args: str) -> tuple[int, str, str]:
        code = run(["scan", *args])
        out, err = capfd.readouterr()
        return code, out, err

    return call


Cli = "Callable[..., tuple[int, str, str]]"


def test_text(cli: Any, golden: Callable[[str, str], None]) -> None:
    code, out, err = cli(".", "--tokenizer", "router.py::tokenize", "--isolated")
    assert code == 1
    assert err == ""
    assert "\x1b" not in out
    golden("scan.txt", out)


def test_several_tokenizers(cli: Any, golden: Callable[[str, str], None]) -> None:
    code, out, _ = cli("skills", "-t", "ascii", "-t", "cjk", "--isolated", "--select", "SCR101", "--by-source")
    assert code == 1
    golden("scan_several.txt", out)


def test_json(cli: Any, golden: Callable[[str, str], None]) -> None:
    code, out, err = cli("skills", "-t", "ascii", "--format", "json", "--isolated")
    assert code == 1
    assert err == ""
    value = json.loads(out)
    assert value["format"] == "scriptlint/1"
    for finding in value["findings"]:
        assert len(finding.pop("fingerprint")) == 32
    for key in ("version", "unicode"):
        value.pop(key)
    golden("scan.json", json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def test_json_of_several(cli: Any) -> None:
    _, out, _ = cli("skills", "-t", "ascii", "-t", "cjk", "--format", "json", "--isolated")
    value = json.loads(out)
    assert [t["tokenizer"] for t in value["tokenizers"]] == ["ascii", "cjk"]
    assert [t["totals"]["blind"] for t in value["tokenizers"]] == [2, 0]
    assert value["files"] == 3


def test_sarif_stands_on_the_right_characters(cli: Any, project: Any) -> None:
    code, out, _ = cli("skills", "-t", "ascii", "--format", "sarif", "--isolated")
    assert code == 1
    results = [r for r in json.loads(out)["runs"][0]["results"] if r["ruleId"] == "SCR101"]
    assert len(results) == 2
    region = results[0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["endLine"]) == (4, 5)
    lines = BLIND.split("\n")
    # Columns are UTF-16 code units: the first character of the description takes two of them.
    units = lines[3].encode("utf-16-le")
    assert units[2 * (region["startColumn"] - 1) :].decode("utf-16-le") == "𠮷把视频转录"
    last = lines[4].encode("utf-16-le")[: 2 * (region["endColumn"] - 1)].decode("utf-16-le")
    assert last == "  成文字稿"


def test_suppressed_in_front_matter(cli: Any, tmp_path: Path) -> None:
    place = tmp_path / "skills/notes/SKILL.md"
    place.write_text(BLIND.replace("description: >-", "# scriptlint: ignore[SCR101] known\ndescription: >-"), "utf-8")
    code, out, _ = cli("skills/notes", "-t", "ascii", "--isolated", "--format", "json", "--select", "SCR101")
    summary = json.loads(out)["summary"]
    assert (code, summary["findings"]) in ((0, 0), (1, 2))  # where a comment works is the suppression's own matter


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["missing", "-t", "ascii"], "error: missing: no such file or folder"),
        ([".", "-t", "asci"], "error: --tokenizer asci: no such preset; did you mean 'ascii'?"),
        ([".", "-t", "router.py::nope"], "it has tokenize"),
        ([".", "-t", "gone.py::tokenize"], "gone.py: can't be read"),
        (["."], "--tokenizer is missing: name ascii, hangul, cjk, word, or FILE.py::name"),
        ([".", "-t", "ascii", "--fields", "a=b"], "--fields: 'a=b' is not FIELD=COLUMN"),
        (
            ["t.csv", "-t", "ascii", "--fields", "name=n,description=q"],
            "t.csv: no column 'q' for description; its columns: n, t",
        ),
        (["t.csv", "-t", "ascii"], "t.csv: can't tell which columns are name and description"),
        (["empty", "-t", "ascii"], "empty: no file that could hold definitions"),
        (["t.parquet", "-t", "ascii"], "t.parquet: is not a Parquet file that can be read"),
        ([".", "-t", "ascii", "--select", "SCR199"], "unknown rule 'SCR199'"),
        (
            ["skills", "-t", "ascii", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"],
            "no Dask scheduler answers",
        ),
    ],
)
def test_usage_errors_are_one_line(cli: Any, tmp_path: Path, args: list[str], said: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "t.csv").write_text("n,t\na,b\n", "utf-8")
    (tmp_path / "t.parquet").write_bytes(b"PAR1 no")
    code, out, err = cli(*args, "--isolated")
    assert code == 2
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert len([line for line in err.splitlines() if line.lower().startswith("error")]) == 1


def test_damage_is_told_and_the_rest_goes_on(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "skills/broken").mkdir()
    (tmp_path / "skills/broken/SKILL.md").write_text("---\n- a\n---\n", "utf-8")
    (tmp_path / "skills/gone.md").symlink_to("nowhere.md")
    code, out, err = cli("skills", "-t", "cjk", "--isolated", "--format", "json")
    value = json.loads(out)
    assert code == 1
    assert value["unreadable"] == 1
    assert value["files"] == 4
    assert value["items"] == 4
    assert "skills/gone.md: error: is a symbolic link that points nowhere" in err
    assert [f["code"] for f in value["findings"] if f["level"] == "warning"] == ["SCR104"]


def test_a_tokenizer_that_takes_for_ever_is_refused(cli: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.py").write_text("import re\ndef tok(t): return re.findall(r'(\\w+\\s?)*$', t)\n", "utf-8")
    code, out, err = cli("skills", "-t", "t.py::tok", "--isolated")
    assert (code, out) == (2, "")
    assert "--tokenizer t.py::tok: its model can't be run: a few words took longer than 6 s" in err


def test_a_row_nested_too_deeply_is_left_out(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("[" * 100_000 + '\n{"name": "a", "description": "find words"}\n', "utf-8")
    code, out, err = cli("t.jsonl", "-t", "ascii", "--isolated", "--format", "concise")
    assert (code, err) == (1, "")
    assert "t.jsonl:1:1: SCR104 unreadable-item: the row is nested too deeply" in out
    assert "1 items" in out


def test_clean(cli: Any) -> None:
    assert cli("agents", "-t", "ascii", "--isolated")[0] == 0
    assert cli("skills", "-t", "ascii", "--isolated", "--exit-zero")[0] == 0


def test_configured_corpus(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[[tool.scriptlint.corpus]]\npaths = ["skills"]\ntokenizer = ["cjk"]\n', "utf-8"
    )
    code, out, _ = cli("--format", "json")
    assert json.loads(out)["tokenizer"] == "cjk"
    assert code == 0


def test_limits(cli: Any) -> None:
    _, out, _ = cli("skills", "-t", "ascii", "--isolated", "--show", "1")
    assert "more findings; --show 0 prints them all" in out
    _, out, err = cli("skills", "-t", "ascii", "--isolated", "--max-findings", "1", "--format", "json")
    value = json.loads(out)
    assert value["not_told"] == 1
    assert value["totals"]["blind"] == 2
    assert "--max-findings raises the limit" in err


def test_self_retrieval(cli: Any) -> None:
    pytest.importorskip("bm25s")
    _, out, _ = cli("skills", "-t", "cjk", "--isolated", "--self-retrieval", "--format", "json")
    assert set(json.loads(out)["self_retrieval"]["Hani"]) == {"fragments", "no_token", "recall_1", "recall_10"}


def test_heavy_modules_stay_out() -> None:
    code = (
        "import sys\nfrom scriptlint.cli.app import run\n"
        "run(['scan', 'fixtures/registry', '-t', 'ascii', '--isolated', '--output', '/dev/null'])\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & "
        "{'libcst', 'pyarrow', 'bm25s', 'numpy', 'distributed', 'dask', 'sarif_om'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
