"""What traced values do with plain text, which says more about them than their looks."""

from __future__ import annotations

import contextlib
import re
import unicodedata

from scriptlint.source.runner import Runner
from scriptlint.source.traced import COLLECTIONS, Traced
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.run import TooSlow, flatten, time_limit
from scriptlint.tokenizer.values import PYTHON_ERRORS, Raised, Unsupported

_GUARDS = 3
"""So many guards on the number of pieces, one behind the other, are passed."""


class TracedProgram:
    """Runs a traced value on a text, as the code is written."""

    def __init__(self, value: Traced, max_steps: int = 400_000) -> None:
        self.value = value
        self.max_steps = max_steps
        self.steps = 0
        """Steps that the last run took."""

    def __reduce__(self) -> tuple[object, tuple[()]]:
        # The syntax trees stay in the process that read them; elsewhere the stages tell what it does.
        return (_left_behind, ())

    def run(self, text: str) -> list[str]:
        """The pieces. Raises ``Unsupported`` or ``Raised``."""
        return self.pieces(self.runner(text))

    def run_among(self, text: str) -> list[str]:
        """The pieces of a word among others: a guard on the number of pieces says nothing about the word."""
        runner = self.runner(text)
        try:
            found = self.pieces(runner)
        except Raised:
            if not runner.tallied:
                raise
            found = []
        for _ in range(_GUARDS):
            if found or not runner.tallied:
                break
            least, runner = runner.tallied + 1, self.runner(text)
            runner.among = least
            # Code behind such a guard may ask for the second piece: then what the word gives alone stands.
            with contextlib.suppress(Unsupported, Raised):
                found = self.pieces(runner)
        return found

    def runner(self, text: str) -> Runner:
        """A run in which the text stands where the value starts from."""
        return Runner(dict.fromkeys((self.value.root, *self.value.also), text), self.max_steps)

    def goes_here(self, runner: Runner) -> bool:
        """Whether the text of a run gets to where the value is made, as far as its language decides."""
        return all(
            runner.truth(runner.eval(test, dict(env), scope)) is way for test, env, scope, way in self.value.ways
        )

    def pieces(self, runner: Runner) -> list[str]:
        """What comes out of a run. Raises ``Unsupported``: a text of that language goes another way."""
        try:
            if self.value.ways and not self.goes_here(runner) and self.goes_here(self.runner(PLAIN)):
                raise Unsupported("another way")
            return flatten(runner.all_of(self.value))
        except PYTHON_ERRORS as error:
            raise Raised(type(error).__name__) from error
        finally:
            self.steps = runner.steps


def _left_behind() -> None:
    """A program in another process: none."""


BEHAVIOUR_STEPS = 12_000
"""Steps for a look at what a value does with a sentence: whoever needs more is no tokenizer."""
FUNCTION_STEPS = 240_000
"""Steps for all looks at the values of one function. The most telling come first; only giants get to the end."""
PLAIN = "quick brown foxes jump over lazy dogs near rivers"
SIGNS = "#@"
"""Signs behind which words are tags and names of people."""
TITLED = "Quick Brown Foxes jump over Lazy Dogs near Rivers"
CHINESE = "视频下载转录成文字 数据库备份恢复"
FOREIGN = "поиск ещё безопасность αναζητηση هندسة 검색 엔진 数据库备份恢复 हिन्दी ひらがな"
OTHERS = (
    CHINESE,
    "поиск документ безопасность сервер наука",
    "검색 엔진 문서 데이터베이스 보안",
    "بحث هندسة مستند خادم علوم",
    "אבטחה מסמך שרת חיפוש מדע",
    "αναζητηση εγγραφο ασφαλεια διακομιστη",
    "ひらがな データベース",
    "खोज दस्तावेज सुरक्षा",
    "ภาษาไทย งาน ราคา",
)


def reaches_beyond_ascii(value: Traced) -> bool:
    """Whether a pattern on the way names characters or classes beyond ASCII: else no other script can come out."""
    for stage in st.flat_stages(value.stages):
        pattern = st.pattern_of(stage)
        if pattern is not None and re.search(r"[^\x00-\x7f]|\\[uUxpPwW]|\[\^", pattern.shown()):
            return True
    return False


