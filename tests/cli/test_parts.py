"""The cache, the pool, notebooks, files, the registry: each part on its own."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.cache import Cache
from scriptlint.config import Settings
from scriptlint.engine import check_bytes, portable
from scriptlint.files import write_bytes
from scriptlint.finding import Confidence, Finding, Level, Location, Problem
from scriptlint.nearest import did_you_mean
from scriptlint.notebook import Notebook, NotebookError
from scriptlint.pool import Lost, map_units
from scriptlint.registry import RuleError, UnknownRuleError, load_registry
from scriptlint.results import FileResult
from scriptlint.rule import and_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FIXTURES = Path(__file__).parents[2] / "fixtures"
RESULT = FileResult(
    "a.py",
    (Finding("SCR001", "x", Level.WARNING, Confidence.HIGH, "m", Location("a.py", 1, 1, 1, 2)),),
    (Problem("a.py", "p", 1),),
)


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("evil",)


def test_cache_round_trip(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path), "")
    key = cache.key("a.py", b"data", "settings")
    assert cache.get(key, FileResult) is None
    cache.put(key, RESULT)
    assert cache.get(key, FileResult) == RESULT
    assert cache.get(key, Problem) is None
    folder = tmp_path / ".scriptlint_cache"
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    others = {
        cache.key("b.py", b"data", "settings"),
        cache.key("a.py", b"d", "settings"),
        cache.key("a.py", b"data", ""),
    }
    assert key not in others and len(others) == 3


@pytest.mark.parametrize("value", [Evil(), os.system, pickle, Cache, [Evil()], FileResult("a.py", findings=(Evil(),))])
def test_cache_never_runs_code(project: Callable[..., Path], value: object) -> None:
    top = project({})
    cache = Cache(str(top), "")
    key = cache.key("a.py", b"", "")
    place = top / ".scriptlint_cache"
    cache.put(key, RESULT)
    stored = next(p for p in place.rglob("*") if p.is_file() and p.name == key[2:])
    try:
        stored.write_bytes(pickle.dumps(value))
    except TypeError:
        return
    assert cache.get(key, FileResult) is None
    assert not (top / "evil").exists()


@given(st.binary(max_size=200))
def test_any_bytes_in_the_cache_are_a_miss(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    top = tmp_path_factory.getbasetemp() / "bytes"
    cache = Cache(str(top), "")
    key = cache.key("a.py", b"", "")
    cache.put(key, RESULT)
    next(p for p in (top / ".scriptlint_cache").rglob(key[2:])).write_bytes(data)
    assert cache.get(key, FileResult) is None


def test_contents_that_hold_nothing_are_remembered(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path), "")
    assert not cache.passed_over(b"x = 1")
    cache.pass_over(b"x = 1")
    cache.save()
    again = Cache(str(tmp_path), "")
    assert again.passed_over(b"x = 1") and not again.passed_over(b"x = 2")
    assert not Cache(str(tmp_path), "other").passed_over(b"x = 1")


def test_results_that_hold_nothing_are_remembered(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path), "")
    key = cache.key("a.py", b"import re", "settings")
    assert not cache.is_empty(key)
    cache.note_empty(key)
    cache.save()
    again = Cache(str(tmp_path), "")
    assert again.is_empty(key) and not again.is_empty(again.key("a.py", b"import re", "other"))
    assert not again.passed_over(b"import re")


@pytest.mark.parametrize("path", sorted((FIXTURES / "tokenizers").rglob("*.py")), ids=lambda p: p.name)
def test_whatever_a_file_gives_comes_back_from_the_cache(path: Path, tmp_path: Path) -> None:
    check_out_of_the_cache(path.read_bytes(), tmp_path)


def test_a_pattern_that_is_mapped_comes_back_from_the_cache(tmp_path: Path) -> None:
    source = (
        b"import re\nWORDS = list(map(re.compile, [r'[a-z]+', r'[0-9]+']))\n\n"
        b"def tokenize(text):\n    out = []\n    for word in WORDS:\n        out += word.findall(text.lower())\n"
        b"    return out\n"
    )
    result = check_out_of_the_cache(source, tmp_path)
    assert {s.place.line for s in result.tokenizers[0].tokenizer.sites} == {2}


def check_out_of_the_cache(source: bytes, folder: Path) -> FileResult:
    result = portable(check_bytes("a.py", source, Settings()))
    cache = Cache(str(folder), "")
    cache.put("ab" * 32, result)
    assert cache.get("ab" * 32, FileResult) == result
    return result


def test_a_cache_that_cannot_be_written_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / ".scriptlint_cache").write_text("a file, not a folder")
    cache = Cache(str(tmp_path), "")
    cache.put(cache.key("a", b"", ""), RESULT)
    assert cache.get(cache.key("a", b"", ""), FileResult) is None
    cache.pass_over(b"x")
    cache.save()
    assert not Cache(str(tmp_path), "").passed_over(b"x")


def _work(units: Sequence[int]) -> list[int]:
    for unit in units:
        if unit == 13:
            os._exit(1)
    return [unit * 2 for unit in units]


def _unsendable(units: Sequence[int]) -> list[object]:
    return [lambda unit=unit: unit for unit in units]


def test_pool_gives_every_unit_once_and_names_the_deadly_one() -> None:
    got = dict(map_units(_work, list(range(40)), jobs=2, chunk=4))
    assert got.pop(13) == Lost(13)
    assert got == {n: n * 2 for n in range(40) if n != 13}


def test_pool_takes_results_that_cannot_travel() -> None:
    got = dict(map_units(_unsendable, [1, 2, 3], jobs=2, chunk=2))
    assert {unit: result() for unit, result in got.items()} == {1: 1, 2: 2, 3: 3}  # type: ignore[operator, union-attr]


def notebook(*cells: str | list[str], kind: str = "code", indent: int | None = 1) -> bytes:
    body = {"cells": [{"cell_type": kind, "source": c, "outputs": []} for c in cells], "nbformat": 4}
    return json.dumps(body, indent=indent, ensure_ascii=False).encode()


@pytest.mark.parametrize("indent", [1, None])
def test_notebook_places(indent: int | None) -> None:
    data = notebook(["import re\n", 'T = re.compile("[a-z]\\\\d 😀é\t")'], 'x = "漢"\ny = 2', indent=indent)
    book = Notebook("n.ipynb", data)
    assert book.code.splitlines() == ["import re", 'T = re.compile("[a-z]\\\\d 😀é\t")', 'x = "漢"', "y = 2"]
    text = data.decode().splitlines()
    line, column = book.place(2, 16)
    assert text[line - 1][column - 1 :].startswith('\\"[a-z]')
    end_line, end_column = book.place(2, len('T = re.compile("[a-z]\\\\d 😀é\t"') + 1)
    assert text[end_line - 1][: end_column - 1].endswith('\\t\\"')
    assert book.cell(2) == (1, 2)
    assert book.cell(4) == (2, 2)
    line, column = book.place(4, 1)
    assert text[line - 1][column - 1 :].startswith("y = 2")
    lifted = book.lift(Finding("SCR001", "x", Level.NOTE, Confidence.HIGH, "m", Location("n.ipynb", 4, 1, 4, 2)))
    assert lifted.location.message == "cell 2, line 2, column 1"


def test_notebook_magics_are_blanked() -> None:
    book = Notebook(
        "n.ipynb", notebook(["%matplotlib inline\n", "!ls\n", "x = 1\n", "df?\n"], "%%bash\nls -l", "x = (")
    )
    assert book.code.splitlines() == ["pass", "pass", "x = 1", "pass", "", "", "", ""]
    compile(book.code, "x", "exec")


def test_notebook_markdown_is_not_code() -> None:
    assert Notebook("n.ipynb", notebook("x = 1", kind="markdown")).code == ""


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"cells": 1}', b"\xff", b'{"cells": [', b"[" * 5000, b'{"a" 1}', b'{"cells": [}', b"{1: 2}"],
)
def test_broken_notebooks_are_told(data: bytes) -> None:
    with pytest.raises(NotebookError):
        Notebook("n.ipynb", data)


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=3), max_size=3))
def test_any_notebook_maps_back(cells: list[list[str]]) -> None:
    data = notebook(*cells, indent=1)
    book = Notebook("n.ipynb", data)
    lines = book.code.split("\n")
    for n, line in enumerate(lines[:-1], 1):
        for column in range(1, len(line) + 2):
            place = book.place(n, column)
            assert place[0] >= 1 and place[1] >= 1


def test_write_bytes_is_whole_and_keeps_permissions(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    path.chmod(0o640)
    write_bytes(str(path), b"new")
    assert path.read_bytes() == b"new"
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]
    with pytest.raises(IsADirectoryError):
        write_bytes(str(tmp_path), b"")


def test_nearest() -> None:
    assert did_you_mean("exlcude", ["exclude", "select"]) == "; did you mean 'exclude'?"
    assert did_you_mean("qqq", ["exclude", "select"]) == ""


def test_and_list() -> None:
    assert and_list(["a"]) == "a"
    assert and_list(["a", "b"]) == "a and b"
    assert and_list(list("abcdef"), 3) == "a, b, c and 3 more"
    assert and_list(list("abcd"), 3) == "a, b, c and d"
    assert and_list([]) == ""


def test_registry_finds_by_code_name_and_beginning() -> None:
    registry = load_registry()
    assert registry.find("scr900").name == "unused-suppression"
    assert registry.find("Unused_Suppression").code == "SCR900"
    assert set(registry.match("SCR90")) >= {"SCR900", "SCR901"}
    assert set(registry.match("all")) == set(registry.rules)
    with pytest.raises(UnknownRuleError, match="did you mean unused-suppression"):
        registry.find("unused-supression")


RULE = '''"""Finds nothing.

