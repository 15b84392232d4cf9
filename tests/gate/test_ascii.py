"""What is proved about ASCII holds when it is run, and what is not proved is not said."""

from __future__ import annotations

from random import Random

import pytest

from scriptlint.gate.ascii import prove, texts_to_test
from scriptlint.gate.touch import same_code
from scriptlint.tokenizer.presets import PRESETS
from scriptlint.tokenizer.stages import (
    Casefold,
    Encode,
    Erase,
    Extract,
    Join,
    KeepIf,
    Length,
    Lower,
    NGrams,
    Normalize,
    Opaque,
    Pattern,
    Replace,
    Split,
    Stage,
    StopWords,
    Translate,
    Union,
    run_chain,
)

Chain = tuple[Stage, ...]
TEXTS = texts_to_test([], ["Read THIS file, then-write_it 2 times", "a b c"], 3, 800)


def extract(text: str, flags: int = 0) -> Extract:
    return Extract(Pattern(text, flags))


EQUAL: list[tuple[Chain, Chain]] = [
    (PRESETS["ascii"], PRESETS["cjk"]),
    (PRESETS["hangul"], PRESETS["cjk"]),
    ((extract("[a-z]+"),), (extract("[a-zа-яё]+"),)),
    ((extract("[a-z]+|é"),), (extract("[a-z]+"),)),
    ((extract("[a-z]+é?"),), (extract("[a-z]+"),)),
    ((extract(r"\b\w+\b"),), (extract(r"\b[\w一-鿿]+\b"),)),
    ((extract(r"\w+"),), (extract(r"\w+", 256),)),
    ((extract(r"(?!é)[a-z]+"),), (extract("[a-z]+"),)),
    ((Lower(), Split()), (Casefold(), Split())),
    ((Normalize("NFKC"), Split()), (Split(),)),
    ((Encode("ascii", "ignore"), Split()), (Split(),)),
    ((Erase(Pattern("[éü]"), "x"), Split()), (Split(),)),
    ((Translate({0xE9: "e"}), Split()), (Split(),)),
    ((Replace("é", "e"), Split()), (Split(),)),
    ((Split(), StopWords(frozenset(("a", "é")))), (Split(), StopWords(frozenset("a")))),
    ((Split(), KeepIf(Pattern("[а-я]+"), "search", True)), (Split(),)),
    ((Union(((extract("[а-я]+"), NGrams(2)), (extract("[a-z]+"),))),), (extract("[a-z]+"),)),
]
DIFFERENT: list[tuple[Chain, Chain]] = [
    ((extract("[a-z]+"),), (extract("[a-z0-9]+"),)),
    ((extract("[a-z]+"),), (Lower(), extract("[a-z]+"))),
    ((extract("[a-z]+"), Length(2)), (extract("[a-z]+"),)),
    ((extract("[a-z]+?"),), (extract("[a-z]+"),)),
    ((Lower(), Split()), (Split(),)),
    ((extract("[а-я]+"), Join()), (extract("[а-я]+"),)),
    # What comes out is ASCII no longer, so the later stages may differ.
    ((Replace("a", "ж"), extract("[a-z]+")), (Replace("a", "ж"), extract("[a-zж]+"))),
    ((Split(), StopWords(frozenset(), known=False)), (Split(),)),
    ((Opaque("?"),), (Opaque("?"),)),
]


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_proved(first: Chain, second: Chain) -> None:
    assert prove(first, second) == "" == prove(second, first)
    for text in TEXTS:
        assert run_chain(first, [text]) == run_chain(second, [text]), text


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_not_proved(first: Chain, second: Chain) -> None:
    assert prove(first, second) != ""


def test_no_proof_is_ever_wrong() -> None:
    """Random pairs of chains: whatever is proved is run on all texts."""
    pick = Random(11)
    parts = ["[a-z]", "[a-zé]", "[а-я]", r"\w", r"\d", "é", "b", ".", r"\s", "[^a]", "[^aé]"]
    tails = ["", "+", "*", "?", "{2,}", "+?"]

    def pattern() -> str:
        out = "".join(pick.choice(parts) + pick.choice(tails) for _ in range(pick.randint(1, 3)))
        return f"{out}|{pick.choice(parts)}" if pick.random() < 0.3 else out

    proved = 0
    for _ in range(1500):
        first: list[Stage] = [extract(pattern(), pick.choice((0, 0, 256, 2)))]
        second = [extract(pattern() if pick.random() < 0.3 else _widened(first[0], pick), pick.choice((0, 0, 256, 2)))]
        if prove(first, second) == "":
            proved += 1
            for text in TEXTS[::9]:
                assert run_chain(first, [text]) == run_chain(second, [text]), (first, second, text)
    assert proved > 100


def _widened(stage: Stage, pick: Random) -> str:
    assert isinstance(stage, Extract) and isinstance(stage.pattern.text, str)
    return stage.pattern.text.replace("[a-z]", pick.choice(("[a-z]", "[a-zж]"))) + pick.choice(("", "é?", "ж*"))


def test_texts() -> None:
    texts = texts_to_test(["plain", "不"], ["ascii too", "mixed 文字 words"], 1, 100)
    assert {"plain", "ascii too", "mixed  words", "\x00", "~"} <= set(texts)
    assert all(t.isascii() for t in texts) and texts == texts_to_test(
        ["plain", "不"], ["ascii too", "mixed 文字 words"], 1, 100
    )


def test_same_code() -> None:
    code = "import re\nW = re.compile('a')\nD = 1\ndef tokenize(t):\n    return W.findall(t)\n"
    assert same_code(code, code + "def other(): pass\n", ("tokenize",), ("D",))
    assert not same_code(code, code.replace("'a'", "'b'"), ("tokenize",), ())
    assert not same_code(code, code, ("tokenize",), ("W",))
    assert not same_code(code, code.replace("import re", "import regex as re"), ("tokenize",), ())
    assert not same_code(code, code, ("tokens",), ())
