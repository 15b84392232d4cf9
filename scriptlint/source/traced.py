"""What the tracer knows: traced values, the places they went through, the uses they are put to."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.closed import WORD_TOKENIZE
from scriptlint.tokenizer.trees import walk
from scriptlint.tokenizer.values import Builtin, Function, Hole, on_node

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.tokenizer.stages import Pattern, Site, Stage

Shape = Literal["str", "char", "list", "set", "dict", "chars", "match", "matches", "bytes", "bool", "other"]
COLLECTIONS = frozenset({"list", "set", "dict", "matches", "chars"})

serials = itertools.count()


@dataclass(frozen=True)
class Mark:
    """A place that takes part: where, in which role, in which function, and the stage it made."""

    place: Site
    role: str
    function: str
    pattern: Pattern | None = None
    stage: Stage | None = None
    call: str = ""
    use: Site | None = None
    expression: Site | None = None
    """Where the pattern is compiled or passed, when it is written elsewhere."""


@dataclass(frozen=True, eq=False, repr=False)
class Traced(Hole):
    """Text (or pieces of it) that went through stages. ``root`` is the path of the hole it all started from."""

    path: str = field(default_factory=lambda: f"traced {next(serials)}")
    text: object = None
    root: str = ""
    stages: tuple[Stage, ...] = ()
    shape: Shape = "str"
    marks: tuple[Mark, ...] = ()
    how: tuple[Any, ...] = ()
    owner: str = ""
    element_of: Traced | None = None
    line: int = 0
    serial: int = field(default_factory=lambda: next(serials))
    parents: tuple[Traced, ...] = ()
    name: str = ""
    also: tuple[str, ...] = ()
    """Other holes that the text may come from, one way or the other."""
    ways: tuple[Any, ...] = ()
    """Tests of the language around it: (test, names, scope, which way)."""
    beside: tuple[str, ...] = ()
    """Holes whose text was put together with this one, and is not judged with it: an id, a date, another title."""

    def __hash__(self) -> int:
        return self.serial

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True)
class Compiled:
    """A compiled pattern whose literal is known."""

    pattern: Pattern
    expression: Site | None

    def real(self) -> Any:
        """The engine's object. Raises the engine's error."""
        return self.pattern.compiled()


@dataclass(frozen=True)
class BoundPattern:
    """``re.compile(...).findall`` kept under a name."""

    compiled: Compiled
    method: str


@dataclass(frozen=True)
class Use:
    """What a function does with a traced value: ``how`` is returned, len, setop, in, index, join, arg:name, ..."""

    value: Traced
    how: str
    function: str
    line: int
    fixed: bool = False
    """What it is compared with or looked up in is written out, and can't be in another script."""


@dataclass(frozen=True, eq=False, repr=False)
class Assembled(Hole):
    """Text put together from literals and something unknown, which ``template`` shows as U+FFFC."""

    template: str = ""
    place: st.Site | None = None


GAP = "\ufffc"
KEYWORD = re.compile(r"^(?:\(\?[aiLmsux]+\))?\\b(?:\((?:\?:)?)?[\w\s\ufffc|\\.'-]+\)?s?\\b$")


TEXT_KEEPING = frozenset({"strip", "lstrip", "rstrip", "removeprefix", "removesuffix"})
CASE_METHODS = frozenset({"lower", "upper", "casefold", "title", "capitalize", "swapcase"})
TEST_METHODS = frozenset(
    [
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
        "startswith",
        "endswith",
    ]
)
TEXT_METHODS = (
    TEXT_KEEPING
    | CASE_METHODS
    | TEST_METHODS
    | frozenset(
        [
            "split",
            "rsplit",
            "splitlines",
            "replace",
            "encode",
            "decode",
            "translate",
            "join",
            "find",
            "rfind",
            "index",
            "count",
            "partition",
            "rpartition",
            "format",
            "zfill",
            "ljust",
            "rjust",
            "center",
            "expandtabs",
        ]
    )
)
MUTATORS = frozenset({"append", "add", "extend", "update", "insert", "appendleft", "setdefault"})
SET_METHODS = frozenset(
    {"intersection", "union", "difference", "isdisjoint", "issubset", "issuperset", "symmetric_difference",
     "intersection_update", "difference_update"}
)  # fmt: skip
PATTERN_CALLS = frozenset({"findall", "finditer", "split", "sub", "subn", "match", "fullmatch", "search"})


@dataclass(frozen=True, eq=False)
class Pairs(Hole):
    """``enumerate`` or ``zip`` over something unknown."""

    sources: tuple[object, ...] = ()
    kind: str = "zip"

    def __init__(self, sources: tuple[object, ...], kind: str) -> None:
        object.__setattr__(self, "path", "pairs")
        object.__setattr__(self, "text", None)
        object.__setattr__(self, "sources", sources)
        object.__setattr__(self, "kind", kind)


@dataclass(frozen=True, eq=False)
class Tests(Hole):
    """``(c.isascii() for c in word)``: what ``any`` and ``all`` look at."""

    value: Traced | None = None
    node: ast.AST | None = None


