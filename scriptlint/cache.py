"""The cache of per-file results: ``.scriptlint_cache/`` in the project's root, keyed by content, version and settings.

A cache folder may come with a repository that a stranger wrote, so reading one must never run code: entries are
pickles that may name nothing but scriptlint's own value types and enums. What can't be read is a miss.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import hashlib
import io
import os
import pickle
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scriptlint import __version__
from scriptlint.files import write_bytes, write_text
from scriptlint.stamp import FOLDER, stamp_path

if TYPE_CHECKING:
    from collections.abc import Iterable

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of scriptlint.\n"
_SHORT = 16
"""Bytes kept of the digest of a content."""
_MODULES = ("scriptlint.finding", "scriptlint.suppress", "scriptlint.results")
_PACKAGES = ("scriptlint.tokenizer.", "scriptlint.pattern.", "scriptlint.unicode.", "scriptlint.source.")


class _ValuesOnly(pickle.Unpickler):
    """Loads frozen value types of scriptlint and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module in _MODULES or module.startswith(_PACKAGES)) and "." not in name:
            found = getattr(sys.modules.get(module) or __import__(module, fromlist=["_"]), name, None)
            if isinstance(found, type) and found.__module__ == module:
                if issubclass(found, enum.Enum):
                    return found
                parameters = getattr(found, "__dataclass_params__", None)
                if dataclasses.is_dataclass(found) and parameters is not None and parameters.frozen:
                    return found
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a cache")


class Cache:
    """Entries under ``root``/.scriptlint_cache. Never raises: a cache that can't be used is no cache."""

    def __init__(self, root: str, salt: str) -> None:
        self.folder = os.path.join(root, FOLDER)
        self._salt = f"{__version__}\0{sys.version_info[:2]}\0{code_stamp()}\0{salt}".encode()
        self._ready = False
        self._broken = False
        self._passed: set[bytes] | None = None
        self._grown = False
        self._fresh = True
        self.hits = 0

    def key(self, path: str, data: bytes, settings: str) -> str:
        """The key of a file's result. ``settings`` says in text all that the result depends on."""
        hasher = hashlib.sha256(self._salt)
        for part in (path.encode("utf-8", "surrogateescape"), settings.encode("utf-8", "surrogatepass"), data):
            hasher.update(len(part).to_bytes(8, "big"))
            hasher.update(part)
        return hasher.hexdigest()

    def get(self, key: str, kind: type) -> Any:
        """The stored value if it is a ``kind``, else ``None``."""
        try:
            with open(self._path(key), "rb") as file:
                value = _ValuesOnly(io.BytesIO(file.read())).load()
        except Exception:
            # Bytes from an unknown hand may break the reader in any way; each is a miss.
            return None
        if not isinstance(value, kind):
            return None
        self.hits += 1
        return value

    def put(self, key: str, value: object) -> None:
        """Store a value; silently does nothing when the folder can't be written or the value can't be kept."""
        if self._broken:
            return
        try:
            data = pickle.dumps(value, protocol=5)
        except (pickle.PicklingError, TypeError, AttributeError):
            return
        self._write(key, data)

    def _write(self, key: str, data: bytes) -> None:
        try:
            self.prepare()
            path = self._path(key)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_bytes(path, data)
        except OSError:
            self._broken = True

    def passed_over(self, data: bytes) -> bool:
        """Whether a file of this content is known to hold nothing of interest."""
        return hashlib.sha256(data).digest()[:_SHORT] in self._passed_contents()

    def is_empty(self, key: str) -> bool:
        """Whether the result under a key is known to hold nothing at all."""
        return bytes.fromhex(key)[:_SHORT] in self._passed_contents()

    def note_empty(self, key: str) -> None:
        """Remember that the result under a key holds nothing at all: most do, and a file for each is slow to read."""
        self._passed_contents().add(bytes.fromhex(key)[:_SHORT])
        self._grown = True

    @property
    def knows_some(self) -> bool:
        """Whether a run before this one remembered anything."""
        return bool(self._passed_contents()) and not self._fresh

    def pass_over(self, data: bytes) -> None:
        """Remember that a file of this content holds nothing of interest; ``save`` writes it down."""
        self._passed_contents().add(hashlib.sha256(data).digest()[:_SHORT])
        self._grown = True

    def _passed_contents(self) -> set[bytes]:
        if self._passed is None:
            self._passed = set()
            with contextlib.suppress(OSError), open(self._path(self._passed_key), "rb") as file:
                known = file.read()
                self._passed = {known[i : i + _SHORT] for i in range(0, len(known), _SHORT)}
                self._fresh = False
        return self._passed

    @property
    def _passed_key(self) -> str:
        return hashlib.sha256(b"passed over\0" + self._salt).hexdigest()

    def save(self) -> None:
        """Write down what was learned. Silently does nothing when the folder can't be written."""
        if self._grown and not self._broken:
            self._write(self._passed_key, b"".join(sorted(self._passed_contents())))
            self._grown = False

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, __version__, key[:2], key[2:])

    def prepare(self) -> None:
        """Make the folder, with the files that tell git and backups to pass it over. Raises OSError."""
        if self._ready:
            return
        os.makedirs(self.folder, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            path = os.path.join(self.folder, name)
            if not os.path.exists(path):
                write_text(path, text)
        self._ready = True


def digest(path: str) -> str:
    """The SHA-256 of a file's bytes in hex; empty when it can't be read."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    return _digest(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=65536)
def _digest(path: str, _time: int, _size: int) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def dependencies(path: str, others: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The files that a result depends on, as they are called from the folder of its own, with their digests."""
    folder = os.path.dirname(os.path.abspath(path))
    return tuple(sorted((os.path.relpath(other, folder).replace(os.sep, "/"), digest(other)) for other in others))


def is_current(path: str, depends: Iterable[tuple[str, str]]) -> bool:
    """Whether the files that a stored result depends on are as they were. One that appeared since goes unnoticed."""
    folder = os.path.dirname(os.path.abspath(path))
    return all(digest(os.path.normpath(os.path.join(folder, other))) == was for other, was in depends)


def stamp_settings(path: str, root: str) -> None:
    """Mark a settings file, which stands in ``root``, as found right. Does nothing when that can't be written."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        mark = stamp_path(root, data)
        if not os.path.exists(mark):
            Cache(root, "").prepare()
            os.makedirs(os.path.dirname(mark), exist_ok=True)
            write_bytes(mark, b"")
    except OSError:
        pass


def code_stamp() -> str:
    """A stamp of scriptlint's own files (size and time), so that an edited checkout never meets old results."""
    from scriptlint.registry import rules_dir

    hasher = hashlib.sha256()
    for top in (os.path.dirname(os.path.abspath(__file__)), str(rules_dir())):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "report", "cli"))
            for name in sorted(names):
                if name.endswith(".py"):
                    found = os.stat(os.path.join(folder, name))
                    hasher.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return hasher.hexdigest()
