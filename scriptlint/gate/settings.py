"""``[tool.scriptlint.gate]``: what to run, on what, under which conditions."""
# Paths are plain strings, as in the settings they come from.
# ruff: noqa: PTH100, PTH118, PTH119, PTH123, PTH207

from __future__ import annotations

import glob
import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scriptlint.config import SettingsError, Table, show_path
from scriptlint.gate.compare import SEED
from scriptlint.gate.run import Condition, Setup
from scriptlint.lines import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.config import Settings


@dataclass(frozen=True, slots=True)
class GateSettings:
    """The gate's table, read. Paths are as reports show them; conditions in the order in which they are compared.

    ``fields`` name columns when items come from a table; ``most_wrong`` is the limit of a sweep's best values.
    """

    setup: Setup
    conditions: tuple[Condition, ...]
    items: tuple[str, ...]
    fields: tuple[str, ...]
    queries: tuple[str, ...]
    seed: int
    most_wrong: float


def read_gate(settings: Settings) -> GateSettings:
    """The settings of a gate run, with the sources of its conditions. Raises SettingsError, one line with the place."""
    if settings.gate is None:
        where = settings.source or "no settings file"
        raise SettingsError(f"{where}: no [tool.scriptlint.gate]: name the router, its items and its queries there")
    source = settings.source or "settings"
    text = ""
    if settings.source:
        try:
            with open(settings.source, "rb") as file:
                text = file.read().decode("utf-8", "replace")
        except OSError:
            pass
    head = "tool.scriptlint.gate" if os.path.basename(source) == "pyproject.toml" else "gate"
    table = Table(settings.gate, head, source, text)
    router = table.string("router")
    gate = table.take("gate", "a number or the name of one", _is_gate, None)
    k = table.take("k", "a whole number above 0", _is_count, 5)
    names = {key: table.string(key) for key in ("build", "search", "tokenize", "name-field", "score-field")}
    queries = table.strings("queries")
    setup = Setup(
        root=os.path.abspath(settings.root),
        build=names["build"] or "build_index",
        search=names["search"] or "search",
        tokenize=names["tokenize"] or "",
        gate=gate if gate is not None else "GATE_MIN",
        k=k,
        depth=max(k, table.take("depth", "a whole number above 0", _is_count, 100)),
        cache=table.strings("cache"),
        skip=table.strings("skip"),
        name_field=names["name-field"] or "",
        score_field=names["score-field"] or "",
        query_seconds=table.take("query-seconds", "a number above 0", _is_time, 10.0),
        build_seconds=table.take("build-seconds", "a number above 0", _is_time, 300.0),
    )
    name = table.string("name")
    items, fields = table.strings("items"), table.strings("fields")
    seed = table.take("seed", "a whole number", lambda v: isinstance(v, int) and not isinstance(v, bool), SEED)
    most_wrong = table.take("max-wrong", "a number from 0", _is_limit, 1.0)
    listed = [table.sub(t, "conditions") for t in table.tables("conditions")]
    table.done()
    for key, value in (("router", router), ("queries", queries)):
        if not value:
            raise table.fail(key, f"{key} is missing")
    assert router is not None
    own = name or os.path.basename(router).removesuffix(".py")
    return GateSettings(
        setup,
        _conditions(table, router, own, listed, setup.root),
        tuple(show_path(os.path.join(setup.root, p)) for p in items),
        fields,
        tuple(_expanded(table, setup.root, queries)),
        seed,
        float(most_wrong),
    )


def _is_gate(value: object) -> bool:
    return (isinstance(value, str) and bool(value)) or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _is_limit(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _expanded(table: Table, root: str, globs: tuple[str, ...]) -> list[str]:
    out: list[str] = []
    for one in globs:
        found = sorted(glob.glob(os.path.join(root, one), recursive=True))
        if not found:
            raise table.fail("queries", f"queries: no such file: {show_path(os.path.join(root, one))}")
        out += [show_path(path) for path in found]
    return list(dict.fromkeys(out))


def _conditions(table: Table, router: str, own: str, listed: list[Table], root: str) -> tuple[Condition, ...]:
    """The router as it is, and the conditions. Revisions come first: what was is compared with what is."""
    path = os.path.abspath(os.path.join(root, router))
    text = _text(table, "router", path)
    here = Condition(own, path, show_path(path), text)
    before: list[Condition] = []
    after: list[Condition] = []
    plain = False
    for sub in listed:
        name, file, revision = sub.string("name"), sub.string("file"), sub.string("revision")
        constants = _constants(sub)
        sub.done()
        if not name:
            raise sub.fail("name", "a condition's name is missing")
        if file and revision:
            raise sub.fail("revision", f"condition {name!r} has both file and revision: give one")
        if not (file or revision or constants):
            plain = True
        if file:
            other = os.path.abspath(os.path.join(root, file))
            after.append(Condition(name, other, show_path(other), _text(sub, "file", other), constants))
        elif revision:
            source = _at_revision(sub, path, revision)
            before.append(Condition(name, path, show_path(path), source, constants, f"revision {revision}"))
        else:
            after.append(Condition(name, path, show_path(path), text, constants))
    # A condition without a change is the router itself, under that name and in that place.
    out = (*before, *after) if plain else (*before, here, *after)
    seen: set[str] = set()
    for condition in out:
        if condition.name in seen:
            raise table.fail("conditions", f"two conditions are named {condition.name!r}")
        seen.add(condition.name)
    return out


def _constants(table: Table) -> Mapping[str, Any]:
    constants = table.table("set")
    for name, value in constants.items():
        if not all(part.isidentifier() for part in name.split(".")):
            raise table.fail(name, f"set: {name!r} is no name of a constant")
        if not isinstance(value, (bool, int, float, str, list)):
            raise table.fail(name, f"set: {name} must be a number, a string, a truth value or a list, not {value!r}")
    return constants


def _text(table: Table, key: str, path: str) -> str:
    try:
        with open(path, "rb") as file:
            return decode(file.read())
    except OSError as error:
        raise table.fail(key, f"{key}: {show_path(path)}: can't be read: {error.strerror or error}") from error


def _at_revision(table: Table, path: str, revision: str) -> str:
    """A file's text at a git revision."""
    folder, base = os.path.split(path)
    if revision.startswith("-"):
        raise table.fail("revision", f"revision {revision!r} is no revision")
    try:
        done = subprocess.run(
            ["git", "-C", folder, "show", f"{revision}:./{base}"], capture_output=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise table.fail("revision", f"revision {revision!r}: git can't be run: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[0].removeprefix("fatal: ") if said else f"git exits {done.returncode}"
        raise table.fail("revision", f"revision {revision!r}: {why}")
    return decode(done.stdout)
