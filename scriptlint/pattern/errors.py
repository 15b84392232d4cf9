"""What can be wrong with a pattern."""

from __future__ import annotations

__all__ = ["PatternError", "PatternTooComplex"]


class PatternError(ValueError):
    """The engine of the dialect rejects the pattern.

    ``position`` is an index into the pattern (code points of text, bytes of bytes).
    """

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(f"{message} at position {position}")
        self.message = message
        self.position = position


class PatternTooComplex(PatternError):  # noqa: N818 - the name callers read
    """The pattern is nested deeper, or has more parts, than the analysis is ready to pay for."""
