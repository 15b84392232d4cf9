"""What the JSON of plugins, servers and tools looks like, in every shape met: each shape gives drafts of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scriptlint.corpus.readers.files import Draft, FileRef, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_KEYS = ("name", "api_name", "name_for_model", "tool_name", "API", "Name", "id", "slug", "title")
DESCRIPTION_KEYS = (
    "description",
    "api_description",
    "description_for_model",
    "tool_description",
    "Description",
    "desc",
    "summary",
)
_SCHEMA_KEYS = frozenset(
    {"inputSchema", "input_schema", "parameters", "arguments", "annotations", "outputSchema", "args_schema", "strict"}
)
_SERVER_KEYS = frozenset(
    {"installations", "packages", "remotes", "packageName", "display_name", "runtime", "version_detail", "transport"}
)
_NOT_REGISTRIES = frozenset(
    {"package.json", "package-lock.json", "composer.json", "tsconfig.json", "manifest.json", "bower.json", "deno.json"}
)
_LIST_NAMES = ("tool", "skill", "agent", "command", "plugin", "api", "function", "server", "registry", "catalog")


def drafts(value: Any, ref: FileRef) -> tuple[str, list[Draft]] | None:
    """The shape's name and its items; ``None`` when the value has no shape of a registry."""
    if ref.name in _NOT_REGISTRIES and not ref.given:
        return None
    for shape, read in _SHAPES:
        found = read(value, ref)
        if found is not None:
            return shape, _named(list(found))
    return None


def _named(found: list[Draft]) -> list[Draft]:
    return [d for d in found if d.name or d.description]


def text_of(value: Any) -> str:
    """A value as a router would index it: text itself, numbers and booleans as written, else nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return ", ".join(value)
    return ""


def _one(entry: dict[str, Any], at: Path, kind: str, dirname: str, part: str) -> Draft:
    name_key = next((k for k in NAME_KEYS if k in entry), None)
    text_key = next((k for k in DESCRIPTION_KEYS if k in entry), None)
    return Draft(
        name=text_of(entry.get(name_key)) if name_key else "",
        dirname=dirname,
        description=text_of(entry.get(text_key)) if text_key else "",
        kind=kind,
        part=part,
        name_path=(*at, name_key) if name_key else None,
        description_path=(*at, text_key) if text_key else None,
    )


def _part(at: Path) -> str:
    out = ""
    for step in at:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else step
    return out


def _marketplace(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    plugins = value.get("plugins") if isinstance(value, dict) else None
    if not isinstance(plugins, list) or not (ref.name == "marketplace.json" or "owner" in value or ref.given):
        return None
    return _plugins(plugins)


def _plugins(plugins: list[Any]) -> Iterator[Draft]:
    for number, entry in enumerate(plugins):
        if not isinstance(entry, dict):
            continue
        source = entry.get("source")
        where = source
        if isinstance(source, dict):
            where = next(
                (source[k] for k in ("path", "url", "repo", "repository") if isinstance(source.get(k), str)), ""
            )
        dirname = where.rstrip("/").rpartition("/")[2].removesuffix(".git") if isinstance(where, str) else ""
        at: Path = ("plugins", number)
        yield _one(entry, at, "plugin", "" if dirname in (".", "..") else dirname, _part(at))


def _plugin(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    if ref.name != "plugin.json" or not isinstance(value, dict):
        return None
    return iter([_one(value, (), "plugin", ref.folder, "")])


def _toolbench(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    if isinstance(value, dict) and isinstance(value.get("api_list"), list) and "tool_description" in value:
        return _rapid(value)
    if not (isinstance(value, list) and value and isinstance(value[0], dict) and "api_list" in value[0]):
        return None
    return _queries(value)


def _rapid(value: dict[str, Any]) -> Iterator[Draft]:
    yield _one(value, (), "server", "", "")
    for number, entry in enumerate(value["api_list"]):
        if isinstance(entry, dict):
            at: Path = ("api_list", number)
            yield _one(entry, at, "tool", text_of(value.get("tool_name")), _part(at))


def _queries(value: list[Any]) -> Iterator[Draft]:
    seen: set[tuple[str, str, str]] = set()
    for row, query in enumerate(value):
        apis = query.get("api_list") if isinstance(query, dict) else None
        for number, entry in enumerate(apis if isinstance(apis, list) else ()):
            if not isinstance(entry, dict):
                continue
            tool = text_of(entry.get("tool_name"))
            key = (tool, text_of(entry.get("api_name")), text_of(entry.get("api_description")))
            if key not in seen:
                # The same tool comes back in many queries: it is one item.
                seen.add(key)
                at: Path = (row, "api_list", number)
                yield _one(entry, at, "tool", tool, _part(at))


def _alpaca(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    entries = value.get("entries") if isinstance(value, dict) else value
    if not (isinstance(entries, list) and entries and isinstance(entries[0], dict)):
        return None
    if not ({"API", "Description"} <= entries[0].keys() or {"Name", "Description"} <= entries[0].keys()):
        return None
    at: Path = ("entries",) if isinstance(value, dict) else ()
    return (_one(e, (*at, n), "tool", "", _part((*at, n))) for n, e in enumerate(entries) if isinstance(e, dict))


def _by_name(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    """MetaTool: one object, name -> description. Translation files look alike, so the file's name must agree."""
    if not (isinstance(value, dict) and value and all(isinstance(v, str) for v in value.values())):
        return None
    if not (ref.stem.endswith(("_des", "_desc", "_descriptions")) or ref.stem in ("descriptions", "tools")):
        return None
    return (Draft(k, "", v, "tool", k, None, (k,)) for k, v in value.items())


