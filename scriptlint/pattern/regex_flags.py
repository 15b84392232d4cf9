"""The flag values of ``regex``, and how they map to ``Mode`` bits."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scriptlint.pattern import nodes as n

A: Final = 0x80
B: Final = 0x1000
D: Final = 0x200
E: Final = 0x8000
F: Final = 0x4000
I: Final = 0x2  # noqa: E741 - the engine's own name
L: Final = 0x4
M: Final = 0x8
P: Final = 0x10000
R: Final = 0x400
S: Final = 0x10
U: Final = 0x20
V0: Final = 0x2000
V1: Final = 0x100
W: Final = 0x800
X: Final = 0x40

GLOBAL_FLAGS: Final = B | D | E | P | R | V0 | V1
DEFAULT_FLAGS: Final = {0: 0, V0: 0, V1: F}
"""What a version turns on by itself."""
FLAG_NAMES: Final = {
    "a": A, "b": B, "e": E, "f": F, "i": I, "L": L, "m": M, "p": P, "r": R, "s": S, "u": U, "V0": V0, "V1": V1,
    "w": W, "x": X,
}  # fmt: skip


@lru_cache(maxsize=512)
def mode_of(flags: int) -> int:
    """The flags that change what a node matches. Full case folding needs IGNORECASE and no ASCII."""
    return (
        (n.IGNORECASE if flags & I else 0)
        | (n.FULLCASE if flags & F and flags & I and not flags & A else 0)
        | (n.ASCII if flags & A else 0)
        | (n.UNICODE if flags & U else 0)
        | (n.LOCALE if flags & L else 0)
        | (n.DOTALL if flags & S else 0)
        | (n.MULTILINE if flags & M else 0)
        | (n.WORD if flags & W else 0)
    )
