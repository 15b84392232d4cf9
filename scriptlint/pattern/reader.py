"""A cursor over the text of a pattern for ``regex``, which skips blanks and comments almost everywhere in VERBOSE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.pattern.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["Reader"]


class Reader:
    """``pos`` is the next character; ``skip`` says whether blanks and ``#`` comments are passed over."""

    __slots__ = ("pos", "size", "skip", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.pos = 0
        self.skip = False

    def after_blanks(self, pos: int) -> int:
        """The first position at or after ``pos`` that is neither blank nor comment; the end when a comment has none."""
        text, size = self.text, self.size
        while pos < size:
            char = text[pos]
            if char.isspace():
                pos += 1
            elif char == "#":
                newline = text.find("\n", pos)
                if newline < 0:
                    return size
                pos = newline
            else:
                break
        return pos

    def peek(self) -> str:
        """The next character, or empty text at the end."""
        pos = self.after_blanks(self.pos) if self.skip else self.pos
        return self.text[pos] if pos < self.size else ""

    def take(self, raw: bool = False) -> str:
        """The next character, or empty text at the end; ``raw`` takes blanks too."""
        pos = self.pos if raw or not self.skip else self.after_blanks(self.pos)
        if pos >= self.size:
            self.pos = pos
            return ""
        self.pos = pos + 1
        return self.text[pos]

    def match(self, text: str) -> bool:
        """Pass over ``text`` when it comes next; blanks may stand between its characters in VERBOSE."""
        if not self.skip:
            if self.text.startswith(text, self.pos):
                self.pos += len(text)
                return True
            return False
        pos = self.pos
        for char in text:
            pos = self.after_blanks(pos)
            if pos >= self.size or self.text[pos] != char:
                return False
            pos += 1
        self.pos = pos
        return True

    def run(self, members: Container[str], inside: bool = True, keep_blanks: bool = False) -> str:
        """The characters from here that are (not) members."""
        skip = self.skip and not keep_blanks
        found: list[str] = []
        pos = self.pos
        while True:
            if skip:
                pos = self.after_blanks(pos)
            if pos >= self.size or (self.text[pos] in members) != inside:
                break
            found.append(self.text[pos])
            pos += 1
        self.pos = pos
        return "".join(found)

    def expect(self, text: str) -> None:
        """Pass over ``text`` or raise ``PatternError``."""
        if not self.match(text):
            raise PatternError(f"missing {text}", self.pos)
