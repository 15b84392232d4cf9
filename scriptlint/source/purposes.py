"""What pieces of a text are for, where it is not the search of words: code, numbers, names, lists, positions.

Like all doubts these take a decision down to medium confidence, and say why.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from scriptlint.source.usage import COMPARED, telling
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scriptlint.source.candidates import Candidate

_NUMBERS = frozenset({"int", "float", "complex"})
_SEARCHED = re.compile("quer|search|bm25|index|retriev", re.IGNORECASE)
"""Names of a search: its tokens are words, whatever its pattern or its list looks like."""


def purpose_of(c: Candidate) -> str | None:
    """Why the pieces of a candidate may be no words, in words for people."""
    return next((why for applies, why in _PURPOSES if applies(c)), None)


def reads_code(c: Candidate) -> bool:
    """Whether code is cut into numbers, identifiers and operators."""
    if _SEARCHED.search(" ".join((c.said, *c.parameters))):
        return False
    if COMPARED & {u.how for u in c.uses}:
        return False
    return any(_lexes(s.pattern.shown()) for s in _extracts(c)) or _sets_brackets_apart(c)


_NUMBER = re.compile(r"[-+?]*(?:\\d|\[0-9[._]*\])")
_IDENTIFIER = re.compile(r"(?:\[(?:[A-Za-z]-[A-Za-z]|[_$@\\.])+\])(?:\\w|\[[^\]]*(?:\\w|0-9)[^\]]*\])\*")
"""A letter or a line below, then digits as well."""
_OPERATORS = re.compile(r"\[(?!\^)[^\]A-Za-z0-9]*\][+*?]?|(?:\\?[-+*/=<>!&|^%(){}\[\],;:.~])+\??")
_ANYTHING = re.compile(r"\.|\\S|\\W|\[\^(?:\\w|\\s|[A-Za-z0-9_-])+\]")
_ARITHMETIC = frozenset("+*/^=<>%&")


def _lexes(pattern: str) -> bool:
    """Whether a pattern takes operators beside numbers or identifiers, as those of a language are.

    Who takes words and signs of a sentence has neither the names of a language nor its arithmetic.
    """
    ways = [_bare(w) for w in _alternatives(pattern)]
    numbers = any(_NUMBER.match(w) for w in ways)
    identifiers = any(_IDENTIFIER.fullmatch(w) for w in ways)
    signs = {c for w in ways if _OPERATORS.fullmatch(w) for c in w[w.startswith("[") :]} & _ARITHMETIC
    if len(signs) >= 2:
        return numbers or identifiers
    return numbers and identifiers and any(_ANYTHING.fullmatch(w) for w in ways)


_OPENING = re.compile(r"^\((?:\?:|\?P?<\w+>|(?!\?))")
_MARGIN = re.compile(r"^(?:\\s|\[ \\t\]| )[*+]")


def _bare(way: str) -> str:
    """One alternative without the group and the boundaries around it."""
    way = re.sub(r"^(?:\\b)+|(?:\\b)+$", "", way.strip())
    opened = _OPENING.match(way)
    if opened and _closes(way) == len(way) - 1:
        return _bare(way[opened.end() : -1])
    return way


def _alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern, or of the one group that it is."""
    pattern = _MARGIN.sub("", pattern.strip())
    ways = _split_at_bars(pattern)
    opened = _OPENING.match(pattern)
    if len(ways) == 1 and opened and _closes(pattern) == len(pattern) - 1:
        return _alternatives(pattern[opened.end() : -1])
    return ways


def _signs_of(pattern: str) -> Iterator[tuple[int, str, int]]:
    """Place, sign and depth of what has a meaning in a pattern, outside classes."""
    depth, inside, i = 0, False, 0
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            i += 2
            continue
        if inside:
            inside = c != "]" or pattern[i - 1] == "["
        elif c == "[":
            inside = True
        elif c in "()|":
            depth += (c == "(") - (c == ")")
            yield i, c, depth
        i += 1


