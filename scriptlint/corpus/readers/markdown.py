"""Definitions in Markdown: skills, agents, commands and Cursor rules. The front matter is the item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.corpus.items import Item, Oddity, Reading
from scriptlint.corpus.readers.decoding import decode
from scriptlint.corpus.readers.frontmatter import Header, Scalar, read_header
from scriptlint.finding import Level

if TYPE_CHECKING:
    from scriptlint.corpus.readers.files import FileRef

_AGENT_KEYS = frozenset({"tools", "model", "color", "permissionMode", "skills", "mode", "temperature"})
_COMMAND_KEYS = frozenset({"argument-hint", "allowed-tools", "disable-model-invocation"})
_FOLDERS = {"agents": "agent", "agent": "agent", "subagents": "agent", "commands": "command", "prompts": "command"}
_DOCUMENTS = frozenset({"readme.md", "changelog.md", "contributing.md", "license.md", "claude.md", "agents.md"})


def kind_of(ref: FileRef) -> str:
    """The kind that the file's name and folders give; empty when only its content can say."""
    name = ref.name.lower()
    if name == "skill.md":
        return "skill"
    if name.endswith(".mdc"):
        return "rule"
    if name in _DOCUMENTS:
        return ""
    for part in reversed(ref.parts[:-1]):
        if part.lower() in _FOLDERS:
            return _FOLDERS[part.lower()]
    return ""


def read(ref: FileRef, data: bytes, places: bool = False) -> Reading:
    """The item of one Markdown file."""
    kind = kind_of(ref)
    if not kind and not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"---"):
        return Reading(recognised=False)
    decoded = decode(data, ref.path)
    text = decoded.text
    header = read_header(text, ref.path)
    if not kind:
        if not header.found or header.name is None or header.description is None:
            return Reading(recognised=False)
        kind = _kind_by_keys(header)
    out = Reading(oddities=decoded.oddities)
    out.oddities += header.oddities
    dirname = ref.folder if ref.name.lower() == "skill.md" else ref.stem
    if header.error:
        out.oddities.append(_told(ref, "yaml-error", header.error, Level.WARNING))
        out.unreadable = True
        return out
    if not header.found:
        _no_header(ref, kind, out)
    name = header.name.value.strip() if header.name else ""
    description = header.description.value if header.description else ""
    item = Item(name, dirname, description, ref.path, kind, ref.source)
    if places:
        item = _placed(item, text, ref.path, header)
    out.items.append(item)
    if header.found:
        _missing(ref, kind, header, out)
    return out


def _kind_by_keys(header: Header) -> str:
    keys = set(header.keys)
    if keys & _COMMAND_KEYS:
        return "command"
    return "agent" if keys & _AGENT_KEYS else "skill"


def _told(ref: FileRef, kind: str, message: str, level: Level = Level.NOTE, common: bool = False) -> Oddity:
    return Oddity(kind, message, ref.path, level=level, common=common, end_column=4)


def _no_header(ref: FileRef, kind: str, out: Reading) -> None:
    if kind == "skill":
        why = "has no front matter, so a router sees no description; start the file with `---`, name and description"
        out.oddities.append(_told(ref, "no-front-matter", why, Level.WARNING))
    else:
        why = f"has no front matter: the {kind} has no description, and its name is the file's"
        out.oddities.append(_told(ref, "no-front-matter", why, common=kind in ("command", "rule")))


def _missing(ref: FileRef, kind: str, header: Header, out: Reading) -> None:
    needed = kind in ("skill", "agent")
    if header.description is None and not any(o.kind == "nested-description" for o in out.oddities):
        keys = ", ".join(header.keys[:6]) or "none"
        why = f"has no `description` (its keys: {keys}); only its name can be found"
        out.oddities.append(_told(ref, "no-description", why, common=not needed))
    if header.name is None:
        why = f"has no `name`; {'its directory' if kind == 'skill' else 'the file'} names it"
        out.oddities.append(_told(ref, "no-name", why, common=not needed))


def _placed(item: Item, text: str, path: str, header: Header) -> Item:
    from dataclasses import replace

    from scriptlint.corpus.places import Lines, Spot

    lines = Lines(text, path)

    def spot(scalar: Scalar | None) -> Spot | None:
        return Spot(lines, scalar.start, scalar.end, scalar.style, scalar.value) if scalar else None

    name, description = spot(header.name), spot(header.description)
    return replace(
        item,
        name_location=name.location() if name else None,
        description_location=description.location() if description else None,
        spot=description,
    )
