"""An imported callable as a tokenizer: it runs in a worker process of its own, under a guard and a time limit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scriptlint.errors import UserError
from scriptlint.finding import Confidence
from scriptlint.gate.session import Gone, Session
from scriptlint.tokenizer.model import Judged, Tokenizer, Verdict
from scriptlint.tokenizer.stages import Step
from scriptlint.tokenizer.values import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scriptlint.tokenizer.model import ScriptVerdict

__all__ = ["Imported", "Refusal", "judge_imported"]

LETTERS = 300
"""Letters of a script that are tried, besides those that languages need."""


class _Session(Session):
    """A session with the worker for callables in it."""

    worker = "scriptlint.imported_worker"


Refusal = tuple[str, str]
"""What was refused (write, delete, rename, process, network) and its target."""


class Imported:
    """``module:function`` in a guarded worker. Use as a context manager: the process ends with the block.

    ``seconds`` is the limit for loading it, and for the first text; every other text may take a second.
    """

    def __init__(self, spec: str, root: str, seconds: float = 60.0) -> None:
        module, colon, name = spec.partition(":")
        if (
            not colon
            or not module
            or not name
            or not all(p.isidentifier() for p in [*module.split("."), *name.split(".")])
        ):
            raise UserError(f"--import {spec}: write it as module:function, as in nltk.tokenize:wordpunct_tokenize")
        self.spec = spec
        self.root = root
        self.seconds = seconds
        self.refused: dict[Refusal, None] = {}
        self.failed: dict[str, str] = {}
        """Texts on which it raised, with what it said."""
        self.known: dict[str, list[str]] = {}
        self.gone = ""
        self.session = _Session({"spec": spec, "root": root})

    def __enter__(self) -> Imported:
        try:
            self._ask(self.seconds, texts=())
            self.tokens("warm up", self.seconds)
        except BaseException:
            self.session.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.session.end()

    def tokenizer(self) -> Tokenizer:
        """The callable as the judge takes it: one step that can only be run."""
        module, _, name = self.spec.partition(":")
        step = Step(f"{self.spec}, run as it is")
        why = ("named by the user",)
        return Tokenizer(name, module, 1, "tokenizer", Confidence.HIGH, (step,), (), why, program=self)

    def run(self, text: str) -> list[str]:
        """Tokens of a text. Raises Unsupported when there are none to be had."""
        try:
            return self.tokens(text, 5.0)
        except UserError as error:
            raise Unsupported(str(error)) from None

    def run_among(self, text: str) -> list[str]:
        """Tokens of a text: what is called as it is can't be led past a guard."""
        return self.run(text)

    def tokens(self, text: str, seconds: float) -> list[str]:
        """Tokens of a text, asked for once. Raises UserError."""
        if text in self.failed:
            raise UserError(self.failed[text])
        if text not in self.known:
            try:
                self.known[text] = self._ask(seconds, texts=(text,))["tokens"][0]
            except UserError as error:
                self.failed[text] = str(error)
                raise
        return self.known[text]

    def ask_ahead(self, texts: Iterable[str]) -> None:
        """Ask for many texts in one go; those that fail are asked for again one by one when they are needed."""
        wanted = [t for t in dict.fromkeys(texts) if t not in self.known]
        for i in range(0, len(wanted), 64):
            part = wanted[i : i + 64]
            try:
                found = self._ask(self.seconds, texts=part)["tokens"]
            except UserError:
                if self.gone:
                    return
                continue
            self.known.update(zip(part, found, strict=True))

    def _ask(self, seconds: float, *, texts: Sequence[str]) -> dict[str, Any]:
        if self.gone:
            raise UserError(f"--import {self.spec}: {self.gone}")
        try:
            reply = self.session.ask("tokens", seconds, texts=list(texts))
        except Gone as error:
            self.gone = str(error)
            raise UserError(f"--import {self.spec}: {error}") from None
        except json.JSONDecodeError:
            self.gone = "it wrote into the worker's answers"
            raise UserError(f"--import {self.spec}: {self.gone}") from None
        self.refused.update(dict.fromkeys((r["what"], r["target"]) for r in reply["refused"]))
        if "error" in reply:
            on = f" on {texts[0]!r}" if texts and reply["kind"] == "raised" else ""
            raise UserError(f"--import {self.spec}: {'raised ' if on else ''}{reply['error']}{on}")
        return reply


def judge_imported(imported: Imported, wanted: Sequence[str]) -> Judged:
    """Verdicts from behaviour alone: words of every script as the judge takes them, and letters one by one."""
    from scriptlint.tokenizer.verdict import judge
    from scriptlint.unicode.words import words

    imported.ask_ahead(word for code in wanted for word in words(code))
    judged = judge(imported.tokenizer(), wanted)
    return Judged(judged.tokenizer, {c: _with_letters(imported, c, v) for c, v in judged.scripts.items()})


def _with_letters(imported: Imported, code: str, verdict: ScriptVerdict) -> ScriptVerdict:
    """The verdict with letters tried: how many were, how many come out, which languages lose some."""
    from scriptlint.finding import Witness
    from scriptlint.unicode import alphabets

    needed = {lang: alphabets.exemplars(lang) for lang in alphabets.languages(code) if alphabets.major(lang)}
    tried = _letters(code, list(needed.values()))
    if verdict.verdict is Verdict.UNKNOWN or not tried:
        return verdict
    kept = _kept(imported, tried)
    out = replace(verdict, letters=len(tried), retained=len(kept), exact=False)
    lost = {lang: "".join(c for c in tried if ord(c) in points and c not in kept) for lang, points in needed.items()}
    lost = {lang: letters for lang, letters in lost.items() if letters}
    if verdict.verdict is not Verdict.RETAINED or not lost:
        return out
    text = next(iter(lost.values()))[:4]
    try:
        witness: Witness | None = Witness(text, tuple(imported.run(text)))
    except Unsupported:
        witness = verdict.witness
    return replace(out, verdict=Verdict.PARTIAL, languages=lost, witness=witness)


def _letters(code: str, needed: Sequence[Any]) -> list[str]:
    from scriptlint.unicode.codepoints import CodePoints
    from scriptlint.unicode.scripts import letters

    everything = letters(code)
    wanted = (CodePoints.union(needed) & everything) | CodePoints.of(everything.sample(LETTERS))
    return [chr(p) for p in wanted.points()]


def _kept(imported: Imported, tried: Sequence[str]) -> set[str]:
    """The letters that come out; those missing from a line of many are tried again by themselves, three in a row."""
    import unicodedata2

    def fold(text: str) -> set[str]:
        return set(unicodedata2.normalize("NFKD", text.casefold()))

    def comes_out(letter: str, tokens: Iterable[str]) -> bool:
        out = fold("".join(tokens))
        return bool(fold(letter) & out)

    lines = [" ".join(c * 3 for c in tried[i : i + 40]) for i in range(0, len(tried), 40)]
    imported.ask_ahead(lines)
    kept: set[str] = set()
    again: list[str] = []
    for i, line in enumerate(lines):
        found = imported.known.get(line)
        for letter in tried[40 * i : 40 * i + 40]:
            if found is not None and comes_out(letter, found):
                kept.add(letter)
            else:
                again.append(letter)
    imported.ask_ahead(c * 3 for c in again)
    kept.update(c for c in again if comes_out(c, imported.known.get(c * 3, ())))
    return kept
