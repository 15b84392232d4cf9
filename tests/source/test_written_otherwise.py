"""Tokenizers that are no ``def``: lambdas, partials, columns of texts, ``match`` statements; each beside a quiet one."""

from __future__ import annotations

import ast
from pathlib import Path

import findings
import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_file
from scriptlint.source.columns import column_of, for_one, is_mapped

HEAD = "import re\nfrom functools import partial\nimport pandas as pd\n\n"
ASCII = {"SCR001", "SCR004"}

LOUD = {
    "a lambda with a name": ("tokenize = lambda s: re.findall('[a-z0-9]+', s.lower())\n", {"tokenize": ASCII}),
    "a lambda of a class": (
        "class Keys:\n    slug = staticmethod(lambda s: re.sub('[^a-z0-9]+', '-', s.lower()))\n",
        {"Keys.slug": ASCII},
    ),
    "a lambda as an argument": (
        "def make():\n    return Vectors(tokenizer=lambda s: re.findall('[a-z]+', s.lower()))\n",
        {"tokenizer": ASCII},
    ),
    "a lambda as a default": (
        "class Index:\n    def __init__(self, tokenize=lambda s: re.findall('[a-z0-9]+', s.lower())):\n"
        "        self.tokenize = tokenize\n",
        {"tokenize": ASCII},
    ),
    "a table of lambdas": (
        "RULES = {'title': lambda s: re.sub('[^a-z0-9 ]', '', s.lower())}\n",
        {"title": ASCII},
    ),
    "a lambda put under a key": (
        "def filters(env):\n    env.filters['slug'] = lambda s: re.sub('[^a-z0-9]+', '-', s.lower())\n",
        {"slug": ASCII},
    ),
    "a partial of the engine": (
        "tokens = partial(re.findall, r'[a-z0-9]+')\n\n"
        "def score(q, d):\n    return len(set(tokens(q.lower())) & set(tokens(d.lower())))\n",
        {"score": ASCII},
    ),
    "a partial of a pattern's method": (
        "squash = partial(re.compile('[^a-z0-9]+').sub, ' ')\n\n"
        "def words(text):\n    return squash(text.lower()).split()\n",
        {"words": ASCII},
    ),
    "a column": (
        "def words(df):\n    return df['text'].str.lower().str.findall(r'[a-z]+')\n",
        {"words": ASCII},
    ),
    "a column that is cleaned step by step": (
        "def prepare(df):\n    df['text'] = df['text'].str.lower()\n"
        "    df['text'] = df['text'].str.replace(r'[^a-z0-9\\s]', '', regex=True)\n"
        "    df['words'] = df['text'].str.split()\n    return df\n",
        {"prepare": ASCII},
    ),
    "a lambda over a column": (
        "def prepare(df):\n    df['clean'] = df['text'].apply(lambda t: re.sub(r'[^a-z ]', '', t.lower()))\n"
        "    return df\n",
        {"prepare": ASCII},
    ),
    "a match of pieces": (
        "def parse(text):\n    match re.findall(r'[a-z]+', text.lower()):\n        case []:\n            return None\n"
        "        case words:\n            return set(words)\n",
        {"parse": ASCII},
    ),
    "a match of modes": (
        "def tokens(text, mode):\n    match mode:\n        case 'words':\n"
        "            return re.findall(r'[a-z]+', text.lower())\n"
        "        case _:\n            return re.findall(r'[a-z0-9]+', text.lower())\n",
        {"tokens": ASCII},
    ),
}


@pytest.mark.parametrize("source, wanted", LOUD.values(), ids=LOUD)
def test_loud(source: str, wanted: dict[str, set[str]]) -> None:
    assert findings.told(HEAD + source) == wanted


QUIET = {
    "a lambda that keeps every script": "tokenize = lambda s: [c for c in s.lower()]\n",
    "a lambda for sorting": "def natural(names):\n"
    "    return sorted(names, key=lambda s: [int(t) if t.isdigit() else t for t in re.split(r'(\\d+)', s)])\n",
    "a lambda that looks at a match": "def camel(s):\n    return re.sub('_([a-z])', lambda m: m.group(1).upper(), s)\n",
    "a lambda for dates": "parse = lambda s: re.findall(r'\\d{4}-\\d{2}', s)\n",
    "a partial that counts": "numbers = partial(re.findall, r'\\d+')\n\ndef total(s):\n    return len(numbers(s))\n",
    "a column of numbers": "def price(df):\n    return df['price'].str.replace(r'[$,]', '', regex=True).astype(float)\n",
    "a text that is replaced, not a pattern": "def prepare(df):\n"
    "    df['text'] = df['text'].str.replace('[^a-z]', '')\n    return df\n",
    "a pool of workers": "def run(pool, job):\n    return pool.map(job)\n",
    "a match of commands": "def route(line):\n    match line.split():\n        case ['go', where]:\n            return where\n"
    "        case _:\n            return None\n",
}


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str) -> None:
    assert findings.told(HEAD + source) == {}


