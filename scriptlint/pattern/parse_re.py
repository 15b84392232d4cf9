"""The grammar of the standard library's ``re`` (Python 3.11 to 3.13), without recursion."""

from __future__ import annotations

from typing import Final

from scriptlint.pattern import nodes as n
from scriptlint.pattern.errors import PatternError
from scriptlint.pattern.frames import Frame
from scriptlint.pattern.re_tokens import DIGITS, Tokens

__all__ = ["parse_re"]

_BLANKS: Final = frozenset(" \t\n\r\v\f")
_SPECIAL: Final = frozenset(".\\[{()*+?^$|")
_LIMIT: Final = 4294967295
_MAX_GROUPS: Final = 1073741823

# The engine's own flag values.
_I, _L, _M, _S, _U, _X, _A, _T, _DEBUG = 2, 4, 8, 16, 32, 64, 256, 1, 128
_FLAG: Final = {"i": _I, "L": _L, "m": _M, "s": _S, "x": _X, "a": _A, "t": _T, "u": _U}
_TYPES: Final = _A | _L | _U
_GLOBAL: Final = _DEBUG | _T


def _mode(flags: int) -> int:
    return (
        (n.IGNORECASE if flags & _I else 0)
        | (n.ASCII if flags & _A else 0)
        | (n.UNICODE if flags & _U else 0)
        | (n.LOCALE if flags & _L else 0)
        | (n.DOTALL if flags & _S else 0)
        | (n.MULTILINE if flags & _M else 0)
    )


