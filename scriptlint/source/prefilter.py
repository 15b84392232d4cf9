"""A cheap look at a file's bytes: may it hold a tokenizer at all?

Imported by every run, so it imports nothing but ``re``.
"""

from __future__ import annotations

import re

_NEEDLES = re.compile(
    rb"findall|finditer|\bre\b|\bregex\b|fullmatch|isalnum|isalpha|isascii|unicodedata|\.split\(|ord\(|ascii_letters|"
    rb"['\"]ascii['\"]|\.translate\(|Vectorizer|RegexpTokenizer|slugify|unidecode|anyascii|Retriever|RougeScorer|simple_preprocess|"
    rb"wordpunct_tokenize|regexp_tokenize|StandardAnalyzer|WordCloud|BM25"
)


def may_matter(data: bytes) -> bool:
    """Whether a file is worth parsing. Never false for a file in which ``read_source`` would find something."""
    return _NEEDLES.search(data) is not None
