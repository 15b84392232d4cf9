"""Shapes of code that were once read wrong, each as a kind: first what must stay quiet, then what must be told."""

from __future__ import annotations

import findings
import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.tokenizer.model import Verdict

HEAD = "import re, hashlib\n"


def found(source: str, pedantic: bool = False) -> dict[str, set[str]]:
    return findings.told(HEAD + source, pedantic=pedantic)


QUIET = {
    "a key with a digest": (
        "def series_key(name):\n    key = re.sub('[^A-Za-z0-9_-]+', '_', str(name))\n"
        "    return f'{key}_{hashlib.sha1(name.encode()).hexdigest()}'\n"
    ),
    "a word wrapper": (
        "def _wrap(text, width):\n    lines, line = [], ''\n    for w in text.split():\n"
        "        if len(line) + len(w) + 1 > width:\n            lines.append(line)\n            line = w\n"
        "        else:\n            line = f'{line} {w}'.strip()\n    return [*lines, line]\n"
    ),
    "a step that nobody knows": "def tokens(text):\n    return [t.lower() for t in somebody.cut(text)]\n",
    "the last code point": "def f(c):\n    o = ord(c)\n    if o > 0x10ffff:\n        return None\n    return o\n",
    "a pattern of an odd form": "def f(t):\n    return re.search('[[:alpha:]]+x', t)\n",
}


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str) -> None:
    assert found(QUIET[name]) == {}


LOUD = {
    "words of a heading": (
        "def title_words(md):\n    m = re.search(r'^#\\s+(.+)$', md, re.M)\n"
        "    return set(re.findall('[a-z]+', m.group(1).lower())) if m else set()\n",
        {"title_words": {"SCR001", "SCR004"}},
    ),
    "words of a field, by index": (
        "def tags(md):\n    m = re.match(r'tags:\\s*(.*)', md)\n    return set(re.findall('[a-z]+', m[1].lower()))\n",
        {"tags": {"SCR001", "SCR004"}},
    ),
    "the part after a prefix": (
        "def tokenize(text):\n    return re.findall(r'\\w+', text[2:])\n",
        {"tokenize": {"SCR002", "SCR003"}},
    ),
    "a key of long words alone": (
        "from collections import defaultdict\ndef index(text):\n    seen = defaultdict(list)\n"
        "    for word in text.lower().split():\n        word = re.sub('[^a-z]', '', word)\n"
        "        if len(word) > 2:\n            seen[word].append(1)\n    return seen\n",
        {"index": {"SCR001", "SCR004"}},
    ),
    "bytes": (
        "WORD = re.compile(rb'[a-z]+')\ndef tokenize(text):\n    return WORD.findall(text.lower().encode())\n",
        {"tokenize": {"SCR001", "SCR004"}},
    ),
    "a fallback in a branch": (
        "def slugify(title):\n    slug = re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')\n"
        "    if not slug:\n        return 'untitled'\n    return slug\n",
        {"slugify": {"SCR001", "SCR004", "SCR011"}},
    ),
    "a fallback by choice": (
        "def slugify(title):\n    slug = re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')\n"
        "    return slug if slug else 'untitled'\n",
        {"slugify": {"SCR001", "SCR004", "SCR011"}},
    ),
    "letters dropped one by one": (
        "def tokenize(text):\n    return ''.join(c for c in text if ord(c) < 128).split()\n",
        {"tokenize": {"SCR001", "SCR004"}},
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_loud(name: str) -> None:
    source, expected = LOUD[name]
    told = found(source)
    assert {
        k: v & {"SCR001", "SCR002", "SCR003", "SCR004", "SCR006", "SCR007", "SCR011"} for k, v in told.items()
    } == expected


def test_two_sides_of_a_comparison_are_two_tokenizers() -> None:
    source = (
        "def overlap(a, b):\n    x = set(re.findall(r'[^\\W_]+', a.lower()))\n    y = set(re.findall('[a-z]+', b.lower()))\n"
        "    return len(x & y) / (len(x | y) or 1)\n"
    )
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert [j.scripts["Cyrl"].verdict for j in result.tokenizers] == [Verdict.RETAINED, Verdict.EXCLUDED]


def test_the_constant_for_an_empty_id_is_not_that_of_the_key() -> None:
    source = (
        "def slugify(title, other):\n    slug = re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')\n"
        "    tail = other.replace('-', '')[:8] or 'unk'\n    return f'{slug}-{tail}'\n"
    )
    assert found(source, pedantic=True)["slugify"] == {"SCR001", "SCR004"}


@pytest.mark.parametrize("line", [2, 3, 4, 5])
def test_a_comment_on_any_line_of_the_statement_is_meant_for_it(line: int) -> None:
    from scriptlint.conclude import conclude, from_results

    lines = [
        "import re",
        "def tokenize(text):",
        "    return re.findall(",
        "        r'[a-z]+',",
        "        text.lower())",
    ]
    if line == 2:
        lines.insert(2, "    # scriptlint: ignore[SCR001, SCR004] meant")
    else:
        lines[line - 1] += "  # scriptlint: ignore[SCR001, SCR004] meant"
    result = check_bytes("a.py", "\n".join(lines).encode(), Settings())
    report = conclude(from_results([result]), Settings())
    assert [f.code for f in report.findings] == []
    assert {f.code for f in report.hidden} == {"SCR001", "SCR004"}


@pytest.mark.parametrize("pattern", ["[a-z]{1000000000}", "(?:[a-z]{3000}){4000}", "[a-z]{2,99999999999999999999}"])
def test_a_pattern_that_regex_would_need_gigabytes_for_is_told(pattern: str) -> None:
    source = f"import regex\n\ndef tokens(t):\n    return regex.findall('{pattern}', t.lower())\n"
    assert {c for codes in found(source).values() for c in codes} == {"SCR902"}


def test_as_many_repeats_as_people_write_are_compiled() -> None:
    source = "import regex\n\ndef tokens(t):\n    return regex.findall('[a-z]{2,100}|[0-9]{1,64}(?:-[0-9]{1,64})?', t.lower())\n"
    assert found(source)["tokens"] == {"SCR001", "SCR004"}


def test_branches_upon_branches_are_no_fault() -> None:
    branches = "".join(f"    if f{n}:\n        out += re.findall('[a-z]{{{n}}}', t)\n" for n in range(450))
    assert found(f"def tokens(t):\n    out = []\n{branches}    return out\n") is not None
