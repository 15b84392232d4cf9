# Paths are plain strings here: pathlib costs more than reading a small file does.
# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH114, PTH119, PTH120, PTH206, PTH207
"""Which files of a folder may hold definitions, and what stands in the way of reading them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from scriptlint.corpus.readers import MAX_BYTES, SUFFIXES, TABLES
from scriptlint.corpus.readers.files import PLUGIN_FOLDERS, FileRef
from scriptlint.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

SKIPPED = frozenset(
    {
        ".cache", ".git", ".hg", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv",
        "__pycache__", "node_modules", "site-packages",
    }
)  # fmt: skip
"""Folders that hold no definitions of one's own; name one to have it read."""


@dataclass(slots=True)
class Found:
    """Files in walk order. ``tables`` are read row by row. ``missing`` are arguments that name nothing."""

    files: list[FileRef] = field(default_factory=list)
    tables: list[FileRef] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    skipped: int = 0
    """Files whose name no reader takes."""


def find(paths: list[str] | tuple[str, ...]) -> Found:
    """The files below ``paths`` (folders, files, or glob patterns), each once."""
    out = Found()
    for path in paths:
        if os.path.isdir(path):
            _folder(path, out)
        elif os.path.exists(path) or os.path.islink(path):
            _file(path, out)
        else:
            import glob

            matched = sorted(glob.glob(path, recursive=True))
            if not matched:
                out.missing.append(path)
            for name in matched:
                if os.path.isdir(name):
                    _folder(name, out)
                else:
                    _file(name, out)
    seen: set[str] = set()
    for refs in (out.files, out.tables):
        refs[:] = [r for r in refs if not (r.real in seen or seen.add(r.real))]  # type: ignore[func-returns-value]
    return out


def show(path: str) -> str:
    """A path as reports show it: relative to the working directory, with ``/``."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive (Windows)
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")


def _file(path: str, out: Found) -> None:
    shown = show(path)
    if not os.path.isfile(path):
        why = "is a symbolic link that points nowhere" if os.path.islink(path) else "is not a regular file"
        out.problems.append(Problem(shown, f"{why}; not read"))
        return
    inner = "/".join(os.path.abspath(path).split(os.sep)[-3:])
    ref = FileRef(shown, inner, os.path.abspath(path), os.path.basename(path), True)
    (out.tables if ref.suffix in TABLES else out.files).append(ref)


def _folder(root: str, out: Found) -> None:
    real_root = os.path.realpath(root)
    prefix = show(root)
    prefix = "" if prefix == "." else prefix.rstrip("/") + "/"
    found = list(_walk(real_root, "", out, prefix))
    name = os.path.basename(real_root)
    depth = _common_depth([inner for inner, _ in found])
    for inner, real in found:
        suffix = inner[inner.rfind(".") :].lower()
        if suffix in SUFFIXES:
            out.files.append(FileRef(prefix + inner, f"{name}/{inner}", real, _source(inner, depth, name)))
        elif suffix in TABLES:
            out.tables.append(FileRef(prefix + inner, f"{name}/{inner}", real, _source(inner, depth, name)))
        else:
            out.skipped += 1


def _common_depth(inners: list[str]) -> int:
    """How many leading folders all files share."""
    if not inners:
        return 0
    low, high = min(inners).split("/"), max(inners).split("/")
    depth = 0
    while depth < min(len(low), len(high)) - 1 and low[depth] == high[depth]:
        depth += 1
    return depth


def _source(inner: str, depth: int, name: str) -> str:
    """The registry a file belongs to: the first folder in which the files differ, else the one they share."""
    parts = inner.split("/", depth + 1)
    if depth < len(parts) - 1 and parts[depth] not in PLUGIN_FOLDERS:
        return parts[depth]
    return parts[depth - 1] if depth else name


def _walk(folder: str, inner: str, out: Found, prefix: str) -> Iterator[tuple[str, str]]:
    """``(path inside, path to open)`` of every file. ``inner`` is the folder inside, with a slash at its end."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=_entry_name)
    except OSError as error:
        out.problems.append(Problem((prefix + inner).rstrip("/"), f"can't be listed: {error.strerror or error}"))
        return
    folders = []
    for entry in listed:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED:
                folders.append(entry)
        elif entry.is_file(follow_symlinks=False):
            yield inner + entry.name, entry.path
        elif entry.is_symlink():
            if not os.path.isfile(entry.path):
                _link(entry, inner, folders, out, prefix)
            else:
                yield inner + entry.name, entry.path
    for entry in folders:
        yield from _walk(entry.path, f"{inner}{entry.name}/", out, prefix)


_entry_name = attrgetter("name")


def _link(entry: os.DirEntry[str], inner: str, folders: list[os.DirEntry[str]], out: Found, prefix: str) -> None:
    """A link to a folder is followed unless that folder is above it; a dangling one is told."""
    shown = prefix + inner + entry.name
    try:
        target = os.path.realpath(entry.path, strict=True)
    except OSError as error:
        loop = "loop" in (error.strerror or "").lower() or "levels" in (error.strerror or "")
        why = "is a symbolic link that leads to itself" if loop else "is a symbolic link that points nowhere"
        out.problems.append(Problem(shown, f"{why}; not read"))
        return
    if not os.path.isdir(target):
        out.problems.append(Problem(shown, "is not a regular file; not read"))
        return
    here = os.path.realpath(os.path.dirname(entry.path))
    if here == target or here.startswith(target.rstrip(os.sep) + os.sep):
        out.problems.append(Problem(shown, "is a symbolic link to a folder above it (a loop); not followed"))
        return
    if inner.count("/") > 40:
        out.problems.append(Problem(shown, "is nested too deeply; not followed"))
        return
    folders.append(entry)


def read_bytes(ref: FileRef) -> bytes | Problem:
    """A file's bytes, or why it can't be read."""
    if ref.data is not None:
        return ref.data
    try:
        handle = os.open(ref.real, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            size = os.fstat(handle).st_size
            if size <= MAX_BYTES:
                data = os.read(handle, size + 1)
                while len(data) < size and (more := os.read(handle, size - len(data))):
                    data += more
                return data
        finally:
            os.close(handle)
    except OSError as error:
        return Problem(ref.path, f"can't be read: {error.strerror or error}")
    return Problem(ref.path, f"is larger than {MAX_BYTES // 2**20} MB; not read. Split it, or give it as JSON Lines")