def holds_text(value: object) -> bool:
    """Whether a value that is added to a collection is not known, or a tuple with a piece of text in it."""
    return isinstance(value, Hole) or (isinstance(value, tuple) and any(isinstance(v, Traced) for v in value))


def field_name(held: Hole, key: str) -> str:
    """The name under which what was put into a field of something unknown is kept (``row["text"] = ...``)."""
    return f"\0{held.path}[{str(key)!r}]"


def fixed_words(value: object) -> bool:
    """Whether a value is an ASCII text, or a collection of nothing else: what is in it is known, and complete."""
    if isinstance(value, SOME) or not isinstance(value, (str, dict, set, frozenset, list, tuple)) or not value:
        return False
    return all(isinstance(v, str) and v.isascii() for v in ([value] if isinstance(value, str) else value))


def separators(value: object) -> bool:
    """Whether a set is known to hold no letter: ``{"/", os.sep}``."""
    if isinstance(value, SOME) or not isinstance(value, (set, frozenset)) or not value:
        return False
    unknown = [v.path.rpartition(".")[2] for v in value if isinstance(v, Hole)]
    known = "".join(v for v in value if isinstance(v, str))
    return all(name.endswith("sep") for name in unknown) and not any(c.isalnum() for c in known)


def only_chosen(value: Traced) -> bool:
    """Whether a value is an element of an unknown list that was only kept or dropped by tests."""
    return (
        value.shape in ("str", "other")
        and value.element_of is not None
        and all(isinstance(s, (st.Condition, st.StopWords)) for s in value.stages)
    )


def lossy(value: Traced) -> bool:
    """Whether a text went through a stage that may lose letters."""
    return any(
        isinstance(s, (st.Extract, st.Erase, st.KeepIf, st.Encode, st.Translate, st.Condition, st.Opaque))
        for s in st.flat_stages(value.stages)
    )


class SomeList(list[object]):
    """A list that a branch nobody can decide may have added to."""


class SomeSet(set[object]):
    """A set of that kind."""


class SomeDict(dict[object, object]):
    """A dict of that kind."""


SOME = (SomeList, SomeSet, SomeDict)


_TEXT_WORK = re.compile(
    r"\.(?:lower|upper|casefold|strip|lstrip|rstrip|split|replace|sub|findall|finditer|match|search|fullmatch|join|translate|"
    r"encode|normalize|isal\w+|isascii|tokenize)\b|\bre\.|\bregex\.|[Tt]oken|set\(|lambda|ord\("
)


_ANY_TEXT = re.compile(r"(?:\\S)?(?:\.|\[\^(?:\\.|[^\]\\A-Za-z0-9])*\])(?:[*+]|\{\d*,\d*\})\??")
"""What a group holds that lets any text through: ``.+``, ``[^"]*``, ``\\S.*``."""


def captured_text(owner: Traced, key: object) -> str | None:
    """The path of the text in a group of a match that lets any text through: it is a text like that of a caller."""
    last = owner.stages[-1] if owner.stages else None
    if not (
        key and isinstance(key, (int, str)) and isinstance(last, st.Extract) and isinstance(last.pattern.text, str)
    ):
        return None
    pattern = last.pattern
    if not _captures(str(pattern.text), int(pattern.flags), pattern.dialect, key):
        return None
    return f"{owner.root}.{key} {owner.line}"


@lru_cache(maxsize=512)
def _captures(text: str, flags: int, dialect: st.Dialect, key: int | str) -> bool:
    from scriptlint.pattern import PatternError, PatternTooComplex, facts

    try:
        known = facts(text, flags, dialect)
    except (PatternError, PatternTooComplex):
        return False
    body = known.group_bodies.get(known.names.get(key, 0) if isinstance(key, str) else key)
    return body is not None and _ANY_TEXT.fullmatch(text[body[0] : body[1]]) is not None


FULL_TEXT = "arg:full-text query"
_FULL_TEXT = re.compile(
    r"\bMATCH\s*(?:[?:@%$(]|AGAINST\b)|\bI?LIKE\s*[?:@%$']|\b(?:plain|phrase|websearch_)?to_tsquery\s*\(", re.IGNORECASE
)
_FIELD_HOLDS = re.compile(r"__(?:i?contains|i?startswith|i?endswith|i?regex|search)$")


def asks_full_text(args: list[object], kwargs: dict[str, object]) -> bool:
    """Whether a call is given a statement that looks for words in a field, as databases do."""
    return any(isinstance(a, str) and _FULL_TEXT.search(a) for a in args) or any(map(_FIELD_HOLDS.search, kwargs))


def is_character(target: ast.expr | None, *around: ast.AST) -> bool:
    """Whether a loop variable is called what people call a character, or asked ``around`` what one asks of those: its
    number, its category, between which letters it stands."""
    if not isinstance(target, ast.Name):
        return False
    if target.id in ("c", "ch", "char", "chr_", "cp", "letter", "character"):
        return True
    return any(_asks_of_character(n, target.id) for part in around for n in walk(part))


