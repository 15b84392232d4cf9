"""The parts of a pattern for ``regex`` below its parentheses: escapes, quantifiers, names of groups."""

from __future__ import annotations

from typing import Final, NoReturn

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternError
from scriptlint.pattern.frames import Budget, Frame
from scriptlint.pattern.parse_fuzzy import fuzzy_constraint
from scriptlint.pattern.parse_regex_set import ClassParser
from scriptlint.pattern.reader import Reader
from scriptlint.pattern.regex_flags import DEFAULT_FLAGS, V0, V1, A, L, U, X, mode_of

__all__ = ["NAME_END", "SPECIAL", "Parts", "is_empty"]

SPECIAL: Final = frozenset("()?*+{^$.[\\|")
_DIGITS: Final = frozenset("0123456789")
NAME_END: Final = frozenset(")>")
_LIMIT: Final = 4294967295


class Parts:
    """Reads below the parentheses, with fixed global flags."""

    def __init__(self, text: str, is_bytes: bool, flags: int) -> None:
        if flags & V0 and flags & V1:
            raise PatternError("VERSION0 and VERSION1 flags are mutually incompatible")
        flags |= DEFAULT_FLAGS[flags & (V0 | V1)]
        self.text = text
        self.is_bytes = is_bytes
        self.flags = flags
        self.global_flags = flags
        self.version = 1 if flags & V1 else 0
        self.reader = Reader(text)
        self.reader.skip = bool(flags & X)
        self.budget = Budget()
        self.warnings: list[tuple[int, int, str]] = []
        self.classes = ClassParser(self.reader, self.budget, self.version, self.warnings)
        self.groups = 0
        self.names: dict[str, int] = {}
        self.numbered: dict[int, str] = {}
        self.open_groups: list[int] = []
        self.open_count: dict[int, int] = {}
        self.aliases = 0
        self.pending: list[tuple[n.Backref | n.Call | n.Conditional, str, int]] = []

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        raise PatternError(message, self.reader.pos if position is None else position)

    def add(self, frame: Frame, node: n.Node) -> None:
        frame.items.append(node)
        frame.can_repeat = True

    def atom(self, char: str, start: int) -> n.Node:
        mode = mode_of(self.flags)
        if char == "\\":
            return self.escape(start)
        if char == "[":
            return self.classes.char_set(start, self.flags)
        if char == ".":
            return n.Dot(start, start + 1, mode)
        return n.Anchor(start, start + 1, char, mode)

    def call(self, start: int, name: str, position: int) -> n.Node:
        node = n.Call(start, self.reader.pos, 0)
        self.pending.append((node, name, position))
        return node

    def reference(self, start: int, name: str, position: int) -> n.Node:
        node = n.Backref(start, self.reader.pos, 0, mode_of(self.flags))
        self.pending.append((node, name, position))
        return node

    def name(self, numeric: bool = False) -> str:
        name = self.reader.run(NAME_END, inside=False)
        if not name:
            self.fail("missing group name")
        if name.isdigit():
            # Digits of other scripts count as digits, and superscripts then fail to be read as a number.
            if not numeric or not name.isdecimal() or int(name[:12]) < 1:
                self.fail("bad character in group name")
        elif not name.isidentifier():
            self.fail("bad character in group name")
        return name

    def is_open(self, name: str) -> bool:
        if self.version == 1:
            return False
        group = int(name) if name.isdigit() else self.names.get(name)
        return group in self.open_groups

    # --- quantifiers and escapes -------------------------------------------------------------------------------------

    def quantifier(self, char: str, start: int, frame: Frame, saved: int) -> None:
        bounds = {"?": (0, 1), "*": (0, None), "+": (1, None)}.get(char) or self.bounds()
        if bounds is not None:
            self.need_item(frame, start, "repeat")
            self.repeat(frame, *bounds)
            return
        constraint = fuzzy_constraint(self.reader, lambda: self.fuzzy_test())
        if constraint is None:
            self.add(frame, n.Char(start, start + 1, 0x7B, mode_of(self.flags)))
            return
        errors, test, actual = constraint
        if not actual:
            return
        self.need_item(frame, start, "fuzzy")
        item = frame.items[-1]
        if isinstance(item, n.Group) and item.number is not None:
            item.body = n.Fuzzy(item.body.start, self.reader.pos, item.body, errors, test)
            item.end = self.reader.pos
        else:
            frame.items[-1] = n.Fuzzy(item.start, self.reader.pos, item, errors, test)
        frame.can_repeat = False

    def need_item(self, frame: Frame, start: int, what: str) -> None:
        if not frame.can_repeat:
            if what == "fuzzy":
                self.fail("nothing for fuzzy constraint", start)
            self.fail("multiple repeat" if frame.items else "nothing to repeat", start)

    def repeat(self, frame: Frame, low: int, high: int | None) -> None:
        reader = self.reader
        greed: n.Greed = "greedy"
        saved = reader.pos
        char = reader.take()
        if char == "?":
            greed = "lazy"
        elif char == "+":
            greed = "possessive"
        else:
            reader.pos = saved
        frame.can_repeat = False
        item = frame.items[-1]
        if not is_empty(item) and (low, high) != (1, 1):
            frame.items[-1] = n.Repeat(item.start, reader.pos, item, low, high, greed)

    def bounds(self) -> tuple[int, int | None] | None:
        reader = self.reader
        saved = reader.pos
        low = reader.run(_DIGITS)
        high: str | None = low
        if reader.match(","):
            high = reader.run(_DIGITS) or None
        elif not low:
            reader.pos = saved
            return None
        if not reader.match("}"):
            reader.pos = saved
            return None
        if len(low) > 12 or len(high or "") > 12 or max(int(low or 0), int(high or 0)) >= _LIMIT:
            self.fail("repeat count too big", saved)
        if high is not None and int(low or 0) > int(high):
            self.fail("min repeat greater than max repeat", saved)
        return int(low or 0), None if high is None else int(high)

    def fuzzy_test(self) -> n.Node:
        reader = self.reader
        start = reader.pos
        char = reader.take()
        if char == "#" or not char or (char in SPECIAL and char not in "\\.["):
            self.fail("expected character set", start)
        if char in SPECIAL:
            return self.atom(char, reader.pos - 1)
        return n.Char(reader.pos - 1, reader.pos, ord(char), mode_of(self.flags))

    def escape(self, start: int) -> n.Node:
        reader = self.reader
        skip, reader.skip = reader.skip, False
        letter = reader.take()
        reader.skip = skip
        mode = mode_of(self.flags)
        if letter == "g":
            saved = reader.pos
            try:
                return self.group_reference(start)
            except PatternError:
                reader.pos = saved  # No reference, so the letter itself.
            return n.Char(start, reader.pos, ord("g"), mode)
        if letter == "L":
            reader.expect("<")
            name = self.name(numeric=True)
            reader.expect(">")
            return n.NamedList(start, reader.pos, name)
        if letter and letter in "AZzbBmMKG":
            kind = "Z" if letter == "z" else letter
            return n.Anchor(start, reader.pos, kind, mode)
        if letter == "R":
            return n.Newline(start, reader.pos, 0 if self.is_bytes else n.UNICODE)
        if letter == "X":
            return n.Grapheme(start, reader.pos)
        if letter and letter in _DIGITS and letter != "0":
            return self.number_escape(letter, start)
        return self.classes.escape(letter, start, self.flags, False)

    def group_reference(self, start: int) -> n.Node:
        self.reader.expect("<")
        place = self.reader.pos
        name = self.name(numeric=True)
        self.reader.expect(">")
        if self.is_open(name):
            self.fail("cannot refer to an open group")
        return self.reference(start, name, place)

    def number_escape(self, digits: str, start: int) -> n.Node:
        reader = self.reader
        saved = reader.pos
        char = reader.take()
        if char and char in _DIGITS:
            digits += char
            saved = reader.pos
            char = reader.take()
            if char and all(c in "01234567" for c in digits + char):
                mask = 0xFF if (self.flags & (A | L | U)) in (A, L) else 0x1FF
                return n.Char(start, reader.pos, int(digits + char, 8) & mask, mode_of(self.flags))
        reader.pos = saved
        if self.is_open(digits):
            self.fail("cannot refer to an open group")
        return self.reference(start, digits, reader.pos)


def is_empty(node: n.Node) -> bool:
    """The engine's notion of emptiness, which sees through unnumbered groups."""
    while isinstance(node, n.Group) and node.number is None:
        node = node.body
    if isinstance(node, n.Sequence):
        return all(map(is_empty, node.items))
    return False
