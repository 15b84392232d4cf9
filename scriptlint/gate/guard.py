"""What code under test may not do: an audit hook refuses it, and remembers what was tried and which files were read.

The hook guards against what routers do on their own (caches, downloads, helper processes). It is no jail for code
that wants to get out.
"""
# Paths stay plain strings: the hook runs inside the calls that it watches.
# ruff: noqa: PTH100, PTH118

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType


class Refused(PermissionError):  # noqa: N818  (it names what happened)
    """Something that a condition under test may not do."""


class CacheHidden(FileNotFoundError):  # noqa: N818
    """A file of the cache, for code under test as good as not there."""


_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NULL = {os.devnull, os.path.realpath(os.devnull)}
_EVENTS = {
    "os.remove": "delete", "os.rmdir": "delete", "shutil.rmtree": "delete",
    "os.rename": "rename", "shutil.move": "rename",
    "os.mkdir": "write", "os.link": "write", "os.symlink": "write", "os.truncate": "write", "os.chmod": "write",
    "os.chown": "write", "os.utime": "write", "os.setxattr": "write", "os.removexattr": "write", "os.chflags": "write",
    "shutil.copyfile": "write", "shutil.copytree": "write", "shutil.make_archive": "write",
    "shutil.unpack_archive": "write", "tempfile.mkstemp": "write", "tempfile.mkdtemp": "write",
    "subprocess.Popen": "process", "os.system": "process", "os.exec": "process", "os.posix_spawn": "process",
    "os.spawn": "process", "os.fork": "process", "os.forkpty": "process", "os.startfile": "process",
    "pty.spawn": "process", "os.kill": "process", "os.killpg": "process", "_winapi.CreateProcess": "process",
}  # fmt: skip
_NETWORK = ("socket.", "urllib.Request", "http.client.", "ftplib.", "smtplib.", "imaplib.", "poplib.", "telnetlib.")
_HARMLESS = {"socket.gethostname"}


class Guard:
    """The state of the hook of this process. It acts while ``armed``.

    ``told`` takes each refusal once: what (write, delete, rename, process, network, cache), the target, and the line
    of the router from which it was tried. ``read`` are absolute paths of files that were opened for reading.
    """

    def __init__(self, root: str, caches: Sequence[str]) -> None:
        self.root = root
        self.caches = [_glob(root, c) for c in caches]
        self.armed = False
        self.told: list[dict[str, Any]] = []
        self.read: dict[str, None] = {}
        self._seen: set[tuple[str, str]] = set()
        self._busy = False

    def install(self) -> None:
        """Add the hook; it can't be taken away again."""
        sys.addaudithook(self._hook)
        _no_bytes_to_files()

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.armed or self._busy:
            return
        self._busy = True
        try:
            if event == "open":
                self._open(*args)
            elif event in _EVENTS:
                self._refuse(_EVENTS[event], _target(event, args))
            elif event.startswith(_NETWORK) and event not in _HARMLESS:
                self._refuse("network", _target(event, args))
            elif event == "sqlite3.connect":
                self._database(args)
        finally:
            self._busy = False

    def _open(self, path: object, mode: object, flags: object) -> None:
        if isinstance(path, int):
            return
        text = os.fsdecode(path) if isinstance(path, (str, bytes)) else str(path)
        writes = any(c in mode for c in "wax+") if isinstance(mode, str) else isinstance(flags, int) and flags & _WRITE
        if writes:
            if text not in _NULL:
                self._refuse("write", text)
            return
        real = os.path.realpath(text)
        if any(fnmatchcase(p, glob) for glob in self.caches for p in (real, os.path.abspath(text))):
            self._tell("cache", text)
            raise CacheHidden(2, "reading the cache is refused by the gate audit", text)
        self.read.setdefault(real)

    def _database(self, args: tuple[Any, ...]) -> None:
        name = os.fsdecode(args[0]) if args and isinstance(args[0], (str, bytes)) else str(args[0] if args else "")
        if name in ("", ":memory:"):
            return
        path = name.removeprefix("file:").partition("?")[0]
        if not name.startswith("file:") or not ("mode=ro" in name or "mode=memory" in name or "immutable=1" in name):
            # SQLite opens its files below Python, where no hook sees whether it writes.
            self._refuse("write", name)
        self._open(path, "r", 0)

    def _refuse(self, what: str, target: str) -> None:
        self._tell(what, target)
        raise Refused(13, f"refused by the gate audit ({what})", target)

    def _tell(self, what: str, target: str) -> None:
        if (what, target) not in self._seen:
            self._seen.add((what, target))
            self.told.append({"what": what, "target": target, "line": _line(self.root)})


def _glob(root: str, glob: str) -> str:
    """An absolute glob. ``*`` crosses folders; a glob without a slash matches in any folder."""
    if "/" not in glob:
        return f"*/{glob}"
    return os.path.normpath(os.path.join(root, glob)).replace("**" + os.sep, "*").replace("**", "*")


def _target(event: str, args: tuple[Any, ...]) -> str:
    if event.startswith("socket."):
        found = [str(a) for a in args if isinstance(a, (str, tuple))]
        return found[0] if found else event.partition(".")[2].strip("_")
    if event == "subprocess.Popen":
        command = args[1] if len(args) > 1 and args[1] else args[0] if args else ""
        return " ".join(map(str, command)) if isinstance(command, (list, tuple)) else str(command)
    named = [os.fsdecode(a) for a in args if isinstance(a, (str, bytes)) and a]
    if event in ("os.rename", "shutil.move", "os.link", "os.symlink"):
        return " -> ".join(named[:2]) or event
    return named[0] if named else event


def _line(root: str) -> str:
    """``path:line`` of the innermost frame of a file under the root that is no installed package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(root) and "site-packages" not in name:
            return f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _no_bytes_to_files() -> None:
    """What opens files below Python is not seen by the hook; with this it can still put nothing into them."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    limit: Callable[[int, tuple[int, int]], None] = resource.setrlimit
    limit(resource.RLIMIT_FSIZE, (0, 0))
    limit(resource.RLIMIT_CORE, (0, 0))
