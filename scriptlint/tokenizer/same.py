"""Do two tokenizers make the same of ASCII text? Proved from their stages, else tried on many texts."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from scriptlint.tokenizer.ascii_form import NoForm, ascii_form
from scriptlint.tokenizer.run import TooSlow, run_unlimited, time_limit

if TYPE_CHECKING:
    from scriptlint.tokenizer.model import Tokenizer

__all__ = ["Sameness", "ascii_texts", "same_on_ascii"]

How = Literal["proved", "tested", "different", "unknown"]
SECONDS = 4.0
"""Time limit for trying one pair of tokenizers."""
_TEXTS = (
    "", " ", "search", "Search Documents", "the quick brown fox jumps over the lazy dog", "a b c", "e2e i18n k8s",
    "snake_case_name kebab-case-name camelCaseName", "don't it's O'Reilly", "v1.2.3 3.14 1,000", "user@example.com",
    "https://example.com/a/b?c=d&e=f#g", "C++ C# .NET node.js", "path/to/file.txt", "tabs\tand\nlines\r\nhere",
    "UPPER lower MiXeD", "x", "ab", "abc", "go to an ox", "(parentheses) [brackets] {braces}", "dash--dash __init__",
    "100% of $5 & more!", "a.b.c a-b-c a_b_c", "trailing- -leading _x_ 'quoted' \"double\"", "0 1 22 333",
)  # fmt: skip
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SIGNS = "_-'.,:;/+#@ \t\n!?()[]{}<>|\\\"$%&*=^`~"


@dataclass(frozen=True, slots=True)
class Sameness:
    """What is known of two tokenizers on ASCII text.

    ``proved``: the same tokens for every text. ``tested``: the same for ``texts`` texts. ``different``: not for
    ``text``. ``unknown``: one of them can't be run. ``order`` says that the tokens are the same but come in another
    order or number. ``why`` says what kept it from being proved.
    """

    how: How
    texts: int = 0
    text: str = ""
    old: tuple[str, ...] | None = None
    new: tuple[str, ...] | None = None
    order: bool = False
    why: str = ""

    @property
    def equal(self) -> bool:
        """Proved or tested equal."""
        return self.how in ("proved", "tested")


@lru_cache(maxsize=1)
def ascii_texts() -> tuple[str, ...]:
    """Texts to try: what people write, every character by itself and between letters, and generated strings."""
    chosen = random.Random(1)
    out = list(_TEXTS)
    out.append("".join(map(chr, range(128))))
    out.append(" ".join(chr(c) for c in range(33, 127)))
    out.append(" ".join(f"ab{chr(c)}cd" for c in range(33, 127)))
    out.append("\n".join(f"{chr(c)}{chr(c)}" for c in range(33, 127)))
    for number in range(160):
        words = []
        for _ in range(1 + number % 7):
            size = 1 + chosen.randrange(6)
            alphabet = _LETTERS if chosen.random() < 0.6 else _LETTERS + _SIGNS
            words.append("".join(chosen.choice(alphabet) for _ in range(size)))
        out.append(" ".join(words))
    return tuple(out)


def same_on_ascii(old: Tokenizer, new: Tokenizer) -> Sameness:
    """Compare two tokenizers on ASCII text."""
    try:
        proved, why = ascii_form(old.stages) == ascii_form(new.stages), "its stages differ on ASCII"
    except NoForm as error:
        proved, why = False, str(error)
    tried = _tried(old, new)
    if tried.how == "tested" and proved:
        return Sameness("proved", tried.texts, order=tried.order)
    if tried.how == "tested":
        return Sameness("tested", tried.texts, order=tried.order, why=why)
    return tried


def _tried(old: Tokenizer, new: Tokenizer) -> Sameness:
    texts, order = 0, False
    try:
        with time_limit(SECONDS):
            for text in ascii_texts():
                before, after = run_unlimited(old, text), run_unlimited(new, text)
                if before is None or after is None:
                    if before is None and after is None:
                        continue
                    which = "old" if before is None else "new"
                    return Sameness("unknown", texts, text, why=f"the {which} one can't be run")
                if set(before) != set(after):
                    return Sameness("different", texts, text, tuple(before), tuple(after))
                order = order or Counter(before) != Counter(after) or before != after
                texts += 1
    except TooSlow:
        if texts < 20:
            return Sameness("unknown", texts, why="it takes too long")
    if not texts:
        return Sameness("unknown", why="neither can be run")
    return Sameness("tested", texts, order=order)
