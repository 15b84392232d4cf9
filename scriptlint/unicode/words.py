"""Everyday words of each recommended script, to show a person what a tokenizer does to real text.

Chosen so that each kind of loss has a witness: words with combining marks, letters beyond the basic block, an
unspaced phrase before single words where words are not spaced. All are in NFC; ``nfd_words`` gives the other form.
"""

from __future__ import annotations

from functools import lru_cache

import unicodedata2

from scriptlint.unicode.scripts import UNSPACED, name

__all__ = ["nfd_words", "single", "two", "words"]

_WORDS: dict[str, str] = {
    "Latn": "search café Zürich naïve señor łódź Việt",
    "Cyrl": "поиск ёлка мир каталог їжак қала",
    "Grek": "αναζήτηση κόσμος βιβλίο λέξη",
    "Armn": "որոնում բառ գիրք աշխարհ",
    "Geor": "ძიება სიტყვა წიგნი სამყარო",
    "Hebr": "חיפוש ספר שלום שָׁלוֹם",
    "Arab": "بحث كتاب مرحبا كِتَاب جستجو",
    "Thaa": "ދިވެހި ފޮތް ހޯދުން",
    "Ethi": "ፍለጋ ሰላም መጽሐፍ ቋንቋ",
    "Deva": "हिन्दी खोज किताब नमस्ते मराठी",
    "Beng": "সন্ধান বাংলা খোঁজ বই অসমীয়া",
    "Guru": "ਪੰਜਾਬੀ ਖੋਜ ਕਿਤਾਬ",
    "Gujr": "ગુજરાતી શોધ પુસ્તક",
    "Orya": "ଓଡ଼ିଆ ସନ୍ଧାନ ପୁସ୍ତକ",
    "Taml": "தமிழ் தேடல் புத்தகம்",
    "Telu": "తెలుగు వెతకండి పుస్తకం",
    "Knda": "ಕನ್ನಡ ಹುಡುಕಾಟ ಪುಸ್ತಕ",
    "Mlym": "മലയാളം തിരയുക പുസ്തകം",
    "Sinh": "සිංහල සොයන්න පොත",
    "Thai": "สวัสดี ค้นหา หนังสือ ภาษาไทย",
    "Laoo": "ສະບາຍດີ ຄົ້ນຫາ ປຶ້ມ ພາສາລາວ",
    "Tibt": "བོད ཚིག དེབ བོད་སྐད",
    "Mymr": "မြန်မာ ရှာဖွေ စာအုပ်",
    "Khmr": "ភាសាខ្មែរ ស្វែងរក សៀវភៅ",
    "Hani": "视频下载 搜索 猫 圖書館 検索",
    "Hira": "こんにちは がっこう らーめん ねこ",
    "Kana": "コンピューター データ ラーメン ガイド",
    "Hang": "검색 한국어 도서관 책",
}

_SINGLE: dict[str, str] = {
    "Hani": "猫",
    "Hira": "え",
    "Kana": "ト",
    "Hang": "책",
    "Thai": "ณ",
    "Khmr": "ក",
    "Laoo": "ກ",
}
"""A character that is a word, or a common abbreviation, by itself."""

_TWO: dict[str, str] = {
    "Hani": "搜索",
    "Hira": "ねこ",
    "Kana": "ピザ",
    "Hang": "검색",
    "Thai": "มา",
    "Laoo": "ມາ",
    "Khmr": "មក",
    "Mymr": "စာ",
}


@lru_cache(maxsize=64)
def words(script: str) -> tuple[str, ...]:
    """Words of a script in NFC, the most telling first; empty for a script that is not recommended.

    Raises:
        UnknownScriptError: no such script.
    """
    name(script)
    return tuple(unicodedata2.normalize("NFC", w) for w in _WORDS.get(script, "").split())


@lru_cache(maxsize=64)
def nfd_words(script: str) -> tuple[str, ...]:
    """The same words in NFD."""
    return tuple(unicodedata2.normalize("NFD", w) for w in words(script))


def single(script: str) -> str | None:
    """A word of one character, where the script has one: a length filter of two deletes it."""
    return _SINGLE.get(script)


def two(script: str) -> str | None:
    """A word of two characters of an unspaced script or Hangul: a length filter of three deletes it."""
    assert script not in UNSPACED or script in _TWO
    return _TWO.get(script)
