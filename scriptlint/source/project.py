"""The files around the one that is read: names imported from them are looked up there. They are read, never run."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.config import show_path
from scriptlint.source.blocks import Block, cut, decoded
from scriptlint.source.prefilter import may_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.source.module import SourceModule


class Project:
    """The files around the one that is read, parsed once each, for names imported from them."""

    def __init__(self, limit: int = 400) -> None:
        self.files: dict[str, SourceModule | None] = {}
        self.limit = limit

    def module(self, path: str, name: str = "") -> SourceModule | None:
        """The module at this absolute path, or ``None`` when there is none that can be parsed.

        Reading a file costs a parse, so one is read only for a constant (``name`` in capitals) or when the file
        does something to text.
        """
        from scriptlint.source.module import SourceModule

        if path not in self.files:
            if len(self.files) >= self.limit:
                return None
            self.files[path] = None
            with contextlib.suppress(OSError, SyntaxError):
                found = os.stat(path)
                content = _content(path, found.st_mtime_ns, found.st_size)
                if content is not None and (name.isupper() or content.matters or path.endswith("__init__.py")):
                    blocks = content.blocks()
                    self.files[path] = SourceModule(show_path(path), content.data, self, blocks)
        return self.files[path]

    def imported(self, importer: str, module: str, level: int, name: str = "") -> SourceModule | None:
        """The project's own file that ``from module import ...`` in ``importer`` means, if there is one."""
        found = next(filter(os.path.isfile, import_places(os.path.abspath(importer), module, level)), None)
        return None if found is None else self.module(found, name)


def import_places(importer: str, module: str, level: int) -> Iterator[str]:
    """The files that ``from module import ...`` may mean, nearest first; ``level`` counts the dots in front."""
    parts = module.split(".") if module else []
    root = os.path.dirname(importer)
    for _ in range(level - 1):
        root = os.path.dirname(root)
    # An absolute import means a root somewhere above: the nearest folder under which the file exists.
    for _ in range(1 if level else _ROOTS if parts else 0):
        target = "/".join([root.rstrip("/"), *parts] if root else parts)
        if parts:
            yield f"{target}.py"
        yield f"{target}/__init__.py" if target else "__init__.py"
        root, below = os.path.dirname(root), root
        if root == below:
            break


_ROOTS = 7
"""Folders, from the importing file's own upwards, in which an absolute import is looked for."""


class _Content:
    """What a file holds that others import from: many may, and it is looked at, cut and parsed once."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.matters = may_matter(data)
        self._blocks: list[Block] | None = None

    def blocks(self) -> list[Block]:
        """Its blocks. Raises ``SyntaxError``."""
        if self._blocks is None:
            self._blocks = cut(decoded(self.data))
        return self._blocks


@lru_cache(maxsize=128)
def _content(path: str, _time: int, size: int) -> _Content | None:
    """The content of a file that is as it was. Raises ``OSError``."""
    if not 0 < size <= 1_000_000:
        return None
    with open(path, "rb") as file:
        return _Content(file.read())


@lru_cache(maxsize=1)
def shared_project() -> Project:
    """The project of this process: a file that several files import from is parsed once."""
    return Project()
