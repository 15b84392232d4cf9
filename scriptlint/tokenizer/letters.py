"""Letters that a language needs and a tokenizer loses, at any place of a word or at some of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.finding import Witness
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trial import caseless, comes_out_in_grams, comes_out_whole
from scriptlint.unicode import alphabets, scripts
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scriptlint.tokenizer.model import Tokenizer
    from scriptlint.tokenizer.trial import Trial

APOSTROPHES = "\u02bc\u02bb\u2019\u02be\u02bf"
"""Signs that some alphabets count as letters and that everybody types in some other form."""

OPTIONAL: Mapping[str, str] = {"Hani": "々〆〇"}
"""Exemplar letters whose loss can't be told from a regex alone to hurt anybody: not counted as a language's loss."""


@lru_cache(maxsize=256)
def mark_points(code: str) -> CodePoints:
    """The combining marks of a script."""
    return scripts.marks(code)


def has_mark(word: str, code: str) -> bool:
    """Whether a word has a combining mark of its script."""
    marks = mark_points(code)
    return any(ord(c) in marks for c in word)


@dataclass(slots=True)
class Seen:
    """What the words of a script turned into."""

    runs: list[tuple[str, list[str]]]
    unknown: bool

    @property
    def silent(self) -> bool:
        """Nothing came out of any word."""
        return not any(tokens for _, tokens in self.runs)


def languages_that_lose(code: str, upper: CodePoints) -> dict[str, str]:
    """Languages that lose letters they need, with the letters, best-known languages first."""
    optional = OPTIONAL.get(code, "") + APOSTROPHES
    out: dict[str, str] = {}
    for lang, lost in alphabets.missing(upper, code).items():
        left = "".join(c for c in lost if c not in optional)
        if left:
            out[lang] = left
    return out


def partial_witness(languages: Mapping[str, str], code: str, trial: Trial, seen: Seen) -> Witness | None:
    """A word that shows the loss: a real one if one of ours has such a letter, else the letters themselves."""
    lost = set("".join(languages.values()))
    for word, tokens in seen.runs:
        if any(c.lower() in lost or c in lost for c in word) and not comes_out_whole(tokens, word):
            return Witness(word, tuple(tokens))
    letters = next(iter(languages.values()))
    text = letters[:4] * (3 if len(letters) < 3 else 1)
    found = trial(text)
    if found is None or set(text) <= set("".join(found)):
        return None
    return Witness(text, tuple(found))


_NAMED_CLASS = re.compile(r"[^\x00-\x7f]|\\[ux]|a-z|A-Z|\(\?a")
_FRAMES: Mapping[str, str] = {"Latn": "a", "Cyrl": "\u0430", "Grek": "\u03b1"}


def cut_at_letters(tokenizer: Tokenizer, code: str, seen: Seen, trial: Trial) -> tuple[dict[str, str], Witness] | None:
    """Letters at which words fall apart although none is lost: the catch-all branch of a pattern keeps them as pieces.

    Letter by letter for the alphabets whose classes people write by hand; by our words for the rest.
    """
    if tokenizer.kind != "tokenizer":
        return None
    if not any(
        (p := st.pattern_of(s)) is not None and (_NAMED_CLASS.search(p.shown()) or p.flags & 256)
        for s in st.flat_stages(tokenizer.stages)
    ):
        return None
    frame = _FRAMES.get(code)
    if frame is None:
        if code in scripts.UNSPACED or code == "Hang":
            return None
        for word, tokens in seen.runs:
            if not has_mark(word, code) and len(tokens) > 1 and not _comes_out(tokens, word):
                return {}, Witness(word, tuple(tokens))
        return None
    plain = trial(frame * 6)
    if plain is None or not comes_out_whole(plain, frame * 6):
        whole_ascii = trial("search") if code != "Latn" else None
        if whole_ascii and comes_out_whole(whole_ascii, "search") and plain:
            return {}, Witness(seen.runs[0][0], tuple(seen.runs[0][1]))
        return None
    cut: set[str] = set()
    found: list[str] | None
    wanted = alphabets.missing(CodePoints.of([]), code)
    # ``İ`` becomes two characters in small letters, which is no matter of the pattern.
    letters = [c for c in dict.fromkeys("".join(list(wanted.values())[:40])) if len(c.lower()) == 1]
    texts = {c: f"{frame * 3}{c}{frame * 3}" for c in letters}
    if {*map(caseless, texts.values())} <= {*map(caseless, trial(" ".join(texts.values())) or ())}:
        return None  # in one run: each is whole
    for letter, text in texts.items():
        found = trial(text)
        if found is not None and not _comes_out(found, text) and len(found) > 1:
            cut.add(letter)
    languages = {lang: "".join(c for c in letters if c in cut) for lang, letters in wanted.items()}
    languages = {lang: letters for lang, letters in languages.items() if letters}
    if not languages:
        return None
    first = next(iter(next(iter(languages.values()))))
    for word, tokens in seen.runs:
        if any(c.lower() in cut for c in word) and len(tokens) > 1:
            return languages, Witness(word, tuple(tokens))
    shown = frame * 2 + first + frame * 2
    return languages, Witness(shown, tuple(trial(shown) or ()))


def _comes_out(tokens: list[str], word: str) -> bool:
    """Whether a word is among the tokens, or every overlapping piece of it."""
    return comes_out_whole(tokens, word) or comes_out_in_grams(tokens, word)


def dropped_with_letters(code: str, seen: Seen, trial: Trial) -> tuple[dict[str, str], Witness] | None:
    """Letters that a test of characters throws away, alone or with the whole word, found letter by letter: folding
    can't read such a test."""
    frame = _FRAMES.get(code)
    if frame is None or not trial(frame * 6):
        return None
    gone = next(((w, t) for w, t in seen.runs if not w.isascii() and _letters(t) < _letters([w])), None)
    if gone is not None and (languages := _languages_dropped(code, frame, 3, trial)):
        return languages, Witness(gone[0], tuple(gone[1]))
    # ``[a-z]\w+``: what may stand in a word can't begin it.
    gone = _lost_at_start(code, frame, trial)
    if gone is not None and (languages := _languages_dropped(code, frame, 0, trial)):
        return languages, Witness(gone[0], tuple(gone[1]))
    return None


