"""Conditions run apart from each other and from the machine, whatever they try."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from scriptlint.gate.run import Condition, Run, Setup, run_all, run_condition

from .conftest import ITEMS, QUERIES, ROUTER, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def run(condition: Condition, setup: Setup) -> Run:
    return run_condition(condition, setup, QUERIES, ITEMS)


def test_a_router_is_measured(condition: Callable[..., Condition], setup: Setup) -> None:
    found = run(condition(), setup)
    assert found.failure == "" and found.gate == 2.0 and found.has_tokenizer
    m = found.metrics(5)
    assert (m.queries, m.negatives, m.recall, m.gated_recall) == (4, 1, 1.0, 1.0)
    assert found.refused == []


def test_constants_are_patched_where_they_are_assigned(condition: Callable[..., Condition], setup: Setup) -> None:
    derived = ROUTER.replace("DISCOUNT = 1.0", "BASE = 1.0\nDISCOUNT = BASE * 2")
    assert run(condition(derived, BASE=0.1), setup).answers[0].score == pytest.approx(0.8)
    assert run(condition(DISCOUNT=0.25), setup).metrics(5).gated_recall == 0.0
    assert run(condition(GATE_MIN=9), setup).gate == 9.0
    nested = ROUTER.replace("DISCOUNT = 1.0", "class C:\n    D = 1.0\nW = {'d': 1.0}").replace(
        "DISCOUNT *", "C.D * W['d'] *"
    )
    assert run(condition(nested, **{"C.D": 0.5, "W.d": 0.5}), setup).answers[0].score == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("constants", "said"),
    [
        ({"DISCOUMT": 1.0}, "has no 'DISCOUMT'; did you mean 'DISCOUNT'?"),
        ({"DISCOUNT": "x"}, "DISCOUNT is a number (1.0), it can't be set to 'x'"),
        ({"GATE_MIN": True}, "GATE_MIN is a number"),
    ],
)
def test_constants_that_do_not_fit(
    condition: Callable[..., Condition], setup: Setup, constants: dict[str, object], said: str
) -> None:
    failure = run(condition(**constants), setup).failure
    assert said in failure


def test_wrong_names(condition: Callable[..., Condition], tmp_path: Path) -> None:
    wrong = run(condition(), Setup(str(tmp_path), build="biuld_index"))
    assert "has no 'biuld_index'; did you mean 'build_index'?" in wrong.failure
    assert "has no 'GATE'" in run(condition(), Setup(str(tmp_path), gate="GATE")).failure
    assert "not a number" in run(condition(), Setup(str(tmp_path), gate="FIELDS")).failure
    assert "can't be called" in run(condition(), Setup(str(tmp_path), tokenize="GATE_MIN")).failure


HOSTILE = {
    "write": "open('index.json', 'w')",
    "write low": "__import__('os').open('index.json', __import__('os').O_WRONLY | __import__('os').O_CREAT)",
    "append": "open(__file__, 'a')",
    "mkdir": "__import__('os').mkdir('made')",
    "delete": "__import__('os').remove('victim.txt')",
    "rename": "__import__('os').rename('victim.txt', 'gone.txt')",
    "replace": "__import__('os').replace('victim.txt', 'gone.txt')",
    "rmtree": "__import__('shutil').rmtree('cache')",
    "temporary": "__import__('tempfile').mkstemp(dir='.')",
    "system": "__import__('os').system('touch made')",
    "popen": "__import__('subprocess').run(['touch', 'made'])",
    "socket": "__import__('socket').create_connection(('192.0.2.1', 80), timeout=1)",
    "lookup": "__import__('socket').gethostbyname('example.org')",
    "sqlite": "__import__('sqlite3').connect('made.db')",
    "cache": "open('cache/index.json')",
    "cache by another way": "open('cache/../cache/index.json')",
}


@pytest.mark.parametrize("attempt", HOSTILE.values(), ids=HOSTILE)
def test_what_is_refused(condition: Callable[..., Condition], setup: Setup, tmp_path: Path, attempt: str) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "index.json").write_text("{}")
    (tmp_path / "victim.txt").write_text("keep")
    one = condition(
        ROUTER + f"try:\n    {attempt}\n    DONE = True\nexcept OSError:\n    DONE = False\nassert not DONE\n"
    )
    before = tree(tmp_path)
    found = run(one, setup)
    assert found.failure == "", "a router that expects this goes on"
    assert len(found.refused) == 1 and found.refused[0]["line"].endswith("router.py:15")
    assert found.metrics(5).recall == 1.0
    assert tree(tmp_path) == before
    # Without a handler the condition ends, with the line.
    bare = run(condition(ROUTER + attempt + "\n"), setup)
    assert "refused by the gate audit" in bare.failure and "router.py:14" in bare.failure
    assert bare.refused and bare.answers == []


def test_harmless_things_are_not_refused(condition: Callable[..., Condition], setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a")
    more = "import os, sqlite3, threading\nopen('words.txt').read()\nopen(os.devnull, 'w').write('x')\nprint('noise')\n"
    more += "sqlite3.connect(':memory:')\nt = threading.Thread(target=print); t.start(); t.join()\n"
    found = run(condition(ROUTER + more), setup)
    assert found.failure == "" and found.refused == []
    assert str(tmp_path / "words.txt") in found.read


def test_the_cache_is_as_good_as_not_there(condition: Callable[..., Condition], setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "index.json").write_text("[]")
    source = ROUTER.replace(
        "    return items\n",
        "    try:\n        return __import__('json').load(open('cache/index.json'))\n"
        "    except FileNotFoundError:\n        return items\n",
    )
    found = run(condition(source), setup)
    assert found.metrics(5).recall == 1.0 and found.refused[0]["what"] == "cache"


def test_functions_can_be_skipped(condition: Callable[..., Condition], tmp_path: Path) -> None:
    source = ROUTER.replace("    return items\n", "    save(items)\n    return items\n")
    source += "def save(index):\n    open('index.json', 'w').write('x')\n"
    assert "refused" in run(condition(source), Setup(str(tmp_path))).failure
    found = run(condition(source), Setup(str(tmp_path), skip=("save",)))
    assert found.failure == "" and found.refused == []


def test_one_query_that_raises_loses_that_query(condition: Callable[..., Condition], setup: Setup) -> None:
    source = ROUTER.replace(
        "    tokens = tok", "    if '旅' in query:\n        raise KeyError('no\\nroute')\n    tokens = tok"
    )
    found = run(condition(source), setup)
    assert [a.error for a in found.answers] == ["", "KeyError: 'no\\nroute' (router.py:12)", "", "", ""]
    assert found.metrics(5).failed == 1 and found.metrics(5).recall == 1.0


def test_a_process_that_dies_is_started_again(condition: Callable[..., Condition], setup: Setup) -> None:
    source = ROUTER.replace(
        "    tokens = tok", "    if '旅' in query:\n        import os; os._exit(3)\n    tokens = tok"
    )
    found = run(condition(source), setup)
    assert [bool(a.error) for a in found.answers] == [False, True, False, False, False]
    assert "its process died (exit code 3)" in found.answers[1].error and found.builds == 2


def test_exit_is_an_error_of_that_query(condition: Callable[..., Condition], setup: Setup) -> None:
    found = run(condition(ROUTER.replace("    tokens = tok", "    raise SystemExit(0)\n    tokens = tok")), setup)
    assert all("SystemExit" in a.error for a in found.answers) and found.builds == 1


NEVER = "    while True:\n        try:\n            while True: pass\n        except {}:\n            pass\n"


def test_a_search_that_never_returns(condition: Callable[..., Condition], tmp_path: Path) -> None:
    setup = Setup(str(tmp_path), query_seconds=0.3)
    began = time.monotonic()
    found = run(condition(ROUTER.replace("    tokens = tok", NEVER.format("Exception") + "    tokens = tok", 1)), setup)
    assert {a.error for a in found.answers} == {"took longer than 0.3 s"}
    assert time.monotonic() - began < 10


def test_one_that_holds_on_is_ended(condition: Callable[..., Condition], tmp_path: Path) -> None:
    setup = Setup(str(tmp_path), query_seconds=0.3)
    once = "    if '旅' in query:\n        import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
    once += "        while True: pass\n"
    found = run(condition(ROUTER.replace("    tokens = tok", once + "    tokens = tok", 1)), setup)
    assert found.failure == ""
    assert [bool(a.error) for a in found.answers] == [False, True, False, False, False]
    assert "its process was ended" in found.answers[1].error


def test_a_build_that_never_returns(condition: Callable[..., Condition], tmp_path: Path) -> None:
    setup = Setup(str(tmp_path), build_seconds=0.3)
    source = ROUTER.replace("    return items\n", NEVER.format("BaseException"))
    assert "build_index(): took longer than 0.3 s" in run(condition(source), setup).failure


def test_conditions_do_not_meet(condition: Callable[..., Condition], setup: Setup) -> None:
    broken = condition("def (:\n", "broken")
    missing = condition("GATE_MIN = 1\n", "missing")
    imports = condition("import no_such_module_anywhere\n", "imports")
    listed = [broken, condition(), missing, imports, condition(name="again", GATE_MIN=99)]
    runs = run_all(listed, setup, QUERIES, ITEMS, jobs=3)
    assert [bool(r.failure) for r in runs] == [True, False, True, True, False]
    assert "not valid Python" in runs[0].failure and "broken.py:1" in runs[0].failure
    assert runs[1].metrics(5).gated_recall == 1.0 and runs[4].metrics(5).gated_recall == 0.0


SIGNATURES = {
    "index, query, k": "def search(index, query, k=5):\n    return rank(index, query)[:k]\n",
    "query first": "def search(query, index, top_k=5):\n    return rank(index, query)[:top_k]\n",
    "no names": "def search(a, b, c):\n    return rank(a, b)[:c]\n",
    "two": "def search(a, b):\n    return rank(a, b)\n",
    "keywords": "def search(*, query, limit, index):\n    return rank(index, query)[:limit]\n",
    "global": "def search(query):\n    return rank(INDEX, query)\n",
    "dicts": "def search(index, q, n=3):\n    return [{'name': a, 'score': b} for a, b in rank(index, q)][:n]\n",
    "generator": "def search(index, text, k=5):\n    yield from rank(index, text)\n",
    "async": "async def search(index, query, k=5):\n    return rank(index, query)\n",
    "positional": "def search(index, query, k, /):\n    return rank(index, query)[:k]\n",
}


@pytest.mark.parametrize("source", SIGNATURES.values(), ids=SIGNATURES)
def test_signatures(condition: Callable[..., Condition], setup: Setup, source: str) -> None:
    base = ROUTER.replace("def search(index, query, k=5)", "def rank(index, query)").replace("[:k]", "")
    base = base.replace("    return items\n", "    global INDEX\n    INDEX = items\n    return items\n")
    found = run(condition(base + source), setup)
    assert found.failure == "" and not any(a.error for a in found.answers), found.answers
    assert found.metrics(5).recall == 1.0


def test_a_class_is_a_router_too(condition: Callable[..., Condition], tmp_path: Path) -> None:
    source = ROUTER + "class Router:\n    def __init__(self, items):\n        self.items = items\n"
    source += "    def find(self, query, k=5):\n        return search(self.items, query, k)\n"
    found = run(condition(source), Setup(str(tmp_path), build="Router", search=".find"))
    assert found.failure == "" and found.metrics(5).recall == 1.0
    assert "has no fnd" in run(condition(source), Setup(str(tmp_path), build="Router", search=".fnd")).failure


def test_a_router_with_its_own_builder(condition: Callable[..., Condition], setup: Setup) -> None:
    source = ROUTER.replace("def build_index(items):", f"def build_index():\n    items = {ITEMS!r}")
    found = run_condition(condition(source), setup, QUERIES, None)
    assert found.failure == "" and found.metrics(5).recall == 1.0
    assert "build_index wants items" in run_condition(condition(), setup, QUERIES, None).failure


def test_a_package_with_relative_imports(setup: Setup, tmp_path: Path) -> None:
    package = tmp_path / "pkg" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "words.py").write_text("import re\nWORD = re.compile('[a-z0-9]+')\n")
    path = package / "router.py"
    source = ROUTER.replace('WORD = re.compile(r"[a-z0-9]+")', "from .words import WORD")
    path.write_text(source, encoding="utf-8")
    found = run(Condition("r", str(path), "router.py", source), setup)
    assert found.failure == "" and found.metrics(5).recall == 1.0
    assert str(package / "words.py") in found.read


def test_two_runs_are_equal(condition: Callable[..., Condition], setup: Setup) -> None:
    # Sets of strings change their order with the hash seed.
    source = ROUTER.replace("sorted(scored, key=lambda pair: -pair[1])", "list({n: s for n, s in set(scored)}.items())")
    one, other = (run(condition(source), setup) for _ in range(2))
    assert [a.results for a in one.answers] == [a.results for a in other.answers]
