"""Whether two tokenizers do the same to ASCII text: proved from their stages, or tested on texts."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from scriptlint.tokenizer import stages as s

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scriptlint.gate.metrics import Answer
    from scriptlint.gate.run import Driver
    from scriptlint.pattern import ir

_ASCII_CODECS = frozenset(("ascii", "us-ascii", "utf-8", "utf8", "latin-1", "latin1", "iso-8859-1", "cp1252"))
GENERATED = 2000

Key = tuple[Any, ...]
_FAIL: Key = ("fail",)
_EMPTY: Key = ("seq", ())
_NOTHING: Key = ("nothing",)


class _Unprovable(Exception):  # noqa: N818  (a result, not a fault)
    """A stage or pattern about which nothing can be proved here; the text says which."""


@dataclass(frozen=True, slots=True)
class AsciiResult:
    """``verdict``: ``proved`` from the stages (and no test spoke against it), ``tested`` on ``texts`` texts, or
    ``differs`` with the first ``example``: text, and what either side makes of it.

    ``queries`` are the ASCII queries that both answered, ``same`` those with the same names and scores. ``why`` says
    what kept it from being proved.
    """

    verdict: Literal["proved", "tested", "differs"]
    texts: int = 0
    queries: int = 0
    same: int = 0
    example: dict[str, Any] | None = None
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """The ``ascii`` of a comparison."""
        return {
            "verdict": self.verdict, "example": self.example, "texts": self.texts, "queries": self.queries,
            "same_results": self.same, "why": self.why or None,
        }  # fmt: skip


def prove(first: Sequence[s.Stage], second: Sequence[s.Stage]) -> str:
    """Empty when both chains give the same pieces for every ASCII text; else why that is not proved."""
    try:
        a, b = chain_key(first), chain_key(second)
    except _Unprovable as error:
        return str(error)
    return "" if a == b else "their stages differ on ASCII"


def chain_key(stages: Iterable[s.Stage]) -> Key:
    """What a chain does to ASCII text: equal keys mean equal results. Raises _Unprovable."""
    return _chain(tuple(stages), True)[0]


def _chain(stages: Sequence[s.Stage], plain: bool) -> tuple[Key, bool]:
    """The key of a chain over pieces that are ASCII when ``plain``, and whether its results are."""
    keys: list[Any] = []
    for stage in stages:
        key, plain = _stage(stage, plain)
        if key is None:
            continue
        if keys and keys[-1] == _NOTHING and key[0] != "Join":
            continue  # nothing in, nothing out
        if key[0] == "chain":
            keys.extend(key[1])
        else:
            keys.append(key)
    if _NOTHING in keys:
        keys = keys[keys.index(_NOTHING) :]
    return ("chain", tuple(keys)), plain


def _stage(stage: s.Stage, plain: bool) -> tuple[Key | None, bool]:
    """A stage's key, ``None`` when it changes nothing."""
    pattern = s.pattern_of(stage)
    key = _pattern(pattern, plain) if pattern is not None else None
    dead = key == _FAIL
    match stage:
        case s.Case(method):
            return ("Case", "lower" if plain and method == "casefold" else method), plain
        case s.Normalize(form):
            return (None if plain else ("Normalize", form)), plain
        case s.Encode(encoding, errors):
            known = encoding.lower().replace("_", "-") in _ASCII_CODECS
            return (None if plain and known else ("Encode", encoding, errors)), plain and known
        case s.Strip(method, chars):
            return ("Strip", method, chars), plain
        case s.Replace(old, new):
            return (None if plain and not old.isascii() else ("Replace", old, new)), plain and new.isascii()
        case s.Translate(table):
            rows = tuple(sorted(((k, v) for k, v in table.items() if not plain or k < 128), key=lambda r: r[0]))
            safe = all(v is None or (v.isascii() if isinstance(v, str) else v < 128) for _, v in rows)
            return (("Translate", rows) if rows else None), plain and safe
        case s.Erase(_, replacement):
            if dead:
                return None, plain
            if replacement is None:
                raise _Unprovable("a replacement is computed")
            return ("Erase", key, replacement), plain and replacement.isascii()
        case s.Split(_, separator):
            if pattern is not None:
                return ("Split", None if dead else key), plain
            alone = separator is not None and plain and not separator.isascii()
            return (None if alone else ("Separate", separator)), plain
        case s.Extract(_, group, first):
            return (_NOTHING if dead else ("Extract", key, group, first)), plain
        case s.KeepIf(_, method, negated):
            if dead:
                return (None if negated else _NOTHING), plain
            return ("KeepIf", key, method, negated), plain
        case s.Length(least, most):
            return ("Length", least, most), plain
        case s.StopWords(words, known_words):
            if not known_words:
                raise _Unprovable("its stop words are not known")
            return ("StopWords", frozenset(w for w in words if not plain or w.isascii())), plain
        case s.NGrams(n):
            return ("NGrams", n), plain
        case s.Chars():
            return ("Chars",), plain
        case s.Join(separator):
            return ("Join", separator), plain and separator.isascii()
        case s.Union(chains):
            return _union(chains, plain)
        case _:
            raise _Unprovable(f"a step can't be read: {stage.describe()}")


def _union(chains: Sequence[Sequence[s.Stage]], plain: bool) -> tuple[Key, bool]:
    """Chains that give nothing on ASCII drop out: an extractor of pairs of Han has no part in it."""
    found = [_chain(tuple(chain), plain) for chain in chains]
    alive = [(key, safe) for key, safe in found if key != ("chain", (_NOTHING,))]
    if not alive:
        return _NOTHING, plain
    if len(alive) == 1:
        return alive[0]
    return ("Union", tuple(key for key, _ in alive)), all(safe for _, safe in alive)


