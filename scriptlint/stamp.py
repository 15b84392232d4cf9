"""A mark that a settings file has been read and found right, so that a run without a candidate need not read it again.

Imports next to nothing: the fast path of the command line uses it.
"""

import os
from binascii import crc32

from scriptlint import __version__

FOLDER = ".scriptlint_cache"


def stamp_path(folder: str, data: bytes) -> str:
    """Where the mark for a settings file with these bytes, in ``folder``, is kept."""
    return os.path.join(folder, FOLDER, __version__, f"settings-{len(data)}-{crc32(data):08x}")


def is_stamped(folder: str, data: bytes) -> bool:
    """Whether this version of scriptlint has found these bytes right."""
    return os.path.exists(stamp_path(folder, data))
