"""Code beside a tokenizer that changes what may be said of it: segmenters, extractors of one script, lists of words."""

from __future__ import annotations

import findings
import pytest

HEAD = "import re, jieba, regex\n"


def told(source: str) -> dict[str, set[str]]:
    return findings.told(HEAD + source)


ASCII = "re.findall('[a-z0-9]+', text.lower())"
SEGMENTED = {
    "added": f"def tokenize(text):\n    return list(jieba.cut_for_search(text)) + {ASCII}\n",
    "added in place": f"def tokenize(text):\n    tokens = {ASCII}\n    tokens += jieba.lcut(text)\n    return tokens\n",
    "extended": f"def tokenize(text):\n    tokens = [w for w in jieba.cut(text) if w]\n    tokens.extend({ASCII})\n    return tokens\n",
}


@pytest.mark.parametrize("name", SEGMENTED)
def test_what_a_segmenter_adds_is_not_known(name: str) -> None:
    assert told(SEGMENTED[name]) == {}


def test_what_something_else_adds_is() -> None:
    assert told(f"def tokenize(text):\n    return {ASCII} + more(text)\n") == {"tokenize": {"SCR001", "SCR004"}}


def test_words_of_a_library_are_words_like_others() -> None:
    head = "from nltk.tokenize import word_tokenize\n"
    assert told(f"{head}def size(text):\n    return len(word_tokenize(text))\n") == {}
    kept = "def words(text):\n    return [w for w in word_tokenize(text.lower()) if w.isalpha()]\n"
    assert told(head + kept) == {"words": {"SCR002", "SCR003"}}
    shared = "def score(a, b):\n    return len(set(word_tokenize(a)) & set(word_tokenize(b)))\n"
    assert told(head + shared) == {"score": {"SCR003"}}


ALLOWED = {
    "in a constant": "VALID = string.ascii_lowercase + ' '\n\ndef word_keys(text):\n"
    "    return ''.join(c for c in text.lower() if c in VALID)\n",
    "one by one": "VALID = 'abcdefghijklmnopqrstuvwxyz'\n\ndef word_keys(text):\n    out = ''\n    for c in text.lower():\n"
    "        if c in VALID:\n            out += c\n    return out\n",
    "between bounds": "def word_keys(text):\n    return ''.join(c if 'a' <= c <= 'z' else ' ' for c in text.lower()).split()\n",
}


@pytest.mark.parametrize("name", ALLOWED)
def test_characters_that_are_allowed(name: str) -> None:
    assert "SCR001" in told("import string\n" + ALLOWED[name])["word_keys"]


def test_characters_that_are_not() -> None:
    source = "import string\n\ndef word_keys(text):\n    return ''.join(c for c in text.lower() if c not in string.punctuation)\n"
    assert told(source) == {}


def test_a_word_that_is_taken_away_for_its_place_is_no_loss_of_a_script() -> None:
    source = "def rest_words(text):\n    words = re.split(r'(?=[\\W\\s])([^-])', text)\n    words.pop(0)\n    return set(words)\n"
    assert "SCR001" not in told(source).get("rest_words", set())
