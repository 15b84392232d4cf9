"""``scriptlint gate`` from the command line, on the fixtures and on settings that can't be used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import ROUTER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ITEMS = '{"name": "video", "description": "视频转录成文字"}\n{"name": "trip", "description": "规划旅行路线"}\n'
ASKED = {"转录视频": "video", "视频文字": "video", "旅行路线": "trip", "规划路线": "trip", "视频转录": "video"}
QUERIES = "".join(json.dumps({"query": q, "gold": [g], "lang": "zh"}) + "\n" for q, g in ASKED.items())
HEAD = '[tool.scriptlint.gate]\nrouter = "router.py"\nitems = "items.jsonl"\nqueries = "*queries.jsonl"\n'
LOW = '[[tool.scriptlint.gate.conditions]]\nname = "low"\nset = { DISCOUNT = 0.25 }\n'


def gate(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "scriptlint", "gate", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def files(project: Callable[..., Path]) -> Callable[..., Path]:
    """A folder with a router, items, queries and the given settings."""

    def make(settings: str = HEAD, **more: str) -> Path:
        base = {"router.py": ROUTER, "items.jsonl": ITEMS, "queries.jsonl": QUERIES, "pyproject.toml": settings}
        return project({**base, **more})

    return make


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The fixtures' run as JSON."""
    root = request.config.rootpath
    code, out, err = gate(root, "--config", "fixtures/gate/pyproject.toml", "--format", "json")
    assert code == 1, err
    value: dict[str, Any] = json.loads(out)
    return value


def test_the_fixtures(found: dict[str, Any], root: Path) -> None:
    baseline, naive, full = found["conditions"]
    assert (found["gate"], found["k"], found["refused"], found["errors"]) == (6.0, 5, [], [])
    for condition in found["conditions"]:
        assert condition["by_language"]["en"]["queries"] >= 20 and condition["negatives"] == 20
        # No extractor and no weight of ASCII differs between the three.
        assert condition["by_language"]["en"] == baseline["by_language"]["en"]
        assert condition["by_language"]["ko"] == baseline["by_language"]["ko"]
    assert baseline["by_language"]["zh"]["gated_recall"] < 0.1
    assert naive["by_language"]["zh"]["gated_recall"] > 0.6
    assert full["by_language"]["zh"]["gated_recall"] < 0.4
    assert full["by_language"]["zh"]["recall"] >= naive["by_language"]["zh"]["recall"] - 0.05
    by_pair = {(c["from"], c["to"]): c for c in found["comparisons"]}
    closed = by_pair["cjk_naive", "cjk_full"]
    assert closed["collapse"] and {"zh", "ja", "Hani", "all"} <= set(closed["collapsed"])
    assert closed["by_language"]["zh"]["p_value"] < 0.01
    assert not by_pair["baseline", "cjk_naive"]["collapse"] and not by_pair["baseline", "cjk_full"]["collapse"]
    assert {c["ascii"]["verdict"] for c in found["comparisons"]} == {"proved"}
    (one,) = found["findings"]
    assert one["code"] == "SCR202" and one["path"].endswith("cjk_full.py") and "Hani" in one["scripts"]
    line = (root / one["path"]).read_text(encoding="utf-8").splitlines()[one["line"] - 1]
    assert "first" in line
    assert one["related"][0]["path"].endswith("cjk_naive.py")
    answers = naive["answers"]
    assert len(answers) == naive["queries"] + naive["negatives"]
    assert all(a["results"] == sorted(a["results"], key=lambda r: -r["score"]) for a in answers)


def test_two_runs_are_equal(found: dict[str, Any], root: Path) -> None:
    _, out, _ = gate(root, "--config", "fixtures/gate/pyproject.toml", "--format", "json", "-j", "1")
    assert json.loads(out) == found