def _closes(pattern: str) -> int | None:
    """Where the group that a pattern begins with ends."""
    return next((i for i, c, depth in _signs_of(pattern) if c == ")" and depth == 0), None)


def _split_at_bars(pattern: str) -> list[str]:
    bars = [i for i, c, depth in _signs_of(pattern) if c == "|" and depth == 0]
    return [pattern[a + 1 : b] for a, b in zip([-1, *bars], [*bars, len(pattern)], strict=True)]


_SET_APART = re.compile(r"replace '(.)' by ' (.) '")


def _sets_brackets_apart(c: Candidate) -> bool:
    """Whether blanks are put around brackets, and around no sign of a sentence."""
    apart = {m[1] for s in _flat(c) if (m := _SET_APART.fullmatch(s.describe())) and m[1] == m[2]}
    return {"(", ")"} <= apart and not apart & set(".,!?;'\"")


def become_numbers(c: Candidate) -> bool:
    """Whether nothing is done with the pieces but to read numbers in them; what is done with the numbers is free."""
    told = telling(c.uses)
    return bool(told) and all(
        u.how in _NUMBERS
        or (u.how.startswith("arg:") and _READS_NUMBERS.search(u.how))
        or (u.function != c.function and _READS_NUMBERS.search(u.function))
        or any(isinstance(s, st.Opaque) and _READS_NUMBERS.search(s.why) for s in u.value.stages)
        for u in told
    )


_READS_NUMBERS = re.compile(
    r"(?:^|[_.:])(?:int|integer|float|number|num|numeric|decimal|fraction)s?(?:_or_\w+)?(?:\(\)|$)", re.IGNORECASE
)


def fill_a_list(c: Candidate) -> bool:
    """Whether a list of words is read: stop words, a word file. Its entries are not cut out of sentences."""
    if any(st.pattern_of(s) is not None and not isinstance(s, st.Split) for s in _flat(c)):
        return False
    made = any(_STOP_WORDS.search(name) for name in c.names)
    read = _WORD_LIST.search(c.value.root) is not None
    held = _WORD_LIST.search(c.class_name) is not None and re.search(r"\.read(?:_text)?\(\)$", c.value.root) is not None
    return held or read or made or _READS_LIST.search(c.function.rpartition(".")[2]) is not None


_STOP_WORDS = re.compile(r"(?:^|_)stop_?(?:words?|list)s?(?:$|_)", re.IGNORECASE)
_WORD_LIST = re.compile(r"(?:^|_|\b)(?:stop_?(?:words?|list)|word_?list|word_?file)s?(?:$|_|\b)", re.IGNORECASE)
"""What the text is called; ``word_list = text.split()`` are the words of any text."""
_READS_LIST = re.compile(
    r"^_*(?:get|load|read|set|init|parse|make|build)_(?:\w+_)?(?:stop_?words?|word_?list)", re.IGNORECASE
)


def unpacked(c: Candidate) -> bool:
    """Whether the pieces are a day and a month, a name and a value: as many as there are names for them."""
    if not c.value.stages or not isinstance(c.value.stages[-1], st.Split):
        return False
    return any(
        isinstance(n, ast.Assign)
        and isinstance(n.targets[0], (ast.Tuple, ast.List))
        and len(n.targets[0].elts) > 1
        and all(isinstance(t, (ast.Name, ast.Attribute)) for t in n.targets[0].elts)
        and isinstance(n.value, ast.Call)
        and any((m.use or m.place).line == n.lineno for m in c.marks)
        and _is_split(n.value)
        for n in walk(c.node)
    )


