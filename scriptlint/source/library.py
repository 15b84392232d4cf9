"""What well-known libraries do to text when their defaults are left alone.

A small catalogue: the call, the parameters that matter, the stages that it amounts to, and the version it was read
from. Each entry is tested against the library itself. A call that is given a tokenizer of its own, or one that can't
be known, is left out.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scriptlint.finding import Confidence
from scriptlint.source.classify import decide
from scriptlint.source.literals import Src, code_point_place
from scriptlint.source.traced import Traced, lossy
from scriptlint.tokenizer import stages as st
from scriptlint.tokenizer.model import PatternSite, Tokenizer
from scriptlint.tokenizer.values import Builtin, Function, Hole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scriptlint.source.candidates import FoundIn
    from scriptlint.tokenizer.stages import Site, Stage

WORD_PATTERN = r"(?u)\b\w\w+\b"


@dataclass(frozen=True)
class Call:
    """One call with its arguments by name and position; holes are values that are not known."""

    args: tuple[object, ...]
    kwargs: dict[str, object]
    place: Site

    def get(self, name: str, position: int | None = None, default: object = None) -> object:
        """An argument, or the library's default."""
        if name in self.kwargs:
            return self.kwargs[name]
        if position is not None and position < len(self.args):
            return self.args[position]
        return default

    def pattern(self, value: object, default: str, dialect: st.Dialect = "re") -> st.Pattern | None:
        """A pattern argument; ``None`` when it is not known or invalid."""
        if value is None:
            return st.Pattern(default, 0, dialect, self.place)
        if not isinstance(value, str):
            return None
        place = value.place() if isinstance(value, Src) else None
        pattern = st.Pattern(str(value), 0, dialect, place or self.place)
        try:
            pattern.compiled()
        except Exception:  # the engine's own error types
            return None
        return pattern


Stages = tuple["Stage", ...]


def _vectorizer(call: Call) -> Stages | None:
    """scikit-learn 1.5 to 1.9: CountVectorizer, TfidfVectorizer, HashingVectorizer."""
    if call.get("tokenizer") is not None or call.get("analyzer", default="word") != "word":
        return None
    before = _preprocessed(call.get("preprocessor"))
    if before is None:
        return None
    pattern = call.pattern(call.get("token_pattern"), WORD_PATTERN)
    if pattern is None:
        return None
    stages: list[Stage] = list(before)
    if call.get("preprocessor") is None:
        if call.get("strip_accents") == "ascii":
            stages += [st.Normalize("NFKD"), st.Encode("ascii", "ignore")]
        if call.get("lowercase", default=True) is not False:
            stages.append(st.Lower())
    groups = pattern.compiled().groups
    stages.append(st.Extract(pattern, 1 if groups == 1 else 0))
    words = call.get("stop_words")
    if isinstance(words, (list, set, tuple, frozenset)):
        stages.append(st.StopWords(frozenset(str(w) for w in words)))
    elif words is not None:
        stages.append(st.StopWords(known=False))
    return tuple(stages)


def _preprocessed(given: object) -> Stages | None:
    """What a preprocessor does, which stands for small letters and accents: nothing, or small letters; ``None``: more
    than that."""
    if given is None:
        return ()
    if isinstance(given, Builtin) and given.name in ("str.lower", "str.casefold"):
        return (st.Lower(),)
    if not isinstance(given, Function) or not isinstance(given.node, ast.Lambda):
        return None
    text, body = [a.arg for a in given.node.args.args], given.node.body
    if isinstance(body, ast.Name) and [body.id] == text:
        return ()
    lowered = isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute) and body.func.attr == "lower"
    held = body.func.value if lowered else None  # type: ignore[attr-defined]
    return (st.Lower(),) if isinstance(held, ast.Name) and [held.id] == text else None


def _regexp_tokenizer(position: int = 0) -> Callable[[Call], Stages | None]:
    """NLTK 3.10: RegexpTokenizer and regexp_tokenize, which compile with ``regex`` (up to 3.9 with ``re``)."""

    def build(call: Call) -> Stages | None:
        value = call.get("pattern", position)
        if value is None:
            return None
        pattern = call.pattern(value, "", "regex")
        if pattern is None:
            return None
        if call.get("gaps", position + 1, default=False) is True:
            return (st.Split(pattern),)
        return (st.Extract(pattern, 1 if pattern.compiled().groups == 1 else 0),)

    return build


def _fixed_pattern(text: str, *, split: bool = False) -> Callable[[Call], Stages | None]:
    def build(call: Call) -> Stages | None:
        pattern = st.Pattern(text, 0, "regex", call.place)
        return (st.Split(pattern) if split else st.Extract(pattern),)

    return build


def _rouge(call: Call) -> Stages | None:
    """rouge-score 0.1.2: RougeScorer without a tokenizer of the caller's."""
    if call.get("tokenizer", 3) is not None:
        return None
    return (st.Lower(), st.Erase(st.Pattern("[^a-z0-9]+", 0, "re", call.place), " "), st.Split())