def _asks_of_character(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called in ("ord", "category", "combining", "east_asian_width") and any(
            isinstance(a, ast.Name) and a.id == name for a in node.args
        )
    if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops):
        sides = [node.left, *node.comparators]
        return any(isinstance(s, ast.Name) and s.id == name for s in sides) and any(map(_is_letter, sides))
    return False


def _is_letter(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) == 1


def predicate(test: object, place: ast.expr) -> tuple[str, dict[str, object], ast.expr] | None:
    """What ``filter`` asks of each element: the name of the element, the names that the question knows, the
    question, which a method has no place for but that of the call. ``None``: it can't be read as one."""
    if isinstance(test, Builtin) and test.name.startswith("str.is"):
        held = ast.Name("\0element", ast.Load())
        question = ast.Call(ast.Attribute(held, test.name[4:], ast.Load()), [], [])
        return held.id, {}, ast.fix_missing_locations(ast.copy_location(question, place))
    if not isinstance(test, Function) or not test.node.args.args:
        return None
    body = test.node.body
    if isinstance(body, list):
        stated = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        returned = stated[0].value if len(stated) == 1 and isinstance(stated[0], ast.Return) else None
    else:
        returned = body
    return None if returned is None else (test.node.args.args[-1].arg, dict(test.closure), returned)


def is_one_text(hole: Hole) -> bool:
    """Whether something unknown is called what one text is called, and not what several are (``words``)."""
    name = hole.path.rpartition(".")[2].lower()
    return not (
        name.endswith("[*]") or (len(name) > 2 and name.endswith("s") and not name.endswith("ss")) or name in _SEVERAL
    )


_SEVERAL = frozenset({"data", "it", "iterable", "seq", "sequence", "lst", "vocab", "array", "rest"})


def worth_entering(node: ast.AST, scope: Any) -> bool:
    """Whether a called function does anything to text, and is short enough to be followed."""
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1) or 1
    if isinstance(node, ast.Lambda):
        return True
    if last - first <= 6:
        return True
    if last - first > 120:
        return False
    return _TEXT_WORK.search(scope.text_of(node)) is not None


@on_node
def names_in(node: ast.AST) -> frozenset[str]:
    """Every name that a statement mentions."""
    return frozenset(n.id for n in walk(node) if type(n) is ast.Name)


@on_node
def unparsed(node: ast.AST) -> str:
    """A piece of code as text."""
    return ast.unparse(node)


def branch_env(env: dict[str, object]) -> dict[str, object]:
    """The names of one way of a branch: plain containers are its own."""
    return {
        k: v.copy() if isinstance(v, (list, set, dict)) and not isinstance(v, SOME) and len(v) < 1000 else v
        for k, v in env.items()
    }


def uncertain(a: object, b: object) -> object:
    """One container for two that differ: what is in both, and whether it is empty is not known."""
    if isinstance(a, list) and isinstance(b, list):
        return SomeList(a if len(a) <= len(b) else b)
    if isinstance(a, (set, frozenset)) and isinstance(b, (set, frozenset)):
        return SomeSet(a & b)
    if isinstance(a, dict) and isinstance(b, dict):
        return SomeDict({k: v for k, v in a.items() if k in b})
    return None


def assigned_names(statement: ast.stmt) -> list[str]:
    """Names that a statement binds."""
    return [n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


_SEGMENTERS = re.compile(
    r"\b(?:jieba|pkuseg|thulac|snownlp|hanlp|lac|mecab|tagger|wakati|janome|sudachi\w*|fugashi|nagisa|konlpy|okt|kkma|komoran|kiwi"
    r"|pythainlp|attacut|deepcut|underthesea|pyvi|icu|budoux|camel_tools|indicnlp|stanza|spacy|nlp)\b(?:\.\w+|\(\))*"
    r"\.(?:l?cut\w*|parse\w*|tokeni[sz]e\w*|word_tokenize|segment\w*|morphs|nouns|analy[sz]e|run|pipe|seg)$"
    r"|^(?:lcut|cut_for_search|posseg\.\w+|nlp|wakati)$",
    re.IGNORECASE,
)
"""Calls that cut a text of an unspaced script into words; what they let through is theirs to say."""


@lru_cache(maxsize=2048)
def library_stage(name: str) -> Callable[[Site], tuple[Stage, Shape]] | None:
    """What a third-party function does to text when we know it: builds its stage, with the shape of what it gives."""
    called = name.removesuffix("()")
    last = called.rpartition(".")[2]
    if last in ("unidecode", "anyascii", "unidecode_expect_ascii"):
        return lambda _: (st.Opaque(f"{last}(): transliterates to ASCII"), "str")
    if last == "word_tokenize":
        return lambda place: (st.Extract(st.Pattern(WORD_TOKENIZE, 0, "re", place)), "list")
    if _SEGMENTERS.search(called):
        return lambda _: (st.Opaque(f"{last}(): finds words by a dictionary or a model"), "list")
    return None