def test_clean_and_closed(files: Callable[..., Path]) -> None:
    folder = files()
    assert gate(folder)[0] == 0
    code, out, _ = gate(files(HEAD + LOW))
    assert code == 1 and "router.py:3:1: SCR202 gate-collapse" in out and "zh" in out
    assert "ASCII: proved" in out
    assert gate(folder, "--exit-zero")[0] == 0
    assert gate(folder, "--ignore", "SCR202")[0] == 0
    assert gate(folder, "--only", "low")[0] == 0, "one condition has nothing to fall from"


def test_a_suppression_and_a_wider_limit(files: Callable[..., Path]) -> None:
    marked = ROUTER.replace("DISCOUNT = 1.0", "DISCOUNT = 1.0  # scriptlint: ignore[SCR202] known")
    folder = files(HEAD + LOW, **{"router.py": marked})
    assert gate(folder)[0] == 0
    files(HEAD + LOW + "[tool.scriptlint.rules.gate-collapse]\ngated-drop = 100.0\n")
    assert gate(folder)[0] == 0


def test_formats(files: Callable[..., Path]) -> None:
    folder = files(HEAD + LOW)
    for name in ("concise", "sarif", "github", "gitlab", "junit"):
        code, out, _ = gate(folder, "--format", name)
        assert code == 1 and "SCR202" in out, name
    code, _, _ = gate(folder, "--output", "out.json", "--format", "json")
    assert code == 1 and json.loads((folder / "out.json").read_text(encoding="utf-8"))["comparisons"]


def test_audit_runs_it(files: Callable[..., Path]) -> None:
    folder = files(HEAD + LOW)
    for only, there in (((), True), (("--only", "gate"), True), (("--only", "check"), False)):
        command = [sys.executable, "-m", "scriptlint", "audit", "--format", "json", "--no-cache", *only]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert ("SCR202" in {f["code"] for f in json.loads(done.stdout)["findings"]}) == there


def test_revisions(files: Callable[..., Path]) -> None:
    folder = files(HEAD + '[[tool.scriptlint.gate.conditions]]\nname = "before"\nrevision = "HEAD"\n')
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True, env=env)
    (folder / "router.py").write_text(ROUTER.replace("DISCOUNT = 1.0", "DISCOUNT = 0.25"), encoding="utf-8")
    code, out, _ = gate(folder, "--format", "json")
    value = json.loads(out)
    assert code == 1 and [c["name"] for c in value["conditions"]] == ["before", "router"]
    assert value["conditions"][0]["origin"] == "revision HEAD"
    assert value["findings"][0]["line"] == 3 and value["comparisons"][0]["collapse"]


def test_a_sweep_and_its_plot(files: Callable[..., Path]) -> None:
    folder = files()
    code, out, err = gate(folder, "-j", "1", "--sweep", "DISCOUNT=0.25:1:0.25", "--max-wrong", "0.5")
    assert code == 0 and "index built once" in out and "zh     DISCOUNT = 0.5" in out
    pytest.importorskip("matplotlib", reason="the plot extra has matplotlib")
    code, out, err = gate(
        folder, "-j", "1", "--sweep", "DISCOUNT=0.5,1", "--plot", "p", "--format", "json", "--groups", "zh"
    )
    assert code == 0 and "wrote p.svg" in err and (folder / "p.png").stat().st_size > 1000
    value = json.loads(out)
    assert [p["set"] for p in value["sweep"]] == [{"DISCOUNT": 0.5}, {"DISCOUNT": 1}]
    assert (
        value["sweep_of"] == {"condition": "router", "constants": ["DISCOUNT"], "builds": 2, "searches": 10}
        or value["sweep_of"]["builds"] == 1
    )


