"""General_Category of a code point, and every property that the ``regex`` dialect can name."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Final

from scriptlint.unicode._decode import from_runs, packed, starts
from scriptlint.unicode.codepoints import CodePoints

__all__ = ["PropertyTable", "category", "general_category", "property_table", "property_value"]


class UnknownPropertyError(LookupError):
    """No property, or no value of the property, has this name."""


@lru_cache(maxsize=1)
def _categories() -> tuple[list[int], list[str]]:
    from scriptlint.unicode._tables import categories as table

    values = table.VALUES
    return starts(table.LENGTHS), [values[i : i + 2] for i in range(0, len(values), 2)]


def category(point: int) -> str:
    """General_Category of a code point, such as ``Lu``."""
    begin, values = _categories()
    return values[bisect_right(begin, point) - 1]


@lru_cache(maxsize=64)
def general_category(prefix: str) -> CodePoints:
    """All code points whose General_Category starts with a prefix: ``L``, ``Mn``; ``LC`` is not one."""
    begin, values = _categories()
    return from_runs((begin[i], begin[i + 1]) for i, v in enumerate(values) if v.startswith(prefix))


class PropertyTable:
    """Names of properties and values as ``regex`` knows them: upper case, no blanks, hyphens or underscores.

    ``properties`` maps every name and alias to the property's first name; ``values`` maps that to its value names and
    numbers, which are empty for a binary property.
    """

    BINARY_VALUES: Final = {"YES": 1, "Y": 1, "TRUE": 1, "T": 1, "NO": 0, "N": 0, "FALSE": 0, "F": 0}

    def __init__(self) -> None:
        from scriptlint.unicode._tables.property_names import PROPERTIES

        self.properties: dict[str, str] = {}
        self._spelled: dict[str, str] = {}
        for aliases, spelled in PROPERTIES.items():
            names = aliases.split()
            self._spelled[names[0]] = spelled
            for name in names:
                self.properties[name] = names[0]

    @lru_cache(maxsize=128)  # noqa: B019 - there is one table for the life of the process
    def values(self, name: str) -> dict[str, int]:
        """Value names and numbers of a property, given by its first name."""
        spelled = self._spelled[name]
        if not spelled:
            return self.BINARY_VALUES
        pairs = (item.rpartition("=") for item in spelled.split(" "))
        return {value: int(number) for value, _, number in pairs}

    def is_binary(self, name: str) -> bool:
        """The property is a yes-or-no one."""
        return not self._spelled[name]

    @lru_cache(maxsize=256)  # noqa: B019 - as above
    def points(self, name: str, number: int) -> CodePoints:
        """The code points that have value ``number`` of a property, given by its first name."""
        if name in (self.properties["SC"], self.properties["SCX"]):
            return self._script(name, number)
        if name == self.properties["GC"] and number == 0:
            return general_category("Cn")  # Other values of this property overlap: L, LC, Assigned.
        from scriptlint.unicode._tables.property_data import DATA

        data = DATA[name]
        if isinstance(data, str):
            yes = packed(data)
            return yes if number else ~yes
        if number in data:
            return packed(data[number])
        if number:
            return CodePoints.EMPTY
        return ~CodePoints.union(packed(steps) for steps in data.values())

    def _script(self, name: str, number: int) -> CodePoints:
        from scriptlint.unicode import scripts

        wanted = {value for value, n in self.values(name).items() if n == number}
        by_name = {scripts.loose(scripts.name(code)): code for code in scripts.CODES}
        by_name |= {code.upper(): code for code in scripts.CODES}
        code = next((by_name[v] for v in sorted(wanted) if v in by_name), None)
        if code is None:
            return CodePoints.EMPTY
        return scripts.script(code) if name == self.properties["SC"] else scripts.script_extensions(code)


@lru_cache(maxsize=1)
def property_table() -> PropertyTable:
    """The one table of names."""
    return PropertyTable()


def property_value(name: str, value: str = "YES") -> CodePoints:
    """The code points with a property, both named as Unicode names them (case, blanks, ``_`` and ``-`` ignored).

    Raises:
        UnknownPropertyError: there is no such property or value.
    """
    table = property_table()
    first = table.properties.get(_loose(name))
    if first is None:
        raise UnknownPropertyError(f"unknown property {name!r}")
    number = table.values(first).get(_loose(value))
    if number is None:
        raise UnknownPropertyError(f"property {name!r} has no value {value!r}")
    return table.points(first, number)


def _loose(name: str) -> str:
    return name.translate({0x5F: None, 0x2D: None, 0x20: None}).upper()
