"""A tokenizer on trial: it is run on words, and its stages are folded, each once however often it is asked for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.fold import fold
from scriptlint.tokenizer.run import TooSlow, run_unlimited, time_limit

if TYPE_CHECKING:
    from scriptlint.tokenizer.model import Tokenizer
    from scriptlint.unicode.codepoints import CodePoints

_HIDING = (st.Opaque, st.Condition, st.Step, st.Either)
SAMPLES = (
    "视频下载",
    "поиск",
    "हिन्दी",
    "...",  # alone: what becomes of nothing may be a constant
    "The Quick-Brown_Fox #1 can't e-mail naïve Zürich's 2.5 a I x",
    "视频下载 Redis缓存 猫 データベース がぎ 검색 엔진 ﬁ Ａ１",
    "हिन्दी खोज بحث מסמך поиск ёлка ไทยภาษา İstanbul ß Ω",
)
"""Texts with a word of every kind that stages treat apart: marks, case, length, runs, signs, digits."""


_PLAIN = "search"
_COMPANY = 6


class Trial:
    """Runs one tokenizer, each text once; stops for good when the time is up."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.memo: dict[str, list[str] | None] = {}
        self.folded: dict[int, CodePoints] = {}
        self.stopped = False

    @cached_property
    def flat(self) -> list[st.Stage]:
        """Every stage, those of the branches too."""
        return list(st.flat_stages(self.tokenizer.stages))

    def upper(self, count: int) -> CodePoints:
        """What can come out behind the first stages of the chain."""
        if count not in self.folded:
            self.folded[count] = fold(self.tokenizer.stages[:count]).upper
        return self.folded[count]

    @cached_property
    def cutters(self) -> list[tuple[int, CodePoints]]:
        """The stages that may cut at marks, with what each alone lets through."""
        return [
            (j, fold([stage]).upper)
            for j, stage in enumerate(self.flat)
            if st.pattern_of(stage) is not None or isinstance(stage, st.Condition)
        ]

    def __call__(self, text: str) -> list[str] | None:
        text = self.as_asked(text)
        if text not in self.memo:
            self.memo[text] = None if self.stopped else self._run(text)
        return self.memo[text]

    def as_asked(self, text: str) -> str:
        """A text as the tokenizer takes it: of words without a capital, or without the sign before them, it is not
        asked when only such come out."""
        if self.tokenizer.attributes.get("capitals"):
            text = text.title()
        if sign := self.tokenizer.attributes.get("sign"):
            text = " ".join(f"{sign}{word}" for word in text.split())
        return text

    def _run(self, text: str) -> list[str] | None:
        if self.in_company and not any(map(str.isspace, text)):
            found = self._timed(self.tokenizer, " ".join([text] * _COMPANY))
            return found and list(dict.fromkeys(found))
        return self._timed(self.plain if self.as_modelled else self.tokenizer, text)

    @cached_property
    def in_company(self) -> bool:
        """Whether a word comes out only beside others, as n-grams of words do: it is asked about among its like."""
        plain = self.as_asked(_PLAIN)
        if self.tokenizer.program is None or self.stopped or self._timed(self.tokenizer, plain) != []:
            return False
        found = self._timed(self.tokenizer, " ".join([plain] * _COMPANY))
        return bool(found) and all(set(caseless(t).split()) == {_PLAIN} for t in found or ())

    def _timed(self, tokenizer: Tokenizer, text: str) -> list[str] | None:
        try:
            with time_limit(1.0):
                return run_unlimited(tokenizer, text, among=True)
        except TooSlow:
            self.stopped = True
            return None

    @cached_property
    def plain(self) -> Tokenizer:
        """The tokenizer as its stages alone."""
        return replace(self.tokenizer, program=None)

    @cached_property
    def as_modelled(self) -> bool:
        """Whether the stages stand for the program: none of them hides anything, and both do the same to sample texts.

        Stages run many times as fast as a program does step by step.
        """
        if self.tokenizer.program is None or any(isinstance(s, _HIDING) for s in self.flat):
            return False
        return all(
            not self.stopped
            and (made := self._timed(self.tokenizer, text)) is not None
            and (modelled := self._timed(self.plain, text)) is not None
            and sorted(made) == sorted(modelled)
            for text in SAMPLES
        )


def caseless(text: str) -> str:
    """A text without the difference of case."""
    return text.casefold()


def letters_out(tokens: list[str], word: str, code: str) -> int:
    """How many letters of a word can be found in its tokens (case and accents aside)."""
    import unicodedata2

    out = set(caseless("".join(tokens)))
    out |= set(unicodedata2.normalize("NFKD", "".join(out)))
    return sum(
        1
        for c in word
        if c.isalpha() and (set(caseless(c)) & out or set(unicodedata2.normalize("NFKD", caseless(c))) & out)
    )


def comes_out_whole(tokens: list[str], word: str) -> bool:
    """Whether the word comes out in one piece (accents may be folded: then what is left of it does)."""
    import unicodedata2

    wanted = caseless(word)
    for t in tokens:
        f = caseless(t)
        if wanted in f or f == wanted:
            return True
        if unicodedata2.normalize("NFC", wanted) in unicodedata2.normalize("NFC", f):
            return True
        if unicodedata2.normalize("NFKD", wanted) in unicodedata2.normalize("NFKD", f):
            return True
    return False


def comes_out_in_grams(tokens: list[str], word: str) -> bool:
    """Whether every overlapping piece of the word, of one length from two up, comes out: then its marks do, too."""
    out, wanted = {caseless(t) for t in tokens}, caseless(word)
    return any(
        all(wanted[i : i + n] in out for i in range(len(wanted) - n + 1)) for n in range(2, min(5, len(wanted)) + 1)
    )
