"""What a repair says of itself holds when the program is run before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.unicode.scripts import RECOMMENDED
from scriptlint.unicode.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.fix.apply import Fixed

LISTED = (
    'import re\n\nMIN_LEN = 3\n\n\ndef tokenize(text):\n    return [t for t in re.findall(r"[a-z]+", text) if {}]\n'
)
LOOP = (
    'import re\n\nMIN_LEN = 3\n\n\ndef tokenize(text):\n    out = []\n    for t in re.findall(r"[a-z]+", text):\n'
    "        if {}:\n            {}\n        out.append(t)\n    return out\n"
)
NAMED = [
    LISTED.format("len(t) >= MIN_LEN"),
    LISTED.format("MIN_LEN <= len(t)"),
    LISTED.format('len(t) >= MIN_LEN and t != "the"'),
    LISTED.format("not len(t) < MIN_LEN"),
    LISTED.format("len(t) >= MIN_LEN and len(t) < 40"),
    LOOP.format("len(t) < MIN_LEN", "continue"),
    LOOP.format("len(t) > 40", "continue").replace("out.append(t)", "if len(t) >= MIN_LEN: out.append(t)"),
    LISTED.format("len(t) >= least").replace("(text)", "(text, least=3)", 1),
    'import re\nM = 3\ndef tokenize(text):\n  return list(filter(lambda t: len(t) >= M, re.findall("[a-z]+", text)))\n',
]


@pytest.mark.parametrize("source", NAMED)
def test_a_length_with_a_name_is_as_safe_as_a_number(
    source: str, repair: Callable[..., Fixed], tokens_of: Callable[..., list[str]]
) -> None:
    fixed = repair(source)
    ((_, held),) = fixed.done
    assert held.safe and held.title.endswith("measure length on ASCII words alone") and not held.left
    for text in ("ab abc the abcd" + "x" * 50, "a" * 60, "to be or not"):
        assert tokens_of(source.encode(), text) == tokens_of(fixed.after, text)
    assert tokens_of(fixed.after, "猫 검색 บท") == ["猫", "검색", "บ", "ท"]


def test_every_script_that_is_named_comes_through(
    repair: Callable[..., Fixed], tokens_of: Callable[..., list[str]]
) -> None:
    kept = "import re\n\nMIN_LEN = 3\n\n\ndef keep(t):\n    return len(t) >= MIN_LEN\n\n\ndef tokenize(text):\n"
    source = kept + '    return [t for t in re.findall(r"[a-z]+", text) if keep(t)]\n'
    fixed = repair(source, unsafe=True)
    ((_, held),) = fixed.done
    assert held.title.startswith("let ") and "each character" not in held.title, "keep() would drop it again"
    assert {"Hani", "Thai", "Laoo"} <= set(held.left) and "no better: Han, " in held.evidence
    assert "short words dropped (Hangul)" in held.next
    for script in RECOMMENDED:
        found = [w for w in words(script) if tokens_of(fixed.after, w)]
        assert bool(found) is (script not in held.left), script


def test_a_constant_of_several_stays(repair: Callable[..., Fixed], tokens_of: Callable[..., list[str]]) -> None:
    other = "\n\ndef names(text):\n    return [n for n in text.split() if len(n) >= MIN_LEN]\n"
    source = LISTED.format("len(t) >= MIN_LEN") + other
    fixed = repair(source)
    assert b"MIN_LEN = 3\n" in fixed.after and fixed.after.endswith(other.encode())
    for text in ("猫 검색 한국어", "a bc def"):
        assert tokens_of(source.encode(), text, "names") == tokens_of(fixed.after, text, "names")


LEFT_ALONE = [
    # The length of a list, of the whole text, and a greatest length are other matters.
    LISTED.format("t").replace("    return", "    if len(text) < 2:\n        return []\n    return"),
    LISTED.format("len(t) < 40"),
    'import sys, re\n\nif len(sys.argv) < 2: sys.exit()\ntokenize = re.compile("[a-z]+").findall\n',
]


@pytest.mark.parametrize("source", LEFT_ALONE)
def test_other_lengths_stay(source: str, repair: Callable[..., Fixed]) -> None:
    assert b"isascii" not in repair(source, unsafe=True).after


def test_where_a_loop_goes_on_there_is_no_tokenizer() -> None:
    from scriptlint.fix.check import judge_file

    source = LOOP.format("len(t) < MIN_LEN and t.isascii()", "continue")
    judged = judge_file("example.py", source.encode(), RECOMMENDED)
    assert judged is not None and len(judged) == 1


def test_the_help_names_the_filters_own_length(project: Callable[..., Any], run: Callable[..., Any]) -> None:
    source = LISTED.format("len(t) >= MIN_LEN").replace("MIN_LEN = 3", "MIN_LEN = 5").replace("[a-z]", r"[\w-]")
    project({"a.py": source})
    done = run("check", "--isolated", "--no-cache", "--select", "SCR007", "a.py")
    assert "if len(t) > 4 or not t.isascii()" in done.out
