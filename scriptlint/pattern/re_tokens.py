"""The tokens of a pattern for ``re``, its escapes and its sets: what its grammar is made of below the parentheses."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final, NoReturn

import unicodedata2

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternError
from scriptlint.pattern.frames import Budget

__all__ = ["DIGITS", "Tokens"]

DIGITS: Final = frozenset("0123456789")
_OCTAL: Final = frozenset("01234567")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ESCAPES: Final = {"\\a": 7, "\\f": 12, "\\n": 10, "\\r": 13, "\\t": 9, "\\v": 11, "\\\\": 92}
_ANCHORS: Final = {"\\A": "A", "\\b": "b", "\\B": "B", "\\Z": "Z"}
_SET_TRAPS: Final = {"-": "difference", "&": "intersection", "~": "symmetric difference", "|": "union"}
_TOKEN = re.compile(r"\\.|.", re.DOTALL)


class Tokens:
    """Reads below the parentheses. ``i`` indexes ``tokens``; an escape is one token, as it is for the engine.

    ``group_widths`` holds the width of every closed group, ``behind_groups`` the first group number that the
    look-behind being read may not refer to.
    """

    def __init__(self, text: str, is_bytes: bool) -> None:
        self.text = text
        self.is_bytes = is_bytes
        self.tokens = _TOKEN.findall(text)
        if self.tokens and self.tokens[-1] == "\\":
            raise PatternError("bad escape (end of pattern)", len(text) - 1)
        self.places = list(accumulate(map(len, self.tokens), initial=0))
        self.count = len(self.tokens)
        self.i = 0
        self.budget = Budget()
        self.groups = 0
        self.group_widths: dict[int, tuple[int, int]] = {}
        self.behind_groups: int | None = None
        self.warnings: list[tuple[int, int, str]] = []

    # --- reading -----------------------------------------------------------------------------------------------------

    def peek(self) -> str:
        return self.tokens[self.i] if self.i < self.count else ""

    def take(self) -> str:
        token = self.peek()
        self.i += 1
        return token

    def match(self, token: str) -> bool:
        if self.i < self.count and self.tokens[self.i] == token:
            self.i += 1
            return True
        return False

    @property
    def here(self) -> int:
        return self.places[min(self.i, self.count)]

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        raise PatternError(message, self.here if position is None else position)

    def until(self, end: str, what: str) -> str:
        start = self.here
        parts: list[str] = []
        while True:
            token = self.take()
            if not token:
                self.fail(f"missing {what}" if not parts else f"missing {end}, unterminated name", start)
            if token == end:
                break
            parts.append(token)
        if not parts:
            self.fail(f"missing {what}", start)
        return "".join(parts)

    def digits(self, most: int, allowed: frozenset[str]) -> str:
        found = ""
        while len(found) < most and self.peek() in allowed and self.i < self.count:
            found += self.take()
        return found

    # --- escapes and sets --------------------------------------------------------------------------------------------

    def escape(self, token: str, start: int, mode: int) -> tuple[n.Node, tuple[int, int]]:
        letter = token[1]
        anchor = _ANCHORS.get(token)
        if anchor is not None:
            return n.Anchor(start, start, anchor, mode), (0, 0)
        if letter in "dDsSwW":
            return n.Shorthand(start, start, letter.lower(), letter.isupper(), mode), (1, 1)
        if letter in DIGITS and letter != "0":
            digits = letter
            if self.peek() in DIGITS and self.i < self.count:
                digits += self.take()
                if digits[0] in _OCTAL and digits[1] in _OCTAL and self.peek() in _OCTAL and self.i < self.count:
                    digits += self.take()
                    return n.Char(start, start, self.octal(digits, start), mode), (1, 1)
            group = int(digits)
            if group > self.groups:
                self.fail(f"invalid group reference {group}", start)
            if group not in self.group_widths:
                self.fail("cannot refer to an open group", start)
            self.check_behind(group, start)
            return n.Backref(start, start, group, mode), self.group_widths[group]
        if letter == "0":
            return n.Char(start, start, int("0" + self.digits(2, _OCTAL), 8), mode), (1, 1)
        return n.Char(start, start, self.char_escape(token, start), mode), (1, 1)

    def octal(self, digits: str, start: int) -> int:
        value = int(digits, 8)
        if value > 0o377:
            self.fail(f"octal escape value \\{digits} outside of range 0-0o377", start)
        return value

    def char_escape(self, token: str, start: int) -> int:
        """The code point of an escape that means one, in or out of a set."""
        point = _ESCAPES.get(token)
        if point is not None:
            return point
        letter = token[1]
        length = {"x": 2, "u": 4, "U": 8}.get(letter, 0)
        if length and (letter == "x" or not self.is_bytes):
            digits = self.digits(length, _HEX)
            if len(digits) < length:
                self.fail(f"incomplete escape {token}{digits}", start)
            point = int(digits, 16)
            if point > 0x10FFFF:
                self.fail(f"bad escape {token}", start)
            return point
        if letter == "N" and not self.is_bytes:
            if not self.match("{"):
                self.fail("missing {", start)
            name = self.until("}", "character name")
            try:
                return ord(unicodedata2.lookup(name))
            except (KeyError, TypeError):
                self.fail(f"undefined character name {name!r}", start)
        if letter in _LETTERS or letter in DIGITS:
            self.fail(f"bad escape {token}", start)
        return ord(letter)

    def char_set(self, start: int, mode: int) -> n.Set:
        if self.peek() == "[":
            self.warnings.append((start, self.here + 1, "nested set"))
        negated = self.match("^")
        items: list[n.ClassNode] = []
        spend = self.budget.spend
        while True:
            place = self.here
            token = self.take()
            if not token:
                self.fail("unterminated character set", start)
            if token == "]" and items:
                break
            spend(place)
            if items and token in _SET_TRAPS and self.peek() == token:
                self.warnings.append((place, place + 2, f"set {_SET_TRAPS[token]}"))
            low = self.set_item(token, place, mode)
            if not self.match("-"):
                items.append(low)
                continue
            dash = self.here - 1
            place = self.here
            token = self.take()
            if not token:
                self.fail("unterminated character set", start)
            if token == "]":
                items += (low, n.Char(dash, dash + 1, 0x2D, mode))
                break
            if token == "-":
                self.warnings.append((dash, place + 1, "set difference"))
            high = self.set_item(token, place, mode)
            if not isinstance(low, n.Char) or not isinstance(high, n.Char) or high.point < low.point:
                self.fail(f"bad character range {self.text[low.start : self.here]}", low.start)
            items.append(n.Range(low.start, high.end, low.point, high.point))
        return n.Set(start, self.here, "union", items, negated, mode, True)

    def set_item(self, token: str, start: int, mode: int) -> n.ClassNode:
        if token[0] != "\\":
            return n.Char(start, start + 1, ord(token), mode)
        letter = token[1]
        if letter in "dDsSwW":
            return n.Shorthand(start, start + 2, letter.lower(), letter.isupper(), mode)
        if letter == "b":
            point = 8
        elif letter in _OCTAL:
            point = self.octal(letter + self.digits(2, _OCTAL), start)
        else:
            point = self.char_escape(token, start)
        return n.Char(start, self.here, point, mode)

    def check_behind(self, group: int, position: int) -> None:
        if self.behind_groups is not None:
            if group not in self.group_widths:
                self.fail("cannot refer to an open group", position)
            if group >= self.behind_groups:
                self.fail("cannot refer to group defined in the same lookbehind subpattern", position)
