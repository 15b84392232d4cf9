"""The catalogue of library defaults does what the libraries do."""

from __future__ import annotations

import pytest

from scriptlint.source import read_source

WORDS = (
    "search café Zürich поиск ёлка αναζήτηση חיפוש بحث हिन्दी অনুসন্ধান தேடல் ภาษาไทย 검색 ひらがな データベース 视频下载 猫 𠮷 "
    "tiếng безопасность بَحْثٌ İstanbul don't re-use a1 2024 __x__"
).split()


def model(source: str, name: str | None = None) -> object:
    facts = read_source("example.py", source.encode())
    found = [t for t in facts.tokenizers if t.attributes.get("library")]
    assert found, source
    return found[0]


def same(source: str, real: object) -> None:
    subject = model(source)
    for text in [*WORDS, " ".join(WORDS)]:
        assert subject.run(text) == list(real(text)), text  # type: ignore[attr-defined,operator]


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "lowercase=False",
        "token_pattern=r'[a-z]{2,}'",
        "token_pattern=r'\\b(\\w\\w+)'",
        "strip_accents='ascii'",
        "preprocessor=str.lower",
        "preprocessor=lambda t: t",
        "preprocessor=lambda t: t.lower()",
    ],
)
def test_scikit_learn(arguments: str) -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    real = eval(f"text.TfidfVectorizer({arguments})", {"text": text}).build_analyzer()
    same(f"from sklearn.feature_extraction.text import TfidfVectorizer\nv = TfidfVectorizer({arguments})\n", real)


def test_rouge_score() -> None:
    module = pytest.importorskip("rouge_score.tokenize")
    same(
        "from rouge_score.rouge_scorer import RougeScorer\nscorer = RougeScorer(['rouge1'])\n",
        lambda t: module.tokenize(t, None),
    )


@pytest.mark.parametrize(("call", "expression"), [
    ("RegexpTokenizer(r'\\w+')", "t.RegexpTokenizer(r'\\w+').tokenize"),
    ("RegexpTokenizer(r'\\s+', gaps=True)", "t.RegexpTokenizer(r'\\s+', gaps=True).tokenize"),
    ("WordPunctTokenizer()", "t.WordPunctTokenizer().tokenize"),
])  # fmt: skip
def test_nltk(call: str, expression: str) -> None:
    t = pytest.importorskip("nltk.tokenize")
    same(
        f"from nltk.tokenize import RegexpTokenizer, WordPunctTokenizer\ntokenizer = {call}\n",
        eval(expression, {"t": t}),
    )


def test_nltk_word_tokenize_contractions_aside() -> None:
    tokenize = pytest.importorskip("nltk.tokenize").word_tokenize
    facts = read_source("a.py", b"from nltk import word_tokenize\n\ndef tokens(t):\n    return word_tokenize(t)\n")
    (subject,) = facts.tokenizers
    plain = [w for w in WORDS if "'" not in w]
    for text in [*plain, " ".join(plain), "(a, b) [c]; {d}: e? f! 50% g&h"]:
        assert subject.run(text) == tokenize(text, preserve_line=True), text


def test_gensim() -> None:
    utils = pytest.importorskip("gensim.utils")
    source = "from gensim.utils import simple_preprocess\n\ndef tokens(t):\n    return simple_preprocess(t)\n"
    subject = model(source)
    for text in WORDS:
        if not text.startswith("_"):
            assert subject.run(text) == utils.simple_preprocess(text), text  # type: ignore[attr-defined]


def test_django() -> None:
    text = pytest.importorskip("django.utils.text")
    source = "from django.utils.text import slugify\n\ndef slug(title):\n    return slugify(title)\n"
    subject = model(source)
    for word in WORDS:
        got = subject.run(word)  # type: ignore[attr-defined]
        assert "".join(got) == text.slugify(word), word


def test_a_tokenizer_of_the_callers_is_left_alone() -> None:
    for arguments in ("tokenizer=jieba.lcut", "analyzer='char'", "token_pattern=PATTERN"):
        source = f"from sklearn.feature_extraction.text import TfidfVectorizer\nv = TfidfVectorizer({arguments})\n"
        facts = read_source("example.py", source.encode())
        assert not [t for t in facts.tokenizers if t.attributes.get("library")], arguments
