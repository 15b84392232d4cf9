"""Offsets in decoded values lead to the right characters of the file."""

from __future__ import annotations

import csv
import io
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.corpus.places import Lines, Spot, Style
from scriptlint.corpus.readers.jsontext import spans

SPACE = " \t\r\n\x85\u2028\u2029"
TEXTS = st.text(st.sampled_from("ab'\": \n\\é視🎉𠮷#-,\t|>[]{}"), min_size=1, max_size=40)
STYLES: dict[str, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}


def check(style: Style, text: str, start: int, end: int, value: str) -> None:
    offsets = Spot(Lines(text, "f"), start, end, style, value).offsets
    assert len(offsets) == len(value) + 1
    assert offsets == sorted(offsets)
    for char, at in zip(value, offsets, strict=False):
        assert char in SPACE or text[at] == char or text[at] == "\\"


@given(TEXTS, st.booleans())
def test_json(value: str, ascii_only: bool) -> None:
    text = json.dumps([{"k": value}, value], ensure_ascii=ascii_only)
    found = spans(text, [(0, "k"), (1,)])
    for start, end, style in found.values():
        assert json.loads(text[start:end]) == value
        check(style, text, start, end, value)
    assert set(found) == {(0, "k"), (1,)}


@given(TEXTS, st.sampled_from(["'", '"', "|", ">", None]))
def test_yaml(value: str, style: str | None) -> None:
    text = yaml.safe_dump({"k": value}, default_style=style, allow_unicode=True, width=20)
    node = yaml.compose(text, Loader=yaml.CSafeLoader).value[0][1]
    check(STYLES.get(node.style or "", "plain"), text, node.start_mark.index, node.end_mark.index, node.value)


@given(TEXTS)
def test_csv_quotes(value: str) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow([value])
    text = out.getvalue()
    check("csv", text, 0, len(text) - 2, value)


@pytest.mark.parametrize(
    ("text", "style", "value", "part", "place"),
    [
        ("d: |\n  one\n  二三 four\n", "literal", "one\n二三 four\n", "二三", (3, 3, 3, 5)),
        ("d: >-\n  one\n  two\n", "folded", "one two", "two", (3, 3, 3, 6)),
        ('d: "a\\u4e8c\\n𠮷b"\n', "double", "a二\n𠮷b", "𠮷b", (1, 14, 1, 16)),
        ("d: 'it''s'\n", "single", "it's", "'s", (1, 7, 1, 10)),
        ("d: one\r\n   two\r\n", "plain", "one two", "two", (2, 4, 2, 7)),
    ],
)
def test_parts(text: str, style: Style, value: str, part: str, place: tuple[int, ...]) -> None:
    spot = Spot(Lines(text, "f"), 3, len(text.rstrip()), style, value)
    at = value.index(part)
    found = spot.location(at, at + len(part))
    assert (found.line, found.column, found.end_line, found.end_column) == place


def test_surrogate_pair_is_one_character() -> None:
    text = '"\\ud83c\\udf89x"'
    spot = Spot(Lines(text, "f"), 0, len(text), "json", "🎉x")
    assert spot.location(0, 1).end_column == 14
    assert spot.location(1, 2).column == 14
