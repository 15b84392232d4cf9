"""The decision on one item under one tokenizer, with as few tokens as it takes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scriptlint.corpus.scriptof import NO_LETTER
from scriptlint.corpus.stopwords import STOP_WORDS
from scriptlint.corpus.tokens import HEAD, TooSlow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scriptlint.corpus.scriptof import Profile
    from scriptlint.corpus.tokens import Tokens

EMPTY = 1
"""The description is blank: nothing to be blind to."""
BLIND = 2
"""The description gives no token beyond those of the names."""
WEAK = 4
"""It gives fewer than ``WEAK_BELOW`` new tokens; blind items are weak, too."""
LOANWORD = 8
"""Not blind, the description's script is not Latin, and every new token is ASCII."""
BOILERPLATE = 16
"""Not blind, and every new token is a stop word or in more than a set share of the corpus."""
TRUNCATED = 32
"""What a window leaves is blind or weak though the whole is not, or lacks every token of some script."""
UNDECIDED = 64
"""The tokenizer ran out of time on this item."""
CJK = 128
"""Eight or more Han or kana characters."""
FOUND_FAULT = BLIND | LOANWORD | BOILERPLATE | TRUNCATED | UNDECIDED

WEAK_BELOW = 3
_EVERY_ASCII = " ".join(chr(c) * 8 for c in range(128))
_LETTER = re.compile("[A-Za-z]").search
_NOT_FOREIGN = frozenset(("Latn", NO_LETTER))


@dataclass(frozen=True, slots=True)
class Window:
    """A cut of the description: ``size`` characters. ``tokens`` is true when the tokenizer sees the cut text alone,
    false when only what is shown is cut, ``None`` when that isn't known."""

    size: int
    tokens: bool | None = None


class Verdict(NamedTuple):
    """``flags``: the bits above. In full mode ``every`` are the description's distinct tokens and ``new`` those that
    the names don't give."""

    flags: int
    every: frozenset[str] | set[str] = frozenset()
    new: frozenset[str] | set[str] = frozenset()