## What it does
## Why it matters
## Example
## Use instead
## What it can't see
"""
from scriptlint.rule import Example, Level, Meta
META = Meta(code="{code}", name="{name}", level=Level.NOTE, reads="tokenizer")
QUIET = LOUD = (Example("x"),)
def check(facts, settings):
    yield from ()
'''


def test_project_rules_load(project: Callable[..., Path]) -> None:
    top = project({"r/mine.py": RULE.format(code="ACME1", name="my-rule")})
    registry = load_registry((str(top / "r"),))
    assert registry.find("my-rule").builtin is False


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (RULE.format(code="SCR950", name="my-rule"), "another prefix than SCR"),
        (RULE.format(code="ACME1", name="My_Rule"), "not kebab-case"),
        (RULE.format(code="ACME1", name="unused-suppression"), "is taken by"),
        (RULE.format(code="ACME1", name="a").replace("## Example\n", ""), "headings must be"),
        (RULE.format(code="ACME1", name="a").replace('LOUD = (Example("x"),)', "LOUD = ()"), "at least one Example"),
        (RULE.format(code="ACME1", name="a").replace("META", "MATE"), "no META"),
        (RULE.format(code="ACME1", name="a").replace("def check", "def chekc"), "no check"),
        ("import nothing_of_this_name", "ModuleNotFoundError"),
    ],
)
def test_broken_rules_are_told(project: Callable[..., Path], text: str, why: str) -> None:
    top = project({"r.py": text})
    with pytest.raises(RuleError, match=why) as error:
        load_registry((str(top / "r.py"),))
    assert str(error.value).startswith(str(top / "r.py"))
    assert "\n" not in str(error.value)


def test_no_such_rule_folder(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no such rule file or folder"):
        load_registry((str(tmp_path / "gone"),))
    assert sys.modules.get("scriptlint._project_rules.gone") is None
