"""Random patterns, leaves and texts, from a seed, for the tests that compare with the engines."""

from __future__ import annotations

import random
from typing import Literal

Kind = Literal["re", "V0", "V1"]

POINTS = (
    "k", "s", "i", "I", "K", "ß", "ſ", "ı", "İ", "a", "z", "A", "Z", "0", "9", "_", "é", "É", "я", "Я", "猫", "가",
    "\\u212a", "ﬅ", "ς", "µ", "ǅ", "\\U0001df95", "Ꭰ", "ꭰ", "ა", "Ა",
)  # fmt: skip
SHORTHANDS = ("\\d", "\\D", "\\w", "\\W", "\\s", "\\S")
PROPERTIES = (
    "\\p{L}", "\\p{Lu}", "\\P{Ll}", "\\p{Han}", "\\p{sc=Grek}", "\\p{scx=Cyrl}", "\\p{M}", "\\P{Nd}", "[:alpha:]",
    "[:^digit:]", "[:punct:]", "\\p{Upper}", "\\p{Alphabetic}", "\\h", "\\pL", "\\p{L&}", "\\p{InBasicLatin}",
    "\\p{nv=1/2}", "\\p{ccc=230}", "\\p{Assigned}", "\\p{^Lu}", "\\p{blk=Cyrillic}", "\\p{Any}", "\\p{Age}",
)  # fmt: skip
LONE_PROPERTIES = (
    "\\p{Lu}", "\\P{Lu}", "\\p{Lower}", "\\p{Han}", "\\P{L}", "\\p{IsGreek}", "\\h", "\\p{WB=ALetter}", "\\p{Any}",
    "\\p{gc=Cn}", "\\p{GCB}", "\\P{Upper=No}", "\\p{Upper=No}", "\\p{nt=None}", "\\p{Uppercase=Yes}", "\\p{sc=Zzzz}",
    "\\p{Lt}", "\\p{LC}", "\\p{posixalnum}", "\\p{InCB=Linker}", "\\p{East Asian Width: Wide}", "\\p{Line_Break=ID}",
)  # fmt: skip


def escaped(char: str) -> str:
    """A character that stands for itself in a set, in any dialect."""
    return "\\" + char if char in "\\]^-[&~|" else char


class Generator:
    """One stream of random patterns of a kind."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    # --- leaves: one class of any kind -------------------------------------------------------------------------------

    def member(self, kind: Kind) -> str:
        rng = self.rng
        roll = rng.random()
        if roll < 0.3:
            return escaped(rng.choice(POINTS))
        if roll < 0.55:
            pair = sorted(self.point() for _ in range(2))
            return f"\\U{pair[0]:08x}-\\U{pair[1]:08x}"
        if roll < 0.75 or kind == "re":
            return rng.choice(SHORTHANDS)
        return rng.choice(PROPERTIES)

    def point(self) -> int:
        rng = self.rng
        return rng.randrange(0x110000) if rng.random() < 0.2 else rng.randrange(rng.choice((0x80, 0x3000)))

    def char_set(self, kind: Kind, depth: int = 0) -> str:
        rng = self.rng
        negation = "^" if rng.random() < 0.3 else ""
        if kind == "V1" and rng.random() < 0.5:
            parts = [
                self.char_set(kind, depth + 1)
                if depth < 2 and rng.random() < 0.5
                else "".join(self.member(kind) for _ in range(rng.randint(1, 2)))
                for _ in range(rng.randint(2, 3))
            ]
            return f"[{negation}{rng.choice(('--', '&&', '||', '~~')).join(parts)}]"
        body = ""
        for _ in range(rng.randint(1, 4)):
            nested = kind == "V1" and depth < 2 and rng.random() < 0.15
            body += self.char_set(kind, depth + 1) if nested else self.member(kind)
        return f"[{negation}{body}]"

    def leaf(self, kind: Kind) -> str:
        rng = self.rng
        roll = rng.random()
        if roll < 0.12:
            return escaped(rng.choice(POINTS))
        if roll < 0.2:
            return rng.choice((*SHORTHANDS, "."))
        if roll < 0.3 and kind != "re":
            return rng.choice(LONE_PROPERTIES)
        return self.char_set(kind)

    # --- whole patterns over a small alphabet ------------------------------------------------------------------------

    def atom(self, kind: Kind) -> str:
        rng = self.rng
        choices = ["a", "b", "c", "é", "猫", "[ab]", "[^a]", "\\w", "\\d", "\\s", ".", "[b-z]", "A", "\\W", "[\\w-]"]
        if kind != "re":
            choices += ["\\p{L}", "\\p{Lu}", "[[:alpha:]]", "\\h", "\\R", "\\P{L}"]
        return rng.choice(choices)

    def pattern(self, kind: Kind, depth: int = 3) -> str:
        """A pattern of any construct; the engine may still reject it."""
        rng = self.rng
        roll = rng.random()
        if depth <= 0 or roll < 0.25:
            return self.atom(kind)
        inner = depth - 1
        if roll < 0.5:
            return "".join(self.pattern(kind, inner) for _ in range(rng.randint(1, 3)))
        if roll < 0.6:
            return "(?:" + "|".join(self.pattern(kind, inner) for _ in range(rng.randint(2, 3))) + ")"
        if roll < 0.78:
            body = self.pattern(kind, inner)
            body = body if len(body) == 1 else f"(?:{body})"
            return body + rng.choice(("*", "+", "?", "{2}", "{1,2}", "{0,1}")) + rng.choice(("", "", "", "?", "+"))
        if roll < 0.84:
            return f"({self.pattern(kind, inner)})"
        if roll < 0.9:
            return rng.choice(("(?=", "(?!", "(?<=", "(?<!")) + self.pattern(kind, inner) + ")"
        if roll < 0.92:
            return f"(?>{self.pattern(kind, inner)})"
        if roll < 0.95:
            return rng.choice(("\\b", "\\B", "^", "$", "\\A", "\\Z"))
        if roll < 0.97:
            flag = rng.choice(("i", "s", "a", "m", "-i"))
            return f"(?{flag}:{self.pattern(kind, inner)})"
        if roll < 0.985:
            return f"({self.pattern(kind, inner)})" + rng.choice(("\\1", "(?(1)a|b)", "\\1*"))
        if kind != "re":
            return rng.choice(("\\K", "(?1)", "(?R)?", "\\m", "\\M", "(?|(a)|(b))", "(*FAIL)", "\\X", "(?:ab){e<=1}"))
        return self.atom(kind)

    def text(self) -> str:
        """A short text in which those patterns find something."""
        return "".join(self.rng.choice("aabbcé猫A 1_-\nzZ1") for _ in range(self.rng.randint(0, 12)))