def _servers(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    """MCP registry: one server a file (with or without its tools), or an API page of many."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("servers"), list):
        return _server_page(value["servers"])
    named = isinstance(value.get("name"), str) and isinstance(value.get("description"), str)
    if named and (_SERVER_KEYS & value.keys() or "server.schema.json" in text_of(value.get("$schema"))):
        return _server(value, ref.stem if ref.stem != "server" else ref.folder)
    return None


def _server_page(servers: list[Any]) -> Iterator[Draft]:
    for number, entry in enumerate(servers):
        if isinstance(entry, dict):
            inner = isinstance(entry.get("server"), dict)
            at: Path = ("servers", number, "server") if inner else ("servers", number)
            yield _one(entry["server"] if inner else entry, at, "server", "", _part(at))


def _server(value: dict[str, Any], dirname: str) -> Iterator[Draft]:
    yield _one(value, (), "server", dirname, "")
    yield from tools_below(value, (), dirname)


def _tools(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    """tools/list results, OpenAI and Anthropic definitions: a name with a description, wherever it sits."""
    dirname = ref.folder if ref.stem in ("tools", "tool") else ""
    found = list(tools_below(value, (), dirname))
    if found:
        return iter(found)
    if isinstance(value, list) and (ref.given or any(word in ref.stem.lower() for word in _LIST_NAMES)):
        rows = [(n, e) for n, e in enumerate(value) if isinstance(e, dict)]
        if len(rows) == len(value) and all(_has_both(e) for _, e in rows):
            kind = "tool" if "tool" in ref.stem or "function" in ref.stem else "record"
            return (_one(e, (n,), kind, dirname, _part((n,))) for n, e in rows)
    return None


def _has_both(entry: dict[str, Any]) -> bool:
    return any(k in entry for k in NAME_KEYS) and any(k in entry for k in DESCRIPTION_KEYS)


def tools_below(value: Any, at: Path, dirname: str, depth: int = 0) -> Iterator[Draft]:
    """Every object with a name and a schema or in a list called tools; schemas are not searched."""
    if depth > 12:
        return
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and _SCHEMA_KEYS & value.keys() and depth:
            yield _one(value, at, "tool", dirname, _part(at))
            return
        if depth == 0 and isinstance(value.get("name"), str) and {"inputSchema", "input_schema"} & value.keys():
            yield _one(value, at, "tool", dirname, _part(at))
            return
        for key, inner in value.items():
            if key in ("function", "result") and isinstance(inner, dict):
                yield from tools_below(inner, (*at, key), dirname, depth + 1)
            elif key in ("tools", "functions") and isinstance(inner, list):
                yield from _tool_list(inner, (*at, key), dirname, depth + 1)
    elif isinstance(value, list) and depth == 0 and all(_is_tool(e) for e in value):
        yield from _tool_list(value, at, dirname, depth + 1)


def _is_tool(entry: Any) -> bool:
    return isinstance(entry, dict) and bool(_SCHEMA_KEYS & entry.keys() or "function" in entry)


def _tool_list(entries: list[Any], at: Path, dirname: str, depth: int) -> Iterator[Draft]:
    for number, entry in enumerate(entries):
        if isinstance(entry, dict):
            inner = entry.get("function")
            here: Path = (*at, number)
            if isinstance(inner, dict):
                yield _one(inner, (*here, "function"), "tool", dirname, _part(here))
            elif _has_both(entry) or (isinstance(entry.get("name"), str) and _SCHEMA_KEYS & entry.keys()):
                yield _one(entry, here, "tool", dirname, _part(here))


def _records(value: Any, ref: FileRef) -> Iterator[Draft] | None:
    """Lists of objects whose keys are those of a known data set (Seal-Tools, MetaTool's plugin_info)."""
    rows = value if isinstance(value, list) else [value]
    if not rows or not isinstance(rows[0], dict):
        return None
    if not ({"api_name", "api_description"} <= rows[0].keys() or "name_for_model" in rows[0]):
        return None
    at: Path = ()
    return (
        _one(e, (*at, n) if isinstance(value, list) else at, "tool", text_of(e.get("name_for_human")), _part((n,)))
        for n, e in enumerate(rows)
        if isinstance(e, dict)
    )


_SHAPES = (
    ("marketplace", _marketplace),
    ("plugin", _plugin),
    ("toolbench", _toolbench),
    ("records", _records),
    ("toolalpaca", _alpaca),
    ("server", _servers),
    ("tools", _tools),
    ("descriptions", _by_name),
)
