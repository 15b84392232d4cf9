"""The closed list: every function and method that an evaluated program may call."""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import math
import operator
import re
import string
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

from scriptlint.tokenizer.values import Builtin, Hole, Unsupported

STR_METHODS = frozenset(
    [
        "lower",
        "upper",
        "casefold",
        "title",
        "capitalize",
        "swapcase",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "rsplit",
        "splitlines",
        "replace",
        "join",
        "startswith",
        "endswith",
        "find",
        "rfind",
        "index",
        "rindex",
        "count",
        "isalnum",
        "isalpha",
        "isascii",
        "isdigit",
        "isdecimal",
        "isnumeric",
        "isspace",
        "isupper",
        "islower",
        "istitle",
        "isidentifier",
        "isprintable",
        "encode",
        "translate",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
        "zfill",
        "ljust",
        "rjust",
        "center",
        "format",
        "expandtabs",
    ]
)
_BYTES_METHODS = frozenset(
    [
        "decode",
        "lower",
        "upper",
        "strip",
        "split",
        "replace",
        "join",
        "startswith",
        "endswith",
        "find",
        "count",
        "translate",
        "isalnum",
    ]
)
_LIST_METHODS = frozenset(
    ["append", "extend", "insert", "pop", "remove", "clear", "index", "count", "sort", "reverse", "copy"]
)
_DEQUE_METHODS = _LIST_METHODS | {"appendleft", "popleft", "extendleft", "rotate"}
SET_METHODS = frozenset(
    [
        "add",
        "discard",
        "remove",
        "pop",
        "clear",
        "copy",
        "union",
        "intersection",
        "difference",
        "symmetric_difference",
        "update",
        "issubset",
        "issuperset",
        "isdisjoint",
        "difference_update",
        "intersection_update",
    ]
)
DICT_METHODS = frozenset(
    [
        "get",
        "items",
        "keys",
        "values",
        "pop",
        "setdefault",
        "update",
        "copy",
        "clear",
        "most_common",
        "elements",
        "total",
        "subtract",
        "fromkeys",
        "popitem",
        "move_to_end",
    ]
)
_MATCH_METHODS = frozenset(["group", "groups", "groupdict", "start", "end", "span", "expand"])
_PATTERN_METHODS = frozenset(["findall", "finditer", "split", "sub", "subn", "match", "fullmatch", "search"])
PATTERN_ATTRIBUTES = frozenset(["pattern", "flags", "groups", "groupindex"])
_INT_METHODS = frozenset(["bit_length", "is_integer"])


def _regex() -> Any:
    import regex

    return regex


_PATTERN_TYPE, _MATCH_TYPE = type(re.compile("")), type(re.match("", ""))


def is_pattern(value: object) -> bool:
    """Whether this is a compiled pattern of either engine."""
    return isinstance(value, _PATTERN_TYPE) or (
        type(value).__module__ in ("_regex", "regex") and type(value).__name__ == "Pattern"
    )


def is_match(value: object) -> bool:
    """Whether this is a match object of either engine."""
    return isinstance(value, _MATCH_TYPE) or (
        type(value).__module__ in ("_regex", "regex") and type(value).__name__ == "Match"
    )


def methods_of(value: object) -> frozenset[str]:
    if isinstance(value, str):
        return STR_METHODS
    if isinstance(value, (bytes, bytearray)):
        return _BYTES_METHODS
    if isinstance(value, list):
        return _LIST_METHODS
    if isinstance(value, (set, frozenset)):
        return SET_METHODS
    if isinstance(value, dict):
        return DICT_METHODS
    if isinstance(value, tuple):
        return frozenset({"index", "count"})
    if isinstance(value, collections.deque):
        return _DEQUE_METHODS
    if is_match(value):
        return _MATCH_METHODS
    if is_pattern(value):
        return _PATTERN_METHODS
    if isinstance(value, (int, float)):
        return _INT_METHODS
    return frozenset()


_RE_FUNCTIONS = ("compile", "findall", "finditer", "split", "sub", "subn", "match", "fullmatch", "search", "escape")
_RE_FLAGS = (
    "A",
    "ASCII",
    "I",
    "IGNORECASE",
    "M",
    "MULTILINE",
    "S",
    "DOTALL",
    "U",
    "UNICODE",
    "X",
    "VERBOSE",
    "L",
    "LOCALE",
    "NOFLAG",
)
_REGEX_FLAGS = (
    *_RE_FLAGS[:-1],
    "V0",
    "V1",
    "VERSION0",
    "VERSION1",
    "F",
    "FULLCASE",
    "W",
    "WORD",
    "B",
    "BESTMATCH",
    "E",
    "ENHANCEMATCH",
    "R",
    "REVERSE",
    "P",
    "POSIX",
)


