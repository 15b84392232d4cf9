"""Lines of files that may be larger than memory: tables of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from scriptlint.finding import Location


class TableLines(Lines):
    """``Lines`` that keep only the ``wanted`` lines (path -> 1-based numbers) of tables, read once as a stream.

    A table holds no suppression comments, so its bytes are given as empty.
    """

    def __init__(self, wanted: Mapping[str, Set[int]]) -> None:
        super().__init__()
        self._wanted = wanted
        self._kept: dict[str, dict[int, str]] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """The lines of a file that is no table; of a table the lines that are kept."""
        if path not in self._wanted:
            return super().of(path)
        self.line(path, 0)
        return tuple(self._kept[path].values())

    def data(self, path: str) -> bytes:
        """The bytes of a file that is no table."""
        return b"" if path in self._wanted else super().data(path)

    def line(self, path: str, number: int) -> str:
        """One line (1-based); empty when there is none or a table's was not wanted."""
        if path not in self._wanted:
            return super().line(path, number)
        if path not in self._kept:
            self._kept[path] = self._read(path)
        return self._kept[path].get(number, "")

    def text(self, location: Location) -> str:
        """The text of a range, lines joined with ``\\n``."""
        if location.path not in self._wanted:
            return super().text(location)
        parts = [self.line(location.path, n) for n in range(location.line, location.end_line + 1)]
        parts[-1] = parts[-1][: location.end_column - 1]
        parts[0] = parts[0][location.column - 1 :]
        return "\n".join(parts)

    def _read(self, path: str) -> dict[int, str]:
        wanted = self._wanted[path]
        last = max(wanted)
        out: dict[int, str] = {}
        try:
            with open(path, "rb") as file:
                for number, line in enumerate(file, 1):
                    if number in wanted:
                        text = line.decode("utf-8", "replace").rstrip("\r\n")
                        out[number] = text.removeprefix("\ufeff") if number == 1 else text
                    if number >= last:
                        break
        except OSError:
            pass
        return out
