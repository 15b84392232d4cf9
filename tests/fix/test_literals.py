"""Edits inside string literals land where they should, whatever the literal is written like."""

from __future__ import annotations

import ast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as s

from scriptlint.fix.literals import Edit, Text, apply_edits, read_literal


@pytest.mark.parametrize("source", ['f"a{b}"', 'b"ab"', "name", '"a" + "b"', "", '("a", "b")'])
def test_not_a_literal(source: str) -> None:
    assert read_literal(source, 0) is None


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("source", "value"),
    [
        (r'r"[\w]+"', r"[\w]+"),
        (r'"\x41\101\u0416\U0001F600\N{BULLET}\n\\d"', "AAЖ\U0001f600•\n\\d"),
        ('r"a" "\\tb"', "a\tb"),
        ("'''it's \"x\"'''", 'it\'s "x"'),
        ('"a\\\nb"', "ab"),
        ('"a\\\r\nb"', "ab"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
    ],
)
def test_values(source: str, value: str) -> None:
    literal = read_literal(source, 0)
    assert literal is not None and literal.value == value


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
@given(s.text(max_size=12), s.text(max_size=12), s.sampled_from([r"\u0400-\u04ff", r"\w", "|", r"[\p{L}]"]), s.data())
def test_an_edit_changes_the_value_and_nothing_else(first: str, second: str, new: str, data: s.DataObject) -> None:
    assume("\r" not in first + second)
    raw = all(c.isprintable() and c not in '"\\' for c in second)
    source = repr(first) + " " + (f'r"{second}"' if raw else repr(second))
    before, after = "x = ", "  # é\n"
    literal = read_literal(source, len(before))
    assert literal is not None and literal.value == first + second
    assume(literal.value)
    start = data.draw(s.integers(0, len(literal.value)))
    end = data.draw(s.integers(start, len(literal.value)))
    edit = literal.edit(start, end, new)
    if edit is None:
        return
    whole = f"{before}{source}{after}".encode("utf-8", "surrogatepass")
    assume(b"\xed" not in whole)
    edited = apply_edits(whole, (edit,)).decode()
    assert edited.startswith(before) and edited.endswith(after)
    body = edited[len(before) : -len(after)]
    assert ast.literal_eval(body) == literal.value[:start] + new + literal.value[end:]


def test_line_ends_inside_a_literal_stay() -> None:
    source = "'''a\r\n[b]\r'''  # é\r\n"
    literal = read_literal(source.split("  #")[0], 0)
    assert literal is not None
    edit = literal.edit(3, 4, "bc")
    assert edit is not None
    assert apply_edits(source.encode(), (edit,)).decode() == source.replace("b", "bc")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1251", "euc-jp", "shift_jis", "utf-8"])
def test_bytes_of_any_encoding_stay(encoding: str) -> None:
    comment = {"latin-1": "é", "cp1251": "ж"}.get(encoding, "表")
    source = f"# coding: {encoding}\n# {comment}\nx = 'ab'\n".encode(encoding)
    text = Text(source).text
    assert apply_edits(source, (Edit(text.index("b'"), text.index("b'"), "c"),)) == source.replace(b"ab", b"acb")


@pytest.mark.parametrize("source", [b"# coding: none-such\n", b"# coding: ascii\n# \xe9", b"# \xe9"])
def test_what_is_not_in_its_encoding_is_left_alone(source: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        Text(source)


def test_places() -> None:
    text = Text("\ufeffé = 1\r\nxé = 2\n".encode())
    assert text.text[text.offset(1, 1)] == "é" and text.text[text.offset(2, 2)] == "é"
    assert text.text[text.of_node(2, 3)] == " "
