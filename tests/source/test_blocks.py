"""Cutting a file into blocks, held against the parser: what is cut is parsed to the same tree, or not at all."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.source.blocks import cut, decoded, functions_of, long_strings
from scriptlint.source.lambdas import name_lambdas
from scriptlint.source.matching import as_branches
from scriptlint.source.module import SourceModule
from scriptlint.source.reader import read_source
from scriptlint.tokenizer.interp import Interp
from scriptlint.tokenizer.values import Function

PIECES = (
    "import re\n", "X = 1\n", "# a comment with \"\"\" and ''' in it\n", "\n", "s = '\"\"\"'\n", 's = "\'\'\'"\n',
    'T = """\ndef not_code():\n    pass\n"""\n', "T = '''\nclass NotCode:\n@x\n'''\n", 'T = r"""\\"""\n', "T = 'a\\\ndef f'\n",
    "def f(a,\n      b) -> int:\n    return 1\n", "async def g():\n    pass\n", "@wraps(\n    f\n)\n@other\ndef h():\n    '''doc\nat the margin\n    '''\n",
    "class A:\n    def m(self):\n        def inner():\n            pass\n", "class B(A): pass\n", "class_ = 2\n", "default = 3\n",
    "if X:\n    def k():\n        pass\nelse:\n    y = 2\n", "V = [\n1,\n2,\n]\n", "def p():\n    x = (\n1)\n    return x\n", "x = \"\"\"a\"\"\" + '''b'''\n",
    "def q():\n    return \"\"\"\nfrom here\n\"\"\"\n", 'E = ""\n', "print('''x''')  # '''\n", "for i in X: pass\n",
)  # fmt: skip


def dump(body: list[ast.stmt]) -> list[str]:
    return [ast.dump(s, include_attributes=True) for s in body]


def same_or_not_at_all(text: str) -> bool:
    """Whether every block could be parsed; those that could make up the same tree."""
    blocks = cut(text)
    assert "".join(b.text for b in blocks) == text
    assert [b.start for b in blocks] == [text.find(b.text, b.start) for b in blocks]
    assert [b.first for b in blocks] == [text.count("\n", 0, b.start) + 1 for b in blocks]
    found: list[ast.stmt] = []
    for block in blocks:
        try:
            found += block.parse()
        except SyntaxError:
            return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = ast.parse(text).body
        # Two things are put otherwise, whether a file is cut or not.
        name_lambdas(wanted)
        as_branches(wanted)
        assert dump(found) == dump(wanted)
    return True


def test_the_standard_library() -> None:
    files = sorted(p for p in Path(sysconfig.get_path("stdlib")).glob("*.py") if p.stat().st_size < 100_000)
    whole = [same_or_not_at_all(decoded(p.read_bytes())) for p in files]
    assert len(whole) > 100 and whole.count(False) <= len(whole) // 50


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_order_of_statements(pieces: list[str]) -> None:
    same_or_not_at_all("".join(pieces))


@given(st.text(st.sampled_from("\"'\\#\n (da@x")), st.text(max_size=30))
def test_any_text(text: str, tail: str) -> None:
    blocks = cut(text + tail)
    assert "".join(b.text for b in blocks) == text + tail
    assert all(0 <= a < b for a, b in long_strings(text + tail))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("import re\ndef f(): pass\nX = 1\n", ["plain", "def", "plain"]),
        ("@a\n@b\ndef f(): pass\n@c\nclass D: pass\n", ["def", "class"]),
        ('"""def f():\n\ndef g():\n"""\ndef h(): pass\n', ["plain", "def"]),
        ("def f(\n): pass\n\n\nasync def g(): pass\n", ["def", "def"]),
        ("X = '''\nclass A:\n''' # '''\nclass B: pass\n", ["plain", "class"]),
        ("", []),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [b.kind for b in cut(text)] == kinds


def test_functions_come_in_order_with_their_names() -> None:
    tree = ast.parse(
        "class A:\n    def m(self):\n        def inner(): pass\n    class B:\n        def n(self): pass\n"
        "if 1:\n    def a(): pass\nelse:\n    try:\n        def b(): pass\n    except E:\n        def c(): pass\n"
        "match x:\n    case 1:\n        def d(): pass\n"
    )
    found = [(name, cls.name if cls else None) for _, name, cls in functions_of(tree.body)]
    assert found == [
        ("A.m", "A"), ("A.m.inner", None), ("A.B.n", "B"), ("a", None), ("b", None), ("c", None), ("d", None),
    ]  # fmt: skip


def test_a_name_leads_to_its_statement_alone() -> None:
    source = b"from x import y\nN = 2\ndef zed(): return N\ndef broken(: pass\nclass C: pass\nN += 1\n"
    module = SourceModule("a.py", source)
    assert isinstance(module.lookup("zed", Interp({})), Function)
    assert [b.name for b in module.blocks if b.body is not None] == ["zed"]
    assert not module.broken
    module.lookup("broken", Interp({}))
    assert module.broken


def test_a_file_that_is_cut_in_the_wrong_place_is_read_whole() -> None:
    source = (
        b"import re\ndef tokens(text):\n    keep = (\nr'[a-z]+'\n    )\n    return re.findall(keep, text.lower())\n"
    )
    assert not all(same_or_not_at_all(source.decode()) for _ in "x")
    (found,) = read_source("a.py", source).tokenizers
    assert (found.name, found.run("ab я")) == ("tokens", ["ab"])


def test_a_syntax_error_is_told_where_it_matters_and_everywhere_when_asked() -> None:
    source = b"import re\ndef tokens(text):\n    return re.findall('[a-z]+', text)\n\ndef other(:\n    pass\n"
    assert [t.name for t in read_source("a.py", source).tokenizers] == ["tokens"]
    (problem,) = read_source("a.py", source, whole=True).problems
    assert problem.line == 5 and problem.message.startswith("not valid Python")
    (problem,) = read_source("a.py", source.replace(b"'[a-z]+'", b"'[a-z]+")).problems
    assert problem.message.startswith("not valid Python")


FINDS = {
    "no end of line": "import re\ndef tokenize(text):\n    return re.findall(WORD, text.lower())\nX = 1\nWORD = r'[a-z]+'",
    "a call that goes on in the first column": (
        "import re\ndef foo(a):\n    return bar(\na)\nWORD = r'[a-z]+'\n"
        "def tokenize(text):\n    return re.findall(WORD, text.lower())\n"
    ),
    "parameters in the first column": (
        "def foo(\na, b):\n    pass\nfrom re import findall as fa\ndef tokenize(text):\n    return fa('[a-z]+', text)\n"
    ),
    "a comment that ends in a backslash": (
        "import re\ndef foo():\n    pass\n# C:\\\nWORD = r'[a-z]+'\n"
        "def tokenize(text):\n    return re.findall(WORD, text.lower())\n"
    ),
    "a later definition": (
        "import re\ndef clean(text):\n    return text\ndef clean(text):\n    return re.sub(r'[^a-z ]', '', text.lower())\n"
        "def tokenize(text):\n    return clean(text).split()\n"
    ),
    "an overload": (
        "import re\n@overload\ndef clean(text: str) -> str: ...\ndef clean(text):\n"
        "    return re.sub(r'[^a-z ]', '', text.lower())\ndef tokenize(text):\n    return clean(text).split()\n"
    ),
    "a name in another form": "import re\nﬁnd = 1\ndef ﬁnder(t):\n    return re.findall('[a-z]+', t)\ndef tokenize(t):\n    return finder(t)\n",
    "a branch of the top level": (
        "import re\nwhile True:\n    WORD = r'[a-z]+'\n    break\ndef tokenize(text):\n    return re.findall(WORD, text)\n"
    ),
    "no function at all": "import re\nx = 'a b'.split()\ntokens = set(re.findall('[a-z]+', input()))\nprint(tokens)",
}


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", FINDS)
def test_odd_layouts_hide_nothing(name: str, whole: bool) -> None:
    facts = read_source("a.py", FINDS[name].encode(), whole=whole)
    assert facts.problems == ()
    assert any(t.run("ab я") == ["ab"] for t in facts.tokenizers), facts


def test_a_long_chain_of_branches_is_read() -> None:
    chain = "".join(f"    elif c == {n}:\n        score *= 2\n" for n in range(1500))
    source = (
        f"import re\ndef weigh(c, score):\n    if 'ㄱ' <= c <= 'ㅎ':\n        score *= 0.5\n{chain}    return score\n"
    )
    source += "def tokenize(text):\n    return re.findall('[a-z]+', text)\n"
    assert [t.name for t in read_source("a.py", source.encode(), whole=True).tokenizers] == ["tokenize"]


def test_constants_that_double_end() -> None:
    doubled = "".join(f"C{n + 1} = C{n} + C{n}\n" for n in range(60))
    source = (
        f"import re\nC0 = 'a'\n{doubled}def tokenize(text):\n    return re.findall('[' + C60 + ']+', text.lower())\n"
    )
    read_source("a.py", source.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"#" + b"x" * 500 + b"\n# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        b"# -*- coding: latin-1 -*-\rx = '\xe9'\ry = 2\r",
    ],
)
def test_encodings_are_found_where_python_finds_them(data: bytes) -> None:
    assert "é" in decoded(data) and "\r" not in decoded(data)
