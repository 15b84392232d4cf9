"""The face for test suites: cheap to import, and a suite of a few lines does what it should."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scriptlint.gate import Query, measure

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """\
import importlib.util, json, os
from functools import partial
from pathlib import Path
from scriptlint.gate import measure

ROOT = Path(os.environ["FIXTURES"])
spec = importlib.util.spec_from_file_location("router", ROOT / "router" / os.environ["ROUTER"])
router = importlib.util.module_from_spec(spec)
spec.loader.exec_module(router)
ITEMS = json.loads(Path("items.json").read_text(encoding="utf-8"))


def test_chinese_answers_are_let_through():
    search = partial(router.search, router.build_index(ITEMS), k=20)
    found = measure(ROOT / "queries" / "zh.jsonl", search, gate=router.GATE_MIN, k=5, tokenize=router.tokenize)
    assert found["zh"].recall >= 0.9
    assert found["zh"].gated_recall >= 0.6, f"ranked, not let through: {[a.query.text for a in found.hidden('zh')]}"
"""


@pytest.mark.parametrize(("router", "code"), [("cjk_naive.py", 0), ("cjk_full.py", 1)])
def test_a_suite_of_a_few_lines(tmp_path: Path, root: Path, router: str, code: int) -> None:
    import json
    import os

    from scriptlint.corpus.scan import Request, units_of
    from scriptlint.corpus.work import texts

    units, _, _ = units_of(Request((str(root / "fixtures" / "registry"),), ()))
    items = [{"name": n, "dirname": d, "description": t} for unit in units for n, d, t, _, _ in texts(unit)]
    (tmp_path / "items.json").write_text(json.dumps(items), encoding="utf-8")
    (tmp_path / "test_gate.py").write_text(SUITE, encoding="utf-8")
    env = {**os.environ, "FIXTURES": str(root / "fixtures"), "ROUTER": router}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gate.py"],
        cwd=tmp_path, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stdout
    assert ("ranked, not let through" in done.stdout) == bool(code)


def test_measure() -> None:
    queries = [{"query": "a", "gold": ["x"], "lang": "en"}, Query("不", ("y",), "zh"), Query("z")]
    found = measure(queries, lambda q: [("x", 7.0), ("y", 5.0)], 6.0, 2, tokenize=str.split)
    assert (found.overall.recall, found.overall.gated_recall) == (1.0, 0.5)
    assert [a.query.text for a in found.hidden()] == ["不"] == [a.query.text for a in found.hidden("Hani")]
    assert found.hidden("en") == [] and found["zh"].mrr == 0.5
    assert "zh" in str(found) and "0.500" in str(found)
    with pytest.raises(KeyError, match="no query of 'fr'; there are en, zh"):
        found["fr"]


def test_importing_it_is_cheap() -> None:
    code = "import sys, scriptlint.gate; print(*(m for m in sys.modules if m.startswith('scriptlint.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["scriptlint.gate"]
