"""What a tokenizer does to ASCII text, in a form in which equal means the same.

Stages are reduced to what can happen when the text is ASCII: classes are cut down to the characters that can come to
them, what then never matches is left out, and so is what then changes nothing. Two tokenizers with the same form make
the same tokens of every ASCII text. The other way round nothing is said: different forms may still do the same.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeAlias

from scriptlint.pattern import PatternError, PatternTooComplex, ir
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.trees import TURNED
from scriptlint.unicode.casing import ASCII
from scriptlint.unicode.codepoints import CodePoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scriptlint.tokenizer.stages import Pattern, Stage

__all__ = ["NoForm", "ascii_form", "pattern_form"]

Form: TypeAlias = tuple[Any, ...]
NOTHING: Form = ("nothing",)
_ENCODINGS = frozenset(("ascii", "us-ascii", "utf-8", "utf8", "latin-1", "latin1", "iso-8859-1"))


class NoForm(Exception):  # noqa: N818  (a result, not a fault)
    """A stage about which nothing can be proved; the text says which."""


def ascii_form(stages: Sequence[Stage]) -> Form:
    """The form of a chain of stages. Raises NoForm."""
    form, _ = _chain(stages, ASCII)
    return form


def pattern_form(pattern: Pattern, alphabet: CodePoints = ASCII, *, groups: bool = True) -> Form | None:
    """The form of a pattern over texts of these characters; ``None``: it never matches. Raises NoForm.

    Without ``groups`` what is captured doesn't count, as long as nothing in the pattern refers to it.
    """
    from scriptlint.pattern import parse

    try:
        low = ir.lower(parse(pattern.text, int(pattern.flags), pattern.dialect))
    except (PatternError, PatternTooComplex, RecursionError) as error:
        raise NoForm(str(error)) from None
    if low.limits or low.order:
        raise NoForm((low.limits or low.order)[0][2])
    form = _Pattern(alphabet, groups).of(low.root)
    if form is not None and form[0] == "seq":
        parts = _without_boundaries(list(form[1:]))
        form = parts[0] if len(parts) == 1 else ("seq", *parts)
    if form is not None and pattern.dialect == "regex" and _may_be_empty(form):
        # The engines go on differently after an empty match.
        form = ("regex", form)
    return form


def _chain(stages: Sequence[Stage], alphabet: CodePoints) -> tuple[Form, CodePoints]:
    out: list[Form] = []
    for stage in stages:
        form, alphabet = _stage(stage, alphabet)
        if form == NOTHING:
            return NOTHING, CodePoints.EMPTY
        if form and form[0] == "chain":
            out.extend(form[1])
        elif form and out and form[0] == out[-1][0] == "length":
            out[-1] = ("length", max(out[-1][1], form[1]), _least(out[-1][2], form[2]))
        elif form:
            out.append(form)
    return ("chain", tuple(out)), alphabet


def _least(a: int | None, b: int | None) -> int | None:
    return min((x for x in (a, b) if x is not None), default=None)


def _stage(stage: Stage, alphabet: CodePoints) -> tuple[Form, CodePoints]:
    """The form of one stage (empty: it changes nothing) and the characters that can come out of it."""
    if isinstance(stage, st.Case):
        after = CodePoints.chars("".join(getattr(chr(c), stage.method)() for c in _few(alphabet)))
        if stage.method in ("lower", "casefold", "upper"):
            # Lower case and folded case are the same for ASCII, and for no more.
            name = "lower" if stage.method == "casefold" and alphabet.issubset(ASCII) else stage.method
            return (() if _unmoved(stage.method, alphabet) else ("case", name)), after
        return ("case", stage.method), alphabet | after
    if isinstance(stage, st.Normalize):
        return _needs_ascii(alphabet, stage), alphabet
    if isinstance(stage, st.Encode):
        if stage.encoding.lower() not in _ENCODINGS:
            raise NoForm(stage.describe())
        return _needs_ascii(alphabet, stage), alphabet
    if isinstance(stage, st.Strip):
        return ("strip", stage.method, stage.chars), alphabet
    if isinstance(stage, st.Replace):
        if stage.old and CodePoints.chars(stage.old) - alphabet:
            return (), alphabet
        return ("replace", stage.old, stage.new), alphabet | CodePoints.chars(stage.new)
    if isinstance(stage, st.Translate):
        table = {k: v for k, v in stage.table.items() if k in alphabet}
        new = CodePoints.union(_points(v) for v in table.values())
        return (("translate", tuple(sorted(table.items(), key=str))) if table else ()), alphabet | new
    if isinstance(stage, st.Length):
        return (("length", stage.least, stage.most) if stage.least > 0 or stage.most is not None else ()), alphabet
    if isinstance(stage, st.StopWords):
        if not stage.known:
            raise NoForm(stage.describe())
        words = frozenset(w for w in stage.words if not CodePoints.chars(w) - alphabet)
        return (("stop", words) if words else ()), alphabet
    if isinstance(stage, st.NGrams):
        return ("ngrams", stage.n), alphabet
    if isinstance(stage, st.Chars):
        return ("chars",), alphabet
    if isinstance(stage, st.Join):
        return ("join", stage.separator), alphabet | CodePoints.chars(stage.separator)
    if isinstance(stage, st.Condition):
        return _condition(stage, alphabet), alphabet
    if isinstance(stage, (st.Union, st.Either)):
        return _ways(stage, alphabet)
    return _matching(stage, alphabet)


def _matching(stage: Stage, alphabet: CodePoints) -> tuple[Form, CodePoints]:
    """Stages with a pattern, or with a method in its place."""
    if isinstance(stage, st.Extract):
        form = pattern_form(stage.pattern, alphabet, groups=stage.group != 0)
        if form is None:
            return NOTHING, CodePoints.EMPTY
        return ("extract", form, stage.group, stage.first), alphabet & _may(stage.pattern)
    if isinstance(stage, st.Erase):
        if stage.replacement is None:
            raise NoForm(stage.describe())
        form = pattern_form(stage.pattern, alphabet, groups="\\" in stage.replacement)
        after = (alphabet - _sure(stage.pattern)) | CodePoints.chars(stage.replacement)
        return (("erase", form, stage.replacement), after) if form else ((), alphabet)
    if isinstance(stage, st.Split):
        if stage.pattern is None:
            return ("split", stage.separator), alphabet
        form = pattern_form(stage.pattern, alphabet)
        return (("split on", form), alphabet) if form else (("length", 1, None), alphabet)
    if isinstance(stage, st.KeepIf):
        if stage.pattern is None:
            if stage.method == "isascii" and alphabet.issubset(ASCII):
                return (NOTHING if stage.negated else ()), alphabet
            return ("keep", stage.method, stage.negated), alphabet
        form = pattern_form(stage.pattern, alphabet, groups=False)
        if form is None:
            return (() if stage.negated else NOTHING), alphabet
        return ("keep", stage.method, form, stage.negated), alphabet
    raise NoForm(stage.describe())


def _ways(stage: st.Union | st.Either, alphabet: CodePoints) -> tuple[Form, CodePoints]:
    found = [_chain(chain, alphabet) for chain in stage.chains]
    after = CodePoints.union(a for _, a in found)
    forms = [f for f, _ in found]
    if isinstance(stage, st.Either):
        if any(f != forms[0] for f in forms):
            raise NoForm(stage.describe())
        return forms[0], after
    alive = tuple(f for f in forms if f != NOTHING)
    if not alive:
        return NOTHING, after
    return (alive[0] if len(alive) == 1 else ("union", alive)), after


def _needs_ascii(alphabet: CodePoints, stage: Stage) -> Form:
    if not alphabet.issubset(ASCII):
        raise NoForm(stage.describe())
    return ()


def _few(alphabet: CodePoints) -> list[int]:
    if alphabet.size > 4096:
        raise NoForm("too many characters")
    return list(alphabet.points())


def _unmoved(method: str, alphabet: CodePoints) -> bool:
    return all(getattr(chr(c), method)() == chr(c) for c in _few(alphabet))


def _points(value: int | str | None) -> CodePoints:
    if value is None:
        return CodePoints.EMPTY
    return CodePoints.chars(value) if isinstance(value, str) else CodePoints.of([value])


def _may(pattern: Pattern) -> CodePoints:
    from scriptlint.pattern import analyze

    return analyze(pattern.text, int(pattern.flags), pattern.dialect).may


def _sure(pattern: Pattern) -> CodePoints:
    from scriptlint.pattern import analyze

    return analyze(pattern.text, int(pattern.flags), pattern.dialect).sure


# --- conditions ------------------------------------------------------------------------------------------------------


def _condition(stage: st.Condition, alphabet: CodePoints) -> Form:
    """A test of lengths and ``isascii``: on ASCII text the latter is true."""
    try:
        node = ast.parse(stage.meant or stage.source, mode="eval").body
    except (SyntaxError, ValueError):
        raise NoForm(stage.describe()) from None
    # What must hold together is tested one after the other.
    tests = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
    out: list[Form] = []
    for test in tests:
        value = _truth(test, alphabet, stage)
        if value is False:
            return NOTHING
        if not isinstance(value, bool):
            out.append(value)
    return out[0] if len(out) == 1 else ("chain", tuple(out)) if out else ()


def _truth(node: ast.expr, alphabet: CodePoints, stage: Stage) -> Form | bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, alphabet, stage)
        if isinstance(inner, bool):
            return not inner
        if inner[0] == "length" and inner[2] is None:
            return ("length", 0, inner[1] - 1)
        if inner[0] == "length" and inner[1] == 0:
            return ("length", inner[2] + 1, None)
        raise NoForm(stage.describe())
    if isinstance(node, ast.BoolOp):
        absorbing = isinstance(node.op, ast.Or)
        parts = [_truth(v, alphabet, stage) for v in node.values]
        if any(p is absorbing for p in parts):
            return absorbing
        left = [p for p in parts if not isinstance(p, bool)]
        if not left:
            return not absorbing
        if len(left) == 1:
            return left[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        if node.func.attr == "isascii" and alphabet.issubset(ASCII):
            return True
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        found = _bound(node) or _listed(node)
        if found is not None:
            return found
    raise NoForm(stage.describe())


def _bound(node: ast.Compare) -> Form | None:
    """``len(x) > 2`` or ``2 < len(x)`` as a length."""
    left, op, right = node.left, type(node.ops[0]), node.comparators[0]
    if isinstance(left, ast.Constant):
        left, op, right = right, TURNED.get(op, op), left
    if not (isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len"):
        return None
    if not (isinstance(right, ast.Constant) and type(right.value) is int):
        return None
    n = right.value
    if op in (ast.Gt, ast.GtE):
        return ("length", n + (op is ast.Gt), None)
    if op in (ast.Lt, ast.LtE):
        return ("length", 0, n - (op is ast.Lt))
    return None


def _listed(node: ast.Compare) -> Form | None:
    """``x != "the"`` and ``x not in ("a", "the")`` as stop words."""
    if not isinstance(node.left, ast.Name) or not isinstance(node.ops[0], (ast.NotEq, ast.NotIn)):
        return None
    try:
        value = ast.literal_eval(node.comparators[0])
    except (ValueError, TypeError, SyntaxError):
        return None
    words = [value] if isinstance(node.ops[0], ast.NotEq) else value
    if not isinstance(words, (tuple, list, set)) or not all(isinstance(w, str) for w in words):
        return None
    return ("stop", frozenset(words))


# --- patterns --------------------------------------------------------------------------------------------------------


class _Pattern:
    """Forms of parts of a pattern over an alphabet; ``None`` for what can't match there."""

    def __init__(self, alphabet: CodePoints, groups: bool) -> None:
        self.alphabet = alphabet
        self.groups = groups

    def of(self, node: ir.Ir) -> Form | None:
        if isinstance(node, ir.Cls):
            points = node.points & self.alphabet
            return ("class", points) if points else None
        if isinstance(node, ir.Seq):
            return self.sequence(node.items)
        if isinstance(node, ir.Alt):
            return self.alternation(node.items)
        if isinstance(node, ir.Rep):
            body = self.of(node.body)
            if body is None or node.high == 0:
                return ("seq",) if node.low == 0 else None
            return _repeat(body, node.low, node.high, node.greed)
        if isinstance(node, ir.Cap):
            body = self.of(node.body)
            return body if body is None or not self.groups else ("group", node.number, body)
        if isinstance(node, ir.Atom):
            body = self.of(node.body)
            return None if body is None else ("atomic", body)
        if isinstance(node, ir.See):
            body = self.of(node.body)
            if body is None:
                return ("seq",) if node.negated else None
            return ("look", node.behind, node.negated, body)
        if isinstance(node, ir.Anchor):
            if node.kind in "bBmM" and node.word is None:
                raise NoForm("a word boundary")
            return ("at", node.kind, node.multiline, node.word & self.alphabet if node.word is not None else None)
        if isinstance(node, ir.Fail):
            return None
        raise NoForm("a construct that only the engine can follow")

    def sequence(self, items: Sequence[ir.Ir]) -> Form | None:
        out: list[Form] = []
        for item in items:
            form = self.of(item)
            if form is None:
                return None
            for part in form[1:] if form[0] == "seq" else (form,):
                if out and (joined := _joined(out[-1], part)) is not None:
                    out[-1] = joined
                else:
                    out.append(part)
        return out[0] if len(out) == 1 else ("seq", *out)

    def alternation(self, items: Sequence[ir.Ir]) -> Form | None:
        out: list[Form] = []
        for item in items:
            form = self.of(item)
            if form is None or form in out:
                continue
            if out and form[0] == out[-1][0] == "class":
                out[-1] = ("class", out[-1][1] | form[1])
            else:
                out.append(form)
        if not out:
            return None
        return out[0] if len(out) == 1 else ("or", *out)