def module_attribute(module: str, name: str) -> object:
    """What ``module.name`` is, or a ``Hole`` when it is not in the closed list."""
    if module == "re":
        if name in _RE_FUNCTIONS:
            return Builtin(f"re.{name}", getattr(re, name))
        if name in _RE_FLAGS:
            return getattr(re, name, 0)
    elif module == "regex":
        engine = _regex()
        if name in _RE_FUNCTIONS:
            return Builtin(f"regex.{name}", getattr(engine, name))
        if name in _REGEX_FLAGS and hasattr(engine, name):
            return getattr(engine, name)
    elif module in ("unicodedata", "unicodedata2"):
        if name in (
            "normalize",
            "category",
            "combining",
            "name",
            "east_asian_width",
            "bidirectional",
            "is_normalized",
            "decomposition",
            "numeric",
            "decimal",
            "digit",
        ):
            return Builtin(f"unicodedata.{name}", getattr(unicodedata, name))
    elif module == "string":
        if name in (
            "ascii_letters",
            "ascii_lowercase",
            "ascii_uppercase",
            "digits",
            "punctuation",
            "whitespace",
            "printable",
            "hexdigits",
        ):
            return getattr(string, name)
    elif module == "collections":
        if name in ("Counter", "defaultdict", "OrderedDict", "deque"):
            return Builtin(f"collections.{name}", getattr(collections, name))
    elif module == "itertools":
        if name in (
            "chain",
            "islice",
            "groupby",
            "zip_longest",
            "combinations",
            "product",
            "takewhile",
            "dropwhile",
            "accumulate",
            "pairwise",
        ):
            return Builtin(f"itertools.{name}", getattr(itertools, name))
        if name == "chain.from_iterable":
            return Builtin("itertools.chain.from_iterable", itertools.chain.from_iterable)
    elif module == "functools":
        if name in ("partial", "reduce"):
            return Builtin(f"functools.{name}", getattr(functools, name))
        if name in ("lru_cache", "cache", "wraps"):
            return Builtin(f"functools.{name}", lambda *a, **k: lambda f: f)
    elif module == "math":
        if name in ("log", "log2", "log10", "log1p", "sqrt", "ceil", "floor", "exp", "inf", "pi"):
            value = getattr(math, name)
            return Builtin(f"math.{name}", value) if callable(value) else value
    elif module == "operator":
        if name in ("itemgetter", "or_", "and_", "add", "mul"):
            return Builtin(f"operator.{name}", getattr(operator, name))
    elif module == "os" and name in _SEPARATORS:
        return _SEPARATORS[name]
    elif module == "codecs" and name in ("encode", "decode"):
        return Builtin("str.encode", str.encode) if name == "encode" else Builtin("bytes.decode", bytes.decode)
    elif module == "typing" and name == "cast":
        return Builtin("typing.cast", lambda _t, v: v)
    return Hole(f"{module}.{name}")


_SEPARATORS = {"sep": "/", "extsep": ".", "linesep": "\n", "pathsep": ":"}

MODULES = frozenset(
    {
        "re",
        "regex",
        "os",
        "codecs",
        "unicodedata",
        "unicodedata2",
        "string",
        "collections",
        "itertools",
        "functools",
        "math",
        "operator",
        "typing",
    }
)

BUILTINS: dict[str, Callable[..., Any]] = {
    "len": len, "set": set, "frozenset": frozenset, "list": list, "tuple": tuple, "dict": dict, "str": str, "int": int,
    "float": float, "bool": bool, "sorted": sorted, "reversed": reversed, "enumerate": enumerate, "zip": zip,
    "map": map,
    "filter": filter, "any": any, "all": all, "sum": sum, "min": min, "max": max, "abs": abs, "ord": ord, "chr": chr,
    "range": range, "isinstance": isinstance, "round": round, "iter": iter, "next": next, "repr": repr, "bytes": bytes,
    "hash": hash, "print": lambda *a, **k: None, "divmod": divmod, "hex": hex, "slice": slice,
    "getattr": getattr, "hasattr": hasattr, "callable": callable, "type": type,
}  # fmt: skip
TYPES: dict[str, object] = {
    "str": str, "int": int, "float": float, "bool": bool, "list": list, "tuple": tuple, "dict": dict, "set": set,
    "frozenset": frozenset, "bytes": bytes,
}  # fmt: skip
EXCEPTIONS = frozenset(
    [
        "Exception",
        "ValueError",
        "TypeError",
        "KeyError",
        "IndexError",
        "AttributeError",
        "ImportError",
        "ModuleNotFoundError",
        "LookupError",
        "UnicodeError",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "RuntimeError",
        "StopIteration",
        "NotImplementedError",
        "NameError",
        "OSError",
    ]
)

WORD_TOKENIZE = r"""[^\s;@#$%&?!\[\](){}<>",:]+|[;@#$%&?!\[\](){}<>",:]"""
"""What NLTK's word_tokenize cuts at, contractions and the end of a sentence aside (NLTK 3.9 and 3.10)."""
_LATIN = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d",
          "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ı": "i"}  # fmt: skip


def _transliterate(text: str) -> str:
    """Latin text as every transliteration to ASCII writes it. Raises ``Unsupported``: other scripts are read by tables
    that differ."""
    out = []
    for c in text:
        plain = c if c.isascii() else "".join(x for x in unicodedata.normalize("NFKD", c) if x.isascii())
        plain = plain or _LATIN.get(c, "")
        if not plain:
            raise Unsupported("a transliteration of another script")
        out.append(plain)
    return "".join(out)


STEMMERS = frozenset({"stem", "stemWord", "lemmatize"})
"""Methods of libraries that give the stem of a word. Which it is doesn't matter here: the word stands for it."""
STAND_INS: dict[str, Callable[[str], object]] = {
    "word_tokenize": re.compile(WORD_TOKENIZE).findall,
    **dict.fromkeys(STEMMERS, str),
    **dict.fromkeys(("unidecode", "unidecode_expect_ascii", "anyascii"), _transliterate),
}
"""Functions of libraries by name, with what does the same to a text."""

BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Pow: operator.pow,
}  # fmt: skip
COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
