"""Files of every make: what was kept before is kept after, nothing but the repair changes, and a second run is idle."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.fix.apply import settle
from scriptlint.unicode.scripts import RECOMMENDED
from scriptlint.unicode.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scriptlint.finding import Finding
    from scriptlint.fix.apply import Fixed

SCRIPTS = ("Latn", "Cyrl", "Deva", "Thai", "Mymr", "Hani", "Hang")
ASCII = (
    "the quick brown fox, it's a c++ x-ray",
    "to be or not 12 a1 b2",
    "foo_bar baz] [qux #tag",
    "",
    "don't A B CD 3.14",
)


def body(text: str, head: str = "import re\n") -> str:
    return f"{head}\ndef tokenize(text):\n    {text}\n"


PLAIN = body('return re.findall(r"[a-z0-9]+", text.lower())')
VERBOSE = (
    'return re.findall(r"""\n    [a-z0-9]+   # a word, not [^a-z]\n'
    '    | \\#[a-z]+   # a tag ] [\n""", text.lower(), re.X)'
)
TWICE = (
    'text = re.sub(r"[^a-z0-9 ]", " ", text.lower())\n    return [t for t in re.findall(r"\\w+", text) if len(t) > 2]'
)
LOOP = (
    'for m in re.finditer(r"[a-z]+", text.lower()):\n        t = m.group()\n'
    "        if len(t) < 3:\n            continue\n"
)
REPAIRED = {
    "crlf": PLAIN.replace("\n", "\r\n"),
    "cr": PLAIN.replace("\n", "\r"),
    "mixed line ends": PLAIN.replace("\n", "\r\n", 1),
    "bom": "\ufeff" + PLAIN,
    "bom, cookie and crlf": ("\ufeff# -*- coding: utf-8 -*-\n" + PLAIN).replace("\n", "\r\n"),
    "tabs": PLAIN.replace("    ", "\t"),
    "form feed": "\x0c" + PLAIN.replace("def ", "\x0c\ndef "),
    "no last line end": PLAIN.rstrip("\n"),
    "wide characters before": body('x = "😀é漢"; return re.findall(r"[a-z]+", text.lower())'),
    "plain": body("return re.findall('[a-z\\\\d]+', text.lower())"),
    "an escape that means nothing": body("return re.findall('[a-z\\d]+', text.lower())"),
    "u": body("return re.findall(u'[a-z0-9]+', text.lower())"),
    "escapes": body("return re.findall('[\\x61-\\x7a\\N{LATIN SMALL LETTER E WITH ACUTE}]+', text.lower())"),
    "a quote in a raw one": body("return re.findall(r'[a-z\\'0-9]+', text.lower())"),
    "triple": body('return re.findall(r"""[a-z0-9]+""", text.lower())'),
    "verbose": body(VERBOSE),
    "verbose, crlf": body(VERBOSE).replace("\n", "\r\n"),
    "in a row": body('return re.findall("[a-z0-9_\\\\-]" r"+", text.lower())'),
    "in rows": body('return re.findall(\n        r"[a-z0-9]"  # class\n        r"+",\n        text.lower(),\n    )'),
    "a class attribute": "import re\nclass T:\n    WORD = re.compile(r'[a-z]+')\n    def tokenize(self, text):\n"
    "        return self.WORD.findall(text)\ntokenize = T().tokenize\n",
    "a default": 'import re\n\ndef tokenize(text, *, word=re.compile(r"[a-z0-9]+")):\n    return word.findall(text)\n',
    "another tool's comment": PLAIN.replace("lower())", "lower())  # noqa: E501  # type: ignore"),
    "two classes in one literal": body('return re.findall(r"(?:[a-z]+|\\d+)(?:\'[a-z]+)?", text.lower())'),
    "a hyphen": body('return re.findall(r"[a-z0-9\\-_-]+", text.lower())'),
    "a bracket": body('return re.findall(r"[]a-z0-9]+", text.lower())'),
    "ascii flag": body('return re.findall(r"\\w+", text.lower(), re.ASCII)'),
    "two rounds": body(TWICE),
    "a match's text": body(f"{LOOP}        yield t"),
    "under not": body('return [t for t in re.findall(r"\\w+", text.lower()) if not (len(t) < 3)]'),
    "over lines": body(
        'return [t for t in re.findall(r"\\w+", text.lower()) if (\n        len(t)\n        > 2\n    )]'
    ),
    "the same text elsewhere": '"""Uses r"[a-z0-9]+" for words."""\n' + PLAIN,
}
CODED = {
    "latin-1": f"# coding: latin-1\n# café\n{PLAIN}".replace("a-z", "a-zé").encode("latin-1"),
    "latin-1 that is utf-8, too": f"# coding: latin-1\n{PLAIN}".replace("a-z", "a-zé").encode(),
    "cp1251": f"# coding: cp1251\n# привет\n{PLAIN}".encode("cp1251"),
    "shift_jis": f"# coding: shift_jis\nX = '表'\n{PLAIN}".encode("shift_jis"),
}
LEFT = {
    "f-string": body('return re.findall(rf"[a-z{DIGITS}]+", text.lower())', 'import re\nDIGITS = "0-9"\n'),
    "bytes": body('return [t.decode() for t in re.findall(rb"[a-z0-9]+", text.lower().encode())]'),
    "put together": body('return re.findall(r"[a-z0-9]" + "+", text.lower())'),
    "suppressed": PLAIN.replace("lower())", "lower())  # scriptlint: ignore[SCR001, SCR004] ids"),
}