class Behaviours:
    """What values do with plain text, which says more about them than their looks.

    ``words``: plain words come out one by one; ``phrases``: several at a time; ``han``: runs of Han come out;
    ``grams``: short overlapping pieces come out; ``names``: only words with a capital; ``tags``: only words behind a
    sign; ``text``: the text stays one
    text, letters of it kept; ``None``: something else (a date, a link, a tag).
    """

    def __init__(self) -> None:
        self.memo: dict[int, str | None] = {}
        self.runs: dict[tuple[int, str], list[str] | None] = {}
        self.left = FUNCTION_STEPS
        self.signs: dict[int, str] = {}
        """The sign that words have to stand behind, of values that take none without it."""

    def of(self, value: Traced) -> str | None:
        """The behaviour of a value."""
        if value.serial not in self.memo:
            self.memo[value.serial] = self.judge(value)
        return self.memo[value.serial]

    def run(self, value: Traced, text: str) -> list[str] | None:
        """The pieces of a text; ``None`` when it can't be run."""
        key = (value.serial, text)
        if key not in self.runs:
            self.runs[key] = None
            program = TracedProgram(value, min(BEHAVIOUR_STEPS, self.left))
            with contextlib.suppress(Unsupported, Raised, TooSlow, RecursionError, SystemError), time_limit(1.0):
                self.runs[key] = program.run_among(text)
            self.left -= program.steps
        return self.runs[key]

    def any_output(self, value: Traced) -> bool:
        """Whether anything at all comes out for plain or Chinese text."""
        return bool(self.run(value, PLAIN)) or bool(self.run(value, CHINESE))

    def kept(self, value: Traced) -> float | None:
        """Share of the letters of ``FOREIGN`` that come out, word by word (a key may be cut to a length), as far as
        they can be run."""
        kept = total = 0
        alone = self.run(value, "search") != []
        # Where a word alone is too short to come out, it is asked about among others.
        for word in FOREIGN.split() if alone else [FOREIGN]:
            tokens = self.run(value, word)
            if tokens is None:
                continue
            out = unicodedata.normalize("NFC", "".join(tokens)).lower()
            kept += sum(c in out for c in word if c != " ")
            total += len(word) - word.count(" ")
        return kept / total if total else None

    def sign_of(self, value: Traced) -> str:
        """The sign behind which words come out (``#quick``, ``@quick``); empty: there is none."""
        shown = "".join(p.shown() for s in st.flat_stages(value.stages) if (p := st.pattern_of(s)) is not None)
        for sign in SIGNS:
            if sign in shown:
                found = self.run(value, " ".join(sign + w for w in PLAIN.split()))
                if _among([t.lstrip(sign) for t in found or ()], PLAIN.split()) >= 4:
                    return sign
        return ""

    def takes_a_way(self, value: Traced) -> bool:
        """Whether which way a plain text goes is decided by the text or its language, and not by something that a run
        has to guess at (which libraries are there)."""
        program = TracedProgram(value, min(BEHAVIOUR_STEPS, self.left))
        runner = program.runner(PLAIN)
        with contextlib.suppress(Unsupported, Raised, TooSlow, RecursionError, SystemError), time_limit(1.0):
            program.pieces(runner)
            return not runner.guessed
        return False

    def judge(self, value: Traced) -> str | None:
        if not value.how:
            return None
        tokens = self.run(value, PLAIN)
        if tokens is None:
            return None
        many = value.shape in COLLECTIONS or value.element_of is not None or value.shape == "matches"
        wanted = PLAIN.split()
        if many:
            whole = {t.lower() for t in tokens}
            if sum(1 for w in wanted if w in whole) >= 4:
                return "words"
            phrases = [t for t in whole if " " in t and t in PLAIN]
            if len(phrases) >= 3 and all(2 <= len(t.split()) <= 3 and set(t.split()) <= set(wanted) for t in phrases):
                return "phrases"
            if (
                (
                    (len(tokens[0]) > 1 if tokens else False)
                    or any(
                        isinstance(stage, (st.NGrams, st.Chars, st.Extract)) for stage in st.flat_stages(value.stages)
                    )
                )
                and len(tokens) >= 8
                and len({len(t) for t in tokens}) == 1
                and len(tokens[0]) <= 5
                # A text that grows by one character a round is no list of them.
                and not (len(tokens[0]) == 1 and value.shape == "str" and value.how[0] == "block")
                and all(t.lower() in PLAIN for t in tokens)
            ):
                return "grams"
            if (
                len(tokens) == 1
                and tokens[0].lower() == PLAIN.replace(" ", "")
                and any(isinstance(s, st.Extract) for s in value.stages)
            ):
                return "words"
            if (
                len(tokens) == 1
                and tokens[0].lower() != PLAIN
                and sum(1 for w in wanted if w in tokens[0].lower()) >= 7
            ):
                return "text"
            if len(tokens) == 1 and tokens[0].lower() == PLAIN:
                return "text" if any(isinstance(s, (st.KeepIf, st.Erase, st.Condition)) for s in value.stages) else None
            if not tokens and _among(self.run(value, TITLED), TITLED.split()) >= 4:
                return "names"
            if not tokens and (sign := self.sign_of(value)):
                self.signs[value.serial] = sign
                return "tags"
            if not tokens and reaches_beyond_ascii(value):
                for text in OTHERS:
                    found = self.run(value, text)
                    if (
                        found
                        and all(t in text and " " not in t for t in found)
                        and 2 * sum(map(len, set(found))) >= len(text)
                    ):
                        return "han" if text is CHINESE else "words"
            return None
        if not tokens:
            return None
        text = "".join(tokens)
        kept = sum(1 for w in wanted if w in text.lower())
        return "text" if kept >= 7 else None


def _among(tokens: list[str] | None, words: list[str]) -> int:
    """How many of some words are among the tokens, alone or beside one another."""
    return len(set(" ".join(tokens or ()).split()) & set(words))
