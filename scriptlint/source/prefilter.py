"""A cheap look at a file's bytes: may it hold a tokenizer at all?

Imported by every run, so it imports nothing but ``re``. Looking for plain bytes is many times faster than an
alternation; patterns only settle what plain bytes leave open.
"""

from __future__ import annotations

import re

_PLAIN = (
    b"findall", b"finditer", b"fullmatch", b"isalnum", b"isalpha", b"isascii", b"unicodedata", b"ascii_letters",
    b"'ascii'", b'"ascii"', b"'us-ascii'", b'"us-ascii"', b".translate(", b"Vectorizer", b"RegexpTokenizer", b"slugify",
    b"unidecode", b"anyascii", b"Retriever", b"RougeScorer", b"simple_preprocess", b"wordpunct", b"regexp_tokenize",
    b"StandardAnalyzer", b"WordCloud", b"BM25", b"okeni", b"RegexTokenizer", b"InMemoryDocumentStore", b"bm25s",
)  # fmt: skip
_ENGINE = re.compile(rb"\bimport\s+(?:re|regex)\b|\bfrom\s+(?:re|regex)\s+import\b|\bimport\b[^\n]*,\s*(?:re|regex)\b")
_ORD = re.compile(rb"\bord\(")


def may_matter(data: bytes) -> bool:
    """Whether a file is worth parsing. Never false for a file in which ``read_source`` would find something."""
    if any(needle in data for needle in _PLAIN):
        return True
    if b"re" in data and b"import" in data and _ENGINE.search(data) is not None:
        return True
    if b"ord(" in data and _ORD.search(data) is not None:
        return True
    if b".split(" in data and (b"set(" in data or b"Counter(" in data):
        return True
    return not _is_text(data)


def _is_text(data: bytes) -> bool:
    """Whether a file is UTF-8 without NUL. The bytes of another encoding hide words, and such a file is told."""
    if b"\0" in data:
        return False
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
