"""The verdict of a tokenizer on each script, by two ways that must agree: running it on words, folding its stages.

Running says what becomes of words; folding says what becomes of every letter. A verdict is exact when both could be
done and say the same. A script on which neither can say anything is ``unknown``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.finding import Confidence, Witness
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.fold import Fold, fold
from scriptlint.tokenizer.letters import (
    Seen,
    cut_at_letters,
    dropped_with_letters,
    has_mark,
    languages_that_lose,
    lost_letters,
    mark_points,
    partial_witness,
)
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


@lru_cache(maxsize=64)
def _own_letters(code: str) -> CodePoints:
    own = scripts.letters(code) & scripts.script(code)
    return own or scripts.letters(code)


@lru_cache(maxsize=64)
def _common_letters(code: str) -> CodePoints:
    """The letters that the well-known languages of a script are written in: others may come out when no word does."""
    known = [c for c in alphabets.languages(code) if alphabets.major(c)]
    return CodePoints.union(alphabets.exemplars(c) for c in known) if known else _own_letters(code)


def _without_marks(word: str, code: str) -> str:
    marks = mark_points(code)
    return "".join(c for c in word if ord(c) not in marks)


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
        if not upper and tokenizer.program is None:
            return replace(
                base, verdict=Verdict.EXCLUDED, exact=folded.exact, retained=0, lost_by=_lost_by(trial, code)
            )
        return base
    first_word, first_tokens = seen.runs[0]
    witness = Witness(first_word, tuple(first_tokens))
    survivors = sum(letters_out(tokens, word, code) for word, tokens in seen.runs)
    if not survivors and _put_otherwise(seen):
        return replace(base, witness=witness)
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
    if not survivors and (not upper & _common_letters(code) or not _letters_survive(code, upper, folded, trial)):
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
    # What comes out of a run is not lost, whatever folding a branch that is not taken says.
    alive = {caseless(c) for _, tokens in seen.runs for t in tokens for c in t}
    folded_away = languages_that_lose(code, upper)
    if tokenizer.program is not None:
        plain = {c for letters in folded_away.values() for c in letters if c.isascii()}
        alive |= {c for c in plain if c in "".join(trial(c * 6) or ())}
    left = {lang: "".join(c for c in letters if caseless(c) not in alive) for lang, letters in folded_away.items()}
    languages = {lang: letters for lang, letters in left.items() if letters}
    if languages:
        found = partial_witness(languages, code, trial, seen)
        if found is not None:
            return replace(
                base,
                verdict=Verdict.PARTIAL,
                languages=languages,
                witness=found,
                lost_by=_lost_by(trial, code, next(iter(languages.values()))),
            )
    else:
        if (dropped := dropped_with_letters(code, seen, trial)) is not None:
            return replace(base, verdict=Verdict.PARTIAL, languages=dropped[0], witness=dropped[1])
        if (cut := cut_at_letters(tokenizer, code, seen, trial)) is not None:
            return replace(base, verdict=Verdict.PARTIAL, languages=cut[0], witness=cut[1], cut=True)
        if (lost := lost_letters(code, seen)) is not None:
            return replace(base, verdict=Verdict.PARTIAL, witness=lost)
    return replace(
        base, verdict=Verdict.RETAINED, witness=short_witness if short and short_witness is not None else witness
    )


def _run_words(code: str, trial: Trial) -> Seen:
    runs: list[tuple[str, list[str]]] = []
    unknown = False
    for word in words(code)[:6]:
        tokens = trial(word)
        if tokens is None:
            unknown = True
            continue
        runs.append((word, tokens))
    return Seen(runs, unknown and not runs)


def _put_otherwise(seen: Seen) -> bool:
    """Whether words come out in other letters, each in its own: a table transliterates them, well or badly."""
    made = ["".join(c for t in tokens for c in t if c.isalnum()) for _, tokens in seen.runs]
    enough = all(2 * len(m) >= len(word) for m, (word, _) in zip(made, seen.runs, strict=True))
    return enough and len(made) > 1 and len(set(made)) == len(made)


def _contradicts(seen: Seen, code: str) -> bool:
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


def _shredded(code: str, seen: Seen, trial: Trial) -> Witness | None:
    """A word that its marks cut in pieces, although it would stay whole without them."""
    found: Witness | None = None
    for word, tokens in seen.runs:
        if not has_mark(word, code):
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
            # Pieces that differ by their marks alone count once, as the same letters do in the word without marks.
            letters = {_without_marks(p, code) for p in pieces}
            if whole is not None and whole and (comes_out_whole(whole, bare) or len(set(whole)) < len(letters)):
                return Witness(word, tuple(tokens))
            if any(has_mark(t, code) and len(t) == 1 for t in pieces):
                return Witness(word, tuple(tokens))
    if found is None and seen.silent:
        marked = next((w for w, _ in seen.runs if has_mark(w, code)), None)
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


def _lost_by(trial: Trial, code: str, letters: str = "") -> int | None:
    """Index (in ``flat_stages``) of the stage that loses most of the script (or of these letters)."""
    wanted = CodePoints.chars(letters) if letters else scripts.letters(code)
    flat = trial.flat
    best = _greatest_loss(trial, wanted)
    ways = best if best is not None else next((s for s in trial.tokenizer.stages if isinstance(s, st.Either)), None)
    if isinstance(ways, st.Either):
        # What no way before it takes goes the last one.
        blamed = {id(flat[j]): j for j, upper in trial.cutters if (upper & wanted).size < wanted.size}
        for chain in reversed(ways.chains):
            found = next((j for s in st.flat_stages(chain) if (j := blamed.get(id(s))) is not None), None)
            if found is not None:
                return found
    if best is None:
        return next((j for j, s in enumerate(flat) if st.pattern_of(s) is not None), None)
    at = next(j for j, s in enumerate(flat) if s is best)
    if isinstance(best, (st.Union, st.Either)):
        # The branches share the blame; the first pattern among them stands for all.
        return next((j for j in range(at + 1, len(flat)) if st.pattern_of(flat[j]) is not None), at)
    return at


def _greatest_loss(trial: Trial, wanted: CodePoints) -> st.Stage | None:
    """The stage of the chain behind which fewest of these letters are left of those before it.

    A long chain loses them at few places: where as many are left at both ends of a stretch, none is lost inside.
    """
    stages = trial.tokenizer.stages
    left = {0: wanted.size}
    best, most = None, 0
    stretches = [(0, len(stages))]
    while stretches:
        first, last = stretches.pop()
        for end in (first, last):
            if end not in left:
                left[end] = (trial.upper(end) & wanted).size
        lost = left[first] - left[last]
        if lost <= most:
            continue
        if last - first == 1:
            best, most = stages[first], lost
            continue
        middle = (first + last) // 2
        stretches += [(middle, last), (first, middle)]
    return best


def _mark_cutter(trial: Trial, code: str) -> int | None:
    """Index of the first stage that cuts at marks: of those that let the letters through, if there is one."""
    marks, letters = mark_points(code), _own_letters(code)
    cutters = [(j, upper) for j, upper in trial.cutters if not upper & marks]
    found = next((j for j, upper in cutters if upper & letters), cutters[0][0] if cutters else None)
    if found is not None:
        return found
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
    letters, marks = _own_letters(code), mark_points("Deva")
    through = [(j, upper) for j, upper in trial.cutters if upper & letters]
    cutter = next((j for j, upper in through if not upper & marks), None)
    cutter = cutter if cutter is not None else _character_test(trial.flat)
    if cutter is not None:
        return cutter
    known = {j for j, _ in through}
    makers = [
        j for j, s in enumerate(trial.flat)
        if isinstance(s, (st.Extract, st.Split)) and (j in known or st.pattern_of(s) is None)
    ]  # fmt: skip
    return makers[-1] if makers else None