def _is_split(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("split", "rsplit")


def only_first(c: Candidate) -> bool:
    """Whether a loop over the pieces ends with the first that is not empty."""
    return any(_ends_at_once(loop) for loop in _loops(c) if isinstance(loop, ast.For))


def _ends_at_once(loop: ast.For) -> bool:
    first = loop.body[0]
    if isinstance(first, ast.If) and isinstance(first.test, ast.Name) and isinstance(loop.target, ast.Name):
        first = first.body[0] if first.test.id == loop.target.id else first
    return isinstance(first, ast.Break)


_PROPERTIES = re.compile(r"\.(?:\w+_)?(?:style|role|attr|attribute|option|flag|class_?name|modifier)s?(?:\[[^\]]*\])*$")


def names_properties(c: Candidate) -> bool:
    """Whether names of styles, roles or options come out, which stand in an attribute beside one another."""
    if COMPARED & {u.how for u in c.uses}:
        return False
    plain = (st.Split, st.StopWords, st.Strip, st.KeepIf, st.Condition)
    blank = all(isinstance(s, plain) and st.pattern_of(s) is None for s in _flat(c))
    return blank and _PROPERTIES.search(c.value.root) is not None


_POSITIONS = frozenset({"start", "end"})


def only_positions(c: Candidate) -> bool:
    """Whether nothing is asked of matches but where they begin (or end): a text is cut there, no word comes out.

    Both ends of a match are a word.
    """
    if c.value.shape != "matches" or telling(c.uses):
        return False
    targets = {loop.target.id for loop in _loops(c) if isinstance(loop.target, ast.Name)}
    loads = [n for n in walk(c.node) if isinstance(n, ast.Name) and n.id in targets and isinstance(n.ctx, ast.Load)]
    asked = [n for n in walk(c.node) if isinstance(n, ast.Attribute) and n.value in loads]
    return (
        bool(asked)
        and len(asked) == len(loads)
        and len({n.attr for n in asked} & _POSITIONS) == 1 == len({n.attr for n in asked})
    )


_ACCOUNTS = re.compile(
    r"(?:^|_)(?:nicks?|user_?names?|screen_?names?|(?:\w+_)?handles?)(?:_?(?:re|rx|regexp?|pattern|pat))?$",
    re.IGNORECASE,
)


def are_accounts(c: Candidate) -> bool:
    """Whether names of accounts come out, which are ASCII by the rules of who gives them."""
    patterns = [s.pattern.shown() for s in _extracts(c)]
    if not patterns or any(not p.isascii() or re.search(r"\\[wpPuU]", p) for p in patterns):
        return False
    used = {
        n.id if isinstance(n, ast.Name) else n.attr
        for n in walk(c.node)
        if isinstance(n, (ast.Name, ast.Attribute)) and _near(n, c)
    }
    return any(_ACCOUNTS.search(name) for name in (*c.names, *used))


def _near(node: ast.Name | ast.Attribute, c: Candidate) -> bool:
    """Whether a name stands where the candidate's pattern is used."""
    return any((m.use or m.place).line == node.lineno for m in c.marks)


def must_fit(c: Candidate) -> bool:
    """Whether the whole text is refused when a piece doesn't fit a pattern, or all pieces are keys of ASCII."""
    told = telling(c.uses)
    if told and all(u.how == "index" and u.fixed for u in told):
        return True
    return any(_refuses(loop) for loop in _loops(c) if isinstance(loop, ast.For))


def _refuses(loop: ast.For) -> bool:
    """``for word in words: if not re.match(..., word): return False``."""
    for statement in loop.body:
        if not isinstance(statement, ast.If) or not isinstance(statement.body[-1], (ast.Raise, ast.Return)):
            continue
        end = statement.body[-1]
        refused = isinstance(end, ast.Raise) or (isinstance(end.value, ast.Constant) and not end.value.value)
        tests = [n.operand for n in walk(statement.test) if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not)]
        if refused and any(_asks_pattern(t, loop.target) for t in tests):
            return True
    return False


def _asks_pattern(test: ast.expr, target: ast.expr) -> bool:
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Attribute)
        and test.func.attr in ("match", "fullmatch")
        and any(isinstance(a, ast.Name) and isinstance(target, ast.Name) and a.id == target.id for a in test.args)
    )