@pytest.mark.parametrize(
    ("settings", "arguments", "said"),
    [
        ("[tool.scriptlint]\n", (), "no [tool.scriptlint.gate]"),
        ("[tool.scriptlint.gate]\nqueries = 'queries.jsonl'\n", (), "router is missing"),
        ("[tool.scriptlint.gate]\nrouter = 'router.py'\n", (), "queries is missing"),
        (HEAD + "biuld = 'x'\n", (), "unknown key 'biuld'; did you mean 'build'?"),
        (HEAD + "k = 0\n", (), "k must be a whole number above 0"),
        (HEAD + "gate = true\n", (), "gate must be a number or the name of one"),
        (HEAD.replace("router.py", "none.py"), (), "none.py: can't be read: No such file"),
        (HEAD.replace("*queries", "none"), (), "no such file: none.jsonl"),
        (HEAD.replace("items.jsonl", "none.jsonl"), (), "none.jsonl: no such file or folder"),
        (HEAD + "[[tool.scriptlint.gate.conditions]]\nset = { A = 1 }\n", (), "a condition's name is missing"),
        (HEAD + LOW + LOW, (), "two conditions are named 'low'"),
        (HEAD + LOW + "fil = 'x'\n", (), "unknown key 'fil'; did you mean 'file'?"),
        (HEAD + LOW.replace("DISCOUNT", '"a-b"'), (), "'a-b' is no name of a constant"),
        (HEAD + LOW + "file = 'router.py'\nrevision = 'HEAD'\n", (), "has both file and revision"),
        (HEAD + "[[tool.scriptlint.gate.conditions]]\nname = 'x'\nrevision = 'HEAD'\n", (), "revision 'HEAD':"),
        (HEAD, ("--only", "ruoter"), "no condition 'ruoter'; did you mean 'router'?"),
        (HEAD, ("--sweep", "D"), "must be NAME=from:to:step"),
        (HEAD, ("--plot", "x.svg"), "--plot draws a sweep"),
        (HEAD, ("--plot", "x.pdf", "--sweep", "A=1"), "must end in .svg or .png"),
        (HEAD, ("--sweep", "A=1", "--sweep", "B=1", "--sweep", "C=1"), "at most two"),
        (HEAD, ("--sweep", "DISCOUNT=1", "--groups", "fr"), "is of language 'fr'; there are zh"),
    ],
)
def test_bad_settings(files: Callable[..., Path], settings: str, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = gate(files(settings), *arguments)
    assert code == 2 and said in err, err
    assert out == ""
    assert len([line for line in err.splitlines() if "rror" in line]) == 1


def test_bad_queries_and_answers_that_nothing_has(files: Callable[..., Path]) -> None:
    code, _, err = gate(files(**{"queries.jsonl": "{\n"}))
    assert code == 2 and "queries.jsonl:1: is not JSON" in err
    code, out, _ = gate(files(**{"queries.jsonl": '{"query": "x", "gold": ["vidoe"]}\n'}))
    assert code == 1 and "queries.jsonl:1: error: gold: no item is named 'vidoe'; did you mean 'video'?" in out


def test_conditions_that_fail_are_told_and_the_others_go_on(files: Callable[..., Path]) -> None:
    more = "".join(
        f'[[tool.scriptlint.gate.conditions]]\nname = "{n}"\nfile = "{n}.py"\n' for n in ("writes", "raises")
    )
    raises = ROUTER.replace("    tokens = tok", "    if '旅' in query:\n        raise KeyError('x')\n    tokens = tok")
    folder = files(HEAD + more, **{"writes.py": "open('made.json', 'w')\n" + ROUTER, "raises.py": raises})
    code, out, _ = gate(folder)
    assert code == 1 and not (folder / "made.json").exists()
    assert "writes.py: error: condition writes is not measured: loading it: Refused" in out
    assert "queries.jsonl:3: error: condition raises: no answer to '旅行路线': KeyError: 'x' (raises.py:12)" in out
    assert "writes: refused write: made.json (writes.py:1)" in out
    value = json.loads(gate(folder, "--format", "json")[1])
    assert [c.get("queries") for c in value["conditions"]] == [5, None, 4]
    assert value["refused"] == [{"condition": "writes", "what": "write", "target": "made.json", "place": "writes.py:1"}]
