"""JSON and YAML files of plugins, servers and tools: shapes from ``tooljson``, places from the text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.corpus.items import Item, Oddity, Reading
from scriptlint.corpus.readers import jsontext
from scriptlint.corpus.readers.decoding import decode
from scriptlint.corpus.readers.files import Draft, FileRef, Path, Span
from scriptlint.corpus.readers.tooljson import drafts, text_of
from scriptlint.finding import Level

if TYPE_CHECKING:
    from collections.abc import Callable

_CERTAIN = frozenset({"marketplace.json", "plugin.json", "tools.json"})
_SIGNS = (b'"name"', b'"description"', b"api_name", b"name_for_model", b'"API"', b'"servers"', b'"tools"')


def read_json(ref: FileRef, data: bytes, places: bool = False) -> Reading:
    """The items of a JSON file; a file that has no shape of a registry is not recognised."""
    certain = ref.name in _CERTAIN or ref.given
    if not certain and not any(sign in data for sign in _SIGNS) and not ref.stem.endswith("_des"):
        return Reading(recognised=False)
    decoded = decode(data, ref.path)
    out = Reading(oddities=decoded.oddities)
    try:
        value, told = jsontext.load(decoded.text)
    except jsontext.BrokenJsonError as error:
        if not certain and ref.suffix != ".snap":
            return Reading(recognised=False)
        lines = _lines(decoded.text, ref.path)
        place = lines.location(error.offset, min(error.offset + 1, len(decoded.text)))
        line, column = place.line, place.column
        odd = Oddity("json-error", str(error), ref.path, line, column, line, column + 1, Level.WARNING)
        out.oddities.append(odd)
        out.unreadable = True
        return out
    shaped = drafts(value, ref)
    if shaped is None or (not shaped[1] and not certain):
        return _shapeless(value, ref, certain, out)
    shape, found = shaped
    for kind, why in told:
        out.oddities.append(Oddity(kind, why, ref.path, end_column=2))
    return _finish(out, shape, found, value, ref, decoded.text, places, jsontext.spans)


def _shapeless(value: Any, ref: FileRef, certain: bool, out: Reading) -> Reading:
    if not certain:
        return Reading(recognised=False)
    if value in ([], {}):
        what = "list" if value == [] else "object"
        why, kind, level = f"is an empty {what}: nothing to index", "empty-list", Level.NOTE
    elif ref.name == "marketplace.json":
        why, kind, level = "has no `plugins` list", "no-plugins", Level.WARNING
    elif isinstance(value, (dict, list)):
        why, kind, level = "holds no name with a description in any form that is known", "no-items", Level.WARNING
    else:
        why, kind, level = f"holds {text_of(value) or 'null'!r}, not an object or a list", "no-items", Level.WARNING
    out.oddities.append(Oddity(kind, why, ref.path, level=level, end_column=2))
    out.unreadable = level is Level.WARNING
    return out


def read_yaml(ref: FileRef, data: bytes, places: bool = False) -> Reading:
    """A server file of the Docker MCP registry: ``name`` and ``about.description``."""
    if b"about:" not in data or b"name:" not in data:
        return Reading(recognised=False)
    import yaml

    decoded = decode(data, ref.path)
    out = Reading(oddities=decoded.oddities)
    text = decoded.text
    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        why = f"is not valid YAML: {getattr(error, 'problem', None) or error}"
        out.oddities.append(Oddity("yaml-error", why, ref.path, line, 1, line, 2, Level.WARNING))
        out.unreadable = True
        return out
    about = _child(node, "about")
    if about is None or not isinstance(about, yaml.MappingNode):
        return Reading(recognised=False)
    name, description = _child(node, "name"), _child(about, "description")
    dirname = ref.folder if ref.stem == "server" else ref.stem
    draft = Draft(
        getattr(name, "value", ""),
        dirname,
        description.value if isinstance(description, yaml.ScalarNode) else "",
        "server",
        "",
        ("name",),
        ("about", "description"),
    )

    def spans(_: str, wanted: Any) -> dict[Path, Span]:
        styles: dict[str, Any] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
        nodes = {("name",): name, ("about", "description"): description}
        return {
            path: (n.start_mark.index, n.end_mark.index, styles.get(n.style or "", "plain"))
            for path, n in nodes.items()
            if path in wanted and isinstance(n, yaml.ScalarNode)
        }

    return _finish(out, "server", [draft], {}, ref, text, places, spans)


def _child(node: Any, key: str) -> Any:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == key:
                return value
    return None


def _finish(
    out: Reading,
    shape: str,
    found: list[Draft],
    value: Any,
    ref: FileRef,
    text: str,
    places: bool,
    spans: Callable[[str, Any], dict[Path, Span]],
) -> Reading:
    """Items from drafts, oddities of their values, and places when asked for."""
    for draft in found:
        out.items.append(
            Item(
                draft.name.strip(),
                draft.dirname,
                draft.description,
                ref.path,
                draft.kind,
                ref.source,
                part=draft.part,
            )
        )
    wrong = [d for d in found if value != {} and _wrong_type(value, d.description_path)]
    missing = [d for d in found if not d.description.strip() and d not in wrong]
    if not found:
        out.oddities.append(Oddity("empty-list", f"lists no {shape} entry: nothing to index", ref.path, end_column=2))
    for draft in wrong:
        kind = type(_at(value, draft.description_path)).__name__
        why = f"description of `{draft.name}` is a {kind}, not text; its words were joined. Write it as one text"
        out.oddities.append(
            Oddity("description-type", why, ref.path, level=Level.WARNING, end_column=2, item=draft.name)
        )
    if missing:
        names = ", ".join(f"`{d.name}`" for d in missing[:3]) + (" ..." if len(missing) > 3 else "")
        why = f"{len(missing)} of {len(found)} entries have no description ({names}); only their names can be found"
        out.oddities.append(Oddity("no-description", why, ref.path, end_column=2))
    return _with_places(out, found, ref, text, spans) if places else out


def _with_places(
    out: Reading, found: list[Draft], ref: FileRef, text: str, spans: Callable[[str, Any], dict[Path, Span]]
) -> Reading:
    from scriptlint.corpus.places import Spot

    wanted = {p for d in found for p in (d.name_path, d.description_path) if p is not None}
    where = spans(text, wanted)
    lines = _lines(text, ref.path)
    for number, (draft, item) in enumerate(zip(found, out.items, strict=True)):
        name = where.get(draft.name_path) if draft.name_path is not None else None
        described = where.get(draft.description_path) if draft.description_path is not None else None
        spot = Spot(lines, *described, item.description) if described else None
        out.items[number] = replace(
            item,
            name_location=Spot(lines, *name, draft.name).location() if name else None,
            description_location=spot.location() if spot else None,
            spot=spot,
        )
    return out


def _lines(text: str, path: str) -> Any:
    from scriptlint.corpus.places import Lines

    return Lines(text, path)


def _at(value: Any, path: Path | None) -> Any:
    for step in path or ():
        value = value[step]
    return value


def _wrong_type(value: Any, path: Path | None) -> bool:
    if path is None:
        return False
    found = _at(value, path)
    return found is not None and not isinstance(found, str)
