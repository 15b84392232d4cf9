"""Writing files: whole or not at all."""

from __future__ import annotations

import os


def write_bytes(path: str, data: bytes, *, spare_read_only: bool = False) -> None:
    """Write a file atomically: a reader sees the old bytes or the new, never half. Raises OSError.

    An existing file keeps its permissions; with ``spare_read_only`` one that nobody may write keeps its bytes, too,
    though its folder would let it be replaced. What is no regular file (``/dev/stdout``, a pipe) is written directly.
    """
    import stat
    import tempfile

    mode: int | None = None
    target = os.path.realpath(path)  # the link stays, its target changes
    try:
        found = os.stat(target)
    except FileNotFoundError:
        pass
    else:
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(21, "Is a directory", path)
        if not stat.S_ISREG(found.st_mode):
            with open(target, "wb") as file:
                file.write(data)
            return
        mode = stat.S_IMODE(found.st_mode)
        if spare_read_only and (not mode & 0o222 or not os.access(target, os.W_OK)):
            raise PermissionError(13, "Permission denied", path)
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=folder or ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is None:
            umask = os.umask(0)
            os.umask(umask)
            mode = 0o666 & ~umask
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def write_text(path: str, text: str) -> None:
    """``write_bytes`` of UTF-8 text, line ends as they are."""
    write_bytes(path, text.encode("utf-8"))
