"""The verdict of a tokenizer on each script, by two ways that must agree: running it on words, folding its stages.

Running says what becomes of words; folding says what becomes of every letter. A verdict is exact when both could be
done and say the same. A script on which neither can say anything is ``unknown``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.finding import Confidence, Witness
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.fold import Fold, fold
from scriptlint.tokenizer.model import Judged, ScriptVerdict, Tokenizer, Verdict
from scriptlint.tokenizer.trial import Trial, caseless, comes_out_in_grams, comes_out_whole, letters_out
from scriptlint.unicode import alphabets, scripts
from scriptlint.unicode.codepoints import CodePoints
from scriptlint.unicode.words import single, two, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scriptlint.tokenizer.model import Kind

GLUE = "Redis"
_PHRASES: Mapping[str, str] = {
    "Hani": "数据库备份恢复", "Hira": "ひらがなのことば", "Kana": "データベースサーバ", "Thai": "ภาษาไทยงานราชการ",
    "Laoo": "ພາສາລາວ", "Khmr": "ភាសាខ្មែរ", "Mymr": "မြန်မာဘာသာ",
}  # fmt: skip
_PLAIN_PHRASES: Mapping[str, str] = {"Thai": "ภาษาไทยราคา", "Laoo": "ພາສາລາວ", "Khmr": "ភសខមរ", "Mymr": "မနမဘသ"}
"""Phrases without a mark, so that a run can be seen to stay one piece even where marks cut."""

APOSTROPHES = "\u02bc\u02bb\u2019\u02be\u02bf"
"""Signs that some alphabets count as letters and that everybody types in some other form."""

OPTIONAL: Mapping[str, str] = {"Hani": "々〆〇"}
"""Exemplar letters whose loss can't be told from a regex alone to hurt anybody: not counted as a language's loss."""


def judge(tokenizer: Tokenizer, wanted: Sequence[str]) -> Judged:
    """The verdicts of a tokenizer on the wanted scripts (ISO 15924 codes), in that order."""
    if tokenizer.program is None:
        # Its stages are all there is: a library's default is judged once, however often it is called.
        return Judged(tokenizer, _verdicts_of(tokenizer.kind, tokenizer.stages, tuple(wanted)))
    return Judged(tokenizer, _verdicts(tokenizer, wanted))


def _verdicts(tokenizer: Tokenizer, wanted: Sequence[str]) -> dict[str, ScriptVerdict]:
    folded = fold(tokenizer.stages)
    trial = Trial(tokenizer)
    return {code: _verdict(tokenizer, code, folded, trial) for code in wanted}


@lru_cache(maxsize=128)
def _verdicts_of(kind: Kind, stages: tuple[st.Stage, ...], wanted: tuple[str, ...]) -> Mapping[str, ScriptVerdict]:
    return _verdicts(Tokenizer("", "", 0, kind, Confidence.HIGH, stages), wanted)


@lru_cache(maxsize=256)
def _mark_points(code: str) -> CodePoints:
    return scripts.marks(code)


@lru_cache(maxsize=64)
def _own_letters(code: str) -> CodePoints:
    own = scripts.letters(code) & scripts.script(code)
    return own or scripts.letters(code)


def _has_mark(word: str, code: str) -> bool:
    marks = _mark_points(code)
    return any(ord(c) in marks for c in word)


def _without_marks(word: str, code: str) -> str:
    marks = _mark_points(code)
    return "".join(c for c in word if ord(c) not in marks)


@dataclass(slots=True)
class _Seen:
    """What the words of a script turned into."""

    runs: list[tuple[str, list[str]]]
    unknown: bool

    @property
    def silent(self) -> bool:
        return not any(tokens for _, tokens in self.runs)


def _verdict(tokenizer: Tokenizer, code: str, folded: Fold, trial: Trial) -> ScriptVerdict:
    letters = scripts.letters(code)
    # A letter that many scripts share is no trace of one of them: what is left has to be the script's own.
    upper = folded.upper & letters
    if not upper & _own_letters(code):
        upper = CodePoints.of([])
    retained: int | None = upper.size if folded.exact or not upper else None
    seen = _run_words(code, trial)
    base = ScriptVerdict(code, Verdict.UNKNOWN, False, letters.size, retained)
    if seen.unknown:
        if not upper:
            return replace(
                base, verdict=Verdict.EXCLUDED, exact=folded.exact, retained=0, lost_by=_lost_by(trial, code)
            )
        return base
    first_word, first_tokens = seen.runs[0]
    witness = Witness(first_word, tuple(first_tokens))
    survivors = sum(letters_out(tokens, word, code) for word, tokens in seen.runs)
    if not upper:
        if survivors and _contradicts(seen, code):
            # The two ways disagree: that is a fault of ours, and no finding may rest on it.
            return replace(base, witness=witness)
        return replace(
            base,
            verdict=Verdict.EXCLUDED,
            exact=folded.exact,
            retained=0,
            witness=witness,
            lost_by=_lost_by(trial, code),
        )
    if not survivors and not _letters_survive(code, upper, folded, trial):
        return replace(
            base,
            verdict=Verdict.EXCLUDED,
            exact=False,
            retained=0 if not folded.exact else retained,
            witness=witness,
            lost_by=_lost_by(trial, code),
        )
    shredded = _shredded(code, seen, trial)
    short, short_witness = _short_dropped(tokenizer, code, trial)
    glued = tokenizer.kind == "tokenizer" and code in scripts.UNSPACED and _glued(code, trial)
    base = replace(base, short_dropped=short, short_witness=short_witness, glued=glued, exact=folded.exact)
    if shredded is not None:
        return replace(base, verdict=Verdict.SHREDDED, witness=shredded, lost_by=_mark_cutter(trial, code))
    if tokenizer.kind == "tokenizer" and code in scripts.UNSPACED:
        run = _unsegmented(code, trial)
        if run is not None:
            return replace(base, verdict=Verdict.UNSEGMENTED, witness=run, lost_by=_run_maker(trial, code))
    languages = _languages(code, folded, upper)
    if languages:
        found = _partial_witness(languages, code, trial, seen)
        if found is not None:
            return replace(
                base,
                verdict=Verdict.PARTIAL,
                languages=languages,
                witness=found,
                lost_by=_lost_by(trial, code, next(iter(languages.values()))),
            )
    dropped = _dropped_with_letters(code, seen, trial)
    if dropped is not None and not languages:
        return replace(base, verdict=Verdict.PARTIAL, languages=dropped[0], witness=dropped[1])
    cut = _cut_at_letters(tokenizer, code, seen, trial)
    if cut is not None and not languages:
        return replace(base, verdict=Verdict.PARTIAL, languages=cut[0], witness=cut[1], cut=True)
    lost = _lost_letters(code, seen)
    if lost is not None and not languages:
        return replace(base, verdict=Verdict.PARTIAL, witness=lost)
    return replace(
        base, verdict=Verdict.RETAINED, witness=short_witness if short and short_witness is not None else witness
    )


def _run_words(code: str, trial: Trial) -> _Seen:
    runs: list[tuple[str, list[str]]] = []
    unknown = False
    for word in words(code)[:6]:
        tokens = trial(word)
        if tokens is None:
            unknown = True
            continue
        runs.append((word, tokens))
    return _Seen(runs, unknown and not runs)


def _contradicts(seen: _Seen, code: str) -> bool:
    """Whether letters of the script itself come out although folding says that none can."""
    points = scripts.letters(code)
    return any(ord(c) in points for _, tokens in seen.runs for t in tokens for c in t)


def _letters_survive(code: str, upper: CodePoints, folded: Fold, trial: Trial) -> bool:
    """Whether any of a few letters that folding lets through comes out of a run (repeated, so that filters pass)."""
    sample = [chr(p) for p in upper.sample(6)]
    for c in sample:
        tokens = trial(c * 6)
        if tokens and any(caseless(c) in caseless(t) for t in tokens):
            return True
    return False


def _shredded(code: str, seen: _Seen, trial: Trial) -> Witness | None:
    """A word that its marks cut in pieces, although it would stay whole without them."""
    found: Witness | None = None
    for word, tokens in seen.runs:
        if not _has_mark(word, code):
            continue
        if comes_out_whole(tokens, word) or comes_out_in_grams(tokens, word):
            continue
        bare = _without_marks(word, code)
        whole = trial(bare)
        pieces = [t for t in tokens if t]
        if not pieces:
            # Every fragment was dropped afterwards; without marks the word would have lived.
            if whole and comes_out_whole(whole, bare):
                found = found or Witness(word, ())
            continue
        if len(pieces) > 1 or any(len(t) < len(bare) for t in pieces):
            together = "".join(pieces)
            if caseless(together) == caseless(bare) and len(pieces) == 1:
                continue
            if whole is not None and whole and (comes_out_whole(whole, bare) or len(set(whole)) < len(set(pieces))):
                return Witness(word, tuple(tokens))
            if any(_has_mark(t, code) and len(t) == 1 for t in pieces):
                return Witness(word, tuple(tokens))
    if found is None and seen.silent:
        marked = next((w for w, _ in seen.runs if _has_mark(w, code)), None)
        return Witness(marked, ()) if marked is not None else None
    return found


def _unsegmented(code: str, trial: Trial) -> Witness | None:
    """A run of the script that stays one piece: the longest token is the whole phrase, nothing smaller comes out."""
    phrase = _PHRASES.get(code)
    for text in dict.fromkeys(p for p in (phrase, _PLAIN_PHRASES.get(code)) if p):
        tokens = trial(text)
        if not tokens:
            continue
        longest = max(len(t) for t in tokens)
        smaller = [t for t in tokens if len(t) <= 3]
        if longest >= min(len(text), 6) and len(smaller) < len(text) // 2:
            return Witness(text, tuple(tokens))
    return None


def _short_dropped(tokenizer: Tokenizer, code: str, trial: Trial) -> tuple[bool, Witness | None]:
    """Whether a length filter deletes whole words of a script whose words are short."""
    candidates = [
        w
        for w in (
            (single(code) if code == "Hani" else None),
            two(code) if code in ("Hani", "Hira", "Kana", "Hang") else None,
        )
        if w
    ]
    for word in candidates:
        tokens = trial(word)
        longer = trial(word * 3)
        if tokens == [] and longer:
            return True, Witness(word, ())
    return False, None


def _glued(code: str, trial: Trial) -> bool:
    """Whether a Latin word that touches the script is no token of its own, though it is one between blanks."""
    phrase = _PLAIN_PHRASES.get(code) or _PHRASES.get(code)
    if phrase is None:
        return False
    alone = trial(GLUE)
    together = trial(phrase + GLUE + phrase)
    if not alone or together is None:
        return False
    wanted = caseless(alone[0])
    return caseless(GLUE) == wanted and not any(caseless(t) == wanted for t in together)


def _languages(code: str, folded: Fold, upper: CodePoints) -> dict[str, str]:
    """Languages that lose letters they need, with the letters, best-known languages first."""
    optional = OPTIONAL.get(code, "") + APOSTROPHES
    out: dict[str, str] = {}
    for lang, lost in alphabets.missing(upper, code).items():
        left = "".join(c for c in lost if c not in optional)
        if left:
            out[lang] = left
    return out


def _partial_witness(languages: Mapping[str, str], code: str, trial: Trial, seen: _Seen) -> Witness | None:
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


def _cut_at_letters(
    tokenizer: Tokenizer, code: str, seen: _Seen, trial: Trial
) -> tuple[dict[str, str], Witness] | None:
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
            if not _has_mark(word, code) and len(tokens) > 1 and not comes_out_whole(tokens, word):
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
    for letter in dict.fromkeys("".join(list(wanted.values())[:40])):
        text = frame * 3 + letter + frame * 3
        found = trial(text)
        if found is not None and not comes_out_whole(found, text) and len(found) > 1:
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


def _dropped_with_letters(code: str, seen: _Seen, trial: Trial) -> tuple[dict[str, str], Witness] | None:
    """Letters that a test of characters throws away, alone or with the whole word, found letter by letter: folding
    can't read such a test."""
    frame = _FRAMES.get(code)
    gone = next(((w, t) for w, t in seen.runs if not w.isascii() and len("".join(t)) < len(w)), None)
    if frame is None or gone is None or not trial(frame * 6):
        return None
    wanted = alphabets.missing(CodePoints.of([]), code)
    letters = dict.fromkeys("".join(list(wanted.values())[:40]))
    runs = {c: trial(frame * 3 + c + frame * 3) for c in letters}
    lost = {c for c, tokens in runs.items() if tokens is not None and len("".join(tokens)) < 7}
    languages = {lang: "".join(c for c in own if c in lost) for lang, own in wanted.items()}
    languages = {lang: own for lang, own in languages.items() if own}
    return (languages, Witness(gone[0], tuple(gone[1]))) if languages else None


