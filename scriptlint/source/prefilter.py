"""A cheap look at a file's bytes: may it hold a tokenizer at all?

Imported by every run, so it imports nothing but ``re``.
"""

from __future__ import annotations

import re

_NEEDLES = re.compile(
    rb"\bimport\s+(?:re|regex)\b|\bfrom\s+(?:re|regex)\s+import\b|\bimport\b[^\n]*,\s*(?:re|regex)\b|findall|finditer|fullmatch|"
    rb"isalnum|isalpha|isascii|unicodedata|\bord\(|ascii_letters|['\"](?:us-)?ascii['\"]|\.translate\(|Vectorizer|RegexpTokenizer|"
    rb"slugify|unidecode|anyascii|Retriever|RougeScorer|simple_preprocess|wordpunct|regexp_tokenize|StandardAnalyzer|WordCloud|BM25|"
    rb"[Tt]okeni|RegexTokenizer|InMemoryDocumentStore|bm25s"
)
_SPLIT, _SET = re.compile(rb"\.split\("), re.compile(rb"set\(|Counter\(")


def may_matter(data: bytes) -> bool:
    """Whether a file is worth parsing. Never false for a file in which ``read_source`` would find something."""
    return _NEEDLES.search(data) is not None or (_SPLIT.search(data) is not None and _SET.search(data) is not None)