def _simple_preprocess(call: Call) -> Stages | None:
    """gensim 4.3: simple_preprocess."""
    least, most = call.get("min_len", 2, 2), call.get("max_len", 3, 15)
    stages: list[Stage] = [st.Lower()]
    if call.get("deacc", 1, False) is True:
        stages += [
            st.Normalize("NFD"),
            st.Erase(st.Pattern(r"[\u0300-\u036f]", 0, "re", call.place), ""),
            st.Normalize("NFC"),
        ]
    stages.append(st.Extract(st.Pattern(r"(?:(?![\d])\w)+", 0, "re", call.place)))
    if isinstance(least, int) and isinstance(most, int):
        stages.append(st.Length(least, most))
    return tuple(stages)


def _django_slugify(call: Call) -> Stages | None:
    """Django 4 and 5: django.utils.text.slugify."""
    if call.get("allow_unicode", 1, False) is not False:
        return None
    return (
        st.Normalize("NFKD"),
        st.Encode("ascii", "ignore"),
        st.Lower(),
        st.Erase(st.Pattern(r"[^\w\s-]", 0, "re", call.place), ""),
        st.Erase(st.Pattern(r"[-\s]+", 0, "re", call.place), "-"),
        st.Strip("strip", "-_"),
    )


def _split_retriever(call: Call) -> Stages | None:
    """langchain-community 0.3 and 0.4: BM25Retriever.from_texts and from_documents."""
    if call.get("preprocess_func") is not None:
        return None
    return (st.Split(),)


def _pattern_argument(
    name: str, default: str, *, lower: str | None = "lower", position: int | None = None
) -> Callable[[Call], Stages | None]:
    def build(call: Call) -> Stages | None:
        pattern = call.pattern(call.get(name, position), default)
        if pattern is None:
            return None
        head: tuple[Stage, ...] = (
            (st.Lower(),) if lower is not None and call.get(lower, default=True) is not False else ()
        )
        return (*head, st.Extract(pattern))

    return build


def _standard_analyzer(call: Call) -> Stages | None:
    """Whoosh 2.7: StandardAnalyzer."""
    pattern = call.pattern(call.get("expression", 0), r"\w+(\.?\w+)*")
    least = call.get("minsize", 2, 2)
    if pattern is None:
        return None
    stages: tuple[Stage, ...] = (st.Extract(pattern), st.Lower(), st.StopWords(known=False))
    return (*stages, st.Length(least)) if isinstance(least, int) else stages


CATALOGUE: dict[str, tuple[Callable[[Call], Stages | None], str]] = {
    "CountVectorizer": (_vectorizer, "tokenizer"),
    "TfidfVectorizer": (_vectorizer, "tokenizer"),
    "HashingVectorizer": (_vectorizer, "tokenizer"),
    "RegexpTokenizer": (_regexp_tokenizer(), "tokenizer"),
    "regexp_tokenize": (_regexp_tokenizer(1), "tokenizer"),
    "wordpunct_tokenize": (_fixed_pattern(r"\w+|[^\w\s]+"), "tokenizer"),
    "WordPunctTokenizer": (_fixed_pattern(r"\w+|[^\w\s]+"), "tokenizer"),
    "RougeScorer": (_rouge, "tokenizer"),
    "simple_preprocess": (_simple_preprocess, "tokenizer"),
    "utils.text.slugify": (_django_slugify, "normalizer"),
    "BM25Retriever.from_texts": (_split_retriever, "tokenizer"),
    "BM25Retriever.from_documents": (_split_retriever, "tokenizer"),
    "bm25s.tokenize": (_pattern_argument("token_pattern", WORD_PATTERN), "tokenizer"),
    "InMemoryDocumentStore": (_pattern_argument("bm25_tokenization_regex", r"(?u)\b\w+\b"), "tokenizer"),
    "WordCloud": (_pattern_argument("regexp", r"\w[\w']*", lower=None), "tokenizer"),
    "StandardAnalyzer": (_standard_analyzer, "tokenizer"),
    "RegexTokenizer": (_pattern_argument("expression", r"\w+(\.?\w+)*", lower=None, position=0), "tokenizer"),
}
"""Last parts of a callable's qualified name -> what builds its stages, and its kind."""


def entry_of(name: str) -> tuple[Callable[[Call], Stages | None], str] | None:
    """The entry for a qualified name (``sklearn.feature_extraction.text.TfidfVectorizer``), by its last parts."""
    parts = name.removesuffix("()").split(".")
    for count in (3, 2, 1):
        found = CATALOGUE.get(".".join(parts[-count:])) if len(parts) >= count else None
        if found is not None:
            return found
    return None


