"""What a module's constants do to scores: factors for some scripts alone, absolute thresholds, hand-kept tables.

Read with ``ast``; nothing is evaluated but literals and names of literals.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint.source.blocks import any_between
from scriptlint.source.literals import code_point_place
from scriptlint.source.scripttests import Tests
from scriptlint.source.telling import pair_places, telling_places
from scriptlint.tokenizer.trees import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scriptlint.source.blocks import Block
    from scriptlint.source.module import SourceModule
    from scriptlint.tokenizer.stages import Site
    from scriptlint.unicode.codepoints import CodePoints

_SCORE = re.compile(r"scor|sim|relevan|weight|rank|confid|value|total|points|strength", re.IGNORECASE)
_GATE = re.compile(r"gate|thresh|cut_?off|min\w*(?:scor|sim|relev|conf)|(?:scor|sim|relev|conf)\w*min", re.IGNORECASE)
_NO_SCORE = re.compile(r"len|count|size|chars|width|depth|age|version|year|limit|max|time|second|byte", re.IGNORECASE)
_MANY = 20
_LEAST_ENTRIES = 3
"""Entries below which a table bridges nothing."""
_QUERYISH = re.compile(
    r"query|search|expand|rewrite|token|lookup|retriev|match|normali|\bq\b|prompt|text", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A comparison of a score with a number. ``shown`` is ``GATE_MIN = 6.0`` or the number."""

    place: Site
    shown: str


@dataclass(frozen=True, slots=True)
class ScaledScore:
    """A factor that is applied when a text is of certain scripts.

    ``constant`` is the factor's name, empty for a literal. ``scripts`` are those that the test asks for (ISO 15924),
    ``test`` its place.
    """

    place: Site
    factor: float
    constant: str
    scripts: tuple[str, ...]
    test: Site
    statement: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bridge:
    """A table of words with words of another script. ``pairs``: (script, script) -> entries, as it is written.

    ``used`` says that code which handles queries reads it.
    """

    place: Site
    name: str
    pairs: Mapping[tuple[str, str], int]
    used: bool
    statement: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """What was found in one module."""

    scaled: tuple[ScaledScore, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    bridges: tuple[Bridge, ...] = ()


def score_facts(module: SourceModule) -> ScoreFacts | None:
    """The facts of a module; ``None`` when nothing in it tells scripts apart, or it is nested too deep to tell.

    Raises ``SyntaxError``.
    """
    try:
        return _score_facts(module)
    except RecursionError:
        return None


def _score_facts(module: SourceModule) -> ScoreFacts | None:
    places, pairs = telling_places(module.text), pair_places(module.text)
    if not places and len(pairs) < _LEAST_ENTRIES:
        return None
    of_interest = sorted((*places, *pairs))
    near = [b for b in module.blocks if b.kind == "plain" or any_between(of_interest, b.start, b.start + len(b.text))]
    scan = _Scan(module, near)
    scan.scales(places)
    if not scan.scaled and not any(scan.bridges()):
        return ScoreFacts()
    scan = _Scan(module, module.blocks)
    scan.scales(places)
    return ScoreFacts(tuple(scan.scaled), tuple(scan.thresholds()), tuple(scan.bridges()))


class _Scan:
    def __init__(self, module: SourceModule, blocks: list[Block]) -> None:
        self.module = module
        body = [s for b in blocks for s in module.statements(b)]
        self.nodes = [n for s in body for n in walk(s)]
        self.numbers: dict[str, float] = {}
        for node in _constants(body):
            value = _literal_number(node.value)
            if value is not None:
                self.numbers[_target(node)] = value
        self.tests = Tests(self.nodes)
        self.scaled: list[ScaledScore] = []

    def site(self, node: ast.expr | ast.stmt) -> Site:
        """A node's place, columns in code points."""
        return code_point_place(node, self.module)

    def number(self, node: ast.expr | None) -> tuple[float, str] | None:
        """A number and the name it goes by."""
        value = _literal_number(node)
        if value is not None:
            return value, ""
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        return (self.numbers[name], name) if name in self.numbers else None

    # --- thresholds ---

    def thresholds(self) -> Iterator[Threshold]:
        """Comparisons of a score with a number."""
        for node in self.nodes:
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                if not isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
                    continue
                for score, limit in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                    found = self.number(limit)
                    if found is not None and self.number(score) is None and _is_gate(score, *found):
                        value, name = found
                        yield Threshold(self.site(node), f"{name} = {value:g}" if name else f"{value:g}")

    # --- factors ---

    def scales(self, places: list[int]) -> None:
        """Fill ``scaled`` from the functions in which something tells scripts apart."""
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not any_between(places, *self.module.range_of(node)):
                    continue
                returns = [r.value for r in walk(node) if isinstance(r, ast.Return)]
                plain = len(returns) > 1 and all(self.number(r) is not None for r in returns)
                self._body(node.body, plain)

    def _body(self, body: list[ast.stmt], plain: bool) -> None:
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            if isinstance(statement, ast.If):
                points = self.tests.points(statement.test)
                if points:
                    self._under(statement.body, statement.test, points, plain)
            for expression in walk(statement) if not _has_body(statement) else _own(statement):
                if isinstance(expression, ast.IfExp):
                    self._choice(expression, statement)
            for inner in _bodies_of(statement):
                self._body(inner, plain)

    def _under(self, body: list[ast.stmt], test: ast.expr, points: CodePoints, plain: bool) -> None:
        """Statements that run when a text is of certain scripts."""
        for statement in (s for one in body for s in walk(one) if isinstance(s, ast.stmt)):
            if isinstance(statement, ast.AugAssign):
                if isinstance(statement.op, (ast.Mult, ast.Div)):
                    self._add(statement, statement.value, test, points, statement)
                continue
            if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) or not statement.value:
                continue
            if isinstance(statement, ast.Return) and plain:
                self._add(statement, statement.value, test, points, statement)
            else:
                for node in walk(statement.value):
                    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
                        factor = node.right if self.number(node.right) else node.left
                        self._add(node, factor, test, points, statement)

    def _choice(self, node: ast.IfExp, statement: ast.stmt) -> None:
        """``0.35 if is_hangul(token) else 1.0``."""
        points = self.tests.points(node.test)
        one, other = self.number(node.body), self.number(node.orelse)
        if not points or one is None or other is None or one[0] == other[0]:
            return
        factor = node.body if one[0] != 1 else node.orelse
        self._add(node, factor, node.test, points if factor is node.body else ~points, statement)

    def _add(
        self, place: ast.expr | ast.stmt, factor: ast.expr, test: ast.expr, points: CodePoints, statement: ast.stmt
    ) -> None:
        found = self.number(factor)
        if found is None or found[0] in (0, 1):
            return
        site = self.site(place)
        scripts = _scripts(points)
        if scripts and all(s.place != site for s in self.scaled):
            lines = (test.lineno, statement.end_lineno or statement.lineno)
            lines = (min(lines[0], statement.lineno), lines[1])
            self.scaled.append(ScaledScore(site, *found, scripts, self.site(test), lines))

    # --- tables ---

    def bridges(self) -> Iterator[Bridge]:
        """Tables of words whose two sides are of different scripts."""
        for node in self.nodes:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
                continue
            name = _target(node)
            entries = list(_entries(node.value))
            if not name or len(entries) < _LEAST_ENTRIES:
                continue
            pairs: dict[tuple[str, str], int] = {}
            for left, right in entries:
                pair = (_script(left), _script(right))
                if "" not in pair and pair[0] != pair[1]:
                    pairs[pair] = pairs.get(pair, 0) + 1
            if not pairs or _is_transliteration(entries):
                continue
            lines = (node.lineno, node.lineno)
            yield Bridge(self.site(node.targets[0] if isinstance(node, ast.Assign) else node.target), name, pairs,
                         self._is_used(name), lines)  # fmt: skip

    def _is_used(self, name: str) -> bool:
        """Whether a function that handles queries reads the table."""
        for node in self.nodes:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            words = [node.name, *(a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))]
            if any(_QUERYISH.search(w) for w in words) and any(
                (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.Attribute) and n.attr == name)
                for n in walk(node)
            ):
                return True
        return False