def _lost_letters(code: str, seen: _Seen) -> Witness | None:
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


def _lost_by(trial: Trial, code: str, letters: str = "") -> int | None:
    """Index (in ``flat_stages``) of the stage that loses most of the script (or of these letters)."""
    wanted = CodePoints.chars(letters) if letters else scripts.letters(code)
    flat = trial.flat
    best, most = None, 0
    before = wanted.size
    for stage, upper in zip(trial.tokenizer.stages, trial.upper, strict=True):
        left = (upper & wanted).size
        if before - left > most:
            best, most = stage, before - left
        before = left
    if best is None:
        return next((j for j, s in enumerate(flat) if st.pattern_of(s) is not None), None)
    at = next(j for j, s in enumerate(flat) if s is best)
    if isinstance(best, (st.Union, st.Either)):
        # The branches share the blame; the first pattern among them stands for all.
        return next((j for j in range(at + 1, len(flat)) if st.pattern_of(flat[j]) is not None), at)
    return at


def _mark_cutter(trial: Trial, code: str) -> int | None:
    """Index of the first stage that cuts at marks."""
    marks = _mark_points(code)
    for j, upper in trial.cutters:
        if not upper & marks:
            return j
    test = _character_test(trial.flat)
    return test if test is not None else next((j for j, s in enumerate(trial.flat) if st.pattern_of(s)), None)


def _character_test(flat: list[st.Stage]) -> int | None:
    """Index of the first test that words or their characters have to pass (``isalnum``)."""
    by_character = False
    for j, stage in enumerate(flat):
        by_character = by_character or isinstance(stage, st.Chars)
        if (isinstance(stage, st.KeepIf) and stage.pattern is None) or (
            by_character and isinstance(stage, st.Condition)
        ):
            return j
    return None


def _run_maker(trial: Trial, code: str) -> int | None:
    """Index of the stage that makes tokens of the script: where marks are cut, else what takes pieces out last.

    What cleans the text up before (blanks, links) is not it, nor is a pattern for another script.
    """
    letters, marks = _own_letters(code), _mark_points("Deva")
    through = [(j, upper) for j, upper in trial.cutters if upper & letters]
    cutter = next((j for j, upper in through if not upper & marks), None)
    cutter = cutter if cutter is not None else _character_test(trial.flat)
    if cutter is not None:
        return cutter
    makers = [j for j, _ in through if isinstance(trial.flat[j], (st.Extract, st.Split))]
    makers = makers or [j for j, s in enumerate(trial.flat) if isinstance(s, st.Split)]
    return makers[-1] if makers else None
