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