def _pattern(pattern: s.Pattern, plain: bool) -> Key:
    """What a pattern does to ASCII text. Patterns of one text, flags and dialect are one, whatever they hold."""
    from scriptlint.pattern import PatternError, PatternTooComplex, parse
    from scriptlint.pattern.ir import lower

    same: Key = ("pattern", pattern.text, int(pattern.flags), pattern.dialect)
    if not plain:
        return same
    try:
        low = lower(parse(pattern.text, int(pattern.flags), pattern.dialect))
        if low.limits or low.order or low.wavering:
            return same
        shape = _shape(low.root)
    except (PatternError, PatternTooComplex, RecursionError, _Unprovable):
        return same
    if shape == _FAIL:
        return _FAIL
    return ("pattern", shape, pattern.dialect, isinstance(pattern.text, bytes), tuple(sorted(low.parsed.names.items())))


def _shape(node: ir.Ir) -> Key:
    """A pattern's tree with every class cut down to ASCII, and what can't match there taken out."""
    from scriptlint.pattern import ir as r
    from scriptlint.unicode.codepoints import CodePoints

    basic = CodePoints(((0, 127),))
    match node:
        case r.Cls():
            points = node.points & basic
            return ("cls", points.bounds) if points else _FAIL
        case r.Seq():
            parts = [_shape(i) for i in node.items]
            parts = [p for p in parts if p != _EMPTY]
            return _FAIL if _FAIL in parts else parts[0] if len(parts) == 1 else ("seq", tuple(parts))
        case r.Alt():
            parts = [p for p in map(_shape, node.items) if p != _FAIL]
            return _FAIL if not parts else parts[0] if len(parts) == 1 else ("alt", tuple(parts))
        case r.Rep():
            body = _shape(node.body)
            if body == _FAIL:
                return _FAIL if node.low else _EMPTY
            return ("rep", body, node.low, node.high, node.greed)
        case r.Atom() | r.Cap():
            body = _shape(node.body)
            number = node.number if isinstance(node, r.Cap) else None
            return _FAIL if body == _FAIL else ("in", type(node).__name__, number, body)
        case r.See():
            body = _shape(node.body)
            if body == _FAIL:
                return _EMPTY if node.negated else _FAIL
            return ("see", body, node.behind, node.negated)
        case r.Anchor():
            word = None if node.word is None else (node.word & basic).bounds
            return ("anchor", node.kind, node.multiline, word)
        case r.Fold():
            return ("fold", node.folded, (node.points & basic).bounds)
        case r.Fail():
            return _FAIL
        case _:
            raise _Unprovable(type(node).__name__)


def texts_to_test(queries: Iterable[str], descriptions: Iterable[str], seed: int, count: int = GENERATED) -> list[str]:
    """Every ASCII query and description, the ASCII part of the others, and ``count`` strings made of their words."""
    out: dict[str, None] = dict.fromkeys(q for q in queries if q.isascii())
    words: dict[str, None] = {}
    for text in descriptions:
        part = text if text.isascii() else text.encode("ascii", "ignore").decode("ascii")
        if part.strip():
            out.setdefault(part)
            words.update(dict.fromkeys(part.split()))
    out.update(
        (f"{before}{chr(point)}{after}", None) for point in range(128) for before, after in (("", ""), ("a", "B9"))
    )
    pick = Random(seed)
    known = sorted(words)[:5000] or ["word", "Search", "x1"]
    signs = [chr(point) for point in range(128)]
    for _ in range(count):
        parts = []
        for _ in range(pick.randint(1, 8)):
            word = pick.choice(known) if pick.random() < 0.7 else "".join(pick.choices(signs, k=pick.randint(1, 6)))
            parts.append(pick.choice((word, word.upper(), word.lower(), word + word)))
        out.setdefault(pick.choice((" ", " ", "-", "_", "")).join(parts))
    return list(out)


def compare_ascii(
    why: str, first: Driver | None, second: Driver | None, texts: Sequence[str],
    answers: tuple[Sequence[Answer], Sequence[Answer]],
) -> AsciiResult:  # fmt: skip
    """The verdict on two conditions. ``why`` is what ``prove`` said. Drivers are loaded; ``None``: no tokenizer."""
    pairs = [(a, b) for a, b in zip(*answers, strict=True) if a.query.text.isascii() and not a.error and not b.error]
    same = sum(a.results == b.results for a, b in pairs)
    found = (len(pairs), same)
    if first is not None and second is not None:
        left, right = first.tokens(texts), second.tokens(texts)
        if left is None or right is None:
            why = why or "a tokenizer could not be run on ASCII texts"
        else:
            for n, text in enumerate(texts):
                if left[n] != right[n]:
                    one, other = first.tokens([text], whole=True), second.tokens([text], whole=True)
                    example = {"text": text, "first": (one or [None])[0], "second": (other or [None])[0]}
                    return AsciiResult("differs", len(texts), *found, example)
    else:
        texts = ()
    for a, b in pairs:
        if a.results != b.results:
            example = {"text": a.query.text, "first": list(a.results[:5]), "second": list(b.results[:5])}
            return AsciiResult("differs", len(texts), *found, example, "the tokens are the same, the scores are not")
    return AsciiResult("tested" if why else "proved", len(texts), *found, None, why)
