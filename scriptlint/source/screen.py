"""Which functions are worth tracing: a look that costs microseconds where tracing costs milliseconds.

A function whose only work on text is patterns that are written out, none of which gives words or loses letters, can't
hold a tokenizer. A pattern that can't be read here (assembled, passed in, imported) is always worth a trace.
"""

from __future__ import annotations

import ast
import bisect
import re
from functools import cached_property
from typing import TYPE_CHECKING

from scriptlint.pattern.engines import refuse_expansion
from scriptlint.source.blocks import any_between, occurrences
from scriptlint.source.prefilter import LIBRARY, imports_engine
from scriptlint.source.promise import gives_words
from scriptlint.source.signs import comparisons, hints, named
from scriptlint.source.traced import names_in
from scriptlint.tokenizer.model import BadPattern
from scriptlint.tokenizer.trees import walk
from scriptlint.tokenizer.values import on_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.source.blocks import Block, FunctionNode
    from scriptlint.source.module import SourceModule
    from scriptlint.tokenizer.stages import Dialect

_CALL = {
    ".find": re.compile(r"\.find(?:all|iter)\b[ \t]*(\()?"),
    ".sub": re.compile(r"\.subn?\b[ \t]*(\()?"),
    ".compile": re.compile(r"\.compile[ \t]*(\()"),
    ".match": re.compile(r"\.match[ \t]*(\(|(?:#[^\n]*)?$)", re.MULTILINE),
    ".fullmatch": re.compile(r"\.fullmatch[ \t]*(\(|(?:#[^\n]*)?$)", re.MULTILINE),
    ".search": re.compile(r"\.search[ \t]*(\()"),
    ".split": re.compile(r"\.split[ \t]*(\((?!\s*(?:\)|maxsplit))|(?:#[^\n]*)?$)", re.MULTILINE),
}  # fmt: skip
"""A call of a pattern, or its method alone (``find = WORD.findall``)."""
_QUOTED = re.compile(r"\s*[\"']")
_RENAMED = re.compile(r"import[ \t]+(?:re|regex)[ \t]+as[ \t]+(\w+)")
_NAMED_METHOD = re.compile(r"[ \t]*(?:self\.|cls\.)?(\w+)[ \t]*(?::[^=\n]*)?=[^=]")
_METHODS = frozenset({"findall", "finditer", "split", "sub", "subn"})
_ANCHORED = frozenset({"match", "fullmatch"})
_ENGINES = frozenset({"re", "regex"})
_PLAIN_FLAGS = frozenset({"M", "MULTILINE", "S", "DOTALL", "U", "UNICODE"})
"""Flags under which a pattern takes the same words."""
_ARRAYS_AND_PATHS = frozenset({"torch", "numpy", "tensorflow", "jax", "os", "posixpath", "shlex"})
"""Modules with a ``split`` of their own."""
_OF_TEXT = re.compile(r"split\(|lower\(|[tT]oken|[wW]ord|[tT]erm|[kK]eyw|[gG]ram|[tT]ext|[qQ]uery")
_PIECEWISE = re.compile(r"\.split\(\)|[\"']{2}\.join\(")
"""Words are cut at spaces, or characters put together."""
_DEF = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*[,)]")
_LITERAL = re.compile(
    r"\s*(?:([rRuU]?(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')(?![\"']))(\s*[,)])?|[rRuUbBfF]*[\"'])", re.DOTALL
)
"""A literal as the first argument, and whether it is all of it."""


