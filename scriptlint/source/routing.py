"""Text that is sent on by its language: what is lost where a text of that language never goes is not lost.

``if lang == "zh": ...`` and ``PATTERNS[lang]`` ask for something that a run does not know; a caller who has a text in
that language says so.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.tokenizer.trees import walk
from scriptlint.tokenizer.values import Hole, Raised, on_node
from scriptlint.unicode import alphabets, scripts

if TYPE_CHECKING:
    from collections.abc import Iterable

_LANGUAGE = re.compile(r"lang|locale|^lc$|iso_?(?:639|code)|script(?!ion)|detect", re.IGNORECASE)
"""What a language is called where it is asked for."""
_ALSO = {
    "Hani": "cn chi zho cmn han hant hans cjk ja jp jpn japanese",
    "Hira": "jp jpn cjk",
    "Kana": "jp jpn cjk",
    "Hang": "kr kor cjk",
    "Cyrl": "rus ukr bul",
    "Deva": "hin mar",
    "Arab": "ara per fas urd",
    "Hebr": "heb iw",
    "Grek": "gre ell",
    "Thai": "tha",
}
"""Other names under which people ask for the languages of a script."""


@on_node
def asks_language(test: ast.AST) -> bool:
    """Whether a test asks for a language."""
    return any(
        named_language(n.id if isinstance(n, ast.Name) else n.attr)
        for n in walk(test)
        if isinstance(n, (ast.Name, ast.Attribute))
    )


def is_language(value: object) -> bool:
    """Whether something unknown is a language, by what it is called."""
    return isinstance(value, Hole) and named_language(value.path)


@lru_cache(maxsize=4096)
def named_language(name: str) -> bool:
    """Whether a name speaks of a language."""
    return _LANGUAGE.search(name) is not None


def knows_others(node: ast.AST, name: str, default: str) -> bool:
    """Whether a function has a way of its own for texts in another language than the one that its parameter ``name``
    has when nobody says; else what it does to texts in that language is what it does."""
    if not named_language(name):
        return False
    for n in walk(node):
        if isinstance(n, ast.If) and _parts_with(n, name, default):
            return True
        if isinstance(n, ast.Compare):
            sides = [n.left, *n.comparators]
            asked = any(isinstance(s, ast.Name) and s.id == name for s in sides)
            constants = [c.value for s in sides for c in walk(s) if isinstance(c, ast.Constant)]
            named = {c for c in constants if isinstance(c, str)}
            if asked and named - {default}:
                return True
        elif isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == name:
            return True
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("get", "startswith"):
            asked_of = n.func.value if n.func.attr == "startswith" else n.args[0] if n.args else None
            if isinstance(asked_of, ast.Name) and asked_of.id == name:
                return True
    return False


def _parts_with(node: ast.If, name: str, default: str) -> bool:
    """Whether a branch on the default language gives the others a way of their own: ``if lang != "en": ...``, an
    ``else``, or an end of the function before what they are left with."""
    test = node.test
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == name):
        return False
    if [c.value for c in test.comparators if isinstance(c, ast.Constant)] != [default]:
        return False
    ends = isinstance(node.body[-1], (ast.Return, ast.Raise))
    return isinstance(test.ops[0], ast.NotEq) or bool(node.orelse) or ends


def names_any_language(word: str) -> bool:
    """Whether a word is the code of a language."""
    try:
        alphabets.language(word.lower().replace("_", "-"))
    except alphabets.UnknownLanguageError:
        return False
    return True


def names_language(text: str, named: object) -> bool:
    """Whether a text is in a language that is named so: a code (``zh``, ``zh_CN``), a name, a script."""
    if not isinstance(named, str) or not named:
        return False
    wanted = named.lower().replace("_", "-")
    known = languages_of(text)
    return wanted in known or wanted.partition("-")[0] in known


def chosen(text: str, named: Iterable[object]) -> object:
    """The first of several names that names the language of a text, or ``None``."""
    return next((n for n in named if names_language(text, n)), None)


@dataclass(frozen=True)
class Chosen:
    """What a table by language has for a text; ``other`` is what there is for a language that it does not name."""

    table: dict[object, object]
    other: object = None
    asked: bool = False
    """It is asked for with ``get``, which gives ``other`` instead of an error."""

    def for_text(self, text: str) -> object:
        """What is taken for a text in its language. Raises ``Raised``: there is nothing for it."""
        named = chosen(text, self.table)
        if named is not None:
            return self.table[named]
        if self.asked:
            return self.other
        rest = next((self.table[key] for key in ("default", "other", "*") if key in self.table), None)
        if rest is None:
            raise Raised("KeyError")
        return rest

    @property
    def in_english(self) -> object:
        """What is taken for English; where nothing is, for the first language: what the others have is like it."""
        named = chosen("search", self.table)
        if named is not None:
            return self.table[named]
        return self.other if self.other is not None else next(iter(self.table.values()), Hole("nothing"))


@lru_cache(maxsize=4096)
def languages_of(text: str) -> frozenset[str]:
    """Codes and names, in small letters, of the languages that a text may be in: those that write all its letters, or
    if there is none, all of the script that most of them have. Plain Latin letters are English."""
    letters = [c for c in text.lower() if c.isalpha()]
    found = [scripts.script_of(ord(c)) for c in letters]
    if not found:
        return frozenset()
    script = max(dict.fromkeys(found), key=found.count)
    points = {ord(c) for c in letters if not c.isascii()}
    if script == "Latn" and not points:
        return frozenset({"en", "eng", "english", "latin", "latn"})
    # A language that has another script of its own is not asked for by Latin letters (``zh-Latn``).
    known = [c for c in alphabets.languages(script) if script != "Latn" or not c.endswith("-Latn")]
    # Whoever writes Han may be asked for by any language that does.
    writes = [c for c in known if script == "Hani" or all(p in alphabets.exemplars(c) for p in points)]
    codes = writes or known
    names = {part for c in codes for part in (c.lower(), c.partition("-")[0], alphabets.language_name(c).lower())}
    return frozenset({*names, *_ALSO.get(script, "").split(), script.lower(), scripts.name(script).lower()})
