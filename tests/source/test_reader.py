"""Tokenizers are found in the shapes that real code has, at the place where their pattern is written."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scriptlint.finding import Confidence
from scriptlint.source import TokenizerNotFound, load_tokenizer, read_source
from scriptlint.source.module import SourceModule
from scriptlint.source.prefilter import may_matter
from scriptlint.source.project import Project

if TYPE_CHECKING:
    from scriptlint.tokenizer.model import Tokenizer

SHARED = Path(__file__).parents[2].parent / "shared"


def read(source: str, path: str = "example.py") -> list[Tokenizer]:
    facts = read_source(path, source.encode())
    assert facts.problems == ()
    return list(facts.tokenizers)


def sure(source: str) -> list[Tokenizer]:
    return [t for t in read(source) if t.confidence is Confidence.HIGH]


QUIET = {
    "counted": "import re\n\ndef count_words(t):\n    return len(re.findall(r'\\w+', t))\n",
    "dates": "import re\n\ndef dates(t):\n    return re.findall(r'\\d{4}-\\d\\d-\\d\\d', t)\n",
    "links": "import re\n\ndef links(t):\n    return set(re.findall(r'https?://\\S+', t))\n",
    "versions": "import re\n\ndef parse(t):\n    return re.match(r'(\\d+)\\.(\\d+)', t).groups()\n",
    "tags": "import re\n\ndef tags(t):\n    return re.findall(r'<(\\w+)>', t)\n",
    "camel case": "import re\n\ndef snake(t):\n    return re.sub(r'([a-z])([A-Z])', r'\\1_\\2', t).lower()\n",
    "white space": "import re\n\ndef tidy(t):\n    return re.sub(r'\\s+', ' ', t).strip()\n",
    "lines": "def lines(t):\n    return [line.strip() for line in t.split('\\n') if line]\n",
    "arguments": "def parse_args(t):\n    return t.split(',')\n",
    "identifier": "import re\n\ndef safe_column(name):\n    return re.sub(r'[^a-zA-Z0-9]', '_', name)\n",
    "script share": "import re\n\ndef chinese_ratio(t):\n    return len(re.findall(r'[\\u4e00-\\u9fff]', t)) / len(t)\n",
}


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str) -> None:
    assert sure(QUIET[name]) == []


LOUD = {
    "literal": ("import re\n\ndef tokens(t):\n    return re.findall(r'[a-z]+', t.lower())\n", "tokens", "r'[a-z]+'"),
    "constant": ("import re\nWORD = re.compile('[a-z0-9]+')\n\ndef tokens(t):\n    return set(WORD.findall(t.lower()))\n", "tokens", "'[a-z0-9]+'"),
    "pattern constant": ("import re\nWORD = '[a-z]+'\n\ndef tokens(t):\n    return re.findall(WORD, t)\n", "tokens", "'[a-z]+'"),
    "alias": ("import re as _rx\n\ndef tokens(t):\n    return _rx.findall('[a-z]+', t)\n", "tokens", "'[a-z]+'"),
    "from import": ("from re import findall\n\ndef tokens(t):\n    return findall('[a-z]+', t)\n", "tokens", "'[a-z]+'"),
    "regex as re": ("import regex as re\n\ndef tokens(t):\n    return re.findall(r'\\p{L}+', t)\n", "tokens", "r'\\p{L}+'"),
    "mapped": ("import re\n\ndef tokens(t):\n    return list(map(str.lower, re.findall('[a-z]+', t)))\n", "tokens", "'[a-z]+'"),
    "filtered": ("import re\n\ndef tokens(t):\n    return list(filter(lambda w: len(w) > 2, re.findall('[a-z]+', t)))\n", "tokens", "'[a-z]+'"),
    "keys of a dict": ("import re\n\ndef tokens(t):\n    return {w: 1 for w in re.findall('[a-z]+', t)}\n", "tokens", "'[a-z]+'"),
    "values of a dict": ("import re\n\ndef tokens(t):\n    return {i: w for i, w in enumerate(re.findall('[a-z]+', t))}\n", "tokens", "'[a-z]+'"),
    "sub then split": ("import re\n\ndef tokens(t):\n    return re.sub('[^a-z]', ' ', t.lower()).split()\n", "tokens", "'[^a-z]'"),
    "split": ("import re\n\ndef tokens(t):\n    return [w for w in re.split(r'[^a-z]+', t) if w]\n", "tokens", "r'[^a-z]+'"),
    "default argument": ("import re\n\ndef tokens(t, pattern='[a-z]+'):\n    return re.findall(pattern, t)\n", "tokens", "'[a-z]+'"),
    "bound method": ("import re\n_find = re.compile('[a-z]+').findall\n\ndef tokens(t):\n    return _find(t)\n", "tokens", "'[a-z]+'"),
    "class constant": ("import re\n\nclass T:\n    P = re.compile('[a-z]+')\n    def tokens(self, t):\n        return self.P.findall(t)\n", "T.tokens", "'[a-z]+'"),
    "attribute": ("import re\n\nclass T:\n    def __init__(self):\n        self.p = re.compile('[a-z]+')\n    def tokens(self, t):\n        return self.p.findall(t)\n", "T.tokens", "'[a-z]+'"),
    "loop": ("import re\n\ndef tokens(t):\n    out = []\n    for m in re.finditer('[a-z]+', t):\n        w = m.group(0)\n        if len(w) < 3:\n            continue\n        out.append(w)\n    return out\n", "tokens", "'[a-z]+'"),
    "generator": ("import re\n\ndef tokens(t):\n    for m in re.finditer('[a-z]+', t):\n        yield m.group()\n", "tokens", "'[a-z]+'"),
    "overlap": ("import re\n\ndef score(q, d):\n    a = set(re.findall('[a-z]+', q.lower()))\n    b = set(re.findall('[a-z]+', d.lower()))\n    return len(a & b)\n", "score", "'[a-z]+'"),
    "joined": ("import re\nA, B = '[a-z]+', '[0-9]+'\nP = re.compile('|'.join((A, B)))\n\ndef tokens(t):\n    return P.findall(t)\n", "tokens", "'|'.join((A, B))"),
    "f-string": ("import re\nC = 'a-z'\n\ndef tokens(t):\n    return re.findall(f'[{C}]+', t)\n", "tokens", "f'[{C}]+'"),
    "character loop": ("def tokens(t):\n    flat = ''.join(c if c.isascii() and c.isalnum() else ' ' for c in t)\n    return flat.split()\n", "tokens", "c.isascii() and c.isalnum()"),
    "slug": ("import re\n\ndef slugify(t):\n    return re.sub('[^a-z0-9]+', '-', t.lower()).strip('-')\n", "slugify", "'[^a-z0-9]+'"),
    "ascii": ("import unicodedata\n\ndef key(t):\n    return unicodedata.normalize('NFKD', t).encode('ascii', 'ignore').decode()\n", "key", None),
    "lambda": ("import re\n\ndef shared(a, b):\n    cut = lambda s: {w for w in re.findall('[a-z]+', s)}\n    return cut(a) & cut(b)\n", "shared", "'[a-z]+'"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOUD)
def test_loud(name: str) -> None:
    source, where, literal = LOUD[name]
    found = [t for t in sure(source) if t.name == where]
    assert found, [t.name for t in read(source)]
    if literal is None:
        return
    spans = {cut(source, s.place.line, s.place.column, s.place.end_line, s.place.end_column) for s in found[0].sites}
    assert literal in spans


def cut(source: str, line: int, column: int, end_line: int, end_column: int) -> str:
    lines = source.split("\n")
    assert line == end_line
    return lines[line - 1][column - 1 : end_column - 1]


def test_columns_count_code_points() -> None:
    source = "import re\n\ndef tokens(t):\n    x = '漢𠮷😀'; return re.findall('[a-z]+', t)\n"
    site = sure(source)[0].sites[0].place
    assert cut(source, site.line, site.column, site.end_line, site.end_column) == "'[a-z]+'"


def test_two_extractors_are_one_tokenizer() -> None:
    source = (
        "import re\n\ndef tokens(t):\n    out = re.findall('[a-z]+', t)\n"
        "    for run in re.findall('[\\u4e00-\\u9fff]{2,}', t):\n        out += [run[i:i + 2] for i in range(len(run) - 1)]\n"
        "    return out\n"
    )
    (only,) = sure(source)
    assert only.run("abc 视频下载") == ["abc", "视频", "频下", "下载"]
    assert len({s.pattern for s in only.sites}) == 2


def test_a_helper_and_its_caller() -> None:
    source = "import re\n\ndef clean(t):\n    return re.sub('[^a-z]', ' ', t.lower())\n\ndef tokens(t):\n    return set(clean(t).split())\n"
    found = {t.name: t for t in read(source)}
    assert found["tokens"].run("Ab привет cd") == ["ab", "cd"]


def test_a_constant_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "patterns.py").write_text("import re\nWORD = re.compile('[a-z]+')\n")
    (tmp_path / "use.py").write_text("from patterns import WORD\n\ndef tokens(t):\n    return WORD.findall(t)\n")
    path = tmp_path / "use.py"
    facts = read_source(str(path), path.read_bytes(), project=Project())
    assert [t.name for t in facts.tokenizers] == ["tokens"]
    assert facts.tokenizers[0].run("ab я cd") == ["ab", "cd"]


def test_invalid_patterns_are_told_with_their_place() -> None:
    facts = read_source("example.py", b"import re\n\ndef tokens(t):\n    return re.findall(r'[a-z', t)\n")
    (bad,) = facts.bad_patterns
    assert (bad.place.line, bad.place.column, bad.position) == (4, 23, 0)
    assert "unterminated" in bad.message


@pytest.mark.parametrize("data", [b"def f(:\n    re.findall\n", b"\xff\xfe re.findall", b"import re\n\x00findall"])
def test_what_is_not_python_is_one_problem(data: bytes) -> None:
    facts = read_source("broken.py", data)
    assert facts.tokenizers == () and len(facts.problems) <= 1


@pytest.mark.parametrize("data", ["import re\n".encode("utf-16"), b"x = 1\0\n", b"x = '\xe9'\n"])
def test_another_encoding_gets_past_the_prefilter(data: bytes) -> None:
    assert may_matter(data)
    assert len(read_source("x.py", data).problems) == 1


def test_a_pattern_that_backtracks_for_ever_ends() -> None:
    source = b"import re\ndef a(t):\n    return re.findall('(.*)*(.*)*x', t)\ndef tokenize(t):\n    return re.findall('[a-z]+', t)\n"
    assert [t.name for t in read_source("x.py", source).tokenizers] == ["tokenize"]


def test_load_tokenizer(tmp_path: Path) -> None:
    path = tmp_path / "router.py"
    path.write_text(
        "import re\n\nclass R:\n    def tokens(self, t):\n        return re.findall('[a-z]+', t)\n\ndef plain(t):\n    return t.split()\n"
    )
    assert load_tokenizer(f"{path}::R.tokens").run("ab я") == ["ab"]
    assert load_tokenizer(f"{path}::tokens").name == "R.tokens"
    assert load_tokenizer(f"{path}::plain").run("ab я") == ["ab", "я"]
    with pytest.raises(TokenizerNotFound, match=r"no tokenizer 'nothing'; it has R\.tokens"):
        load_tokenizer(f"{path}::nothing")
    with pytest.raises(TokenizerNotFound, match="can't be read"):
        load_tokenizer(f"{tmp_path / 'none.py'}::x")


def test_the_prefilter_loses_nothing() -> None:
    """Files that the prefilter leaves out hold no tokenizer when they are read all the same."""
    from scriptlint.source.classify import decide
    from scriptlint.source.finder import trace_module

    root = Path(sysconfig.get_path("stdlib"))
    files = sorted(p for p in root.glob("*.py") if p.stat().st_size < 60_000)
    left_out = [p for p in files if not may_matter(p.read_bytes())]
    assert len(left_out) > 40
    for path in left_out:
        found = trace_module(SourceModule(path.name, path.read_bytes(), None))
        firm = [d for c in found.candidates if (d := decide(c)) is not None and d.confidence is Confidence.HIGH]
        assert firm == [], path.name


@pytest.mark.shared
def test_public_reports_are_found() -> None:
    """A tokenizer, a boundary or a key is found in nearly all of the reports that a static look can see."""
    file = SHARED / "cases/reports.jsonl"
    if not file.exists():
        pytest.skip("the public reports are not beside the repository")
    seen = total = 0
    for line in file.read_text(encoding="utf-8").splitlines():
        report = json.loads(line)
        if report["linter_sees"] == "no":
            continue
        total += 1
        facts = read_source("report.py", report["repro"].encode())
        firm = [t for t in facts.tokenizers if t.confidence is Confidence.HIGH]
        seen += bool(firm or facts.boundaries)
    assert total > 85
    assert seen / total >= 0.85


@pytest.mark.parametrize(
    "body",
    [
        "    out, word = [], ''\n    for c in t:\n        if c.isalnum():\n            word += c\n        elif word:\n            out.append(word)\n            word = ''\n    if word:\n        out.append(word)\n    return out\n",
        "    out, buf = [], []\n    for c in t:\n        if c.isalnum():\n            buf.append(c)\n        else:\n            if buf:\n                out.append(''.join(buf))\n            buf = []\n    if buf:\n        out.append(''.join(buf))\n    return out\n",
    ],
)
def test_words_gathered_character_by_character(body: str) -> None:
    (only,) = sure("def tokens(t):\n" + body)
    assert only.run("ab 视频 हि") == ["ab", "视频", "ह"]