class Screen:
    """What in one file is worth a closer look. Words are looked for once in the whole file; what stands where is then
    told by offsets."""

    def __init__(self, module: SourceModule) -> None:
        self.module = module
        text = module.text
        self.hints = sorted(hints(text))
        """Offsets of work on text that is no call of a pattern."""
        self.splits = list(occurrences(text, ".split("))
        self.named = sorted(named(text)) if self.splits else []
        self.compared = sorted(comparisons(text)) if self.splits else []
        """Offsets of cuts of text, of functions that are called after that, and of comparisons of pieces."""
        self.engines = _ENGINES | {m[1] for m in _RENAMED.finditer(text)}
        """What an engine is called in the file."""
        found = sorted(
            (at, m) for needle, call in _CALL.items() for at in occurrences(text, needle) if (m := call.match(text, at))
        )
        calls = [(at, m.end()) for at, m in found if m[1] == "(" and self._may_cut(at, m.end())]
        self.calls = [at for at, _ in calls]
        self.arguments = [end for _, end in calls]
        """Offsets of calls of patterns, and of what they are given."""
        self.alone = [at for at, m in found if m[1] != "("]
        """Offsets of methods of patterns that are not called there."""
        piecewise = any(said in text for said in (".split()", '"".join(', "''.join("))
        self.helped = sorted(self._helped()) if piecewise else []
        """Offsets of calls of a function of this file that works on text."""
        self.engine = imports_engine(text.encode()) or any(self._is_engine(at) for at in self.calls)
        self.takers = self._takers()
        """Functions of this file that are given a pattern, and what stands for them with one."""
        renamed = any(f"{name} as " in text for name in LIBRARY)
        self.aliased = bool(self.takers or self.alone) or "from re" in text or renamed

    def blocks(self) -> list[Block]:
        """The blocks that may hold something to trace, in order; all of the top level when any of it may."""
        module = self.module
        if not (self.aliased or self.hints or self.named or self.compared or self.calls):
            return []
        names = self.names() if self.aliased else None
        found = []
        for block in module.blocks:
            end = block.start + len(block.text)
            if self.within(block.start, end) or (names is not None and names.search(block.text)):
                found.append(block)
        plain = any(b.kind == "plain" for b in found)
        if found:
            # What stands in a function is told by the constants and the imports of the top level.
            module.top_level()
        return [b for b in module.blocks if b in found or (plain and b.kind == "plain")]

    def within(self, start: int, end: int) -> bool:
        """Whether anything of interest stands in this range of the file."""
        return self.hinted(start, end) or any_between(self.calls, start, end)

    def hinted(self, start: int, end: int) -> bool:
        """Whether work on text that is no call of a pattern stands in this range."""
        if any_between(self.hints, start, end):
            return True
        if any_between(self.named, start, end) and any_between(self.splits, start, end):
            return True
        if any_between(self.helped, start, end) and _PIECEWISE.search(self.module.text, start, end):
            return True
        # Sets of anything are compared; those of words are in a function that speaks of them.
        return any_between(self.compared, start, end) and _OF_TEXT.search(self.module.text, start, end) is not None

    def _helped(self) -> Iterator[int]:
        text = self.module.text
        defined = [(m.start(), m[1]) for m in _DEF.finditer(text)]
        ends = [at for at, _ in defined[1:]] + [len(text)] * bool(defined)
        for name in {
            name
            for (at, name), end in zip(defined, ends, strict=True)
            if not name.startswith("__") and (any_between(self.hints, at, end) or any_between(self.calls, at, end))
        }:
            yield from occurrences(text, f"({name}, ")
            for at in occurrences(text, f"{name}("):
                if not (text.endswith("def ", 0, at) or text[at - 1 : at].isidentifier()):
                    yield at

    def _takers(self) -> frozenset[str]:
        text = self.module.text
        calls = zip(self.calls, self.arguments, strict=True)
        cutting = ((at, end) for at, end in calls if text.startswith((".find", ".sub", ".split"), at))
        given = [(at, m[1]) for at, end in cutting if self._is_engine(at) and (m := _NAMED.match(text, end))]
        if not given:
            return frozenset()
        defined = list(_DEF.finditer(text))
        starts = [m.start() for m in defined]
        found: set[str] = set()
        for at, name in given:
            i = bisect.bisect_right(starts, at) - 1
            if i >= 0 and re.search(rf"\b{name}\b", text[defined[i].end() : text.find("):", defined[i].end())]):
                found.add(defined[i][1])
        if found:
            partial = rf"^(\w+)[ \t]*=[ \t]*(?:functools\.)?partial\(\s*(?:{'|'.join(sorted(found))})\b"
            found |= {m[1] for m in re.finditer(partial, text, re.MULTILINE)}
        return frozenset(n for n in found if not n.startswith("__"))

    def _is_engine(self, at: int) -> bool:
        """Whether what a method at this offset is asked of is called an engine."""
        text = self.module.text
        for name in self.engines:
            if text.endswith(name, 0, at):
                before = text[at - len(name) - 1 : at - len(name)] if at > len(name) else ""
                if not (before.isidentifier() or before.isdigit() or before == "."):
                    return True
        return False

    def _may_cut(self, at: int, argument: int) -> bool:
        """Whether a call of ``split`` may be that of a pattern: what cuts at a literal is text, or an engine."""
        text = self.module.text
        return not text.startswith(".split", at) or not _QUOTED.match(text, argument) or self._is_engine(at)

    @cached_property
    def aliases(self) -> frozenset[str]:
        """Names of the module that stand for functions of an engine, of a library, for the method of a pattern."""
        self.module.top_level()
        text = self.module.text
        held = (_NAMED_METHOD.match(text, text.rfind("\n", 0, at) + 1, at + 1) for at in self.alone)
        names = pattern_names(self.module) | {m[1] for m in held if m is not None}
        return (
            names
            | self.takers
            | {
                name
                for name, (source, attribute, _) in self.module.imports.items()
                if attribute is not None and (source in _ENGINES or (attribute in LIBRARY and attribute != name))
            }
        )

    def names(self) -> re.Pattern[str] | None:
        """A pattern that finds the aliases in text."""
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(self.aliases)))})\b") if self.aliases else None

    def worth_tracing(self, node: FunctionNode) -> bool:
        """Whether a function may hold a tokenizer, a key or a keyword between boundaries."""
        start, end = self.module.range_of(node)
        if self.hinted(start, end):
            return True
        if any_between(self.alone, start, end) and any(self._is_handed_on(a) for a in attributes_in(node)):
            return True
        if not any_between(self.calls, start, end) and not (
            self.aliased and (self.aliases & names_in(node) or any(a.attr in self.aliases for a in attributes_in(node)))
        ):
            return False
        return any(self._promising(call) for call in calls_in(node))

    def _is_handed_on(self, node: ast.Attribute) -> bool:
        """Whether the method of a pattern is given to something that may call it (``map(WORD.findall, texts)``)."""
        return node.attr in ("findall", "finditer", "sub", "subn") and (
            bool(_engine(node.value, self.module)) or self._may_be_pattern(node.value)
        )

    def _promising(self, call: ast.Call) -> bool:
        module, func = self.module, call.func
        if isinstance(func, ast.Name):
            imported = module.imports.get(func.id)
            if imported is None or imported[1] is None or imported[0] not in _ENGINES:
                return func.id in self.aliases if self.aliased else False
            engine, method, pattern = imported[0], imported[1], call.args[0] if call.args else None
        elif isinstance(func, ast.Attribute):
            method = func.attr
            engine = _engine(func.value, module)
            if self.aliased and method in self.aliases:
                return True
            if engine:
                pattern = call.args[0] if call.args else None
            elif method in _METHODS:
                if method == "split" and not (isinstance(func.value, (ast.Name, ast.Attribute)) and call.args):
                    return False
                if method == "split" and isinstance(call.args[0], ast.Constant):
                    return False
                if not self._may_be_pattern(func.value):
                    return False
                pattern, engine = func.value, ""
            else:
                # ``p.match(text)`` of a filter matters, and what ``p`` is has to be known for that.
                return method in _ANCHORED and self._may_be_pattern(func.value) and _filters(func.value, module)
        else:
            return False
        if _has_flags(call, method, bool(engine)):
            # What the flags make of the pattern is read where it is traced.
            return True
        if method == "compile":
            return not isinstance(pattern, ast.Constant) or gives_words(pattern.value, "findall", "re")
        if method in _ANCHORED:
            return _filters(pattern, module)
        if method not in _METHODS:
            return method == "search" and not isinstance(pattern, ast.Constant)
        known = _literal(pattern, module)
        if known is None:
            return True
        text, dialect = known
        return gives_words(text, method, "regex" if engine == "regex" else dialect)

    def _may_be_pattern(self, node: ast.expr) -> bool:
        """Whether a receiver may be a pattern: where no engine is in sight it comes from another module or a base."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        imported = self.module.imports.get(node.id) if isinstance(node, ast.Name) else None
        if imported is not None:
            return imported[0].partition(".")[0] not in _ARRAYS_AND_PATHS
        return self.engine or (isinstance(node, ast.Name) and node.id in ("self", "cls"))

    def invalid_literals(self) -> Iterator[BadPattern]:
        """Patterns written out in calls of the engines that do not compile."""
        if not self.engine:
            return
        for block in self.module.blocks:
            if self._may_be_invalid(block):
                yield from invalid_literals(self.module.statements(block), self.module)

    def _may_be_invalid(self, block: Block) -> bool:
        """Whether a pattern in a block does not compile, or can't be read without a parser."""
        text = self.module.text
        first = bisect.bisect_left(self.calls, block.start)
        last = bisect.bisect_left(self.calls, block.start + len(block.text))
        for at, argument in zip(self.calls[first:last], self.arguments[first:last], strict=True):
            m = _LITERAL.match(text, argument)
            if m is None or not text[at - 1 : at].isidentifier():
                continue
            if m[1] is None or m[2] is None:
                return True
            try:
                pattern = ast.literal_eval(m[1])
                _compiled_regex(pattern) if text.endswith("regex", 0, at) else re.compile(pattern)
            except Exception:  # each engine has an error type of its own
                return True
        return False