def findings(data: bytes) -> Sequence[Finding]:
    from scriptlint.conclude import conclude, from_results
    from scriptlint.lines import Lines

    result = check_bytes("example.py", data, Settings())
    return conclude(from_results([result]), Settings(), lines=Lines({"example.py": data})).findings


def settled(data: bytes, scripts: Sequence[str] = SCRIPTS) -> Fixed:
    return settle("example.py", data, findings(data), scripts, findings)


def program(data: bytes) -> Callable[[str], list[str]]:
    space: dict[str, Any] = {"__name__": "example"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        exec(compile(data, "example.py", "exec"), space)
    return lambda text: list(space["tokenize"](text))


def letters(tokens: list[str]) -> set[str]:
    return {c for t in tokens for c in t if c.isalpha()}


@pytest.mark.parametrize("name", [*REPAIRED, *CODED])
def test_repaired(name: str) -> None:
    data = CODED.get(name) or REPAIRED[name].encode()
    fixed = settled(data)
    assert fixed.done and fixed.settled
    assert [fixed.after.count(end) for end in (b"\r\n", b"\n", b"\r")] == [
        data.count(end) for end in (b"\r\n", b"\n", b"\r")
    ]
    # What was there is there still, in its order: repairs only add, but for a `\w` that moves into a class.
    kept = iter(fixed.after)
    assert all(byte in kept for byte in data)
    assert re.fullmatch(rb"[\x20-\x7e]*", b"".join(added(data, fixed.after)))
    old, new = program(data), program(fixed.after)
    for text in ASCII:
        assert old(text) == new(text)
    for script in SCRIPTS:
        for word in words(script):
            assert letters(old(word)) <= letters(new(word))
    assert settled(fixed.after).after == fixed.after


def added(old: bytes, new: bytes) -> list[bytes]:
    """The lines' parts that are new."""
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [new[a:b] for how, _, _, a, b in blocks if how != "equal"]


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_of_escapes_that_mean_nothing() -> None:
    """Python 3.12 and later would print it on the terminal, once for each reading."""
    assert settled(REPAIRED["an escape that means nothing"].encode()).done


@pytest.mark.parametrize("name", LEFT)
def test_left(name: str) -> None:
    data = LEFT[name].encode()
    assert settled(data).after == data


def test_two_users_of_one_pattern_get_the_smallest_change() -> None:
    """The second one needs its own filter alone to change: the pattern is repaired by then."""
    shared = 'import re\nWORD = re.compile(r"[a-z]+")\n\n\ndef tokenize(text):\n    return WORD.findall(text)\n'
    other = "\n\ndef words_of(text):\n    return [t for t in WORD.findall(text) if len(t) > 2]\n"
    fixed = settled((shared + other).encode(), RECOMMENDED)
    assert [(name, len(held.candidate.edits)) for name, held in fixed.done] == [("tokenize", 2), ("words_of", 1)]
    assert len(fixed.touched) == 2
    assert not findings(fixed.after), "nothing is left, in Myanmar neither"


def test_rounds_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptlint.fix.apply.MOST_ROUNDS", 1)
    fixed = settled(REPAIRED["two rounds"].encode())
    assert len(fixed.done) == 1 and not fixed.settled
