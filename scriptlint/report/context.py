"""What every report format is given beside the report itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scriptlint.lines import Lines
from scriptlint.report.display import Style

if TYPE_CHECKING:
    from scriptlint.registry import Registry


@dataclass(frozen=True, slots=True)
class Context:
    """``width`` is in terminal columns. ``symbols`` is false when the output's encoding lacks them.

    ``baseline`` is the baseline file's path, when there is one, for formats that point at it.
    """

    registry: Registry
    lines: Lines = field(default_factory=Lines)
    style: Style = field(default_factory=Style)
    width: int = 100
    symbols: bool = True
    statistics: bool = False
    include_suppressed: bool = False
    baseline: str | None = None