def _has_flags(call: ast.Call, method: str, of_engine: bool) -> bool:
    """Whether a call of an engine changes what its pattern means."""
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(method, 2)
    given = call.args[at] if of_engine and len(call.args) > at else None
    given = next((k.value for k in call.keywords if k.arg == "flags"), given)
    return given is not None and not (isinstance(given, ast.Attribute) and given.attr in _PLAIN_FLAGS)


_nodes_in = on_node(walk)


@on_node
def attributes_in(node: ast.AST) -> tuple[ast.Attribute, ...]:
    """The attributes that a function asks for."""
    return tuple(n for n in _nodes_in(node) if type(n) is ast.Attribute)


@on_node
def calls_in(node: ast.AST) -> tuple[ast.Call, ...]:
    """The calls of a function."""
    return tuple(n for n in _nodes_in(node) if type(n) is ast.Call)


def pattern_names(module: SourceModule) -> frozenset[str]:
    """Names of the module that stand for a pattern's method (``find = re.compile(...).findall``)."""
    if module.bound_names is None:
        module.bound_names = frozenset(
            name
            for name, value in module.assigned.items()
            if isinstance(value, ast.Attribute) and value.attr in _METHODS | _ANCHORED
        )
    return module.bound_names


def _engine(node: ast.expr, module: SourceModule) -> str:
    """``re`` or ``regex`` when this is that module under any name."""
    if isinstance(node, ast.Name):
        imported = module.imports.get(node.id)
        if imported is not None and imported[1] is None and imported[0] in _ENGINES:
            return imported[0]
        if node.id in _ENGINES:
            return node.id
    return ""


