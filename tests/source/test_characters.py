"""Characters that are kept or dropped one by one, however they are gone over; and what only looks like it."""

from __future__ import annotations

import findings
import pytest

HEAD = "import os\nimport re\nimport string\nimport codecs\nfrom functools import reduce\nfrom unidecode import unidecode\n\n"
OK = "OK = set('abcdefghijklmnopqrstuvwxyz0123456789')\n\n"
ASCII = {"SCR001", "SCR004"}

LOUD = {
    "any name": ("def slug(name):\n    return ''.join(i for i in name.lower() if i in OK)\n", "slug", ASCII),
    "a text that nobody knows": (
        "def slug(line):\n    return ''.join(x for x in line if x.isascii())\n",
        "slug",
        ASCII,
    ),
    "asked for its number": (
        "def slug(line):\n    out = ''\n    for x in line:\n        if ord(x) < 128:\n            out += x\n    return out\n",
        "slug",
        ASCII,
    ),
    "between two letters": ("def slug(s):\n    return ''.join(i for i in s if 'a' <= i <= 'z')\n", "slug", ASCII),
    "filter and a lambda": ("def slug(s):\n    return ''.join(filter(lambda c: ord(c) < 128, s))\n", "slug", ASCII),
    "filter and a method": ("def slug(line):\n    return ''.join(filter(str.isascii, line))\n", "slug", ASCII),
    "filter and a function": (
        "def ok(c):\n    return c.isascii() and c.isalnum()\n\ndef slug(text):\n    return ''.join(filter(ok, text))\n",
        "slug",
        ASCII,
    ),
    "enumerate": (
        "def words(text):\n    out, cur = [], ''\n    for i, ch in enumerate(text):\n        if ch in OK:\n            cur += ch\n"
        "        elif cur:\n            out.append(cur)\n            cur = ''\n    return out\n",
        "words",
        ASCII,
    ),
    "a helper of one character": (
        "def piece(ch):\n    return ch if ch.isascii() and ch.isalnum() else '-'\n\n"
        "def slug(name):\n    return ''.join(piece(c) for c in name.lower())\n",
        "slug",
        ASCII,
    ),
    "map and a helper": (
        "def piece(ch):\n    if ch.isascii() and ch.isalnum():\n        return ch\n    return ''\n\n"
        "def slug(name):\n    return ''.join(map(piece, name.lower()))\n",
        "slug",
        ASCII,
    ),
    "printable": ("def slug(s):\n    return ''.join(c for c in s if c in string.printable)\n", "slug", ASCII),
    "a set of sets": (
        "LETTERS = set(string.ascii_lowercase)\nALL = {' ', '-'} | LETTERS\n\n"
        "def slug(name):\n    return ''.join(c for c in name.lower() if c in ALL)\n",
        "slug",
        ASCII,
    ),
    "other signs in their place": (
        "def slug(name):\n    return ''.join(ch if ch in OK else '-' for ch in name.lower())\n",
        "slug",
        ASCII,
    ),
    "bytes": ("def slug(s):\n    return bytes(s, 'ascii', 'ignore').decode()\n", "slug", {"SCR004", "SCR005"}),
    "codecs": ("def slug(s):\n    return codecs.encode(s, 'ascii', 'ignore').decode()\n", "slug", {"SCR004", "SCR005"}),
    "a separator that nobody knows": (
        "def slug(value, sep):\n    return '-'.join(re.sub('[^a-z0-9]+', '', v.lower()) for v in value.split(sep))\n",
        "slug",
        ASCII,
    ),
    "a separator of the system": (
        "def slug(value):\n    return '-'.join(re.sub('[^a-z0-9]+', '', v.lower()) for v in value.split(os.extsep))\n",
        "slug",
        ASCII,
    ),
}


@pytest.mark.parametrize("source, name, codes", LOUD.values(), ids=LOUD)
def test_loud(source: str, name: str, codes: set[str]) -> None:
    assert findings.told(HEAD + OK + source).get(name) == codes


QUIET = {
    "parts, not characters": "def path(parts):\n    return ''.join(p for p in parts if not p.startswith('.'))\n",
    "digits": "def digits(s):\n    return ''.join(c for c in s if c.isdigit())\n",
    "every script": "def slug(name):\n    return ''.join(c if c.isalpha() or c in OK else '-' for c in name if c != '\\0')\n",
    "a set of numbers": "def bits(values):\n    return ''.join(str(v) for v in values if v in {0, 1})\n",
}


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str) -> None:
    found = findings.told(HEAD + OK + source)
    assert not any({"SCR001", "SCR005"} & codes for codes in found.values()), found


TABLE = "T = {'а': 'a', 'б': 'b', 'и': 'i', 'к': 'k', 'о': 'o', 'п': 'p', 'с': 's', 'т': 't', 'е': 'e', 'р': 'r'}\n\n"


def test_a_table_of_letters_and_what_is_cut_behind_it() -> None:
    source = (
        HEAD
        + TABLE
        + (
            "def translit(t):\n    return ''.join(T.get(ch, ch) for ch in t.lower())\n\n"
            "def slug(t):\n    return re.sub('[^a-z0-9]+', '-', translit(t)).strip('-')\n"
        )
    )
    assert findings.told(source)["slug"] == ASCII


def test_what_is_put_in_other_letters_is_not_lost() -> None:
    letters = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
    table = "T = {" + ", ".join(f"{c!r}: 'x{i}y'" for i, c in enumerate(letters)) + "}\n\n"
    source = (
        HEAD
        + table
        + ("def slug(t):\n    t = ''.join(T.get(c, c) for c in t.lower())\n    return re.sub('[^a-z0-9]+', '-', t)\n")
    )
    [told] = [f.message for f in findings.all_of(source) if f.code == "SCR001"]
    assert "Han" in told and "Cyrillic" not in told


def test_a_transliteration_loses_only_what_it_is_kept_from() -> None:
    source = HEAD + (
        "def slug(t):\n    if not re.search('[一-鿿]', t):\n        t = unidecode(t)\n"
        "    return re.sub('[^a-z0-9]+', '-', t.lower())\n"
    )
    [told] = [f.message for f in findings.all_of(source) if f.code == "SCR001"]
    assert "excludes Han of" in told
    assert findings.told(HEAD + "def slug(t):\n    return re.sub('[^a-z0-9]+', '-', unidecode(t).lower())\n") == {}


def test_letters_that_nobody_writes_don_t_make_a_script_survive() -> None:
    source = HEAD + "E = re.compile('[\\U000024C2-\\U0001F251]+')\n\ndef slugify(m):\n    return E.sub('', m.lower())\n"
    [told] = [f.message for f in findings.all_of(source) if f.code == "SCR001"]
    assert "Han" in told and "Hangul" in told
