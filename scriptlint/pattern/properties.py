r"""How ``regex`` finds the property that ``\p{..}`` names."""

from __future__ import annotations

from scriptlint.pattern.errors import PatternError
from scriptlint.unicode.properties import property_table

__all__ = ["find_property"]

_POSIX = frozenset(("ALNUM", "DIGIT", "PUNCT", "XDIGIT"))


def _rational(flt: float, depth: int = 0) -> tuple[int, int]:
    """A fraction near a number, by continued fractions, as precise as the engine's."""
    whole = int(flt)
    rest = flt - whole
    if abs(rest) < 0.0001 or depth > 60:
        return whole, 1
    denominator, numerator = _rational(1.0 / rest, depth + 1)
    return whole * denominator + numerator, denominator


def _numeric(text: str) -> str:
    """The canonical spelling of a number or fraction; raises ``ValueError`` when it is neither."""
    sign = "-" if text[:1] == "-" else ""
    parts = text.removeprefix("-").split("/")
    if len(parts) > 2:
        raise ValueError(text)
    value = float(parts[0]) / float(parts[1]) if len(parts) == 2 else float(parts[0])
    top, bottom = _rational(value)
    return f"{sign}{top}" if bottom == 1 else f"{sign}{top}/{bottom}"


def _standard(name: str) -> str:
    try:
        return _numeric(name)
    except (ValueError, ZeroDivisionError, OverflowError):
        return "".join(c for c in name if c not in "_- ").upper()


def find_property(name: str | None, value: str, position: int, *, posix: bool = False) -> tuple[str, int, bool]:
    """The first name of a property, the number of its value, and whether the sense is turned round.

    Raises:
        PatternError: there is no such property or value.
    """
    table = property_table()
    name = _standard(name) if name else None
    value = _standard(value)
    if (name, value) == ("GENERALCATEGORY", "ASSIGNED"):
        return table.properties["GC"], table.values(table.properties["GC"])["UNASSIGNED"], True
    if posix and not name and value in _POSIX:
        value = "POSIX" + value
    if name:
        first = table.properties.get(name)
        if first is None:
            raise PatternError("unknown property", position)
        number = table.values(first).get(value)
        if number is None:
            raise PatternError("unknown property value", position)
        return first, number, False
    for prefix in ("GC", "SCRIPT", "BLOCK"):
        first = table.properties[prefix]
        number = table.values(first).get(value)
        if number is not None:
            return first, number, False
    first = table.properties.get(value)
    if first is not None:
        # A property that is not binary stands for "anything but its value 0".
        return (first, 1, False) if table.is_binary(first) else (first, 0, True)
    if value.startswith("IS"):
        first = table.properties.get(value[2:])
        if first is not None and "YES" in table.values(first):
            return first, 1, False
    for start, prefix in (("IS", "SCRIPT"), ("IN", "BLOCK")):
        if value.startswith(start):
            first = table.properties[prefix]
            number = table.values(first).get(value[2:])
            if number is not None:
                return first, number, False
    raise PatternError("unknown property", position)