def _literal(node: ast.expr | None, module: SourceModule) -> tuple[str, Dialect] | None:
    """The text of a pattern that is written out, here or as a constant of the module."""
    dialect: Dialect = "re"
    for _ in range(3):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value, dialect
        if isinstance(node, ast.Name) and node.id in module.assigned:
            node = module.assigned[node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            if _engine(node.func.value, module) == "regex":
                dialect = "regex"
            if len(node.args) > 1 or node.keywords:
                return None
            node = node.args[0] if node.args else None
    return None


def _filters(node: ast.expr | None, module: SourceModule) -> bool:
    """Whether an anchored pattern may be a filter of words: unknown, or a class without a letter of its own."""
    known = _literal(node, module)
    if known is None:
        return isinstance(node, ast.Name) is False and node is not None and not isinstance(node, ast.Attribute)
    return gives_words(known[0], "match", known[1])


def _compiled_regex(text: str) -> object:
    import regex

    refuse_expansion(text)
    return regex.compile(text, ignore_unused=True, **dict.fromkeys(re.findall(r"\\L<(\w+)>", text), ()))


def invalid_literals(body: list[ast.stmt], module: SourceModule) -> Iterator[BadPattern]:
    """Patterns written out in calls of the engines that do not compile."""
    from scriptlint.source.literals import code_point_place

    methods = _METHODS | _ANCHORED | {"compile", "search"}
    for call in (n for statement in body for n in walk(statement)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in methods):
            continue
        engine = _engine(call.func.value, module)
        if (
            not engine
            or not call.args
            or not isinstance(call.args[0], ast.Constant)
            or len(call.args) + len(call.keywords) > 2
        ):
            continue
        text = call.args[0].value
        if not isinstance(text, str):
            continue
        try:
            re.compile(text) if engine == "re" else _compiled_regex(text)
        except Exception as error:  # each engine has an error type of its own
            said = getattr(error, "msg", None) or str(error)
            shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
            yield BadPattern(code_point_place(call.args[0], module), str(said), getattr(error, "pos", None), shown)
