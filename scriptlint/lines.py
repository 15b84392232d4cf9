"""The lines of source files, read once, for excerpts, snippets and fingerprints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.finding import Location

_BREAK = re.compile(r"\r\n|\r|\n")


class Lines:
    """Lines of files by their shown path. ``given`` holds the bytes of files that are not on disk (stdin)."""

    def __init__(self, given: Mapping[str, bytes] | None = None) -> None:
        self._given = dict(given or {})
        self._seen: dict[str, tuple[str, ...]] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """The lines of a file without their ends and without a BOM; empty when it can't be read."""
        if path not in self._seen:
            self._seen[path] = tuple(_BREAK.split(decode(self.data(path))))
        return self._seen[path]

    def data(self, path: str) -> bytes:
        """The bytes of a file; empty when it can't be read."""
        if path in self._given:
            return self._given[path]
        try:
            with open(path, "rb") as file:
                return file.read()
        except (OSError, ValueError):
            return b""

    def line(self, path: str, number: int) -> str:
        """One line (1-based); empty when there is none."""
        lines = self.of(path)
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def text(self, location: Location) -> str:
        """The text of a range, lines joined with ``\\n``; what the range holds beyond the file is left out."""
        lines = self.of(location.path)[location.line - 1 : location.end_line]
        if not lines:
            return ""
        parts = list(lines)
        if len(parts) == location.end_line - location.line + 1:
            parts[-1] = parts[-1][: location.end_column - 1]
        parts[0] = parts[0][location.column - 1 :]
        return "\n".join(parts)


def decode(data: bytes) -> str:
    """Text of source bytes: UTF-8 (a BOM dropped), else the coding cookie's encoding, else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    import io
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return data.decode("latin-1")
