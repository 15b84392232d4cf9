"""The file that a reader is asked about, and what readers hand over before places are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scriptlint.corpus.places import Style

Path = tuple[str | int, ...]
"""The way to a value in JSON or YAML: keys and indices."""

PLUGIN_FOLDERS = frozenset({".claude-plugin", ".codex-plugin", ".cursor-plugin", ".gemini-plugin"})


@dataclass(slots=True)
class FileRef:
    """``path`` is what reports show, ``inner`` the path from the folder that was named, by that folder's own name.

    ``real`` is the path to open. ``given`` is true when the file itself was named: then a weaker sign of a format is
    enough. Not to be changed once made (frozen ones take three times as long to make).
    """

    path: str
    inner: str
    real: str = ""
    source: str = ""
    given: bool = False
    data: bytes | None = field(default=None, repr=False)
    """The file's bytes, when they are not on a disk."""

    @property
    def parts(self) -> list[str]:
        """The parts of ``inner``."""
        return self.inner.split("/")

    @property
    def name(self) -> str:
        """The file's name."""
        return self.inner.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The file's name without its last suffix."""
        stem, dot, _ = self.name.rpartition(".")
        return stem if dot and stem else self.name

    @property
    def suffix(self) -> str:
        """``.md``, in lower case; empty without one."""
        _, dot, suffix = self.name.rpartition(".")
        return f".{suffix.lower()}" if dot else ""

    @property
    def folder(self) -> str:
        """The name of the folder the file is in; that of the plugin when the folder is a plugin's hidden one."""
        above = [p for p in self.parts[:-1] if p not in PLUGIN_FOLDERS]
        return above[-1] if above else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """An item of a JSON or YAML file: values, and the ways to the two that need a place."""

    name: str
    dirname: str
    description: str
    kind: str
    part: str
    name_path: Path | None = None
    description_path: Path | None = None


Span = tuple[int, int, "Style"]
"""Start and end offset of a raw scalar in the text, and how it is written."""
