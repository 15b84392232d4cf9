"""Every format, by name and content, with the places of what was read; nothing odd is fatal or silent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptlint.corpus.items import Item, Reading
from scriptlint.corpus.readers import read_file
from scriptlint.corpus.readers.files import FileRef

if TYPE_CHECKING:
    from scriptlint.finding import Location


def read(path: str, data: str | bytes | object, *, given_: bool = False) -> Reading:
    if not isinstance(data, (str, bytes)):
        data = json.dumps(data, ensure_ascii=False, indent=1)
    raw = data if isinstance(data, bytes) else data.encode()
    quick = read_file(FileRef(path, path, given=given_), raw)
    placed = read_file(FileRef(path, path, given=given_), raw, places=True)
    assert [(i.name, i.dirname, i.description, i.kind, i.part) for i in quick.items] == [
        (i.name, i.dirname, i.description, i.kind, i.part) for i in placed.items
    ]
    text = raw.decode("utf-16" if raw.startswith(b"\xff\xfe") else "utf-8", "replace").removeprefix("\ufeff")
    for item in placed.items:
        if item.description_location and item.description.isalnum():
            assert cut(text, item.description_location) == item.description
    return placed


def cut(text: str, place: Location) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    assert place.line == place.end_line
    return lines[place.line - 1][place.column - 1 : place.end_column - 1]


def names(reading: Reading) -> list[tuple[str, str, str, str]]:
    return [(i.kind, i.name, i.dirname, i.description) for i in reading.items]


MARKDOWN = "---\nname: 甲乙\ndescription: 描述\n---\n"


@pytest.mark.parametrize(
    ("path", "kind", "dirname"),
    [
        ("skills/x/SKILL.md", "skill", "x"),
        ("skills/x/skill.md", "skill", "x"),
        ("skills/x/SKILL.MD", "skill", "x"),
        (".claude/agents/deep/y.md", "agent", "y"),
        ("commands/z.md", "command", "z"),
        (".cursor/rules/r.mdc", "rule", "r"),
        ("categories/01-core/w.md", "skill", "w"),
    ],
)
def test_markdown_kinds(path: str, kind: str, dirname: str) -> None:
    assert names(read(path, MARKDOWN)) == [(kind, "甲乙", dirname, "描述")]


def test_agents_outside_agents_folders() -> None:
    text = "---\nname: w\ndescription: Reviews\ntools: Read\nmodel: inherit\n---\n"
    assert read("categories/01-core/w.md", text).items[0].kind == "agent"


@pytest.mark.parametrize("path", ["README.md", "docs/guide.md", "agents/README.md", "commands/README.md"])
def test_documents_are_no_definitions(path: str) -> None:
    assert not read(path, "# Title\n\n---\n\nText\n").recognised


TOOL = {"name": "甲乙", "description": "描述", "inputSchema": {"type": "object", "properties": {"name": {}}}}


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            ".claude-plugin/marketplace.json",
            {"name": "m", "owner": {}, "plugins": [{"name": "a", "source": "./plugins/b", "description": "描述"}]},
            [("plugin", "a", "b", "描述")],
        ),
        (
            "marketplace.json",
            {"plugins": [{"name": "a", "source": {"source": "url", "url": "https://x/y/z.git"}, "description": "d"}]},
            [("plugin", "a", "z", "d")],
        ),
        ("p/.claude-plugin/plugin.json", {"name": "q", "description": "描述"}, [("plugin", "q", "p", "描述")]),
        ("x.json", {"tools": [TOOL]}, [("tool", "甲乙", "", "描述")]),
        ("x.json", {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}, [("tool", "甲乙", "", "描述")]),
        ("x.snap", TOOL, [("tool", "甲乙", "", "描述")]),
        (
            "x.json",
            [{"type": "function", "function": {"name": "f", "description": "描述", "parameters": {}}}],
            [("tool", "f", "", "描述")],
        ),
        ("x.json", [{"name": "f", "description": "描述", "input_schema": {}}], [("tool", "f", "", "描述")]),
        ("s/tools.json", [{"name": "f", "description": "描述"}], [("tool", "f", "s", "描述")]),
        (
            "servers/s.json",
            {
                "name": "s",
                "description": "描述",
                "installations": {},
                "tools": [TOOL, {"name": "n", "inputSchema": {}}],
            },
            [("server", "s", "s", "描述"), ("tool", "甲乙", "s", "描述"), ("tool", "n", "s", "")],
        ),
        (
            "page.json",
            {"servers": [{"server": {"name": "io.x/y", "description": "描述"}, "_meta": {}}]},
            [("server", "io.x/y", "", "描述")],
        ),
        (
            "q.json",
            [{"api_list": [{"tool_name": "T", "api_name": "a", "api_description": "描述"}] * 2, "query": "?"}],
            [("tool", "a", "T", "描述")],
        ),
        ("plugin_des.json", {"timeport": "描述"}, [("tool", "timeport", "", "描述")]),
        (
            "plugin_info.json",
            [{"name_for_model": "m", "name_for_human": "M", "description_for_model": "描述"}],
            [("tool", "m", "M", "描述")],
        ),
        ("apis.json", {"count": 1, "entries": [{"API": "A", "Description": "描述"}]}, [("tool", "A", "", "描述")]),
        ("seal.json", [{"api_name": "a", "api_description": "描述"}], [("tool", "a", "", "描述")]),
    ],
)
def test_json_shapes(path: str, value: object, expected: list[tuple[str, str, str, str]]) -> None:
    assert names(read(path, value)) == expected


@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "locale.json", "data.json"])
def test_other_json_is_left_alone(name: str) -> None:
    value = {"name": "x", "version": "1", "description": "A package", "keys": {"a": "b"}}
    assert not read(name, value).recognised


def test_server_yaml() -> None:
    text = "name: s\nabout:\n  title: S\n  description: 描述\nsource:\n  project: x\n"
    assert names(read("servers/s/server.yaml", text)) == [("server", "s", "s", "描述")]
    assert not read("compose.yaml", "services:\n  a: {}\n").recognised


@pytest.mark.parametrize(
    ("path", "data", "kind", "unreadable"),
    [
        ("s/SKILL.md", "\ufeff" + MARKDOWN, "bom", False),
        pytest.param("s/SKILL.md", MARKDOWN.encode("utf-16"), "utf-16", False, id="utf-16"),
        ("s/SKILL.md", "---\nname: a\ndescription: привет мир\n---\n".encode("cp1251"), "not-utf8", False),
        ("s/SKILL.md", MARKDOWN.encode() + "тело ".encode() * 9 + b"\xe4\xbd", "bad-bytes", False),
        ("s/SKILL.md", "---\nname: a\ndescription: b\n---\n\0", "nul", False),
        ("s/SKILL.md", "# only a body\n", "no-front-matter", False),
        ("s/SKILL.md", "---\n- a\n---\n", "yaml-error", True),
        ("s/SKILL.md", "---\nname: a\n---\n", "no-description", False),
        ("s/SKILL.md", "---\ndescription: b\n---\n", "no-name", False),
        ("s/SKILL.md", b"", "no-front-matter", False),
        ("p/plugin.json", '{"name": "a", "description": "say "hi""}', "json-error", True),
        ("p/plugin.json", '{"name": "a", "name": "b", "description": "c"}', "duplicate-key", False),
        ("p/plugin.json", '// c\n{"name": "a", "description": "b",}', "json-relaxed", False),
        ("p/plugin.json", '{"name": "a", "description": ["b", "c"]}', "description-type", False),
        ("p/plugin.json", "[" * 100_000, "json-error", True),
        ("p/plugin.json", b"\xff\xfe\x00", "utf-16", True),
        ("s/tools.json", "[]", "empty-list", False),
        ("s/tools.json", "7", "no-items", True),
        ("m/marketplace.json", '{"agents": []}', "no-plugins", True),
        ("s/server.yaml", "name: [\nabout: x\n", "yaml-error", True),
    ],
)
def test_told_and_not_fatal(path: str, data: str | bytes, kind: str, unreadable: bool) -> None:
    reading = read(path, data)
    assert kind in [o.kind for o in reading.oddities]
    assert reading.unreadable is unreadable
    assert bool(reading.items) is not (unreadable or kind in ("empty-list",))


@given(st.binary(max_size=60), st.sampled_from(["a/SKILL.md", "plugin.json", "tools.json", "server.yaml", "r.mdc"]))
def test_any_bytes(data: bytes, path: str) -> None:
    for prefix in (b"", b"---\nname: a\ndescription: ", b'{"name": "', b"name: a\nabout:\n  description: "):
        read_file(FileRef(path, path), prefix + data, places=True)


def test_index_names() -> None:
    def item(kind: str, name: str, dirname: str) -> Item:
        return Item(name, dirname, "", "p", kind)

    assert item("skill", "a", "b").names == ("a", "b")
    assert item("skill", "a", "a").names == ("a",)
    assert item("command", "", "b").names == ("b",)
    assert item("tool", "a", "server").names == ("a",)
    assert item("skill", "", "").names == ()