def library_tokenizers(found: FoundIn, path: str) -> Iterator[Tokenizer]:
    """Tokenizers that the library calls of a module stand for."""
    seen: set[tuple[int, int]] = set()
    fed = _fed(found)
    for node, func, args, kwargs, owner in found.calls:
        name = _name_of(func, args)
        if name is None:
            continue
        if name.endswith(".__init__"):
            name, args = name.removesuffix(".__init__"), args[1:] if args and not isinstance(args[0], str) else args
        entry = entry_of(name)
        if entry is None or (node.lineno, node.col_offset) in seen:
            continue
        seen.add((node.lineno, node.col_offset))
        for made in _tokenizer(found, node, name, entry, args, kwargs, owner, path):
            cleaned = fed.get((name, owner))
            yield made if cleaned is None else _after(cleaned, made, found)


_FED = re.compile(r"^(.*)\(\)\.(?:fit|fit_transform|transform)$")


def _fed(found: FoundIn) -> dict[tuple[str, str], Traced]:
    """What vectorizers are given, by their name and the function they stand in, where a cleaner has been over it; left
    out where something else is given as well."""
    given: dict[tuple[str, str], list[object]] = {}
    for _, func, args, _, owner in found.calls:
        if isinstance(func, Hole) and args and (m := _FED.match(func.path)):
            given.setdefault((m[1], owner), []).append(args[0])
    clean = {
        key: [v for v in values if isinstance(v, Traced) and v.shape in ("str", "list") and lossy(v)]
        for key, values in given.items()
    }
    return {key: texts[0] for key, texts in clean.items() if texts and len(texts) == len(given[key])}


def _after(cleaned: Traced, made: Tokenizer, found: FoundIn) -> Tokenizer:
    """A library's tokenizer behind the cleaner of what it is given: what the cleaner loses never gets to it.

    ``told`` are the places of the cleaner that are told by themselves: its loss is not told again.
    """
    stages = (*cleaned.stages, *made.stages)
    flat = list(st.flat_stages(stages))
    own = len(flat) - len(list(st.flat_stages(made.stages)))
    sites = [replace(s, stage=None if s.stage is None else s.stage + own) for s in made.sites]
    for mark in cleaned.marks:
        at = next((i for i, s in enumerate(flat) if s is mark.stage or s == mark.stage), None)
        shown = mark.pattern.shown() if mark.pattern is not None else None
        dialect = mark.pattern.dialect if mark.pattern is not None else "re"
        sites.append(PatternSite(mark.place, mark.role, shown, (), dialect, at))  # type: ignore[arg-type]
    sure = [c for c in found.candidates if (d := decide(c)) is not None and d.confidence is Confidence.HIGH]
    told = frozenset(m.place for c in sure for m in c.marks) & {m.place for m in cleaned.marks}
    return replace(made, stages=stages, sites=tuple(sites), attributes={**made.attributes, "told": told})


def _name_of(func: object, args: list[object]) -> str | None:
    if isinstance(func, Hole):
        return func.path
    qualname = getattr(func, "qualname", None) or getattr(func, "name", None)
    return qualname if isinstance(qualname, str) else None


def _gives_words(stages: Stages) -> bool:
    """Whether words come out of text in some script: a splitter of lines or sentences is no tokenizer."""
    from scriptlint.source.behaviours import OTHERS, PLAIN

    for text in (PLAIN, *OTHERS):
        words = text.lower().split()
        try:
            tokens = {t.lower() for t in st.run_chain(stages, [text])}
        except st.CannotRun:
            return True
        if sum(1 for w in words if w in tokens) * 2 >= len(words):
            return True
    return False


def _tokenizer(
    found: FoundIn,
    node: ast.Call,
    name: str,
    entry: tuple[Callable[[Call], Stages | None], str],
    args: list[object],
    kwargs: dict[str, object],
    owner: str,
    path: str,
) -> Iterator[Tokenizer]:
    build, kind = entry
    place = code_point_place(node.func, found.module)
    stages = build(Call(tuple(args), kwargs, place))
    if stages is None or (kind == "tokenizer" and not _gives_words(stages)):
        return
    library = name.rpartition(".")[2]
    sites = []
    for i, stage in enumerate(st.flat_stages(stages)):
        pattern = st.pattern_of(stage)
        if pattern is not None and pattern.site is not None:
            role = (
                "extract" if isinstance(stage, st.Extract) else "separate" if isinstance(stage, st.Split) else "erase"
            )
            sites.append(PatternSite(pattern.site, role, pattern.shown(), (), pattern.dialect, i))  # type: ignore[arg-type]
    if all(s.place != place for s in sites):
        sites.append(PatternSite(place, "call", None, (), "re", None))
    yield Tokenizer(
        owner if owner != "<module>" else library, path, node.lineno, kind,  # type: ignore[arg-type]
        Confidence.HIGH, stages, tuple(sites),
        (f"{library} does this with what it is given here",), (node.lineno, node.end_lineno or node.lineno), None,
        {"library": library},
    )  # fmt: skip
