r"""Sets, escapes and properties of ``regex``: ``[..]`` with POSIX classes and, in version 1, set operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

import unicodedata2

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternError
from scriptlint.pattern.properties import find_property
from scriptlint.pattern.regex_flags import mode_of

if TYPE_CHECKING:
    from scriptlint.pattern.frames import Budget
    from scriptlint.pattern.reader import Reader

__all__ = ["ClassParser"]

_DIGITS: Final = frozenset("0123456789")
_OCTAL: Final = frozenset("01234567")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_ALPHA: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ALNUM: Final = _ALPHA | _DIGITS
_NAMED: Final = _ALNUM | frozenset(" -")
_PROPERTY: Final = _ALNUM | frozenset(" &_-.")
_VALUE: Final = _ALNUM | frozenset(" &_-./")
_CHARS: Final = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX_LENGTH: Final = {"x": 2, "u": 4, "U": 8}
_OPERATORS: Final[tuple[tuple[str, n.SetOp], ...]] = (
    ("||", "union"),
    ("~~", "symmetric"),
    ("&&", "intersection"),
    ("--", "difference"),
)
"""Loosest first."""


class ClassParser:
    """Reads sets and the escapes that mean one character or a class."""

    def __init__(self, reader: Reader, budget: Budget, version: int, warnings: list[tuple[int, int, str]]) -> None:
        self.reader = reader
        self.budget = budget
        self.version = version
        self.warnings = warnings
        self.depth = 0

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        raise PatternError(message, self.reader.pos if position is None else position)

    # --- sets --------------------------------------------------------------------------------------------------------

    def char_set(self, start: int, flags: int) -> n.Set:
        """A set after its ``[``; blanks count inside it, whatever VERBOSE says."""
        reader = self.reader
        skip, reader.skip = reader.skip, False
        try:
            return self.brackets(start, flags)
        finally:
            reader.skip = skip

    def brackets(self, start: int, flags: int) -> n.Set:
        reader = self.reader
        self.depth += 1
        self.budget.depth(4 * self.depth, start)  # A nested set costs several calls.
        negated = reader.match("^")
        node = self.operands(0, flags) if self.version == 1 else self.implicit_union(flags)
        if not reader.match("]"):
            self.fail("missing ]")
        self.depth -= 1
        if isinstance(node, n.Set) and not node.bracketed:
            node.start, node.end = start, reader.pos
            node.negated, node.bracketed = negated, True
            return node
        return n.Set(start, reader.pos, "union", [node], negated, mode_of(flags), True)

    def operands(self, level: int, flags: int) -> n.ClassNode:
        """A chain of one set operation whose operands bind tighter."""
        if level == len(_OPERATORS):
            return self.implicit_union(flags)
        text, op = _OPERATORS[level]
        start = self.reader.pos
        items = [self.operands(level + 1, flags)]
        while self.reader.match(text):
            items.append(self.operands(level + 1, flags))
        if len(items) == 1:
            return items[0]
        return n.Set(start, self.reader.pos, op, items, False, mode_of(flags), False)

    def implicit_union(self, flags: int) -> n.ClassNode:
        reader = self.reader
        start = reader.pos
        items = self.member(flags)
        while not reader.text.startswith("]", reader.pos):
            pair = reader.text[reader.pos : reader.pos + 2]
            if pair in ("||", "~~", "&&", "--"):
                if self.version == 1:
                    break
                name = {"||": "union", "~~": "symmetric difference", "&&": "intersection", "--": "difference"}[pair]
                self.warnings.append((reader.pos, reader.pos + 2, f"set {name}"))
            items += self.member(flags)
        if len(items) == 1:
            return items[0]
        return n.Set(start, reader.pos, "union", items, False, mode_of(flags), False)

    def member(self, flags: int) -> list[n.ClassNode]:
        """One member: a class, a character, or a range; more than one when a hyphen turns out to be itself."""
        reader = self.reader
        self.budget.spend(reader.pos)
        low = self.item(flags)
        before = reader.pos
        if not isinstance(low, n.Char) or not reader.match("-"):
            return [low]
        dash = n.Char(before, before + 1, 0x2D, mode_of(flags))
        after = reader.pos
        if self.version == 1 and reader.match("-"):
            reader.pos = before
            return [low]
        if reader.match("]"):
            reader.pos = after
            return [low, dash]
        high = self.item(flags)
        if not isinstance(high, n.Char):
            return [low, dash, high]
        if low.point > high.point:
            self.fail("bad character range")
        if low.point == high.point:
            return [n.Char(low.start, high.end, low.point, low.mode)]
        return [n.Range(low.start, high.end, low.point, high.point)]

    def item(self, flags: int) -> n.ClassNode:
        reader = self.reader
        start = reader.pos
        if reader.match("\\"):
            letter = reader.take()
            node = self.escape(letter, start, flags, True)
            assert isinstance(node, (n.Char, n.Shorthand, n.Property))
            return node
        if reader.match("[:"):
            posix = self.posix(start, flags)
            if posix is not None:
                return posix
            reader.pos = start
        if reader.match("["):
            if self.version == 1:
                return self.brackets(start, flags)
            self.warnings.append((start, start + 1, "nested set"))
            return n.Char(start, start + 1, 0x5B, mode_of(flags))
        char = reader.take()
        if not char:
            self.fail("unterminated character set")
        return n.Char(start, reader.pos, ord(char), mode_of(flags))

    def posix(self, start: int, flags: int) -> n.Property | None:
        negated = self.reader.match("^")
        name, value = self.property_name()
        if not self.reader.match(":]"):
            return None
        first, number, flip = find_property(name, value, self.reader.pos, posix=True)
        # A POSIX class never takes the encoding of the place; that of the pattern decides.
        mode = mode_of(flags) & ~n.ENCODINGS
        return n.Property(start, self.reader.pos, first, number, negated != flip, mode, True)

    # --- escapes -----------------------------------------------------------------------------------------------------

    def escape(self, letter: str, start: int, flags: int, in_set: bool) -> n.Node:
        """What an escape means, its letter read already."""
        reader = self.reader
        mode = mode_of(flags)
        if not letter:
            self.fail("bad escape (end of pattern)")
        if letter in _HEX_LENGTH:
            return self.hex_escape(letter, start, mode)
        if letter == "N":
            return self.named(start, mode)
        if letter in "pP":
            return self.property(letter, start, mode)
        if letter in _ALPHA:
            if letter in "dDsSwW":
                return n.Shorthand(start, reader.pos, letter.lower(), letter.isupper(), mode)
            if letter == "h":
                return n.Shorthand(start, reader.pos, "h", False, mode & ~n.ENCODINGS)
            point = _CHARS.get(letter)
            if point is None:
                self.fail(f"bad escape \\{letter}", start)
            # Outside a set these escapes ignore IGNORECASE, which no control character minds.
            return n.Char(start, reader.pos, point, mode)
        if letter in _DIGITS:
            if letter not in _OCTAL:
                self.fail(f"bad escape \\{letter}", start)
            return self.octal(letter, start, mode)
        return n.Char(start, reader.pos, ord(letter), mode)

    def octal(self, digits: str, start: int, mode: int) -> n.Char:
        reader = self.reader
        while len(digits) < 3:
            saved = reader.pos
            char = reader.take()
            if not char or char not in _OCTAL:
                reader.pos = saved
                break
            digits += char
        return n.Char(start, reader.pos, int(digits, 8), mode)

    def hex_escape(self, letter: str, start: int, mode: int) -> n.Char:
        digits = ""
        for _ in range(_HEX_LENGTH[letter]):
            char = self.reader.take()
            if not char or char not in _HEX:
                self.fail(f"incomplete escape \\{letter}{digits}", start)
            digits += char
        point = int(digits, 16)
        if point > 0x10FFFF:
            self.fail(f"bad hex escape \\{letter}{digits}", start)
        return n.Char(start, self.reader.pos, point, mode)

    def named(self, start: int, mode: int) -> n.Char:
        reader = self.reader
        saved = reader.pos
        if reader.match("{"):
            name = reader.run(_NAMED, keep_blanks=True)
            if reader.match("}"):
                try:
                    return n.Char(start, reader.pos, ord(unicodedata2.lookup(name)), mode)
                except (KeyError, TypeError):
                    self.fail("undefined character name", start)
        reader.pos = saved
        return n.Char(start, reader.pos, ord("N"), mode)

    def property(self, letter: str, start: int, mode: int) -> n.Node:
        reader = self.reader
        saved = reader.pos
        negated = letter == "P"
        char = reader.take()
        if char == "{":
            caret = reader.match("^")
            name, value = self.property_name()
            if reader.match("}"):
                first, number, flip = find_property(name, value, reader.pos)
                return n.Property(start, reader.pos, first, number, (negated != caret) != flip, mode, False)
        elif char and char in "CLMNPSZ":
            first, number, _ = find_property(None, char, reader.pos)
            return n.Property(start, reader.pos, first, number, negated, mode, False)
        reader.pos = saved
        return n.Char(start, reader.pos, ord(letter), mode)

    def property_name(self) -> tuple[str | None, str]:
        reader = self.reader
        name = reader.run(_PROPERTY)
        saved = reader.pos
        char = reader.take()
        if char and char in ":=":
            value = reader.run(_VALUE).strip()
            if value:
                return name, value
        reader.pos = saved
        return None, name