def _repeat(body: Form, low: int, high: int | None, greed: str) -> Form:
    return body if low == high == 1 else ("repeat", body, low, high, greed)


def _joined(left: Form, right: Form) -> Form | None:
    """``xx*`` as ``x+``: repeats of one class, next to each other."""
    a, b = _counted(left), _counted(right)
    if a is None or b is None or a[0] != b[0]:
        return None
    high = None if a[2] is None or b[2] is None else a[2] + b[2]
    return _repeat(a[0], a[1] + b[1], high, "greedy")


def _counted(form: Form) -> tuple[Form, int, int | None] | None:
    if form[0] == "class":
        return form, 1, 1
    if form[0] == "repeat" and form[1][0] == "class" and form[4] == "greedy":
        return form[1], form[2], form[3]
    return None


def _without_boundaries(parts: list[Form]) -> list[Form]:
    r"""``\b\w+\b`` as ``\w+``: a run of all word characters that is taken whole ends where words end.

    Holds for a whole pattern alone: as one branch of several it may start where another branch stopped.
    """
    inner = [p for p in parts if not (p[0] == "at" and p[1] == "b")]
    if len(inner) != 1 or len(inner) == len(parts):
        return parts
    counted = _counted(inner[0])
    words = {p[3] for p in parts if p[0] == "at"}
    if counted is None or counted[2] is not None or counted[1] < 1 or words != {counted[0][1]}:
        return parts
    return inner


def _may_be_empty(form: Form) -> bool:
    if form[0] == "class":
        return False
    if form[0] == "seq":
        return all(_may_be_empty(p) for p in form[1:])
    if form[0] == "or":
        return any(_may_be_empty(p) for p in form[1:])
    if form[0] == "repeat":
        return form[2] == 0 or _may_be_empty(form[1])
    if form[0] == "group":
        return _may_be_empty(form[2])
    return form[0] != "atomic" or _may_be_empty(form[1])
