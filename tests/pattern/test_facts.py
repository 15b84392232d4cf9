"""Facts about patterns, and spans that point at the text."""

from __future__ import annotations

import pytest
import regex

from scriptlint.pattern import PatternError, facts, parse
from scriptlint.pattern.about import walk


@pytest.mark.parametrize(
    ("pattern", "name", "least", "most"),
    [
        ("abc", "re", 3, 3),
        ("a{2,5}b?", "re", 2, 6),
        (r"(\w)\1+", "re", 2, None),
        ("a|bcd|", "re", 0, 3),
        ("(?=abc)", "re", 0, 0),
        ("(a)?(?(1)bc|d)", "re", 1, 3),
        ("a(?R)?b", "regex", 2, None),
        (r"\X", "regex", 1, None),
        (r"\R", "regex", 1, 2),
        ("(?:cat){e<=1}", "regex", 3, None),
        ("(?if)ß", "regex", 1, 2),
    ],
)
def test_lengths(pattern: str, name: str, least: int, most: int | None) -> None:
    found = facts(pattern, 0, name)  # type: ignore[arg-type]
    assert (found.min_length, found.max_length) == (least, most)


@pytest.mark.parametrize(
    ("pattern", "first", "last"),
    [
        ("^a$", True, True),
        (r"\Aa\Z", True, True),
        ("(?:^a|^b)c", True, False),
        ("(?m)^a$", False, False),
        ("^a|b$", False, False),
        (r"\b(^a)", True, False),
        ("a^", False, False),
    ],
)
def test_anchors(pattern: str, first: bool, last: bool) -> None:
    found = facts(pattern)
    assert (found.anchored_start, found.anchored_end) == (first, last)


def test_boundaries_literals_and_groups() -> None:
    found = facts(r"\b(?P<kind>foo|bar)s?: \w+\b")
    assert found.boundary
    assert found.boundaries == ((0, 2), (26, 28))
    assert found.literals == (": ",)
    assert facts(r"https?://\w+").required_letters == "http"
    assert facts("(?i)Straße").required_letters == "strae"
    assert (found.groups, found.names) == (1, {"kind": 1})
    assert found.group_bodies == {1: (11, 18)}


@pytest.mark.parametrize(
    ("pattern", "flags", "name", "kinds"),
    [
        (r"[\w--\d]", 0, "regex", ["set-operation"]),
        (r"[\w--\d]", regex.V1, "regex", []),
        ("[a-z&&[aeiou]]", 0, "re", ["set-operation"]),
        ("[[:alpha:]]+", 0, "re", ["posix-class"]),
        ("[[:alpha:]]+", 0, "regex", []),
        ("[A-z]", 0, "re", ["letter-gap"]),
        (r"\p{Han}", regex.A, "regex", ["ascii-property"]),
        (r"\p{Han}", 0, "regex", []),
        (r"\p-[\P]", 0, "regex", ["property-escape", "property-escape"]),
        (r"[^\s\S]", 0, "regex", ["any-set"]),
        ("[A-Za-z]", 0, "re", []),
    ],
)
def test_traps(pattern: str, flags: int, name: str, kinds: list[str]) -> None:
    found = facts(pattern, int(flags), name)  # type: ignore[arg-type]
    assert sorted(t.kind for t in found.traps) == sorted(kinds)
    for trap in found.traps:
        assert pattern[trap.start : trap.end] == trap.text != ""


def test_a_property_under_re_is_an_error_with_a_position() -> None:
    with pytest.raises(PatternError, match=r"bad escape \\p at position 2"):
        facts(r"[a\p{L}]")


def test_classes_carry_their_text_and_points() -> None:
    found = facts(r"x[^\W\d_]+.\s")
    assert [(c.text, c.negated) for c in found.classes] == [(r"[^\W\d_]", True), (".", False), (r"\s", False)]
    assert found.classes[2].points.size == 29


@pytest.mark.parametrize(
    "pattern",
    [
        "a(?P<n>b|[c-d]+?)(?=e)(?:f){2}",
        r"(?x) a  # note \n [ ] \w",
        r"(?i:\x41)\N{DIGIT ONE}(?>q)",
        "(?#x)(a)(?(1)b|c)",
    ],
)
def test_spans_nest_and_hold_the_text(pattern: str) -> None:
    for name in ("re", "regex"):
        root = parse(pattern, 0, name).root  # type: ignore[arg-type]
        for node in walk(root):
            assert 0 <= node.start <= node.end <= len(pattern)
    groups = [x for x in walk(parse(pattern).root) if type(x).__name__ in ("Group", "Atomic", "Look", "Conditional")]
    assert all(pattern[g.start] == "(" and pattern[g.end - 1] == ")" for g in groups)
