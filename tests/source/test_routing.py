"""Texts that go their way by language: only what a way is left to is lost there."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence
from scriptlint.source.routing import languages_of, names_language

HEAD = "import re\nimport jieba\n\n"
SCRIPTS = ("Latn", "Cyrl", "Hang", "Hani")
TABLE = "WORDS = {'en': '[a-z]+', 'ru': '[а-яё]+', 'ko': '[가-힣]+'}\n\n"

WAYS = {
    "a language has a way of its own": (
        "def tokens(text, lang):\n    if lang == 'zh':\n        return [c for c in text]\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial excluded excluded retained",
    ),
    "several have": (
        "def tokens(text, lang='en'):\n    if lang in ('zh', 'ja'):\n        return [c for c in text]\n"
        "    elif lang.startswith('ru'):\n        return re.findall('[а-яё]+', text.lower())\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial partial excluded retained",
    ),
    "all but one": (
        "def tokens(text, language):\n    if language != 'english':\n        return [c for c in text]\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial partial retained retained",  # every word of Cyrillic is cut into its letters
    ),
    "what is said when nobody says": (
        "def tokens(text, language='english'):\n    if language == 'english':\n        text = re.sub('[^a-z ]', '', text)\n"
        "    return text.split()\n",
        "partial excluded excluded excluded",
    ),
    "a library cuts one of them": (
        "def tokens(text, lang):\n    if lang == 'zh':\n        return jieba.lcut(text)\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial excluded excluded unknown",
    ),
    "the text tells": (
        "def tokens(text):\n    if any('一' <= c <= '鿿' for c in text):\n        return jieba.lcut(text)\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial excluded excluded unknown",
    ),
    "a match": (
        "def tokens(text, lang):\n    match lang:\n        case 'zh' | 'ja':\n            return [c for c in text]\n"
        "        case _:\n            return re.findall('[a-z]+', text.lower())\n",
        "partial excluded excluded retained",
    ),
    "another setting is no language": (
        "def tokens(text, mode):\n    if mode == 'zh':\n        return [c for c in text]\n"
        "    return re.findall('[a-z]+', text.lower())\n",
        "partial excluded excluded excluded",
    ),
}


@pytest.mark.parametrize("source, wanted", WAYS.values(), ids=WAYS)
def test_what_each_way_is_left_with(source: str, wanted: str) -> None:
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    sure = [j for j in result.tokenizers if j.tokenizer.confidence is Confidence.HIGH]
    assert [" ".join(j.scripts[s].verdict.value for s in SCRIPTS) for j in sure] == [wanted]


def test_a_table_by_language_loses_none_that_it_names() -> None:
    source = (
        HEAD + TABLE + "def tokens(text, lang):\n    return re.findall(WORDS.get(lang, WORDS['en']), text.lower())\n"
    )
    result = check_bytes("a.py", source.encode(), Settings())
    lost = [f for f in result.findings if f.code == "SCR001"]
    assert not any("Cyrillic" in f.message or "Hangul" in f.message for f in lost)


def test_a_library_that_may_be_missing_leaves_it_open() -> None:
    source = HEAD + (
        "def tokens(text):\n    if HAS_JIEBA:\n        return jieba.lcut(text)\n"
        "    return re.findall('[a-z]+', text.lower())\n"
    )
    result = check_bytes("a.py", source.encode(), Settings())
    assert [j.tokenizer.confidence for j in result.tokenizers] == [Confidence.MEDIUM]


NAMED = [
    ("视频下载", "zh", True), ("视频下载", "zh_CN", True), ("视频下载", "Chinese", True), ("视频下载", "ru", False),
    ("поиск", "ru", True), ("поиск", "Cyrillic", True), ("search", "en", True), ("search", "de", False),
    ("größe", "de", True), ("größe", "zh", False), ("검색", "ko-KR", True), ("...", "en", False), ("खोज", "hi", True),
]  # fmt: skip


@pytest.mark.parametrize("text, name, wanted", NAMED)
def test_names_of_the_language_of_a_text(text: str, name: str, wanted: bool) -> None:
    assert names_language(text, name) is wanted, languages_of(text)


QUIET = {
    "no pattern: cut at spaces": (
        "def tokens(text, lang):\n    pattern = WORDS.get(lang)\n    if pattern is None:\n        return text.lower().split()\n"
        "    return re.findall(pattern, text.lower())\n"
    ),
    "a pattern for the rest": "def tokens(text, lang):\n    return re.findall(WORDS.get(lang) or r'\\S+', text.lower())\n",
    "a key for the rest": (
        "P = {**WORDS, 'default': r'\\S+'}\n\ndef tokens(text, lang):\n    return re.findall(P[lang] if lang in P else P['default'], text)\n"
    ),
    "compiled once": (
        "class T:\n    def __init__(self, lang):\n        self.rx = re.compile(WORDS.get(lang, r'\\S'))\n\n"
        "    def tokens(self, text):\n        return self.rx.findall(text.lower())\n"
    ),
    "refused": (
        "def tokens(text, lang):\n    if lang not in WORDS:\n        raise ValueError(lang)\n    return re.findall(WORDS[lang], text.lower())\n"
    ),
    "a key of one way": (
        "def look(text, lang):\n    if lang == 'en':\n        key = re.sub('[^a-z]+', '-', text.lower())\n    else:\n        key = text.lower()\n"
        "    return CACHE.get(key)\n"
    ),
    "English alone": (
        "def terms(text):\n    if detect_language(text) != 'en':\n        return []\n    return re.findall('[a-z]+', text.lower())\n"
    ),
    "the default and the others": (
        "def key(title, lang='en'):\n    if lang != 'en':\n        return title\n    return re.sub('[^a-z0-9]+', '-', title.lower())\n"
    ),
    "functions by language": "BY = {'zh': list, 'en': lambda t: re.findall('[a-z]+', t.lower())}\n",
}


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_what_goes_another_way_is_not_lost(source: str) -> None:
    result = check_bytes("a.py", (HEAD + TABLE + source).encode(), Settings())
    told = [f.message for f in result.findings if f.code == "SCR001" and f.confidence is Confidence.HIGH]
    assert not any("Arabic" in message or "27" in message for message in told), told


def test_several_languages_are_asked_for_at_once() -> None:
    source = HEAD + (
        "def tokens(text, lang):\n    if (lang or 'en').startswith(('zh', 'ja')):\n        return [c for c in text]\n"
        "    return re.findall('[a-z]+', text.lower())\n"
    )
    [lost] = [f for f in check_bytes("a.py", source.encode(), Settings()).findings if f.code == "SCR001"]
    assert "Cyrl" in lost.scripts and not {"Hani", "Hira", "Kana"} & set(lost.scripts)


def test_what_a_way_loses_that_is_not_taken_is_not_lost() -> None:
    source = HEAD + (
        "def tokens(text, lang):\n    if lang == 'zh':\n        text = re.sub('[a-zA-Z]+', ' ', text)\n"
        "    return re.findall('[a-z]+|[一-鿿]', text.lower())\n"
    )
    for f in check_bytes("a.py", source.encode(), Settings()).findings:
        assert "English" not in f.message


def test_a_long_match_is_left_alone() -> None:
    cases = "".join(f"        case {i}:\n            return {i}\n" for i in range(1200))
    source = (
        HEAD + "def tokens(text):\n    return re.findall('[a-z]+', text)\n\ndef name(code):\n    match code:\n" + cases
    )
    result = check_bytes("a.py", source.encode(), Settings())
    assert result.problems == () and any(f.code == "SCR001" for f in result.findings)
