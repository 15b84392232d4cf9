"""A tokenizer as a corpus scan runs it: all tokens of a text, its tokens one by one, or those of its beginning.

Most items are decided by their first few tokens, so a scan of a million items must not make the rest. The fast ways
hold for shapes whose result is provably that of ``run_chain`` (tests compare them); all else is ``run_chain``.
"""

from __future__ import annotations

import re
import signal
import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from scriptlint.tokenizer.stages import (
    CannotRun,
    Case,
    Chars,
    Encode,
    Erase,
    Extract,
    KeepIf,
    Length,
    NGrams,
    Normalize,
    Replace,
    Split,
    StopWords,
    Strip,
    Translate,
    Union,
    flat_stages,
    pattern_of,
    run_chain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scriptlint.tokenizer.model import Tokenizer
    from scriptlint.tokenizer.stages import Pattern, Stage

HEAD = 40
"""Characters of a text whose tokens are looked at first; they decide nearly every item."""

PROBES = (
    "Use this skill when the user asks for PDF forms, a snake_case name or camelCase2JSON; it's v1.2.",
    "把哔哩哔哩（bilibili）上的视频下载到本地，自动转录成文字",
    "領収書の写真から日付を読み取り、Excel にまとめます。データー",
    "한국어 문서의 맞춤법을 검사하고 PDF 로 보여 줍니다",
    "Пишет деловые письма в формате Word: ответы, ёлка",
    "किसानों के लिए मौसम का SMS · ข้อความภาษาไทย · שָׁלוֹם · résumé naïve İstanbul ΣΊΣΥΦΟΣ",
    "a I 7 42 x1 漢 가 я",
    "",
)

_PIECEWISE = (
    Case, Chars, Encode, Erase, Extract, KeepIf, Length, NGrams, Normalize, Replace, Split, StopWords, Strip, Translate,
)  # fmt: skip
_CUTTING = (Chars, Extract, KeepIf, Length, NGrams, Split, StopWords)
_FOREIGN = "漢漢漢漢 かかかか カカカカ 가가가가 яяяя λλλλ شششش קקקק कककक กกกก"
# One class repeated: a match is a maximal run, it can't backtrack, and a run that ends inside a window is the same
# run in the whole text.
_RUN = re.compile(
    r"(?:\(\?u\))?(?:\\b)?(?:\[(?!\^|-)(?:[^\[\]\\&~|]|\\u[0-9a-fA-F]{4}|\\[xwd])+\]|\\w)(?:\\w)?(?:\+|\{[1-9]\d*,\})(?:\\b)?"
)


class TooSlow(Exception):  # noqa: N818  (a result, not a fault)
    """A text on which the tokenizer ran out of time."""


class NotRunnable(Exception):  # noqa: N818
    """The tokenizer has a step that no model can run; the text names it."""


_Chain = tuple["Callable[[str], list[str]]", "tuple[Stage, ...]"]


class Tokens:
    """A tokenizer ready to run on many texts. Picklable; patterns are compiled where it is used."""

    def __init__(self, tokenizer: Tokenizer | tuple[Stage, ...], name: str = "", seconds: float = 2.0) -> None:
        self.tokenizer = tokenizer
        self.stages: tuple[Stage, ...] = tokenizer if isinstance(tokenizer, tuple) else tokenizer.stages
        self.name = name or (tokenizer.name if not isinstance(tokenizer, tuple) else "tokenizer")
        self.seconds = seconds
        self._set_up()

    def __getstate__(self) -> tuple[Any, str, float]:
        return self.tokenizer, self.name, self.seconds

    def __setstate__(self, state: tuple[Any, str, float]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def _set_up(self) -> None:
        stages = self.stages
        from scriptlint.tokenizer.run import TooSlow, time_limit

        try:
            with time_limit(3 * self.seconds):
                self._whole = self._program()
        except TooSlow as error:
            raise NotRunnable(f"a few words {error}: a pattern backtracks") from error
        every = list(flat_stages(stages))
        self.lowers = bool(stages) and stages[0] == Case("lower")
        rest = stages[1:] if self.lowers else stages
        modelled = self._whole is None
        self.piecewise = modelled and all(isinstance(s, (*_PIECEWISE, Union)) for s in every)
        self.cuts = modelled and all(isinstance(s, (*_CUTTING, Union)) for s in flat_stages(rest))
        """Whether every token is a part of the text (of its lower case, with ``lowers``)."""
        self.linear = modelled and all(_linear(s) for s in every)
        self.chains = _chains(rest) if modelled else None
        """Chains of one class repeated and what follows it, when the tokenizer is nothing but a union of such."""
        self.chain_patterns = _chain_patterns(rest) if self.chains is not None else ()
        self.ascii_only = self.chains is not None and not any(findall(_FOREIGN) for findall, _ in self.chains)
        """A hint for speed: tokens of texts in other scripts seem to be ASCII (only with ``chains``)."""

    def _program(self) -> Callable[[str], list[str] | None] | None:
        """What runs a text when the stages can't or may not: the tokenizer's own program, run as it is written.

        Stages that give the program's tokens on all of ``PROBES`` stand for it: they are a hundred times faster.
        """
        tokenizer = self.tokenizer
        why = ""
        made: list[list[str]] = []
        try:
            made = [[t for t in run_chain(self.stages, [text]) if t] for text in PROBES]
        except CannotRun as error:
            why = str(error) or "a step that can't be read"
        if isinstance(tokenizer, tuple) or tokenizer.program is None:
            if why:
                raise NotRunnable(why)
            return None
        from scriptlint.tokenizer.run import run_unlimited

        whole = partial(run_unlimited, tokenizer)
        truth = [whole(text) for text in PROBES]
        if not why and all(t is not None and set(t) == set(m) for t, m in zip(truth, made, strict=True)):
            return None
        if all(t is None for t in truth):
            if why:
                raise NotRunnable(why)
            return None
        return whole

    def tokens(self, text: str) -> list[str]:
        """All tokens, as ``run_chain`` gives them, but for empty ones. Raises TooSlow inside ``limited``."""
        if self.chains is not None and len(self.chains) == 1:
            return self.bag(text.lower() if self.lowers else text)
        if self._whole is None:
            return [token for token in run_chain(self.stages, [text]) if token]
        return self._whole(text) or []

    def stream(self, text: str) -> Iterator[str]:
        """The tokens one by one, in the same order."""
        return filter(None, _stream(self.stages, iter((text,)))) if self.piecewise else iter(self.tokens(text))

    def bag(self, text: str) -> list[str]:
        """The tokens of a text that is lowered already. Only with ``chains``; equal to ``tokens`` but for order."""
        out: list[str] = []
        for findall, rest in self.chains or ():
            found = findall(text)
            for stage in rest:
                found = stage.run(found)
            out += found
        return out

    def head(self, text: str) -> list[str]:
        """Some tokens of a text longer than HEAD: those that end well inside its beginning. Only with ``chains``."""
        cut = text[:HEAD]
        if self.lowers:
            if not cut.isascii() and "Σ" in cut:  # its lower case depends on what follows
                return []
            cut = cut.lower()
        out: list[str] = []
        for findall, rest in self.chains or ():
            found = findall(cut)
            if found and cut.endswith(found[-1]):
                found.pop()  # it may go on outside
            for stage in rest:
                found = stage.run(found)
            out += found
        return out

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Within it a text that takes too long raises TooSlow. Only a main thread can keep the time."""
        if self.linear or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        def ring(*_: object) -> None:
            raise TooSlow

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _linear(stage: Stage) -> bool:
    """Whether the stage takes time in proportion to its text."""
    pattern = pattern_of(stage)
    if pattern is None:
        return True
    return _RUN.fullmatch(_text(pattern)) is not None


def _text(pattern: Pattern) -> str:
    return pattern.text if isinstance(pattern.text, str) else ""


def _chains(stages: tuple[Stage, ...]) -> tuple[_Chain, ...] | None:
    """``findall`` and what follows, for each chain of ``Extract > ...`` or of a union of such; else ``None``."""
    chains = stages[0].chains if len(stages) == 1 and isinstance(stages[0], Union) else (stages,)
    out: list[_Chain] = []
    for chain in chains:
        first = chain[0] if chain else None
        if not isinstance(first, Extract) or first.first or first.group != 0 or not _linear(first):
            return None
        if first.pattern.flags & re.VERBOSE or not all(isinstance(s, (Length, NGrams, StopWords)) for s in chain[1:]):
            return None
        out.append((first.pattern.compiled().findall, chain[1:]))
    return tuple(out)


def _chain_patterns(stages: tuple[Stage, ...]) -> tuple[Pattern, ...]:
    """The patterns of ``_chains``."""
    chains = stages[0].chains if len(stages) == 1 and isinstance(stages[0], Union) else (stages,)
    return tuple(first.pattern for chain in chains if isinstance(first := chain[0], Extract))


def _stream(stages: tuple[Stage, ...], pieces: Iterator[str]) -> Iterator[str]:
    for stage in stages:
        if isinstance(stage, Union):
            pieces = _union(stage, pieces)
        elif isinstance(stage, Extract) and not stage.first:
            pieces = _matches(stage, pieces)
        else:
            pieces = _each(stage, pieces)
    return pieces


def _union(stage: Union, pieces: Iterator[str]) -> Iterator[str]:
    held = list(pieces)
    for chain in stage.chains:
        yield from _stream(chain, iter(held))


def _matches(stage: Extract, pieces: Iterator[str]) -> Iterator[str]:
    finditer = stage.pattern.compiled().finditer
    group = stage.group
    for piece in pieces:
        for match in finditer(piece):
            if match[group] is not None:
                yield match[group]


def _each(stage: Stage, pieces: Iterator[str]) -> Iterator[str]:
    for piece in pieces:
        yield from stage.run((piece,))