class Judge:
    """Decides items under one tokenizer.

    ``common`` are tokens in more than a set share of the corpus. ``full`` makes all tokens of every item, which
    document frequencies and collisions need.
    """

    def __init__(
        self,
        tokens: Tokens,
        *,
        window: Window | None = None,
        full: bool = False,
        common: Iterable[str] = (),
    ) -> None:
        self.tokens = tokens
        self.window = window
        self.full = full
        self.noise = STOP_WORDS | frozenset(common)

    def decide(self, name: str, dirname: str, description: str, profile: Profile) -> int:
        """The flags of an item, from as few tokens as decide them."""
        flags = CJK if profile.cjk else 0
        if not description or description.isspace():
            return flags | EMPTY
        window = self.window
        text = description
        if window is not None and len(description) > window.size:
            if window.tokens:
                text = description[: window.size]
            flags |= self._truncated(name, dirname, description, profile, window)
        if self.tokens.chains is not None:
            return flags | self._from_bags(name, dirname, text, profile)
        return flags | self._from_stream(name, dirname, text, profile)

    def _from_bags(self, name: str, dirname: str, text: str, profile: Profile) -> int:
        """The flags by a tokenizer of plain chains: its beginning first, then the whole at the engine's speed."""
        tokens = self.tokens
        noise = self.noise
        # A token that the names don't even contain can't be one of theirs.
        names = name if dirname == name or not dirname else f"{name}\0{dirname}"
        if tokens.lowers:
            names = names.lower()
        foreign = profile.script not in _NOT_FOREIGN
        if len(text) > HEAD and not (foreign and tokens.ascii_only):
            new = {t for t in tokens.head(text) if t not in names}
            if len(new) >= WEAK_BELOW and not new <= noise and not (foreign and "".join(new).isascii()):
                return 0
        every = set(tokens.bag(text.lower() if tokens.lowers else text))
        new = {t for t in every if t not in names}
        if len(new) < len(every):
            new |= every.difference(new, tokens.bag(names))
        return _flags(len(new), foreign and bool(new) and "".join(new).isascii(), bool(new) and new <= noise)

    def _from_stream(self, name: str, dirname: str, text: str, profile: Profile) -> int:
        """The flags by any tokenizer: tokens one by one until they decide."""
        tokens = self.tokens
        foreign = profile.script not in _NOT_FOREIGN
        noise = self.noise
        own: set[str] | None = None
        new: set[str] = set()
        ascii_only = noisy = True
        for token in tokens.stream(text):
            if token in new:
                continue
            if own is None:
                own = {*tokens.stream(name), *tokens.stream(dirname)}
            if token in own:
                continue
            new.add(token)
            ascii_only = ascii_only and token.isascii()
            noisy = noisy and token in noise
            if len(new) >= WEAK_BELOW and not noisy and not (foreign and ascii_only):
                return 0
        return _flags(len(new), foreign and ascii_only, noisy)

    def quick(self) -> Callable[[str, str, str], bool] | None:
        """A test for ASCII descriptions, made for very many: true when ``decide`` gives no flag and the script is
        Latin, false when only ``decide`` can tell. ``None`` for tokenizers of another shape.
        """
        tokens = self.tokens
        if tokens.chains is None or self.window is not None:
            return None
        # Chains that no ASCII text goes through (bigrams of other scripts) give nothing here.
        relevant = [n for n, (findall, _) in enumerate(tokens.chains) if findall(_EVERY_ASCII)]
        if len(relevant) != 1 or tokens.chains[relevant[0]][1]:
            return None
        first_three = _first_three(tokens, relevant[0])
        if first_three is None:
            return None
        lowers, noise, letter = tokens.lowers, self.noise, _LETTER

        def test(name: str, dirname: str, text: str) -> bool:
            found = first_three(text[:HEAD].lower() if lowers else text[:HEAD])
            if found is None:
                return False
            one, two, three = found.groups()
            names = name if dirname == name or not dirname else f"{name}\0{dirname}"
            if lowers:
                names = names.lower()
            if one in names or two in names or three in names or one in (two, three) or two == three:
                return False
            if one in noise and two in noise and three in noise:
                return False
            return one.isalpha() or letter(text) is not None

        return test

    def silent(self) -> Callable[[str], bool] | None:
        """A test for texts beyond ASCII: true when not one token comes of them. ``None`` for tokenizers whose tokens
        of such texts are no exception."""
        tokens = self.tokens
        if not tokens.ascii_only or tokens.chains is None or len(tokens.chains) != 1 or self.window is not None:
            return None
        search = tokens.chains[0][0].__self__.search  # type: ignore[attr-defined]
        if tokens.lowers:
            return lambda text: not search(text.lower())
        return lambda text: not search(text)

    def verdict(self, name: str, dirname: str, description: str, profile: Profile) -> Verdict:
        """Flags, and in full mode the rest; an item that takes too long is undecided."""
        if self.tokens.linear and not self.full:
            return Verdict(self.decide(name, dirname, description, profile))
        try:
            with self.tokens.limited():
                flags = self.decide(name, dirname, description, profile)
                if not self.full or flags & EMPTY:
                    return Verdict(flags)
                every = set(self.tokens.tokens(self.seen(description)))
                names = (name,) if dirname == name else (name, dirname)
                return Verdict(flags, every, every.difference(*(self.tokens.tokens(n) for n in names)))
        except TooSlow:
            return Verdict(UNDECIDED | (CJK if profile.cjk else 0))

    def seen(self, description: str) -> str:
        """The part of the description that the tokenizer gets."""
        window = self.window
        return description[: window.size] if window is not None and window.tokens else description

    def new_tokens(self, name: str, dirname: str, description: str) -> Iterator[str]:
        """The distinct new tokens, in order."""
        own = {*self.tokens.tokens(name), *self.tokens.tokens(dirname)}
        for token in self.tokens.stream(self.seen(description)):
            if token not in own:
                own.add(token)
                yield token

    def _truncated(self, name: str, dirname: str, description: str, profile: Profile, window: Window) -> int:
        """TRUNCATED when the cut takes what makes the item reachable, or all tokens of one script."""
        tokens = self.tokens
        own = {*tokens.tokens(name), *tokens.tokens(dirname)}
        whole = set(tokens.tokens(description)) - own
        head = set(tokens.tokens(description[: window.size])) - own
        if len(head) < WEAK_BELOW <= len(whole):
            return TRUNCATED
        lost = script_set(whole) - script_set(head)
        return TRUNCATED if lost else 0


def _first_three(tokens: Tokens, chain: int) -> Callable[[str], re.Match[str] | None] | None:
    """``match`` for the first three tokens of a text, each in a group, when the pattern is one bare class."""
    pattern = tokens.chain_patterns[chain]
    text = pattern.text
    bare = isinstance(text, str) and re.fullmatch(r"\[([^\[\]\\^]+)\]\+|(\\w)\+", text)
    if not bare or pattern.dialect != "re":
        return None
    inside, outside = (f"[{bare[1]}]", f"[^{bare[1]}]") if bare[1] else (r"\w", r"\W")
    three = rf"{outside}*({inside}+){outside}+({inside}+){outside}+({inside}+){outside}"
    return re.compile(three, pattern.flags).match


def _flags(new: int, loanwords: bool, noisy: bool) -> int:
    if not new:
        return BLIND | WEAK
    return (WEAK if new < WEAK_BELOW else 0) | (LOANWORD if loanwords else 0) | (BOILERPLATE if noisy else 0)


def script_set(tokens: Iterable[str]) -> set[str]:
    from scriptlint.unicode.scripts import count_by_script

    return set(count_by_script("".join(chain.from_iterable(tokens))))


def print_of(text: str) -> int:
    """A 64-bit print of a text, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def plain(description: str) -> str:
    """A description without the differences of case and white space that make no other text."""
    return " ".join(description.casefold().split())