class _Parser(Tokens):
    """Reads one pattern."""

    def __init__(self, text: str, is_bytes: bool, flags: int) -> None:
        super().__init__(text, is_bytes)
        self.flags = flags
        self.names: dict[str, int] = {}
        self.forward: dict[int, int] = {}

    # --- the loop ----------------------------------------------------------------------------------------------------

    def parse(self) -> n.Node:
        stack = [Frame("top", 0, self.flags, bool(self.flags & _X))]
        frame = stack[0]
        verbose = frame.verbose
        flags = self.effective()
        mode = _mode(flags)
        tokens, places, count, spend = self.tokens, self.places, self.count, self.budget.spend
        while True:
            if self.i >= count:
                if len(stack) > 1:
                    self.fail("missing ), unterminated subpattern", frame.start)
                break
            token = tokens[self.i]
            start = places[self.i]
            self.i += 1
            if verbose:
                if token in _BLANKS:
                    continue
                if token == "#":
                    while self.i < count and tokens[self.i] != "\n":
                        self.i += 1
                    self.i += 1
                    continue
            if token not in _SPECIAL and token[0] != "\\":
                spend(start)
                frame.items.append(n.Char(start, start + 1, ord(token), mode))
                frame.widths.append((1, 1))
            elif token[0] == "\\":
                spend(start)
                node, width = self.escape(token, start, mode)
                node.end = self.here
                frame.items.append(node)
                frame.widths.append(width)
            elif token == "[":
                frame.items.append(self.char_set(start, mode))
                frame.widths.append((1, 1))
            elif token in "*+?{":
                self.quantifier(token, start, frame, mode)
            elif token == ".":
                frame.items.append(n.Dot(start, start + 1, mode))
                frame.widths.append((1, 1))
            elif token in "^$":
                frame.items.append(n.Anchor(start, start + 1, token, mode))
                frame.widths.append((0, 0))
            elif token == "|":
                if frame.kind == "yes-no" and len(frame.branches) == 1:
                    self.fail("conditional backref with more than two branches", start)
                self.end_branch(frame, start)
                if len(stack) == 1:
                    verbose = bool(self.flags & _X)
            elif token == ")":
                if len(stack) == 1:
                    self.fail("unbalanced parenthesis", start)
                stack.pop()
                node, width = self.close(frame, start)
                flags, verbose = frame.mode, frame.verbose
                mode = _mode(flags)
                frame = stack[-1]
                frame.items.append(node)
                frame.widths.append(width)
            else:
                opened = self.open(start, frame, len(stack) == 1, flags, verbose)
                if opened is None:
                    # A comment, or global flags, which only the start of a pattern can hold.
                    if len(stack) == 1 and not frame.items and not frame.branches:
                        flags = self.effective()
                        mode = _mode(flags)
                        verbose = bool(self.flags & _X)
                    continue
                if isinstance(opened, n.Node):
                    frame.items.append(opened)
                    assert isinstance(opened, n.Backref)
                    frame.widths.append(self.group_widths[opened.group])
                    continue
                spend(start)
                self.budget.depth(len(stack), start)
                new, flags, verbose = opened
                mode = _mode(flags)
                stack.append(new)
                frame = new
        self.end_branch(frame, len(self.text))
        self.check_flags()
        for group, position in self.forward.items():
            if group > self.groups:
                self.fail(f"invalid group reference {group}", position)
        return frame.body()

    def end_branch(self, frame: Frame, end: int) -> None:
        low = min(sum(w[0] for w in frame.widths), _LIMIT - 1)
        high = min(sum(w[1] for w in frame.widths), _LIMIT)
        frame.branch_widths.append((low, high))
        frame.widths = []
        frame.end_branch(end)

    def effective(self) -> int:
        """The flags with the default for the type of the pattern."""
        if not self.is_bytes and not self.flags & _A:
            return self.flags | _U
        return self.flags

    def check_flags(self) -> None:
        flags = self.flags
        if not self.is_bytes:
            if flags & _L:
                self.fail("cannot use LOCALE flag with a str pattern", 0)
            if flags & _A and flags & _U:
                self.fail("ASCII and UNICODE flags are incompatible", 0)
        else:
            if flags & _U:
                self.fail("cannot use UNICODE flag with a bytes pattern", 0)
            if flags & _L and flags & _A:
                self.fail("ASCII and LOCALE flags are incompatible", 0)

    # --- parentheses -------------------------------------------------------------------------------------------------

    def open(
        self, start: int, frame: Frame, top: bool, flags: int, verbose: bool
    ) -> tuple[Frame, int, bool] | n.Node | None:
        """What follows ``(``: a new frame with the flags inside it, a node, or ``None`` when nothing is left of it."""
        if not self.match("?"):
            return self.capture(start, None, flags, verbose), flags, verbose
        token = self.take()
        if not token:
            self.fail("unexpected end of pattern")
        if token == "P":
            if self.match("<"):
                name = self.until(">", "group name")
                self.check_name(name)
                return self.capture(start, name, flags, verbose), flags, verbose
            if self.match("="):
                return self.named_reference(start, flags)
            token = self.take()
            self.fail("unexpected end of pattern" if not token else f"unknown extension ?P{token}", start)
        if token == ":":
            return Frame("group", start, flags, verbose, branch_start=self.here), flags, verbose
        if token == "#":
            while True:
                if self.i >= self.count:
                    self.fail("missing ), unterminated comment", start)
                if self.take() == ")":
                    return None
        if token in ("=", "!", "<"):
            return self.look(token, start, flags, verbose), flags, verbose
        if token == "(":
            return self.conditional(start, flags, verbose), flags, verbose
        if token == ">":
            return Frame("atomic", start, flags, verbose, branch_start=self.here), flags, verbose
        if token in _FLAG or token == "-":
            scoped = self.inline_flags(token)
            if scoped is None:
                if not top or frame.items or frame.branches:
                    self.fail("global flags not at the start of the expression", start)
                return None
            add, remove = scoped
            new = Frame("group", start, flags, verbose, branch_start=self.here)
            inside = flags & ~_TYPES if add & _TYPES else flags
            inside = (inside | add) & ~remove
            return new, inside, bool((verbose or add & _X) and not remove & _X)
        raise PatternError(f"unknown extension ?{token}", start)

    def capture(self, start: int, name: str | None, flags: int, verbose: bool) -> Frame:
        self.groups += 1
        if self.groups >= _MAX_GROUPS:
            self.fail("too many groups")
        if name is not None:
            if name in self.names:
                self.fail(
                    f"redefinition of group name {name!r} as group {self.groups}; was group {self.names[name]}", start
                )
            self.names[name] = self.groups
        return Frame("group", start, flags, verbose, branch_start=self.here, number=self.groups, name=name)

    def named_reference(self, start: int, flags: int) -> n.Node:
        name = self.until(")", "group name")
        self.check_name(name)
        group = self.names.get(name)
        if group is None:
            self.fail(f"unknown group name {name!r}", start)
        if group not in self.group_widths:
            self.fail("cannot refer to an open group", start)
        self.check_behind(group, start)
        return n.Backref(start, self.here, group, _mode(flags))

    def look(self, token: str, start: int, flags: int, verbose: bool) -> Frame:
        behind = token == "<"
        if behind:
            token = self.take()
            if not token:
                self.fail("unexpected end of pattern")
            if token not in ("=", "!"):
                self.fail(f"unknown extension ?<{token}", start)
        new = Frame("look", start, flags, verbose, behind=behind, negated=token == "!", branch_start=self.here)
        if behind:
            new.restore = -1 if self.behind_groups is None else self.behind_groups
            if self.behind_groups is None:
                self.behind_groups = self.groups + 1
        return new

    def conditional(self, start: int, flags: int, verbose: bool) -> Frame:
        place = self.here
        name = self.until(")", "group name")
        if name.isidentifier():
            group = self.names.get(name, 0)
            if not group:
                self.fail(f"unknown group name {name!r}", place)
        else:
            try:
                group = int(name)
            except ValueError:
                group = -1
            if group < 0:
                self.fail(f"bad character in group name {name!r}", place)
            if not group:
                self.fail("bad group number", place)
            if group >= _MAX_GROUPS:
                self.fail(f"invalid group reference {group}", place)
            self.forward.setdefault(group, place)
        self.check_behind(group, place)
        return Frame("yes-no", start, flags, verbose, test=group, branch_start=self.here)

    def close(self, frame: Frame, position: int) -> tuple[n.Node, tuple[int, int]]:
        self.end_branch(frame, position)
        widths = frame.branch_widths
        # Only an alternation is capped; a lone branch keeps its width.
        width = (
            widths[0] if len(widths) == 1 else (min([_LIMIT - 1, *(w[0] for w in widths)]), max(w[1] for w in widths))
        )
        start, end = frame.start, position + 1
        body = frame.body()
        if frame.kind == "group":
            if frame.number is not None:
                self.group_widths[frame.number] = width
            return n.Group(start, end, body, frame.number, frame.name), width
        if frame.kind == "atomic":
            return n.Atomic(start, end, body), width
        if frame.kind == "look":
            if frame.behind:
                if frame.restore == -1:
                    self.behind_groups = None
                if width[0] != width[1]:
                    self.fail("look-behind requires fixed-width pattern", start)
            return n.Look(start, end, body, frame.behind, frame.negated), (0, 0)
        assert isinstance(frame.test, int)
        no = frame.branches[1] if len(frame.branches) == 2 else None
        low, high = widths[0]
        if no is None:
            low = 0
        else:
            low, high = min(low, widths[1][0]), max(high, widths[1][1])
        return n.Conditional(start, end, frame.test, frame.branches[0], no), (low, high)

    def check_name(self, name: str) -> None:
        if not name.isidentifier():
            self.fail(f"bad character in group name {name!r}")

    def inline_flags(self, token: str) -> tuple[int, int] | None:
        """Flags to add and to take away, or ``None`` for flags of the whole pattern, which are then in force."""
        add = remove = 0
        if token != "-":
            while True:
                flag = _FLAG[token]
                if token == "L" and not self.is_bytes:
                    self.fail("bad inline flags: cannot use 'L' flag with a str pattern")
                if token == "u" and self.is_bytes:
                    self.fail("bad inline flags: cannot use 'u' flag with a bytes pattern")
                add |= flag
                if flag & _TYPES and add & _TYPES != flag:
                    self.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible")
                token = self.take()
                if not token:
                    self.fail("missing -, : or )")
                if token in ")-:":
                    break
                if token not in _FLAG:
                    self.fail("unknown flag" if token.isalpha() else "missing -, : or )")
        if token == ")":
            self.flags |= add
            return None
        if add & _GLOBAL:
            self.fail("bad inline flags: cannot turn on global flag")
        if token == "-":
            token = self.take()
            if not token:
                self.fail("missing flag")
            if token not in _FLAG:
                self.fail("unknown flag" if token.isalpha() else "missing flag")
            while True:
                flag = _FLAG[token]
                if flag & _TYPES:
                    self.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
                remove |= flag
                token = self.take()
                if not token:
                    self.fail("missing :")
                if token == ":":
                    break
                if token not in _FLAG:
                    self.fail("unknown flag" if token.isalpha() else "missing :")
        if remove & _GLOBAL:
            self.fail("bad inline flags: cannot turn off global flag")
        if add & remove:
            self.fail("bad inline flags: flag turned on and off")
        return add, remove

    # --- quantifiers -------------------------------------------------------------------------------------------------

    def quantifier(self, token: str, start: int, frame: Frame, mode: int) -> None:
        low, high = 0, _LIMIT
        if token == "?":
            high = 1
        elif token == "+":
            low = 1
        elif token == "{":
            bounds = self.bounds(start)
            if bounds is None:
                frame.items.append(n.Char(start, start + 1, 0x7B, mode))
                frame.widths.append((1, 1))
                return
            low, high = bounds
        item = frame.items[-1] if frame.items else None
        if item is None or isinstance(item, n.Anchor):
            self.fail("nothing to repeat", start)
        if isinstance(item, n.Repeat):
            self.fail("multiple repeat", start)
        greed: n.Greed = "greedy"
        if self.match("?"):
            greed = "lazy"
        elif self.match("+"):
            greed = "possessive"
        frame.items[-1] = n.Repeat(item.start, self.here, item, low, None if high == _LIMIT else high, greed)
        least, most = frame.widths[-1]
        frame.widths[-1] = (least * low, most * high)

    def bounds(self, start: int) -> tuple[int, int] | None:
        """``{2,3}`` after its brace; ``None``, with nothing read, when the brace is a literal."""
        saved = self.i
        if self.peek() == "}":
            return None
        low = self.digits(self.count, DIGITS)
        if self.match(","):
            high = self.digits(self.count, DIGITS)
        else:
            high = low
        if not self.match("}"):
            self.i = saved
            return None
        if len(low) > 12 or len(high) > 12:  # ``int`` itself refuses thousands of digits.
            self.fail("the repetition number is too large", start)
        least, most = int(low or 0), int(high) if high else _LIMIT
        if least >= _LIMIT or (high and most >= _LIMIT):
            self.fail("the repetition number is too large", start)
        if most < least:
            self.fail("min repeat greater than max repeat", start)
        return least, most


def parse_re(pattern: str | bytes, flags: int) -> n.Parsed:
    """The tree of a pattern for ``re``.

    Raises:
        PatternError: the engine rejects the pattern, or these flags with it.
    """
    is_bytes = isinstance(pattern, bytes)
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    parser = _Parser(text, is_bytes, int(flags))
    root = parser.parse()
    return n.Parsed(
        source=text,
        is_bytes=is_bytes,
        dialect="re",
        version=0,
        root=root,
        groups=parser.groups,
        names=parser.names,
        mode=_mode(parser.effective()),
        other_order="",
        warnings=parser.warnings,
    )
