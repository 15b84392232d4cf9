"""Settings: ``[tool.scriptlint]`` of a pyproject.toml, or a scriptlint.toml, as frozen values.

The nearest settings file to what is checked wins; the command line wins over all. A key or a rule that nobody has
is an error that names the nearest right one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scriptlint.errors import UserError
from scriptlint.finding import Level
from scriptlint.nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE_NAMES = ("scriptlint.toml", "pyproject.toml")


class SettingsError(UserError):
    """Settings that can't be used: one line with the file, the key and what was expected."""


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """One ``[[tool.scriptlint.corpus]]``: files and folders, and the tokenizers they are indexed with.

    ``fields`` are the parts of an item that the index reads; empty means the default (name and description).
    """

    paths: tuple[str, ...]
    tokenizer: tuple[str, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides what a run finds. Paths and globs are relative to ``root`` (absolute, ``/``).

    ``scripts`` and ``languages`` are as written: both empty means the recommended scripts. ``rules`` holds the
    options of single rules, by rule code or name as written. ``gate`` is the raw table; the gate reads it.
    """

    root: str = "."
    source: str | None = None
    scripts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    levels: Mapping[str, Level] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False
    pedantic: bool = False
    fail_on: Level = Level.WARNING
    require_reason: bool = False
    baseline: str | None = None
    extend_rules: tuple[str, ...] = ()
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    corpus: tuple[CorpusEntry, ...] = ()
    gate: Mapping[str, object] | None = None

    def as_dict(self) -> dict[str, object]:
        """Key (as in the file) -> plain value, for ``--show-settings`` and the cache key."""
        return {f.name.replace("_", "-"): _plain(getattr(self, f.name)) for f in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, CorpusEntry):
        return {"paths": list(value.paths), "tokenizer": list(value.tokenizer), "fields": list(value.fields)}
    if isinstance(value, Level):
        return value.value
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


class Table:
    """Typed reading of one TOML table. Every method raises SettingsError with the place; ``done`` must come last."""

    def __init__(self, data: Mapping[str, Any], where: str, source: str, text: str) -> None:
        self.data = data
        self.where = where
        self.source = source
        self.text = text
        self.known: list[str] = []

    def fail(self, key: str, why: str) -> SettingsError:
        line = _line_of(self.text, key, self.where)
        place = f"{self.source}:{line}" if line else self.source
        return SettingsError(f"{place}: [{self.where}] {why}")

    def take(self, key: str, kind: str, fits: Callable[[Any], bool], default: Any) -> Any:
        self.known.append(key)
        value = self.data.get(key, default)
        if key in self.data and not fits(value):
            raise self.fail(key, f"{key} must be {kind}, not {value!r}")
        return value

    def boolean(self, key: str, default: bool) -> bool:
        return bool(self.take(key, "true or false", lambda v: isinstance(v, bool), default))

    def string(self, key: str, default: str | None = None) -> str | None:
        value: str | None = self.take(key, "a string", lambda v: isinstance(v, str) and bool(v), default)
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of strings; one string counts as a list of one."""
        value = self.take(key, "a list of strings", lambda v: isinstance(v, str) or _all_str(v), ())
        return (value,) if isinstance(value, str) else tuple(value)

    def level(self, key: str, default: Level) -> Level:
        value = self.take(key, "note, warning or error", lambda v: v in list(Level), default)
        return Level(value)

    def table(self, key: str) -> Mapping[str, Any]:
        value: Mapping[str, Any] = self.take(key, "a table", lambda v: isinstance(v, dict), {})
        return value

    def tables(self, key: str) -> list[Mapping[str, Any]]:
        value = self.take(key, f"a list of tables ([[{self.where}.{key}]])", _all_dict, [])
        return list(value)

    def sub(self, data: Mapping[str, Any], name: str) -> Table:
        return Table(data, f"{self.where}.{name}", self.source, self.text)

    def done(self) -> None:
        for key in self.data:
            if key not in self.known:
                raise self.fail(key, f"unknown key {key!r}{did_you_mean(key, self.known)}")


def _all_str(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def _all_dict(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, dict) for v in value)


def _line_of(text: str, key: str, where: str) -> int | None:
    """The line on which a key of a table seems to stand: a guess for messages, never used for anything else."""
    import re

    head = re.search(rf"^\s*\[+\s*{re.escape(where)}\s*\]+", text, re.MULTILINE)
    start = head.end() if head else 0
    quoted = re.escape(key)
    hit = re.compile(rf"^[ \t]*(?:\[+.*\.)?[\"']?{quoted}[\"']?\s*[=\].]", re.MULTILINE).search(text, start)
    return text.count("\n", 0, hit.start()) + 1 if hit else None


def parse_settings(table: Mapping[str, Any], *, source: str, root: str, where: str, text: str = "") -> Settings:
    """Settings of one ``[tool.scriptlint]`` table; raises SettingsError."""
    top = Table(table, where, source, text)
    per_file = top.sub(top.table("per-file-ignores"), "per-file-ignores")
    levels = top.sub(top.table("levels"), "levels")
    settings = Settings(
        root=root,
        source=source,
        scripts=top.strings("scripts"),
        languages=top.strings("languages"),
        select=top.strings("select"),
        extend_select=top.strings("extend-select"),
        ignore=top.strings("ignore"),
        per_file_ignores={glob: per_file.strings(glob) for glob in per_file.data},
        levels={rule: levels.level(rule, Level.WARNING) for rule in levels.data},
        exclude=top.strings("exclude"),
        respect_gitignore=top.boolean("respect-gitignore", True),
        force_exclude=top.boolean("force-exclude", False),
        pedantic=top.boolean("pedantic", False),
        fail_on=top.level("fail-on", Level.WARNING),
        require_reason=top.boolean("require-reason", False),
        baseline=top.string("baseline"),
        extend_rules=top.strings("extend-rules"),
        rules={name: top.sub(t, "rules").table(name) for t in [top.table("rules")] for name in t},
        paths=top.strings("paths"),
        corpus=tuple(_corpus(top.sub(t, "corpus")) for t in top.tables("corpus")),
        gate=top.table("gate") or None,
    )
    top.done()
    return settings


def _corpus(table: Table) -> CorpusEntry:
    entry = CorpusEntry(table.strings("paths"), table.strings("tokenizer"), table.strings("fields"))
    table.done()
    for key, value in (("paths", entry.paths), ("tokenizer", entry.tokenizer)):
        if not value:
            raise table.fail(key, f"{key} is missing: a corpus needs paths and the tokenizer that reads them")
    return entry


def load_settings(path: str) -> Settings | None:
    """The settings in a file, ``None`` when a pyproject.toml has no ``[tool.scriptlint]``; raises SettingsError."""
    shown = show_path(path)
    base = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise SettingsError(f"{shown}: {error.strerror or error}") from error
    if base == "pyproject.toml" and b"scriptlint" not in data:
        return None
    import tomllib

    try:
        text = data.decode("utf-8")
        whole = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{shown}: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{shown}: is nested too deeply to read") from error
    tool = whole.get("tool", {})
    table = tool.get("scriptlint") if isinstance(tool, dict) else None
    where = "tool.scriptlint"
    if table is None:
        if base == "pyproject.toml":
            return None
        table, where = whole, base
    if not isinstance(table, dict):
        raise SettingsError(f"{shown}: [tool.scriptlint] must be a table, not {table!r}")
    root = os.path.dirname(os.path.abspath(path)).replace(os.sep, "/")
    return parse_settings(table, source=shown, root=root, where=where, text=text)


@lru_cache(maxsize=4096)
def nearest_settings(folder: str) -> Settings | None:
    """The settings of the nearest file at or above ``folder`` (absolute); raises SettingsError."""
    for name in FILE_NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            found = load_settings(path)
            if found is not None:
                return found
    parent = os.path.dirname(folder)
    return None if parent == folder else nearest_settings(parent)


@lru_cache(maxsize=4096)
def settings_for(folder: str) -> Settings:
    """The settings in force in ``folder``: the nearest file's, else the defaults with the project's root."""
    folder = os.path.abspath(folder)
    found = nearest_settings(folder)
    return found if found is not None else _defaults(project_root(folder))


@lru_cache(maxsize=256)
def _defaults(root: str) -> Settings:
    """The settings of a root without a file of its own: one object, so that what is made of it is made once."""
    return Settings(root=root)


@lru_cache(maxsize=4096)
def project_root(folder: str) -> str:
    """The nearest folder at or above with a pyproject.toml or a .git; else the working directory."""
    if any(os.path.exists(os.path.join(folder, name)) for name in ("pyproject.toml", ".git")):
        return folder.replace(os.sep, "/")
    parent = os.path.dirname(folder)
    return os.getcwd().replace(os.sep, "/") if parent == folder else project_root(parent)


def show_file(path: str) -> str:
    """``show_path`` of a file; of a folder that ends in a separator, what the names of its files start with."""
    folder, name = os.path.split(path)
    shown = show_path(folder or ".")
    return name if shown == "." else f"{shown.rstrip('/')}/{name}"


def show_path(path: str) -> str:
    """A path as reports show it: relative to the working directory, with ``/``."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive (Windows)
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")
