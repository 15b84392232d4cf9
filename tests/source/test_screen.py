"""The screen, held against tracing everything: what it leaves out is nothing that a pattern makes."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scriptlint.finding import Confidence
from scriptlint.source.library import CATALOGUE
from scriptlint.source.module import SourceModule
from scriptlint.source.prefilter import LIBRARY, imports_engine, may_matter
from scriptlint.source.project import Project
from scriptlint.source.reader import read_source
from scriptlint.source.screen import Screen
from scriptlint.tokenizer.stages import flat_stages, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.tokenizer.model import SourceFacts


def everything(path: Path, monkeypatch: pytest.MonkeyPatch) -> SourceFacts:
    """What a file gives when each of its functions is traced."""
    with monkeypatch.context() as patch:
        patch.setattr(Screen, "blocks", lambda self: (self.module.top_level(), self.module.blocks)[1])
        patch.setattr(Screen, "worth_tracing", lambda self, node: True)
        return read_source(path.as_posix(), path.read_bytes(), project=Project(), whole=True)


def firm(facts: SourceFacts) -> set[tuple[str, int, str]]:
    """Tokenizers of high confidence with a pattern in them."""
    return {
        (t.name, t.line, t.kind)
        for t in facts.tokenizers
        if t.confidence is Confidence.HIGH and any(pattern_of(s) is not None for s in flat_stages(t.stages))
    }


def real_files() -> Iterable[Path]:
    """Files of the standard library and of NLTK, where it is installed, that hold something of interest."""
    roots = [Path(sysconfig.get_path("stdlib"))]
    found = importlib.util.find_spec("nltk")
    if found is not None and found.origin is not None:
        roots += [Path(found.origin).parent / part for part in (".", "tokenize", "translate", "chunk", "metrics")]
    for root in roots:
        for path in sorted(root.glob("*.py")):
            if path.stat().st_size < 40_000 and may_matter(path.read_bytes()):
                yield path


def test_it_loses_nothing_that_a_pattern_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    files = list(real_files())
    assert len(files) > 60
    seen = 0
    for path in files:
        slow = everything(path, monkeypatch)
        fast = read_source(path.as_posix(), path.read_bytes(), project=Project())
        # A split by a pattern that nobody writes for words (of lines, of fields) may be all the slow way adds.
        assert firm(fast) >= firm(slow), path
        assert fast.bad_patterns == slow.bad_patterns, path
        assert {b.place for b in fast.boundaries} == {b.place for b in slow.boundaries}, path
        seen += len(firm(slow))
    assert seen > 5


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_the_catalogue_is_known_to_the_prefilter_and_the_screen(name: str) -> None:
    parts = name.split(".")
    called = next((p for p in parts if p in LIBRARY), parts[-1])
    source = f"def work(x):\n    return {'' if called == parts[0] else 'lib.'}{name}(x)\n".encode()
    assert may_matter(source)
    module = SourceModule("a.py", source)
    assert Screen(module).blocks()


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import re\n", True), ("import regex as re\n", True), ("import os, re\n", True), ("import os,re as r\n", True),
        ("from re import findall\n", True), ("def f():\n    import re\n", True), ("import re2\n", False),
        ("from sympy import re, im\n", False), ("from sympy import im, re\n", False), ("import requests\n", False),
        ("from x import (\n    re,\n)\n", False), ("import os; import re\n", True), ("import os, \\\n    re\n", True),
        ("from __future__ import annotations; import re\n", True), ("import \\\n    re\n", True),
        ("from re \\\n    import sub\n", True),
    ],
)  # fmt: skip
def test_imports_of_an_engine(source: str, imports: bool) -> None:
    assert imports_engine(source.encode()) is imports


QUIET = (
    "import torch\ndef f(x, n):\n    return torch.split(x, n)\n",
    "def f(x, n):\n    return x.split(n)\n",
    "def f(point):\n    return point.translate(4, 5)\n",
    "def category(x):\n    return x.category(1)\n",
    "import re\ndef f(t):\n    return re.search('abc', t)\n",
    "import re\ndef f(t):\n    return re.sub(r'\\s+', ' ', t)\n",
)
LOUD = (
    "import re\ndef f(t):\n    return re.findall('[a-z]+', t)\n",
    "import re\nfind = re.compile('[a-z]+').findall\ndef f(t):\n    return find(t)\n",
    "from re import findall as all_of\ndef f(t):\n    return all_of('[a-z]+', t)\n",
    "from patterns import WORD\ndef f(t):\n    return WORD.split(t)\n",
    "def f(t):\n    return [c for c in t if c.isalnum()]\n",
    "import unicodedata\ndef f(t):\n    return [c for c in t if unicodedata.category(c) != 'Mn']\n",
    "import re\ndef clean(t):\n    return re.sub('[^a-z ]', '', t)\ndef f(t):\n    return clean(t).split()\n",
    "STOPWORDS = {'a'}\ndef f(t):\n    return [w for w in t.split() if w not in STOPWORDS]\n",
    "def f(a, b):\n    return set(a.split()) & set(b.split())\n",
    "def tokenize(t):\n    return t.lower().split()\n",
    "from sklearn.feature_extraction.text import TfidfVectorizer as T\ndef f():\n    return T()\n",
    "import re\ndef f(t):\n    return re.findall('[A-Z]+', t, re.I)\n",
    "import re\ndef f(t):\n    return re.findall('[a-z]+ # words', t, flags=re.X)\n",
    "import re\ndef f(t):\n    return re.split('[^a-z]+', t)\n",
    "import regex as r\ndef f(t):\n    return r.split('[^a-z]+', t)\n",
    "import re\nWORD = re.compile('[a-z]+')\ndef f(texts):\n    return map(WORD.findall, texts)\n",
    "import re\nWORD = re.compile('[a-z]+')\nfind = WORD.findall; X = 1\ndef f(t):\n    return find(t)\n",
    "import re\nclass A:\n    def __init__(self):\n        self.find = re.compile('[a-z]+').findall\n"
    "    def f(self, t):\n        return self.find(t)\n",
    "import re\ndef f(words, t):\n    return re.search(r'\\b' + re.escape(words) + r'\\b', t)\n",
)


@pytest.mark.parametrize("source", QUIET)
def test_quiet(source: str) -> None:
    module = SourceModule("a.py", source.encode())
    screen = Screen(module)
    assert not any(screen.worth_tracing(node) for node, _, _ in module.all_functions())


@pytest.mark.parametrize("source", LOUD)
def test_loud(source: str) -> None:
    assert may_matter(source.encode())
    module = SourceModule("a.py", source.encode())
    screen = Screen(module)
    assert screen.blocks()
    assert any(screen.worth_tracing(node) for node, _, _ in module.all_functions())