def _letters(tokens: list[str]) -> int:
    """How many letters and digits there are: what another sign was put in the place of is gone."""
    return sum(c.isalnum() for t in tokens for c in t)


def _languages_dropped(code: str, frame: str, at: int, trial: Trial) -> dict[str, str]:
    """Languages with those of their letters that vanish from this place of a word of seven."""
    wanted = alphabets.missing(CodePoints.of([]), code)
    letters = dict.fromkeys("".join(list(wanted.values())[:40]))
    runs = {c: trial(f"{frame * at}{c}{frame * (6 - at)}") for c in letters}
    lost = {c for c, tokens in runs.items() if tokens is not None and _letters(tokens) < 7}
    languages = {lang: "".join(c for c in own if c in lost) for lang, own in wanted.items()}
    return {lang: own for lang, own in languages.items() if own}


_STARTS: Mapping[str, tuple[str, ...]] = {"Latn": ("öffnen", "élan", "çiçek"), "Grek": ("άνθρωπος",)}


def _lost_at_start(code: str, frame: str, trial: Trial) -> tuple[str, list[str]] | None:
    """A word that loses the letter it begins with, although it stays whole when a plainer one stands there."""
    for word in _STARTS.get(code, ()):
        tokens, plain = trial(word), trial(frame + word[1:])
        if tokens is None or plain is None or not comes_out_whole(plain, frame + word[1:]):
            continue
        if _letters(tokens) < _letters([word]):
            return word, tokens
    return None


def lost_letters(code: str, seen: Seen) -> Witness | None:
    """A word of which marks or letters vanish without cutting it (a mark that is dropped, a letter decomposed away)."""
    import unicodedata2

    if code == "Latn":
        return None
    for word, tokens in seen.runs:
        if not tokens or comes_out_whole(tokens, word):
            continue
        wanted = set(unicodedata2.normalize("NFD", caseless(word)))
        out = set(unicodedata2.normalize("NFD", caseless("".join(tokens))))
        gone = {c for c in wanted - out if unicodedata2.category(c)[0] in "LM"}
        if gone:
            return Witness(word, tuple(tokens))
    return None
