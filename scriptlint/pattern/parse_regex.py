"""The grammar of the ``regex`` package, both versions, without recursion over parentheses."""

from __future__ import annotations

from typing import Final

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternError
from scriptlint.pattern.frames import Frame
from scriptlint.pattern.regex_flags import (
    FLAG_NAMES,
    GLOBAL_FLAGS,
    A,
    L,
    P,
    R,
    U,
    X,
    mode_of,
)
from scriptlint.pattern.regex_parts import NAME_END, SPECIAL, Parts, is_empty

__all__ = ["parse_regex"]

_DIGITS: Final = frozenset("0123456789")
_VERBS: Final = frozenset(("FAIL", "F", "PRUNE", "SKIP"))


class _Again(Exception):  # noqa: N818 - control flow, not an error
    """A global flag was met inside the pattern: it holds from the start, so read again with it."""

    def __init__(self, flags: int) -> None:
        self.flags = flags


class _Parser(Parts):
    """Reads one pattern with fixed global flags."""

    # --- the loop ----------------------------------------------------------------------------------------------------

    def parse(self) -> n.Node:
        reader, spend = self.reader, self.budget.spend
        frame = Frame("top", 0, self.flags, reader.skip)
        stack = [frame]
        while True:
            saved = reader.pos
            char = reader.take()
            if not char:
                if len(stack) > 1:
                    self.fail("missing )")
                break
            start = reader.pos - 1
            if char not in SPECIAL:
                spend(start)
                self.add(frame, n.Char(start, start + 1, ord(char), mode_of(self.flags)))
            elif char == "|":
                self.branch(frame, start)
            elif char == ")":
                if len(stack) == 1:
                    self.fail("unbalanced parenthesis", start)
                done = self.close(frame, start)
                if done is None:
                    continue
                stack.pop()
                frame = stack[-1]
                self.add(frame, done)
            elif char == "(":
                spend(start)
                opened = self.open(start)
                if isinstance(opened, Frame):
                    self.budget.depth(len(stack), start)
                    opened.numbers_before = opened.numbers_after = self.groups
                    stack.append(opened)
                    frame = opened
                elif opened is not None:
                    self.add(frame, opened)
            elif char in "?*+{":
                self.quantifier(char, start, frame, saved)
            else:
                spend(start)
                self.add(frame, self.atom(char, start))
        frame.end_branch(len(self.text))
        root = frame.body()
        self.check_flags()
        self.resolve()
        return root

    def check_flags(self) -> None:
        """The flags in force at the end are those of the pattern, and they must go together."""
        if (self.flags & (A | L | U)) not in (0, A, L, U):
            self.fail("ASCII, LOCALE and UNICODE flags are mutually incompatible", 0)
        if self.is_bytes and self.flags & U:
            self.fail("cannot use UNICODE flag with a bytes pattern", 0)
        if not self.flags & (A | L | U):
            self.flags |= A if self.is_bytes else U

    def resolve(self) -> None:
        """Names and numbers of groups, which may be used before the group."""
        for node, name, position in self.pending:
            try:
                group = int(name)
            except ValueError:
                if name not in self.names:
                    if isinstance(node, n.Conditional) and name == "DEFINE":
                        continue
                    self.fail("unknown group", position)
                group = self.names[name]
            least = 1 if isinstance(node, n.Backref) else 0
            if not least <= group <= self.groups:
                self.fail("invalid group reference", position)
            if isinstance(node, n.Conditional):
                node.test = group or None
            else:
                if isinstance(node, n.Call) and self.open_count.get(group, 0) > 1:
                    self.fail("ambiguous group reference", position)
                node.group = group

    # --- branches and parentheses ------------------------------------------------------------------------------------

    def branch(self, frame: Frame, start: int) -> None:
        if frame.kind == "yes-no" and len(frame.branches) == 1:
            self.fail("missing )", start)
        frame.end_branch(start)
        if frame.kind == "reset":
            frame.numbers_after = max(frame.numbers_after, self.groups)
            self.groups = frame.numbers_before

    def close(self, frame: Frame, position: int) -> n.Node | None:
        """The node of a parenthesis, or ``None`` when it only ended the test of a conditional."""
        frame.end_branch(position)
        start, end = frame.start, position + 1
        kind = frame.kind
        if kind == "test":
            # ``(?(?=..)``: the flags inside the test end with it, those of the arms do not.
            self.restore(frame)
            frame.test = n.Look(start + 2, end, frame.body(), frame.behind, frame.negated)
            frame.kind, frame.branches = "yes-no", []
            frame.restore = 1
            return None
        if kind == "reset":
            self.groups = max(frame.numbers_after, self.groups)
            return n.Group(start, end, frame.body(), None, None)
        if kind == "yes-no":
            if not frame.restore:
                self.restore(frame)
            return self.conditional_node(frame, start, end)
        self.restore(frame)
        body = frame.body()
        if kind == "look":
            return n.Look(start, end, body, frame.behind, frame.negated)
        if kind == "atomic":
            return n.Atomic(start, end, body)
        if frame.number is not None:
            self.open_groups.pop()
        return n.Group(start, end, body, frame.number, frame.name)

    def conditional_node(self, frame: Frame, start: int, end: int) -> n.Node:
        yes = frame.branches[0]
        no = frame.branches[1] if len(frame.branches) > 1 else None
        if isinstance(frame.test, n.Look):
            return n.Conditional(start, end, frame.test, yes, no)
        assert isinstance(frame.test, str)
        if is_empty(yes) and (no is None or is_empty(no)):
            return n.Sequence(start, end, [])
        node = n.Conditional(start, end, None, yes, no)
        self.pending.append((node, frame.test, start + 2))
        return node

    def restore(self, frame: Frame) -> None:
        self.flags = frame.mode
        self.reader.skip = bool(self.flags & X)

    def frame(self, kind: str, start: int) -> Frame:
        return Frame(kind, start, self.flags, self.reader.skip, branch_start=self.reader.pos)

    def open(self, start: int) -> Frame | n.Node | None:
        """What follows ``(``: a frame, a node, or ``None`` when nothing is left of it (flags, a comment)."""
        reader = self.reader
        saved = reader.pos
        char = reader.take(raw=True)
        if char == "?":
            return self.extension(start)
        if char == "*":
            place = reader.pos
            word = reader.run(NAME_END, inside=False)
            if word[:1].isalpha():
                if word not in _VERBS:
                    self.fail("unknown verb", place)
                reader.expect(")")
                return n.Verb(start, reader.pos, "FAIL" if word == "F" else word)
        reader.pos = saved
        return self.capture(start, None)

    def extension(self, start: int) -> Frame | n.Node | None:
        reader = self.reader
        after = reader.pos
        char = reader.take(raw=True)
        if char == "<":
            place = reader.pos
            char = reader.take()
            if char in ("=", "!"):
                return self.look(start, True, char == "!")
            reader.pos = place
            return self.named_capture(start)
        if char in ("=", "!"):
            return self.look(start, False, char == "!")
        if char == "P":
            return self.python_extension(start)
        if char == "#":
            self.comment()
            return None
        if char == "(":
            return self.conditional(start)
        if char == ">":
            return self.frame("atomic", start)
        if char == "|":
            return self.frame("reset", start)
        if char == "R" or (char and "0" <= char <= "9"):
            group = "0" if char == "R" else char + reader.run(_DIGITS)
            reader.expect(")")
            return self.call(start, group, after)
        if char == "&":
            name = self.name()
            reader.expect(")")
            return self.call(start, name, after)
        if char in ("+", "-") and reader.peek() and reader.peek() in _DIGITS:
            offset = int(reader.run(_DIGITS)[:12])
            number = self.groups + offset if char == "+" else self.groups - offset + 1
            if number <= 0:
                self.fail("invalid relative group number")
            reader.expect(")")
            return self.call(start, str(number), after)
        reader.pos = after
        return self.inline_flags(start)

    def look(self, start: int, behind: bool, negated: bool) -> Frame:
        new = self.frame("look", start)
        new.behind, new.negated = behind, negated
        return new

    def capture(self, start: int, name: str | None) -> Frame:
        new = self.frame("group", start)
        number = self.names.get(name) if name is not None else None
        if number is None:
            self.groups += 1
            while name is not None and self.groups in self.numbered:
                self.groups += 1
            number = self.groups
            if name is not None:
                self.names[name] = number
                self.numbered[number] = name
        if number in self.open_groups:
            # A named group inside itself gets a number of its own, which nothing can refer to.
            self.aliases += 1
            number = -self.aliases
        self.open_groups.append(number)
        self.open_count[number] = self.open_count.get(number, 0) + 1
        new.number, new.name = number, name
        return new

    def named_capture(self, start: int) -> Frame:
        name = self.name()
        new = self.capture(start, name)
        self.reader.expect(">")
        new.branch_start = self.reader.pos
        return new

    def python_extension(self, start: int) -> Frame | n.Node:
        place = self.reader.pos
        char = self.reader.take()
        if char == "<":
            return self.named_capture(start)
        if char == "=":
            name = self.name(numeric=True)
            self.reader.expect(")")
            if self.is_open(name):
                self.fail("cannot refer to an open group", place)
            return self.reference(start, name, place)
        if char in (">", "&"):
            name = self.name()
            self.reader.expect(")")
            return self.call(start, name, place)
        raise PatternError("unknown extension", place)

    def comment(self) -> None:
        reader = self.reader
        while True:
            saved = reader.pos
            char = reader.take(raw=True)
            if not char or char == ")":
                break
            if char == "\\":
                reader.take(raw=True)
        reader.pos = saved
        reader.expect(")")

    def conditional(self, start: int) -> Frame:
        reader = self.reader
        new = self.frame("yes-no", start)
        saved = reader.pos
        char = reader.take()
        if char == "?":
            char = reader.take()
            new.behind = char == "<"
            if new.behind:
                char = reader.take()
            if char not in ("=", "!") or not char:
                self.fail("expected lookaround conditional", saved)
            new.kind, new.negated = "test", char == "!"
            new.branch_start = reader.pos
            return new
        reader.pos = saved
        new.test = self.name(numeric=True)
        reader.expect(")")
        new.branch_start = reader.pos
        return new

    def inline_flags(self, start: int) -> Frame | None:
        reader = self.reader
        on = self.flag_set()
        off = 0
        if reader.match("-"):
            off = self.flag_set()
            if not off:
                self.fail("bad inline flags: no flags after '-'")
        if off & GLOBAL_FLAGS:
            self.fail("bad inline flags: cannot turn off global flag")
        if on & off:
            self.fail("bad inline flags: flag turned on and off")
        if on & ~self.global_flags & GLOBAL_FLAGS:
            raise _Again(self.global_flags | (on & GLOBAL_FLAGS))
        on &= ~GLOBAL_FLAGS
        if reader.match(":"):
            new = self.frame("group", start)
            self.flags = (self.flags | on) & ~off
            if self.flags & (A | L | U):
                self.flags = (self.flags & ~(A | L | U)) | on
            reader.skip = bool(self.flags & X)
            return new
        if reader.match(")"):
            self.flags = (self.flags | on) & ~off
            reader.skip = bool(self.flags & X)
            return None
        raise PatternError("unknown extension", reader.pos)

    def flag_set(self) -> int:
        flags = 0
        while True:
            saved = self.reader.pos
            name = self.reader.take()
            if name == "V":
                name += self.reader.take()
            flag = FLAG_NAMES.get(name)
            if flag is None:
                self.reader.pos = saved
                return flags
            flags |= flag


def parse_regex(pattern: str | bytes, flags: int) -> n.Parsed:
    """The tree of a pattern for ``regex``. Patterns with named lists are accepted, as if the lists were given.

    Raises:
        PatternError: the engine rejects the pattern, or these flags with it.
    """
    is_bytes = isinstance(pattern, bytes)
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    current: int = int(flags)
    while True:
        parser = _Parser(text, is_bytes, current)
        try:
            root = parser.parse()
            break
        except _Again as again:
            current = again.flags
    return n.Parsed(
        source=text,
        is_bytes=is_bytes,
        dialect="regex",
        version=parser.version,
        root=root,
        groups=parser.groups,
        names=parser.names,
        mode=mode_of(parser.flags),
        other_order="REVERSE" if parser.flags & R else "POSIX" if parser.flags & P else "",
        warnings=parser.warnings,
    )