def are_escaped(c: Candidate) -> bool:
    """Whether single characters are found to be replaced in the text: those that are not allowed."""
    if not any(re.fullmatch(r"\[\^(?:\\.|[^\]\\])*\]", s.pattern.shown(), re.DOTALL) for s in _extracts(c)):
        return False
    targets = {loop.target.id for loop in _loops(c) if isinstance(loop.target, ast.Name)}
    return any(
        isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and n.func.attr == "replace"
        and bool(n.args)
        and isinstance(n.args[0], ast.Name)
        and n.args[0].id in targets
        for n in walk(c.node)
    )


def edited_in_place(c: Candidate) -> bool:
    """Whether the blanks are kept as pieces and all is joined again with nothing between: an editor of the text."""
    cuts = [s for s in _flat(c) if isinstance(s, st.Split)]
    if not any(s.pattern is not None and _KEPT_BLANKS.fullmatch(s.pattern.shown()) for s in cuts):
        return False
    hows = {u.how for u in c.uses}
    return "join" in hows and not hows & {*COMPARED, "in", "index"}


_KEPT_BLANKS = re.compile(r"\((?:\\s|\[ \]| )[+*]?\)")


def goes_with_whole_name(c: Candidate) -> bool:
    """Whether ``filename*=utf-8''...`` stands beside it, which has the whole name."""
    return any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and "filename*=" in n.value.lower()
        for n in walk(c.node)
    )


def _flat(c: Candidate) -> list[st.Stage]:
    return list(st.flat_stages(c.value.stages))


def _extracts(c: Candidate) -> list[st.Extract]:
    return [s for s in _flat(c) if isinstance(s, st.Extract)]


def _loops(c: Candidate) -> Iterator[ast.For | ast.comprehension]:
    """The loops of the function over what the candidate's statements give."""
    lines = c.lines
    for n in walk(c.node):
        if isinstance(n, (ast.For, ast.comprehension)):
            first, last = n.iter.lineno, n.iter.end_lineno or n.iter.lineno
            named = isinstance(n.iter, ast.Name) and n.iter.id in c.names
            if named or any(first <= line <= last for line in lines):
                yield n


_LOOKS = re.compile(r"^arg:.*(?:\.(?:get|count|find|has)$|match|score|search|simil|distance)")


def summed_up(c: Candidate) -> bool:
    """Whether a loop over the pieces does nothing but add numbers up, and none of them is looked for anywhere."""
    if {u.how for u in c.uses} & {*COMPARED, "in", "index", "container"} or any(_LOOKS.search(u.how) for u in c.uses):
        return False
    loops = [loop for loop in _loops(c) if isinstance(loop, ast.For)]
    numbers = {
        t.id
        for n in walk(c.node)
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, (int, float))
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    return bool(loops) and not c.returned and all(_adds_up(loop.body, numbers) for loop in loops)


def _adds_up(body: list[ast.stmt], numbers: set[str]) -> bool:
    for statement in body:
        if isinstance(statement, ast.If):
            if not (_adds_up(statement.body, numbers) and _adds_up(statement.orelse, numbers)):
                return False
        elif not (
            isinstance(statement, (ast.Continue, ast.Pass))
            or (
                isinstance(statement, ast.AugAssign)
                and isinstance(statement.op, ast.Add)
                and isinstance(statement.target, ast.Name)
                and statement.target.id in numbers
            )
        ):
            return False
    return True


_PURPOSES: tuple[tuple[Callable[[Candidate], bool], str], ...] = (
    (reads_code, "its pieces are the numbers, names and operators of code"),
    (summed_up, "numbers are added up over its pieces"),
    (become_numbers, "its pieces are only read as numbers"),
    (fill_a_list, "a list of words is read, not a text"),
    (unpacked, "as many fields come out as there are names for them"),
    (only_first, "only the first piece is taken"),
    (names_properties, "names of styles or options are listed"),
    (only_positions, "only the positions of its matches are used"),
    (are_accounts, "names of accounts come out, which are ASCII"),
    (must_fit, "what doesn't fit a grammar of ASCII is refused"),
    (are_escaped, "characters that are not allowed are found, and replaced"),
    (edited_in_place, "its pieces are joined again with the blanks between them"),
)
