"""Repairs: none where nothing is wrong or proved, the right one where something is, every other byte kept."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.fix.apply import FIXABLE, Fixed, fix_file
from scriptlint.unicode.scripts import RECOMMENDED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def function(body: str, imports: str = "import re") -> str:
    return f"{imports}\n\ndef tokenize(text):\n    return {body}\n"


def repaired(source: str, **options: Any) -> Fixed:
    data = source.encode()
    findings = check_bytes("example.py", data, Settings()).findings
    return fix_file("example.py", data, findings, RECOMMENDED, **options)


def tokens(source: bytes, text: str) -> list[str]:
    space: dict[str, Any] = {}
    exec(compile(source, "example.py", "exec"), space)
    return list(space["tokenize"](text))


QUIET = [
    function("text.lower().split()"),
    function('re.findall(f"[a-z{EXTRA}]+", text)', 'import re\nEXTRA = "0-9"'),
    "import re\n\ndef count(text):\n    return len(re.findall('[a-z]+', text))\n",
]


@pytest.mark.parametrize("source", QUIET)
def test_nothing_to_repair_or_nothing_that_can_be(source: str) -> None:
    assert repaired(source, unsafe=True).after == source.encode()


LOUD = [
    ("extract", function('re.findall(r"[a-z0-9]+", text.lower())')),
    ("plain literal", function('re.findall("[a-z0-9]+", text.lower())')),
    ("hyphen", function('re.findall(r"[a-z0-9_-]+", text.lower())')),
    ("separator", function('[t for t in re.split(r"[^a-z0-9]+", text.lower()) if t]')),
    ("erase", function('re.sub(r"[^a-z0-9 ]", "", text.lower()).split()')),
    ("word", function('re.findall(r"\\w+", text.lower())')),
    ("word plain", function('re.findall("\\\\w+", text.lower())')),
    ("no underscore", function('re.findall(r"[^\\W_]+", text.lower())')),
    ("boundaries", function('re.findall(r"(?u)\\b\\w\\w+\\b", text.lower())')),
    ("range", function('re.findall(r"[a-zа-я]+", text.lower())')),
    ("filter", function('[t for t in re.findall(r"\\w+", text.lower()) if len(t) > 2]')),
    ("property", function('regex.findall(r"\\p{L}+", text.lower())', "import regex")),
]


@pytest.mark.parametrize("source", [source for _, source in LOUD], ids=[name for name, _ in LOUD])
def test_repaired(source: str) -> None:
    fixed = repaired(source)
    assert len(fixed.done) == 1 and not fixed.left
    (_, held), *_ = fixed.done
    assert held.safe and held.proved
    left = {f.code: set(f.scripts) for f in check_bytes("example.py", fixed.after, Settings()).findings}
    was = {f.code: set(f.scripts) for f in check_bytes("example.py", source.encode(), Settings()).findings}
    assert sum(map(len, left.values())) < sum(map(len, was.values()))
    chosen = random.Random(7)
    for _ in range(300):
        text = "".join(chr(chosen.randrange(128)) for _ in range(chosen.randrange(24)))
        assert tokens(source.encode(), text) == tokens(fixed.after, text)
    again = fix_file(
        "example.py", fixed.after, check_bytes("example.py", fixed.after, Settings()).findings, RECOMMENDED
    )
    assert again.after == fixed.after, "a second run finds nothing more"


def test_words_come_through() -> None:
    fixed = repaired(function('re.findall(r"[a-z0-9]+", text.lower())'))
    assert tokens(fixed.after, "ёлка हिन्दी Redis视频 สวัสดี café 한국어") == [
        *("ёлка", "हिन्दी", "redis", "视", "频", "ส", "วั", "ส", "ดี", "café", "한국어")
    ]


def test_the_filter_is_relaxed_in_brackets() -> None:
    source = function('[t for t in re.findall(r"\\w+", text.lower()) if len(t) > 2 and t != "the"]')
    fixed = repaired(source)
    assert b'if (len(t) > 2 or not t.isascii()) and t != "the"]' in fixed.after


def test_the_pairs_of_the_router(root: Path) -> None:
    data = (root / "fixtures/router/baseline.py").read_bytes()
    findings = check_bytes("baseline.py", data, Settings()).findings
    fixed = fix_file("baseline.py", data, findings, RECOMMENDED)
    (name, held), *more = fixed.done
    assert (
        (name, more) == ("tokenize", []) and held.safe and {"Hani", "Hira", "Kana", "Cyrl", "Deva"} <= set(held.better)
    )
    old, new = data.decode().split("\n"), fixed.after.decode().split("\n")
    assert [b for a, b in zip(old, new, strict=True) if a != b] == [
        line for line in new if line.startswith(("WORD", "RUN"))
    ]
    assert "视频" in tokens(fixed.after, "视频下载") and "검색" in tokens(fixed.after, "검색")


@pytest.mark.parametrize(
    "change", [lambda s: s.replace("\n", "\r\n"), lambda s: "\ufeff" + s, lambda s: s.rstrip("\n")]
)
def test_every_other_byte_stays(change: Callable[[str], str]) -> None:
    source = change("# é \x0c 漢字\n" + function('re.findall(r"[a-z]+", text)  #  odd   spacing'))
    fixed = repaired(source)
    assert fixed.done
    parts = re.split(r"\[a-z[^\]]*\]\+(?:\|\[[^\]]*\]\[[^\]]*\]\*)?", fixed.after.decode(), maxsplit=1)
    assert parts == source.split("[a-z]+", 1)


def test_unsafe_and_why() -> None:
    shared = (
        "import re\n\nWORD = re.compile('[a-z]+')\n\n\ndef tokenize(text):\n    return WORD.findall(text)\n\n\n"
        "def is_word(text):\n    return WORD.fullmatch(text) is not None\n"
    )
    fixed = repaired(shared)
    assert fixed.after == shared.encode()
    ((_, held),) = fixed.left
    assert held.unsafe == "the pattern is also used in is_word()"
    assert repaired(shared, unsafe=True).done
    by_module = repaired(function('re.findall(r"\\w+", text)'), prefer="properties")
    ((_, held),) = by_module.left
    assert "regex module" in held.unsafe
    changed = repaired(function('re.findall(r"\\w+", text)'), prefer="properties", unsafe=True).after
    assert changed.startswith(b"import regex as re\n")


FILES = {
    "a.py": function('re.findall(r"[a-z0-9]+", text.lower())'),
    "clean.py": function("text.split()"),
}


def test_diff_shows_and_writes_nothing(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project(FILES)
    done = run("check", "--isolated", "--no-cache", "--diff", ".")
    assert done.code == 1
    assert done.out.startswith("--- a.py\n+++ a.py\n@@") and '\n-    return re.findall(r"[a-z0-9]+", text' in done.out
    assert "ASCII output proved equal" in done.err and done.err.endswith("Would repair 1 tokenizer.\n")
    assert (folder / "a.py").read_text() == FILES["a.py"]
    assert run("check", "--isolated", "--no-cache", "--diff", "clean.py").code == 0


def test_what_is_suppressed_is_left_alone(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"a.py": FILES["a.py"].replace("lower())", "lower())  # scriptlint: ignore[SCR001, SCR004] ids")})
    done = run("check", "--isolated", "--no-cache", "--diff", ".")
    assert (done.code, done.out, done.err) == (0, "", "Would repair 0 tokenizers.\n")


def test_a_broken_file_is_told(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({"bad.py": "import re\nre.findall(r'[a-z]+', \n"})
    done = run("check", "--isolated", "--no-cache", "--diff", "bad.py")
    assert done.code == 1 and "bad.py:2: error: not valid Python" in done.err


def test_unsafe_fixes_take_the_best(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    shared = (
        'import re\nWORD = re.compile(r"\\w+")\n\ndef is_word(text):\n    return WORD.fullmatch(text) is not None\n'
    )
    source = function("[t for t in WORD.findall(text.lower()) if len(t) > 2]", shared)
    project({"a.py": source})
    safe = run("check", "--isolated", "--no-cache", "--diff", ".")
    assert "if len(t) > 2 or not t.isascii()]" in safe.out and "u0300" not in safe.out and "proved equal" in safe.err
    more = run("check", "--isolated", "--no-cache", "--diff", "--unsafe-fixes", ".")
    assert "if len(t) > 2 or not t.isascii()]" in more.out and "u0300" in more.out


def test_fix_writes_and_reports_what_is_left(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    folder = project(FILES)
    done = run("check", "--isolated", "--no-cache", "--fix", ".")
    assert done.err.splitlines()[-1] == "Repaired 1 tokenizer."
    assert "SCR001" not in done.out and " in 2 files, 2 tokenizers.\n" in done.out
    assert (folder / "a.py").read_text() != FILES["a.py"] and (folder / "clean.py").read_text() == FILES["clean.py"]
    done = run("check", "--isolated", "--no-cache", "--fix", "--exit-non-zero-on-fix", ".")
    assert done.err.splitlines()[-1] == "Repaired 0 tokenizers."


def test_suggestions_are_only_what_was_checked(project: Callable[..., Path], run: Callable[..., Any]) -> None:
    project({**FILES, "b.py": "def tokenize(text):\n    return [w for w in text.split() if w.isascii()]\n"})
    done = run("check", "--isolated", "--no-cache", "--suggest", ".")
    first, second = done.out.split("b.py:", 1)
    assert "--fix applies" in " ".join(first.split()) and "checked:" not in second


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--fix", "--diff", "."), "--diff writes nothing"), (("--fix", "-"), "can't change what - reads")],
)
def test_bad_input(
    arguments: tuple[str, ...], said: str, project: Callable[..., Path], run: Callable[..., Any]
) -> None:
    project(FILES)
    done = run("check", *arguments)
    assert done.code == 2 and said in done.err


def test_rules_with_repairs_exist() -> None:
    from scriptlint.registry import load_registry

    assert {r.code for r in load_registry(())} >= FIXABLE
