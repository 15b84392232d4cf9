"""Two sides of a comparison: a file, a folder, or a git revision, each as a set of named sources."""
# Paths stay plain strings, as they came from the command line and from git.
# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH118, PTH123

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.config import settings_for
from scriptlint.errors import UserError
from scriptlint.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scriptlint.config import Settings

__all__ = ["Side", "side"]

_SUFFIXES = (".py", ".pyi", ".pyw")
_LARGEST = 5_000_000


@dataclass(frozen=True, slots=True)
class Side:
    """Sources by name. ``label`` is what the side is called.

    ``single`` says that it is one file, ``folder`` is the folder that names start at, when they are files on disk.
    """

    label: str
    sources: dict[str, bytes] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    single: bool = False
    folder: str | None = None


def side(name: str, paths: Sequence[str], settings_of: Callable[[str], Settings] = settings_for) -> Side:
    """What ``name`` holds: an existing file or folder, else a git revision of the repository around here.

    ``paths`` narrow it: of a folder or revision only what is at or below one of them. Raises UserError.
    """
    if os.path.isfile(name):
        if paths:
            raise UserError(f"{name} is a file: paths narrow folders and revisions only")
        try:
            with open(name, "rb") as file:
                return Side(name, {name: file.read()}, single=True, folder="")
        except OSError as error:
            raise UserError(f"{name}: {error.strerror or error}") from None
    if os.path.isdir(name):
        return _folder(name, paths, settings_of)
    return _revision(name, paths)


def _folder(name: str, paths: Sequence[str], settings_of: Callable[[str], Settings]) -> Side:
    from scriptlint.walk import discover

    wanted = [os.path.join(name, p) for p in paths] or [name]
    walk = discover([p for p in wanted if os.path.exists(p)], settings_of)
    sources: dict[str, bytes] = {}
    problems = [Problem(place, f"cannot be read: {why}") for place, why in walk.unreadable]
    for unit in walk.units:
        if not unit.path.endswith(_SUFFIXES):
            continue
        try:
            with open(unit.path, "rb") as file:
                sources[os.path.relpath(unit.path, name).replace(os.sep, "/")] = file.read()
        except OSError as error:
            problems.append(Problem(unit.shown, f"cannot be read: {error.strerror or error}"))
    return Side(name, sources, tuple(problems), folder=name.rstrip("/") + "/")


def _revision(name: str, paths: Sequence[str]) -> Side:
    """The sources of a commit. Names are relative to the top of the repository."""
    unknown = f"{name}: no such file, folder or git revision"
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", fail=unknown)
    top = _git("rev-parse", "--show-toplevel", fail=f"{name}: not in a git repository").strip()
    limits = [os.path.relpath(os.path.abspath(p), os.path.realpath(top)).replace(os.sep, "/") for p in paths]
    for path, limit in zip(paths, limits, strict=True):
        if limit.startswith("../"):
            raise UserError(f"{path}: outside the repository {top}")
    wanted = [] if "." in limits else limits
    listed = _git(
        *("ls-tree", "-r", "-z", "-l", "--full-tree", commit.strip(), "--", *wanted), fail=f"{name}: can't be listed"
    )
    blobs: dict[str, str] = {}
    for entry in listed.split("\0"):
        head, _, path = entry.partition("\t")
        parts = head.split()
        regular = len(parts) == 4 and parts[1] == "blob" and parts[0] != "120000"
        if regular and path.endswith(_SUFFIXES) and int(parts[3]) <= _LARGEST:
            blobs[path] = parts[2]
    return Side(name, dict(_contents(blobs, name)))


def _contents(blobs: dict[str, str], name: str) -> Iterator[tuple[str, bytes]]:
    """The bytes of objects, through one ``git cat-file --batch``."""
    if not blobs:
        return
    done = _run(["git", "cat-file", "--batch"], "".join(f"{blob}\n" for blob in blobs.values()).encode())
    if done.returncode:
        raise UserError(f"{name}: git cat-file failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    at, data = 0, done.stdout
    for path in blobs:
        end = data.index(b"\n", at)
        head = data[at:end].split()
        if len(head) != 3:
            raise UserError(f"{name}: {path} is not in this clone (a partial or shallow one)")
        size = int(head[2])
        yield path, data[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _git(*arguments: str, fail: str) -> str:
    done = _run(["git", "-c", "core.quotePath=false", *arguments])
    if done.returncode:
        raise UserError(fail)
    return done.stdout.decode("utf-8", "surrogateescape")


def _run(command: list[str], given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, input=given, capture_output=True, check=False)
    except OSError as error:
        raise UserError(f"git can't be run: {error.strerror or error}") from None
