"""File discovery: which files a run reads, in a stable order, with ``.gitignore`` and ``exclude`` honoured."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.config import Settings, settings_for, show_file, show_path
from scriptlint.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pathspec import GitIgnoreSpec

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")

DEFAULT_EXCLUDE = frozenset(
    {
        *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".mypy_cache", ".nox", ".pants.d"),
        *(".pytest_cache", ".ruff_cache", ".scriptlint_cache", ".svn", ".tox", ".venv", "__pycache__"),
        *("__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv"),
    }
)
"""Folder names that a walk never enters, unless the folder itself is given."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One file to read. ``path`` opens it, ``shown`` is its name in reports, ``settings`` are those in force there.
    ``given``: an argument names it, so it may be anything that can be opened; what a walk finds is a plain file."""

    path: str
    shown: str
    settings: Settings = field(repr=False)
    given: bool = False


@dataclass(slots=True)
class Walk:
    """What discovery found. ``missing`` are arguments that name nothing, ``unreadable`` folders that won't open
    (with the reason), ``excluded`` counts files left out."""

    units: list[Unit] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    excluded: int = 0


def discover(
    paths: Iterable[str],
    settings_of: Callable[[str], Settings] = settings_for,
    *,
    suffixes: tuple[str, ...] = PYTHON_SUFFIXES,
    force_exclude: bool = False,
) -> Walk:
    """Every file under ``paths``, each once, sorted within each argument.

    A file that is named itself is read whatever its suffix, and whatever excludes say unless ``force_exclude``;
    then a file of a kind that we don't read is left out too. A named folder is walked even where it is left out
    itself. Links inside a tree are not followed.
    """
    walk = Walk()
    seen: set[str] = set()
    paths = list(paths)
    for argument in paths:
        if os.path.isdir(argument):
            found = _under(argument, settings_of, suffixes, force_exclude, walk)
        elif os.path.exists(argument):
            found = _single(argument, settings_of, suffixes, force_exclude, walk)
        else:
            walk.missing.append(argument)
            continue
        for unit in found:
            # One argument gives each file once: links inside a tree are not followed.
            if len(paths) > 1:
                real = os.path.realpath(unit.path)
                if real in seen:
                    continue
                seen.add(real)
            walk.units.append(unit)
    return walk


def _single(
    path: str, settings_of: Callable[[str], Settings], suffixes: tuple[str, ...], force: bool, walk: Walk
) -> Iterator[Unit]:
    full = os.path.abspath(path)
    settings = settings_of(os.path.dirname(full))
    if force or settings.force_exclude:
        parts = os.path.relpath(full, settings.root).split(os.sep)[:-1]
        ignores = _Ignores.above(os.path.dirname(full)) if settings.respect_gitignore else None
        if (
            not path.endswith(suffixes)
            or any(part in DEFAULT_EXCLUDE for part in parts)
            or _excluded(full, settings, is_dir=False)
            or (ignores is not None and ignores.covers_path(full))
        ):
            walk.excluded += 1
            return
    yield Unit(path, show_file(path), settings, given=True)


def _under(
    top: str, settings_of: Callable[[str], Settings], suffixes: tuple[str, ...], force: bool, walk: Walk
) -> Iterator[Unit]:
    full = os.path.abspath(top)
    ignores = _Ignores.above(os.path.dirname(full))
    outer = settings_of(full)
    # Who names a folder that is left out means it: what leaves the folder out does not count below it.
    asked_for = not (force or outer.force_exclude)
    if asked_for and ignores.covers_path(full, is_dir=True):
        ignores = _Ignores()
    passed_over = asked_for and _excluded(full, outer, is_dir=True)
    # An explicit stack, so that a deep tree can't overflow; folders are pushed in reverse to come out sorted.
    stack: list[tuple[str, str, _Ignores]] = [(top, full, ignores)]
    while stack:
        shown, folder, ignores = stack.pop()
        try:
            with os.scandir(folder) as entries:
                children = sorted(entries, key=lambda e: e.name)
        except OSError as error:
            walk.unreadable.append((show_path(shown), error.strerror or str(error)))
            continue
        settings = settings_of(folder)
        called = show_file(os.path.join(shown, ""))
        shown_here, here_full = os.path.join(shown, ""), os.path.join(folder, "")
        names = {e.name for e in children}
        here = ignores.enter(folder, ".gitignore" in names, ".git" in names)
        deeper: list[tuple[str, str, _Ignores]] = []
        for entry in children:
            is_dir = entry.is_dir(follow_symlinks=False)
            if is_dir:
                if entry.name in DEFAULT_EXCLUDE:
                    continue
            elif not entry.name.endswith(suffixes) or not entry.is_file(follow_symlinks=False):
                continue
            path, full_path = shown_here + entry.name, here_full + entry.name
            excluded = _excluded(full_path, settings, is_dir=is_dir) and not passed_over
            if excluded or (settings.respect_gitignore and here.covers(full_path, is_dir=is_dir)):
                walk.excluded += not is_dir
            elif is_dir:
                deeper.append((path, full_path, here))
            else:
                yield Unit(path, called + entry.name, settings)
        stack.extend(reversed(deeper))


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spec = GitIgnoreSpec.from_lines(patterns)
            spec.match_file("x")  # Some matchers compile at first use.
    except Exception as error:  # its own error, and those of the engines that it hands a pattern to
        raise UserError(f"not a gitignore pattern among {', '.join(map(repr, patterns))}: {error}") from error
    return spec


def _is_pattern(line: str) -> bool:
    try:
        _spec((line,))
    except UserError:
        return False
    return True


def matches(globs: tuple[str, ...], path: str, root: str, *, is_dir: bool = False) -> bool:
    """Whether a path is covered by gitignore-style globs that are relative to ``root``."""
    if not globs:
        return False
    relative = os.path.relpath(path, root).replace(os.sep, "/")
    if relative.startswith("../"):
        relative = os.path.basename(path)
    return _spec(globs).match_file(relative + "/" if is_dir else relative)


def _excluded(path: str, settings: Settings, *, is_dir: bool) -> bool:
    return matches(settings.exclude, path, settings.root, is_dir=is_dir)


@dataclass(frozen=True, slots=True)
class _Ignores:
    """The .gitignore files in force in a folder, outermost first: (folder, patterns)."""

    files: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def above(cls, folder: str) -> _Ignores:
        """Those of ``folder`` and its parents up to the repository's root; none outside a repository."""
        chain = [folder]
        while not os.path.exists(os.path.join(chain[-1], ".git")):
            parent = os.path.dirname(chain[-1])
            if parent == chain[-1]:
                return cls()
            chain.append(parent)
        ignores = cls()
        for place in reversed(chain):
            ignores = ignores.enter(place, os.path.isfile(os.path.join(place, ".gitignore")), False)
        return ignores

    def enter(self, folder: str, has_file: bool, is_root: bool) -> _Ignores:
        """The files in force inside ``folder``; a repository's root forgets what stands above it."""
        files = () if is_root else self.files
        if has_file:
            try:
                with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
                    # git passes over a line that is no pattern, such as a lone "!".
                    lines = tuple(line for line in file.read().splitlines() if line.strip() and _is_pattern(line))
            except OSError:
                lines = ()
            if lines:
                files = (*files, (folder, lines))
        return self if files is self.files else _Ignores(files)

    def covers(self, path: str, *, is_dir: bool) -> bool:
        """Whether git would ignore the path; the innermost file that says anything decides."""
        for folder, lines in reversed(self.files):
            relative = os.path.relpath(path, folder).replace(os.sep, "/") + ("/" if is_dir else "")
            said = _spec(lines).check_file(relative).include
            if said is not None:
                return said
        return False

    def covers_path(self, path: str, *, is_dir: bool = False) -> bool:
        """Whether the path or a folder above it is ignored."""
        if not self.files:
            return False
        top = self.files[0][0]
        parts = os.path.relpath(path, top).split(os.sep)
        places = [os.path.join(top, *parts[: n + 1]) for n in range(len(parts))]
        return any(self.covers(p, is_dir=is_dir or p != path) for p in places)
