"""The worker's side of a session: two pipes of its own, out of reach of what it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO


def private_pipes() -> tuple[TextIO, TextIO]:
    """Requests to read and replies to write; what the process was started with goes nowhere from now on.

    Code under test may print, read stdin or write to descriptor 1: none of it may reach the protocol.
    """
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n", errors="surrogatepass")
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n", errors="surrogatepass")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    return requests, replies
