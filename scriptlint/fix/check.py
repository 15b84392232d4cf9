"""Is a repair one? The edited file is read and judged again, and every tokenizer in it compared with what it was."""

from __future__ import annotations

import ast
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint.diff import HOLES, compare_judged
from scriptlint.fix.literals import apply_edits, quiet
from scriptlint.rule import prominent, script_list
from scriptlint.tokenizer import stages as st

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scriptlint.diff import Pair
    from scriptlint.fix.candidates import Candidate
    from scriptlint.tokenizer.model import Judged, Tokenizer

__all__ = ["Checked", "check", "judge_file"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A repair that holds. ``better`` are the scripts that gain; ``unsafe`` says why it isn't safe, when it isn't.

    ``proved`` tells whether ASCII output is proved to be the same, ``texts`` how many texts were tried besides.
    """

    candidate: Candidate
    data: bytes
    better: tuple[str, ...]
    proved: bool
    texts: int
    unsafe: str = ""
    next: str = ""
    """The holes that open next, when there are any."""
    left: tuple[str, ...] = ()
    """Scripts that the findings name and that are no better."""
    opened: int = 0
    """Scripts of which words now come out in pieces, or runs in one piece."""

    @property
    def safe(self) -> bool:
        """May be applied without being looked at."""
        return not self.unsafe

    @property
    def title(self) -> str:
        """What it does, said of the scripts alone whose words gained by it when both were run."""
        return "; ".join(said for aim in self.candidate.aims if (said := aim.reached(self.better)))

    @property
    def missed(self) -> int:
        """Scripts that it was for and that gained nothing: parts of it have no effect."""
        aimed = {code for aim in self.candidate.aims for code in aim.scripts}
        return len(aimed - set(self.better))

    @property
    def evidence(self) -> str:
        """What was checked, in a few words."""
        same = "ASCII output proved equal" if self.proved else f"ASCII output equal on {self.texts} texts"
        count = len(self.better)
        told = f"{count} script{'s' * (count != 1)} better, none worse; {same}"
        told += f"; no better: {script_list(prominent(self.left), 4)}" if self.left else ""
        return f"{told}; next: {self.next}" if self.next else told


def judge_file(path: str, data: bytes, scripts: Sequence[str], known: Sequence[Judged] = ()) -> list[Judged] | None:
    """The judged tokenizers of a file; ``None`` when it can't be read.

    Of the ``known`` ones, those that an edit left alone are not judged again.
    """
    from scriptlint.source import read_source
    from scriptlint.source.project import Project
    from scriptlint.tokenizer.verdict import judge

    with quiet():
        facts = read_source(path, data, project=Project())
    if facts.problems or facts.bad_patterns:
        return None
    out = []
    for number, tokenizer in enumerate(facts.tokenizers):
        was = known[number] if len(known) == len(facts.tokenizers) else None
        same = was is not None and was.tokenizer.name == tokenizer.name and _modelled(tokenizer, was.tokenizer)
        out.append(was if same and was is not None else judge(tokenizer, scripts))
    return out


def _modelled(new: Tokenizer, old: Tokenizer) -> bool:
    """Whether two tokenizers are the same: their stages are equal, and tell all there is to tell."""
    opaque = (st.Condition, st.Step, st.Opaque, st.Either)
    return new.stages == old.stages and not any(isinstance(s, opaque) for s in st.flat_stages(new.stages))


def check(
    candidate: Candidate, path: str, data: bytes, before: Sequence[Judged], target: Judged, wanted: Collection[str]
) -> Checked | None:
    """The repair if it holds: better for some of the ``wanted`` scripts, worse for none, ASCII output the same."""
    edited = apply_edits(data, candidate.edits)
    if edited == data:
        return None
    try:
        with quiet():
            tree = ast.parse(edited)
    except (SyntaxError, ValueError):
        return None
    after = judge_file(path, edited, tuple(target.scripts), before)
    if after is None or len(after) != len(before):
        return None
    changed = [(b, a) for b, a in zip(before, after, strict=True) if b is not a]
    if not changed:
        return None
    pairs = compare_judged([b for b, _ in changed], [a for _, a in changed])
    proved, texts = True, 0
    better: tuple[str, ...] = ()
    glued, opened = "", 0
    following: dict[str, None] = {}
    for pair in pairs:
        if pair.old is None or pair.new is None or not _holds(pair):
            return None
        assert pair.ascii is not None
        if pair.old is target or pair.gained:
            proved = proved and pair.ascii.how == "proved"
            texts = max(texts, pair.ascii.texts)
        for hole in pair.holes:
            told = f"{HOLES[hole.kind]} ({script_list(prominent(hole.scripts))})"
            glued = glued or (told if hole.kind == "glued" else "")
            following[told] = None
            opened += len(hole.scripts) * (hole.kind in ("marks", "run"))
        if pair.old is target:
            better = _better(pair)
    left = tuple(code for code in dict.fromkeys(wanted) if code not in better)
    if not set(wanted) - set(left):
        return None
    unsafe = _unsafe(candidate, proved, tree, before) or glued
    return Checked(candidate, edited, better, proved, texts, unsafe, ", ".join(following), left, opened)


def _better(pair: Pair) -> tuple[str, ...]:
    """The scripts that gain: the verdict is better, and words come out that hold their letters."""
    assert pair.old is not None and pair.new is not None
    freed = [c for c, v in pair.new.scripts.items() if pair.old.scripts[c].short_dropped and not v.short_dropped]
    gained = dict.fromkeys([*(c.script for c in pair.gained), *freed])
    return tuple(code for code in gained if _comes_through(pair.new, code))


def _comes_through(judged: Judged, script: str) -> bool:
    """Whether half of a script's words leave all their letters in the tokens. A later step, such as a length filter,
    may take away what a class has let in: a verdict on letters alone would call that a gain.
    """
    from scriptlint.tokenizer.run import run
    from scriptlint.unicode.words import words

    whole = []
    for word in words(script)[:6]:
        tokens = run(judged.tokenizer, word)
        if tokens is None:
            return True  # there is the verdict alone to go by
        whole.append(_letters(word) <= _letters("".join(tokens)))
    return 2 * sum(whole) >= len(whole)


def _letters(text: str) -> set[str]:
    """Letters by their base form: a tokenizer may fold case and take accents off."""
    return {c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalpha()}


def _holds(pair: Pair) -> bool:
    """Nothing lost, nothing less known, the same tokens of ASCII text."""
    if pair.lost or pair.unsure or pair.ascii is None or pair.ascii.order:
        return False
    if not pair.ascii.equal:
        # What could not be run before can't be compared; it is as it was when its model is.
        same = pair.ascii.how == "unknown" and pair.old is not None and pair.new is not None
        return same and pair.old.tokenizer.stages == pair.new.tokenizer.stages  # type: ignore[union-attr]
    return True


def _unsafe(candidate: Candidate, proved: bool, tree: ast.Module, before: Sequence[Judged]) -> str:
    if candidate.needs:
        return f"the program then needs the {candidate.needs} module"
    if not proved:
        return "that ASCII output stays the same is tried, not proved"
    names = {part for j in before for part in (j.tokenizer.name, j.tokenizer.name.rpartition(".")[2])}
    elsewhere = _other_users(tree, candidate, names)
    if elsewhere:
        return f"the pattern is also used in {elsewhere}"
    return ""


def _other_users(tree: ast.Module, candidate: Candidate, known: set[str]) -> str:
    """A function that uses a changed pattern by its name and is no tokenizer that was judged."""
    from scriptlint.source.blocks import functions_of

    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            first, last = node.lineno, node.end_lineno or node.lineno
            if any(first <= line <= last for line, _ in candidate.literals):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                bound |= {t.id for t in targets if isinstance(t, ast.Name)}
    if not bound:
        return ""
    for function, qualname, _ in functions_of(tree.body):
        if qualname in known or function.name in known:
            continue
        for node in ast.walk(function):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if name in bound:
                return f"{qualname}()"
    return ""
