"""What becomes of the pieces decides: each quiet case stands beside nearly the same code that must be told."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence

HEAD = "import re, os, hashlib, unicodedata\n"

COUNTED = (
    (
        "words that are counted after a clean-up in a helper",
        "def _clean(text):\n    return re.sub('[`*_]+', '', text).strip()\n"
        "def prepared(doc):\n    article = _clean(doc.get('article', ''))\n"
        "    {use}\n"
        "    return {{**doc, 'article': article, 'length': n}}\n",
        "n = len(article.split())",
        "n = index(re.findall('[a-z]+', article))",
    ),
    (
        "words that are counted after a clean-up",
        "def is_actionable(snippet):\n    s = re.sub(r'\\s+', ' ', snippet)\n    words = re.findall(r'\\w+', s.lower())\n"
        "    return {use}\n",
        "len(words) >= 4 if '?' in s else len(s) >= 48",
        "set(words) & WANTED if '?' in s else len(s) >= 48",
    ),
    (
        "words of two patterns, counted together",
        "def plain(text):\n    return (text or '').casefold().translate(str.maketrans('–', '-'))\n"
        "def lexical_length(text):\n    text = plain(text)\n    a = re.findall('[a-z0-9]+', text)\n"
        "    b = re.findall('[一-鿿]', text)\n    return {use}\n",
        "max(1, len(a) + len(b))",
        "a + b",
    ),
    (
        "words that a helper counts",
        "def size(words):\n    return len(words)\n"
        "def long_query(text):\n    words = re.findall('[a-z]+', text.lower())\n    return {use}\n",
        "size(words) > 8",
        "words if size(words) > 8 else []",
    ),
    (
        "fragments of which the words are counted",
        "def _clean(text):\n    return ' '.join(re.sub('[`*_]+', '', text).split()).strip(' -')\n"
        "def fragments(text):\n    out = []\n    for part in re.split(r'(?<=[.!?;])\\s+', _clean(text)):\n"
        "        part = _clean(part)\n        if {use}:\n            continue\n        out.append(part)\n    return out\n",
        "len(part.split()) < 4",
        "not STOP.isdisjoint(re.findall('[a-z]+', part))",
    ),
    (
        "a line that is judged by its words",
        "def name_line(text):\n    for line in text.splitlines()[:6]:\n        line = re.sub(r'\\s+', ' ', line.strip())\n"
        "        words = re.split(r'[^\\w.]+', line)\n        if not 2 <= len(words) <= 4:\n            continue\n"
        "        if {use}:\n            continue\n        return line.title()\n",
        "any(w.isupper() and len(w) > 5 for w in words)",
        "any(w in KNOWN for w in words)",
    ),
)


def told(source: str) -> dict[str, set[str]]:
    """Codes of the sure findings by the tokenizer that they speak of."""
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert result.problems == ()
    out: dict[str, set[str]] = {}
    for f in result.findings:
        if f.confidence is Confidence.HIGH:
            out.setdefault(f.tokenizer or "", set()).add(f.code)
    return out


@pytest.mark.parametrize(("source", "quiet", "loud"), [c[1:] for c in COUNTED], ids=[c[0] for c in COUNTED])
def test_what_is_only_counted_is_no_tokenizer(source: str, quiet: str, loud: str) -> None:
    assert told(source.format(use=quiet)) == {}
    assert told(source.format(use=loud)) != {}
