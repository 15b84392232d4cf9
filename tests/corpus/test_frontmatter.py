"""Front matter: the quick way gives what YAML gives, and what YAML refuses is read as loaders read it."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from scriptlint.corpus.readers.frontmatter import read_header

WORDS = st.text(st.sampled_from("ab é視🎉:#'\"-*&!%@`{}[],|>?0.1yn\\~\u00a0\u2028\u0085\ufeff=<"), max_size=12)
KEYS = st.sampled_from(["name", "description", "license", "tags", "on", "y", "version", "Name"])
LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, WORDS),
    st.builds('{}: "{}"'.format, KEYS, WORDS),
    st.builds("{}: '{}'".format, KEYS, WORDS),
    st.builds("{}:".format, KEYS),
    st.builds("  - {}".format, WORDS),
    st.builds("{}: [{}, {}]".format, KEYS, WORDS, WORDS),
    st.builds("  {}".format, WORDS),
    st.just(""),
    st.just("# a comment"),
)


@given(st.lists(LINES, max_size=5), st.sampled_from(["\n", "\r\n"]))
@example(["name: on", "description: 1e3"], "\n")
@example(["name: a:b", "description: a #b"], "\n")
@example(["tags:", "  - a: b", "description: x"], "\n")
@example(["description: a", "  b"], "\n")
def test_quick_way_is_the_exact_way(lines: list[str], end: str) -> None:
    text = end.join(["---", *lines, "---", "body", ""])
    quick, exact = read_header(text, "f"), read_header(text, "f", exact=True)
    assert quick == exact


@given(st.lists(LINES, max_size=5))
def test_agrees_with_yaml(lines: list[str]) -> None:
    body = "\n".join(lines) + "\n"
    found = read_header(f"---\n{body}---\n", "f")
    try:
        value = yaml.load(body, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, TypeError):
        return
    if not isinstance(value, dict):
        return
    text = value.get("description")
    if isinstance(text, str) and "---" not in lines:
        assert found.description is not None
        assert found.description.value == text


@pytest.mark.parametrize(
    ("body", "name", "description", "kind"),
    [
        ("name: a\ndescription: Notes: what was said", "a", "Notes: what was said", "unquoted-colon"),
        ("description: Rules for tests\nglobs: *.ts", None, "Rules for tests", "unquoted-star"),
        ("name: a\ndescription: **加粗** text", "a", "**加粗** text", "unquoted-star"),
        ("name: a\ndescription: | Use when needed.", "a", "Use when needed.", "text-after-indicator"),
        ("name: a\ndescription: >\nUse when\nmeals matter", "a", "Use when meals matter", None),
        ("name: a\ndescription: `code` here", "a", "`code` here", "bad-start"),
        ("description: run it\nargument-hint: [x] [y]", None, "run it", "yaml-error"),
        ('name: a\ndescription: "broken \\q escape"', "a", "broken \\q escape", "yaml-error"),
        ("name: a\ndescription: nul \0 inside", "a", "nul  inside", "control-character"),
        ("name: a\ndescription: first: one\n  and more", "a", "first: one and more", "unquoted-colon"),
    ],
)
def test_lenient(body: str, name: str | None, description: str, kind: str | None) -> None:
    header = read_header(f"---\n{body}\n---\n", "f")
    assert (header.name.value if header.name else None) == name
    assert header.description is not None
    assert header.description.value == description
    assert header.oddities
    assert kind is None or header.oddities[0].kind == kind


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("# no front matter\n", []),
        ("\n\n---\nname: a\ndescription: b\n---\n", ["leading-space"]),
        ("---\nname: a\ndescription: b\n# Title\n", ["unterminated"]),
        ("---\r\nname: a\r\ndescription: b\r\n---\r\n", ["crlf"]),
        ("---\nname: a\nname: b\ndescription: c\n---\n", ["duplicate-key"]),
        ("---\nname: 8004\ndescription: c\n---\n", ["name-type"]),
        ("---\nname: a\ndescription: [b, c]\n---\n", ["description-type"]),
        ("---\nname: a\nmetadata:\n  description: b\n---\n", ["nested-description"]),
        ("---\n? [a]\n: b\nname: a\ndescription: c\n---\n", ["odd-key"]),
    ],
)
def test_oddities(text: str, kinds: list[str]) -> None:
    assert [o.kind for o in read_header(text, "f").oddities] == kinds


@pytest.mark.parametrize("body", ["- a\n- b\n", "just words\n", "[" * 5000 + "\n", "a: &x [*x, *x]\n", "{a: }\n"])
def test_nothing_is_fatal(body: str) -> None:
    header = read_header(f"---\n{body}---\n", "f")
    assert header.found


@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    read_header(text, "f")
    read_header(f"---\n{text}\n---\n", "f")


def test_places() -> None:
    header = read_header("---\nname: 'a'\ndescription: >-\n  二\n  三\n---\n", "f")
    assert header.description is not None
    assert header.description.value == "二 三"
    assert header.description.style == "folded"