COLUMNS = {
    "s.str.lower()": "\0text.lower()",
    "s.str.findall('a+')": "\0findall('a+', \0text)",
    "s.str.replace('a+', 'b', regex=True)": "\0sub('a+', 'b', \0text)",
    "s.str.replace('a', 'b')": "\0text.replace('a', 'b')",
    "s.str.replace_all('a+', 'b')": "\0sub('a+', 'b', \0text)",
    "s.str.split()": "\0text.split()",
    "s.str.split(', *')": "\0split(', *', \0text)",
    "s.str.split('-')": "\0text.split('-')",
    "s.str.normalize('NFKD')": "\0normalize('NFKD', \0text)",
    "s.str.to_lowercase()": "\0text.lower()",
    "s.apply(clean)": "clean(\0text)",
}


@pytest.mark.parametrize("code, wanted", COLUMNS.items())
def test_one_text_of_a_column(code: str, wanted: str) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call) and is_mapped(call)
    made = for_one(call)
    assert made is not None and ast.unparse(made) == wanted and ast.unparse(column_of(call)) == "s"


@pytest.mark.parametrize("code", ["s.str.len()", "s.str.contains('a')", "s.str.replace(p)"])
def test_what_is_not_known_of_a_column(code: str) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call) and for_one(call) is None


HANDED = {
    "a helper that is given the pattern": (
        "def find_all(pattern, text):\n    return re.findall(pattern, text.lower())\n\n"
        "def score(q, d):\n    return len(set(find_all('[a-z]+', q)) & set(find_all('[a-z]+', d)))\n",
        "score",
    ),
    "a partial of such a helper": (
        "def find_all(pattern, text):\n    return re.findall(pattern, text.lower())\n\nwords = partial(find_all, '[a-z]+')\n\n"
        "def score(q, d):\n    return len(set(words(q)) & set(words(d)))\n",
        "score",
    ),
    "what is taken when nothing is given": (
        "class Index:\n    def __init__(self, tokenize=None):\n"
        "        self.tokenize = tokenize or (lambda text: re.findall('[a-z]+', text.lower()))\n",
        "tokenize",
    ),
    "a column to ASCII": (
        "def prepare(df):\n    df['t'] = df['t'].str.normalize('NFKD').str.encode('ascii', errors='ignore').str.decode('utf-8')\n    return df\n",
        "prepare",
    ),
    "a column that may be put in small letters": (
        "def words(df, lower):\n    if lower:\n        df['t'] = df['t'].str.lower()\n    return df['t'].str.findall('[a-z]+')\n",
        "words",
    ),
}


@pytest.mark.parametrize("source, name", HANDED.values(), ids=HANDED)
def test_patterns_that_are_handed_over(source: str, name: str) -> None:
    assert findings.told(HEAD + source).get(name, set()) & {"SCR001", "SCR005"}


def test_where_it_is_lost_is_shown_when_that_is_another_file(tmp_path: Path) -> None:
    (tmp_path / "keys.py").write_text(
        "import re\n\ndef compact(text):\n    return re.sub('[^a-z0-9]+', ' ', text.lower())\n", encoding="utf-8"
    )
    path = tmp_path / "search.py"
    path.write_text(
        "import re\nfrom keys import compact\n\ndef cache_key(query):\n    query = re.sub(r'[^\\w ]', ' ', query)\n"
        "    return 'search:' + compact(query)\n",
        encoding="utf-8",
    )
    result = check_file(path.as_posix(), path.read_bytes(), Settings(), True)
    told = [f for f in result.findings if f.code == "SCR001"]
    assert [Path(r.path).name for f in told for r in f.related] == ["keys.py"]


def test_a_guard_knows_what_its_pattern_binds() -> None:
    source = HEAD + (
        "def piece(ch):\n    match ch:\n        case ' ':\n            return '_'\n"
        "        case c if c.isascii() and c.isalnum():\n            return c\n        case _:\n            return ''\n\n"
        "def slug(name):\n    return ''.join(piece(c) for c in name.lower()) or 'memory'\n"
    )
    assert findings.told(source)["slug"] == {"SCR001", "SCR004", "SCR011"}
