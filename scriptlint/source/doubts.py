"""Reasons to doubt that pieces of a text are its words, or that a key has to tell texts apart.

A doubt takes a decision down to medium confidence and says why; it never hides one.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from scriptlint.source.purposes import goes_with_whole_name, purpose_of
from scriptlint.source.usage import BLANKS, COMPARED, telling
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from scriptlint.source.candidates import Candidate

_WORD_NAMES = re.compile(r"tok|word|term|keyword|query|search|gram|bm25|corpus|stem|vocab|overlap|simil", re.IGNORECASE)
"""Names under which pieces are words, whatever else is said."""
_LIST_NAMES = re.compile(
    r"(?:^|[_. ])(?:(?:hash)?tags?|[a-z]?ids?|e?mails?|contacts?|recipients?|addresse?s?|fields?|columns?|cols?|"
    r"csv|prefix(?:es)?|suffix(?:es)?|extensions?|items?|values?|choices?|labels?|categor\w+|alias\w*|options?|flags?|"
    r"hosts?|urls?|paths?|users?|members?|authors?)(?:$|[_. ])",
    re.IGNORECASE,
)
_COMMAND_NAMES = re.compile(r"comm?and|cmd|(?:^|[_. ])arg(?:v|s|uments?)?(?:$|[_. ])|shell", re.IGNORECASE)
_LISTING = re.compile(
    r"\[(?:[,;|、，； ]|\\s|\\\||\\t|\\n)+\][+*]?"
    r"|(?:\\s[*+]?)?[,;、，；](?:\\s[*+]?)?"
    r"|(?:[,;、，；]|\\s[+*]?)(?:\|(?:[,;、，；]|\\s[+*]?))+"
)
"""A pattern that cuts at commas and white space alone."""
_INDEX_IN_BRACKETS = re.compile(r"\\\[\(?(?:\?:)?-?\??(?:\\d|\[0-9\])")

_SIGNS = frozenset("()[]{}<>=+*/;:&|%^~!,")
_WRITTEN = re.compile(r"\b(?:hexdigest|hex|uuid[1-8]|isoformat)\(\)$")
"""Calls that give ASCII."""


def doubt_of(c: Candidate) -> str | None:
    """The first doubt about a candidate, in words for people."""
    if c.behaviour == "text":
        if c.ascii_made:
            return "what is encoded is a digest, which is ASCII anyway"
        if goes_with_whole_name(c):
            return "the whole name goes beside it, as filename*"
        if chosen_among_fixed(c):
            return "it is one of fixed ASCII words, or what stands for none of them"
        return "it is only looked up among fixed ASCII words" if only_looked_up(c) else None
    if c.doubt:
        return c.doubt
    if reads_a_path(c):
        return "its pattern reads a path with an index in brackets"
    if reads_a_grammar(c):
        return "its pieces are compared with brackets and operators, as those of a grammar are"
    if is_command(c):
        return "names speak of a command and its arguments"
    if is_list(c):
        return "a list is cut at the commas of its author"
    return purpose_of(c)


def is_digest(root: str, node: ast.AST) -> bool:
    """Whether a text is what a digest or a number is written in: it comes from there, or is given its like."""
    if _WRITTEN.search(root):
        return True
    for n in walk(node):
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Attribute):
            made = n.value.func.attr in ("hexdigest", "hex")
            named = {t.id for t in n.targets if isinstance(t, ast.Name)} if made else set()
            # A digest that goes into the next one is called what it is called before, whatever it starts with.
            if root in named or any(isinstance(a, ast.Name) and a.id in named for a in walk(n.value)):
                return True
    return False


def only_looked_up(c: Candidate) -> bool:
    """Whether a key decides nothing but whether it is one of some ASCII words: all others rightly are not."""
    if c.returned:
        return False
    marks = set(c.marks)
    lossy = [u for u in c.uses if marks & set(u.value.marks)]
    deciding = [
        u for u in lossy if u.how not in ("len", "bool", "isinstance", "looked at") and not u.how.startswith("test:")
    ]
    return bool(deciding) and all(u.fixed for u in deciding)


def chosen_among_fixed(c: Candidate) -> bool:
    """Whether a key comes out when it is one of some ASCII words, and a constant when it is not."""
    marks = set(c.marks)
    if not any(u.how == "in" and u.fixed and marks & set(u.value.marks) for u in c.uses):
        return False
    returned = [n.value for n in walk(c.node) if isinstance(n, ast.Return)]
    fixed = [
        r for r in returned if r is None or isinstance(r, ast.Constant) or (isinstance(r, ast.Name) and r.id.isupper())
    ]
    named = [r for r in returned if isinstance(r, ast.Name) and r.id in c.names]
    return bool(fixed) and len(fixed) + len(named) == len(returned)


def reads_a_path(c: Candidate) -> bool:
    """Whether keys with an index in brackets are walked along: ``data["a"][0]`` for ``a[0]``."""
    if not any(
        isinstance(s, st.Extract) and _INDEX_IN_BRACKETS.search(s.pattern.shown())
        for s in st.flat_stages(c.value.stages)
    ):
        return False
    hows = {u.how for u in telling(c.uses)}
    return "path" in c.function.lower() or ("index" in hows and not c.returned and hows <= {"index", "in"})


def reads_a_grammar(c: Candidate) -> bool:
    """Whether pieces are told apart by brackets and operators (``if token == "("``): what reads code reads no words."""
    if COMPARED & {u.how for u in c.uses}:
        return False
    if re.search("quer|search", " ".join((c.said, *c.parameters)), re.IGNORECASE):
        return False  # words between brackets and operators
    if not any(isinstance(s, st.Extract) for s in st.flat_stages(c.value.stages)):
        return False
    said = {
        n.value
        for compared in walk(c.node)
        if isinstance(compared, ast.Compare)
        for n in walk(compared)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    return sum(1 for sign in said if sign and set(sign) <= _SIGNS) >= 2


def is_command(c: Candidate) -> bool:
    """Whether the arguments of a command come out: only white space is cut, and nothing is compared."""
    cuts = _cuts(c)
    blank = all(s.pattern is None or s.pattern.shown() in BLANKS for s in cuts)
    compared = COMPARED & {u.how for u in c.uses}
    return bool(cuts) and blank and not compared and _COMMAND_NAMES.search(c.said) is not None


def is_list(c: Candidate) -> bool:
    """Whether names come out that somebody listed with commas: a tag is one token in every script."""
    cuts = _cuts(c)
    if not cuts or not all(_is_listing(s) for s in cuts):
        return False
    said = (c.function.rpartition(".")[2], *c.names)
    if any(_WORD_NAMES.search(name) for name in said):
        return False
    own = any(isinstance(s, st.Strip) and s.chars is not None and set(s.chars) & set("#@") for s in c.value.stages)
    address = any(isinstance(s, st.Condition) and re.search(r"['\"][@#]['\"]", s.describe()) for s in c.value.stages)
    return own or address or any(_LIST_NAMES.search(name) for name in said)


def _cuts(c: Candidate) -> list[st.Split]:
    """The cuts of a chain that does nothing else with a pattern."""
    flat = list(st.flat_stages(c.value.stages))
    cuts = [s for s in flat if isinstance(s, st.Split)]
    return [] if any(st.pattern_of(s) is not None and not isinstance(s, st.Split) for s in flat) else cuts


def _is_listing(cut: st.Split) -> bool:
    said = cut.separator if cut.pattern is None else cut.pattern.shown()
    if said is None:
        return False
    return bool(re.search(r"[,;、，；]", said)) and _LISTING.fullmatch(said) is not None
