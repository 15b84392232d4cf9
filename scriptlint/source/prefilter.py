"""A cheap look at a file's bytes: may it hold a tokenizer at all?

Imported by every run, so it imports nothing, and ``re`` where plain bytes leave something open: looking for those is
many times faster than an alternation.
"""

from __future__ import annotations

LIBRARY = (
    "CountVectorizer", "TfidfVectorizer", "HashingVectorizer", "RegexpTokenizer", "regexp_tokenize",
    "wordpunct_tokenize", "WordPunctTokenizer", "RougeScorer", "simple_preprocess", "BM25Retriever", "bm25s",
    "InMemoryDocumentStore", "WordCloud", "StandardAnalyzer", "RegexTokenizer",
)  # fmt: skip
"""Names of libraries that cut text by a pattern of their own; the catalogue in ``library`` says what each does."""
HINTS = (
    "isalnum", "isalpha", "isascii", "ascii_l", "abcdefgh", "<= 'z'", '<= "z"', "'ascii'", '"ascii"', "'us-ascii'",
    '"us-ascii"', ".translate(", "slugify", "unidecode", "anyascii", "unicodedata", "BM25", "word_tokenize",
    "string.printable", "import printable", ".str.replace", ".str.findall", ".str.extract_all", ".str.normalize",
)  # fmt: skip
"""Work on text that needs no engine: whatever function it stands in is worth a closer look."""
WORDISH = ("word", "tok", "term", "quer", "keyw", "gram", "bm25", "lower().split", "casefold().split")
"""What a line speaks of that cuts text into words at spaces, in small letters."""
STEMS = tuple(
    (stem, tuple(n for n in (*LIBRARY, *HINTS) if stem in n))
    for stem in ("ascii", "isal", ".str.", "okeniz", "ectorizer", "printable", "BM25")
)
"""Pieces of several words, so that one look rules all of them out."""
_GROUPS = (
    (b".find", (b".findall", b".finditer")),
    *((stem.encode(), tuple(w.encode() for w in words)) for stem, words in STEMS),
)
_IN_GROUPS = {word for _, words in _GROUPS for word in words}
_PLAIN = tuple(word for h in ("fullmatch", *HINTS, *LIBRARY) if (word := h.encode()) not in _IN_GROUPS)
_IMPORT = rb"import[ \t]+(?:\\\r?\n[ \t]*)?(?:re|regex)\b"
_FROM = rb"from[ \t]+(?:re|regex)[ \t\\]"
_AMONG = rb"import\b(?:[^\n(\\;]|\\\r?\n)*,(?:[ \t]|\\\r?\n)*(?:re|regex)\b"
_ORD = rb"(?<![\w.])ord[(,]"
_NAMED = rb"def \w*(?:okeni|preprocess|words\()"


def may_matter(data: bytes) -> bool:
    """Whether a file is worth parsing. Never false for a file in which ``read_source`` would find something."""
    for needle in _PLAIN:
        if needle in data:
            return True
    for piece, words in _GROUPS:
        if piece in data and any(word in data for word in words):
            return True
    if imports_engine(data):
        return True
    if (b"ord(" in data or b"(ord," in data) and _search(_ORD, data):
        return True
    if b".split(" in data and (
        any(needle in data for needle in (b"set(", b"Counter(", b".intersection(", b"stopword", b"stop_word", b"STOP"))
        or ((b"okeni" in data or b"preprocess" in data or b"words(" in data) and _search(_NAMED, data))
        or _cuts_words(data)
    ):
        return True
    if any(_of_a_constant(data, needle) for needle in (b".sub(", b".split(")):
        return True
    return not _is_text(data)


def _cuts_words(data: bytes) -> bool:
    """Whether text is cut at spaces on a line that speaks of words."""
    at = data.find(b".split(")
    while at >= 0:
        end = data.find(b"\n", at)
        if data.startswith((b")", b"' ')", b'" ")'), at + 7):
            line = data[data.rfind(b"\n", 0, at) + 1 : end if end >= 0 else None].lower()
            if any(word.encode() in line for word in WORDISH):
                return True
        at = data.find(b".split(", at + 7)
    return False


def _of_a_constant(data: bytes, method: bytes) -> bool:
    """Whether a method of a constant is called, which may be a pattern that comes from another module."""
    at = data.find(method)
    while at >= 0:
        if data[at - 1 : at].isupper():
            return True
        at = data.find(method, at + len(method))
    return False


def imports_engine(data: bytes) -> bool:
    """Whether a file imports a regex engine. Each pattern starts with a word, which is what makes it quick."""
    if b"import" not in data:
        return False
    import re

    found = [*re.finditer(_IMPORT, data)]
    if b", re" in data or b",re" in data or b", \\" in data or b",\\" in data:
        found += re.finditer(_AMONG, data)
    # ``from sympy import re`` imports something else of that name.
    if any(b"from" not in _statement_before(data, m.start()) for m in found):
        return True
    return b"from" in data and _search(_FROM, data)


def _search(pattern: bytes, data: bytes) -> bool:
    import re

    return re.search(pattern, data) is not None


def _statement_before(data: bytes, at: int) -> bytes:
    """What stands on a line before a place, from the last semicolon on."""
    return data[max(data.rfind(b"\n", 0, at), data.rfind(b";", 0, at)) + 1 : at]


def is_python(data: bytes) -> bool:
    """Whether a file can be parsed from end to end."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "<file>", "exec", 0x400, dont_inherit=True)  # ast.PyCF_ONLY_AST, without its module
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


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
