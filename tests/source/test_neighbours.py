"""Code beside a tokenizer that changes what may be said of it: segmenters, extractors of one script, lists of words."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence

HEAD = "import re, jieba, regex\n"


def told(source: str) -> dict[str, set[str]]:
    """Codes of the findings of high confidence by tokenizer."""
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert result.problems == ()
    out: dict[str, set[str]] = {}
    for f in result.findings:
        if f.confidence is Confidence.HIGH:
            out.setdefault(f.tokenizer or "", set()).add(f.code)
    return out


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