def _constants(statements: list[ast.stmt]) -> Iterator[ast.Assign | ast.AnnAssign]:
    """Assignments of one name in the module and its classes."""
    bodies = [statements, *(n.body for n in statements if isinstance(n, ast.ClassDef))]
    for node in (n for body in bodies for n in body):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _target(node):
            yield node


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _literal_number(node: ast.expr | None) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    return None


def _is_gate(score: ast.expr, value: float, name: str) -> bool:
    """Whether a comparison holds a score against an absolute number."""
    if isinstance(score, ast.Call):
        return bool(_GATE.search(name)) and not _NO_SCORE.search(ast.unparse(score.func))
    said = ast.unparse(score)
    if not isinstance(score, (ast.Name, ast.Attribute, ast.Subscript)) or _NO_SCORE.search(said):
        return False
    if name:
        return bool(_GATE.search(name)) or bool(_SCORE.search(said) and not _NO_SCORE.search(name))
    # A literal: 0 only asks whether there is a score at all.
    return value != 0 and bool(_SCORE.search(said))


def _has_body(statement: ast.stmt) -> bool:
    return bool(getattr(statement, "body", None))


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """Expressions in the head of a compound statement."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from walk(child)


def _bodies_of(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(statement, field, None)
        if inner and isinstance(inner, list):
            yield inner
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    for case in getattr(statement, "cases", ()):
        yield case.body


def _entries(node: ast.expr) -> Iterator[tuple[str, str]]:
    """Word and word of a literal table: a mapping, or a sequence of pairs; a list of words gives several entries."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            for word in _words(key) if key is not None else ():
                found = list(_words(value))
                if found:
                    yield word, " ".join(found)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for one in node.elts:
            if isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) == 2:
                left, right = (" ".join(_words(e)) for e in one.elts)
                if left and right:
                    yield left, right


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for one in node.elts:
            yield from _words(one)


def _scripts(points: CodePoints) -> tuple[str, ...]:
    """The scripts that a set of code points stands for: half of their letters, or many of them, are in it."""
    from scriptlint.unicode.scripts import letters_total, sweep

    counts = {code: n for code, (n, _) in sweep(points).items() if n}
    return tuple(code for code, n in counts.items() if n >= _MANY or 2 * n >= letters_total(code))


def _script(text: str) -> str:
    """The script of most of a text's letters; Han and kana together are Japanese only when kana lead."""
    from scriptlint.unicode.scripts import count_by_script

    counts = count_by_script(text)
    return max(sorted(counts), key=counts.__getitem__) if counts else ""


def _is_transliteration(entries: list[tuple[str, str]]) -> bool:
    """Tables of letters (``"ж": "zh"``) bridge alphabets, not words."""
    short = sum(len(left) <= 1 or len(right) <= 1 for left, right in entries)
    return short * 2 > len(entries)
