"""Which functions are worth tracing: a look that costs microseconds where tracing costs milliseconds.

A function whose only work on text is patterns that are written out, none of which gives words or loses letters, can't
hold a tokenizer. A pattern that can't be read here (assembled, passed in, imported) is always worth a trace.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from scriptlint.source.behaviours import FOREIGN, OTHERS, PLAIN, TITLED
from scriptlint.source.traced import names_in
from scriptlint.tokenizer.model import BadPattern
from scriptlint.tokenizer.run import time_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.source.module import FunctionNode, SourceModule
    from scriptlint.tokenizer.stages import Dialect

_BY_CHARACTER = re.compile(
    r"\b(?:isalnum|isalpha|isascii|unicodedata|category|combining|ascii_letters|unidecode|anyascii|slugify|ord)\b|"
    r"\bnormalize\(\s*['\"]NF|['\"](?:ascii|us-ascii)['\"]|\.translate\(|"
    r"Vectorizer|RegexpTokenizer|regexp_tokenize|wordpunct|RougeScorer|BM25|WordCloud|simple_preprocess|Analyzer\(|"
    r"RegexTokenizer|InMemoryDocumentStore|bm25s"
)
_COMPARES = re.compile(
    r"\bset\([^\n]*&|&[^\n]*\bset\(|Counter\(|def \w*[tT]okeni|def \w*preprocess|"
    r"\.split\([^\n]*&|set\([^\n]*split\(|\.intersection\("
)
_CALLS = re.compile(r"\b(?:findall|finditer|split|sub|subn|escape|match|fullmatch|compile|search)\b")
_METHODS = frozenset({"findall", "finditer", "split", "sub", "subn"})
_ANCHORED = frozenset({"match", "fullmatch"})
_ENGINES = frozenset({"re", "regex"})
_SECONDS = 0.5
"""Time for a look at one pattern: those of strangers can backtrack for ever."""


def worth_tracing(node: FunctionNode, module: SourceModule, splits: bool) -> bool:
    """Whether a function may hold a tokenizer, a key or a keyword between boundaries."""
    text = b"\n".join(module.lines[node.lineno - 1 : node.end_lineno]).decode("utf-8", "replace")
    if _BY_CHARACTER.search(text) or (splits and _COMPARES.search(text)):
        return True
    if not _CALLS.search(text) and not (pattern_names(module) & names_in(node)):
        return False
    return any(_promising(call, module) for call in ast.walk(node) if isinstance(call, ast.Call))


def pattern_names(module: SourceModule) -> frozenset[str]:
    """Names of the module that stand for a pattern's method (``find = re.compile(...).findall``)."""
    if module.bound_names is None:
        module.bound_names = frozenset(
            name
            for name, value in module.assigned.items()
            if isinstance(value, ast.Attribute) and value.attr in _METHODS | _ANCHORED
        )
    return module.bound_names


def _promising(call: ast.Call, module: SourceModule) -> bool:
    func = call.func
    if isinstance(func, ast.Name):
        if func.id in pattern_names(module):
            return True
        imported = module.imports.get(func.id)
        if imported is None or imported[0] not in _ENGINES or imported[1] is None:
            return False
        engine, method, pattern = imported[0], imported[1], call.args[0] if call.args else None
    elif isinstance(func, ast.Attribute):
        method = func.attr
        engine = _engine(func.value, module)
        if engine:
            pattern = call.args[0] if call.args else None
        elif method in _METHODS:
            if method == "split" and not (isinstance(func.value, (ast.Name, ast.Attribute)) and call.args):
                return False
            if method == "split" and isinstance(call.args[0], ast.Constant):
                return False
            pattern, engine = func.value, ""
        else:
            # ``p.match(text)`` of a filter matters, and what ``p`` is has to be known for that.
            return method in _ANCHORED and _filters(func.value, module)
    else:
        return False
    if method == "escape":
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


@lru_cache(maxsize=4096)
def gives_words(text: object, method: str, dialect: Dialect) -> bool:
    """Whether a pattern, used in this way, gives words of plain text, or loses letters of other scripts."""
    if not isinstance(text, str):
        return True
    try:
        if dialect == "regex":
            import regex

            pattern = regex.compile(text)
        else:
            pattern = re.compile(text)
        with time_limit(_SECONDS):
            return _gives(pattern, method)
    except Exception:  # the engines' own errors: an invalid pattern is told elsewhere; a slow one is traced
        return True


def _gives(pattern: re.Pattern[str], method: str) -> bool:
    if method in ("sub", "subn"):
        return any(c.isalpha() or c in "िीन" for c in "".join(_matches(pattern, FOREIGN + " " + PLAIN)))
    if method == "split":
        return len(pattern.split(PLAIN)) > 3 or bool("".join(_matches(pattern, FOREIGN)).strip())
    if method == "match":
        return all(pattern.match(w) for w in PLAIN.split()[:4]) and not pattern.match("?!")
    return any(len("".join(_matches(pattern, s))) * 3 >= len(s) for s in (PLAIN, TITLED, *OTHERS))


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (m[0] for m in pattern.finditer(text))


def invalid_literals(module: SourceModule) -> Iterator[BadPattern]:
    """Patterns written out in calls of the engines that do not compile."""
    from scriptlint.source.literals import code_point_place

    if not any(name in _ENGINES for name, _, _ in module.imports.values()):
        return
    methods = _METHODS | _ANCHORED | {"compile", "search"}
    for call in ast.walk(module.tree):
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
            if engine == "re":
                re.compile(text)
            else:
                import regex

                regex.compile(text, ignore_unused=True, **dict.fromkeys(re.findall(r"\\L<(\w+)>", text), ()))
        except Exception as error:  # each engine has an error type of its own
            said = getattr(error, "msg", None) or str(error)
            shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
            yield BadPattern(code_point_place(call.args[0], module), str(said), getattr(error, "pos", None), shown)
