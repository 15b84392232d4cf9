"""What a candidate is: a tokenizer, a normalizer, a match decision, or nothing that scriptlint speaks about.

The decision rests on what the value does with plain text (``Behaviours``) and on what the function does with it;
names only raise or lower the confidence. Every decision carries its reasons.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from scriptlint.finding import Confidence
from scriptlint.source.doubts import doubt_of
from scriptlint.source.traced import FULL_TEXT
from scriptlint.source.usage import COUNTING, telling
from scriptlint.tokenizer import stages as st

if TYPE_CHECKING:
    from scriptlint.source.candidates import Candidate
    from scriptlint.source.traced import Traced, Use
    from scriptlint.tokenizer.model import Kind


class Decision(NamedTuple):
    """A kind with its confidence and the reasons, for people."""

    kind: Kind
    confidence: Confidence
    reasons: tuple[str, ...]


CHARACTER_TESTS = re.compile(r"category|combining|isascii|isalnum|isalpha|ord\(|ascii_letters|ALNUM")
TOKEN_NAMES = re.compile(
    r"tok|word|term|keyword|n_?gram|overlap|simil|quer|search|index|bm25|tf_?idf|vocab|shingle|lex|stem|corpus|retriev|match|"
    r"topic|concept|phrase|relevan|rank|score|highlight|jaccard|bag|recall|analy[sz]e|split|segment|normali[sz]|extract|features?|"
    r"theme|trigger|suggest|signal|cluster|dedup|duplicate|entit",
    re.IGNORECASE,
)
WRAP_NAMES = re.compile(r"wrap|into_lines|shorten|truncat|justif|ellips|print_|render", re.IGNORECASE)
"""Words are put together again, to lines."""
COUNT_NAMES = re.compile(
    r"count|ratio|densit|syllab|duration|readab|stat(?:s|istic)|lang(?:uage)?_?detect|detect_?lang|flesch|length|identifier|complexity",
    re.IGNORECASE,
)
KEY_NAMES = re.compile(
    r"slug|normali[sz]|dedup|fingerprint|canonical|compar|fold|simplif|strip_(?:accents|marks|diacritics)|remove_(?:accents|diacritics)|deaccent|unaccent|standardi[sz]e|tokeni|\bkey|_key|tag|dirname|heading|anchor|permalink|label|title",
    re.IGNORECASE,
)
KEY_VARIABLES = re.compile(r"slug|normali[sz]ed|fingerprint|canonical|_key\b|\bkey\b|folded|anchor", re.IGNORECASE)
HUMAN_TEXT = re.compile(
    r"name|title|text|label|topic|query|summary|skill|heading|phrase|sentence|docs?$|post|content|message",
    re.IGNORECASE,
)
OPTION_NAMES = re.compile(r"validat|parse_|option|choice|argument|_cols?\b|col_name|select", re.IGNORECASE)
IDENTIFIER_NAMES = re.compile(
    r"sanit|safe|clean|escape|mermaid|metric|prometheus|worker|preset|mime|(?:^|_)(?:codes?|roles?|hosts?)(?:$|_|\b)|"
    r"table|column|col_name|_cols?\b|field_?name|camel|pascal|snake|kebab_case|_path|(?:_|\b)id\b|cwd|_seg\b|trace|service|brand|provider|"
    r"secret|token_?key|access|password|sql|css|html|url|uri|env|version|color|hex|path\b|filename|file_name|markdown|module|package|var(?:iable)?_?name",
    re.IGNORECASE,
)

_HEADER = re.compile(r"(?:^|[_ .])(?:http|headers?|prometheus|console|stdout)(?:$|[_ .])", re.IGNORECASE)
"""What can't hold anything but ASCII."""
_KEYS_OF_TEXT = re.compile(r"slug|normali[sz]e_(?:title|text|string)", re.IGNORECASE)
_CLEANS_TEXT = re.compile(
    r"^_*clean(?:ing|er|ed|up)?(?:_?v?\d+)?"
    r"(?:_?(?:text|tweet|review|comment|sentence|doc|document|query|answer|content|data|words?|string|title)s?)?$",
    re.IGNORECASE,
)
"""What a function is called that makes text ready for the search of its words, unlike ``clean_id``."""


def _speaks_of_identifiers(c: Candidate) -> bool:
    names = c.said
    if _KEYS_OF_TEXT.search(names) or _CLEANS_TEXT.search(c.function.rpartition(".")[2]):
        return False
    return IDENTIFIER_NAMES.search(names) is not None


def decide(c: Candidate) -> Decision | None:
    """The decision on a candidate; ``None``: nothing to speak about. What rests on a step that nobody knows is never
    sure."""
    decision = _decide(c)
    if decision is None or decision.confidence is not Confidence.HIGH:
        return decision
    doubt = "a step in between is not known" if c.unknown else doubt_of(c)
    if doubt is None:
        return decision
    return decision._replace(confidence=Confidence.MEDIUM, reasons=(*decision.reasons, doubt))


def _decide(c: Candidate) -> Decision | None:
    if c.behaviour in ("words", "phrases", "grams", "han"):
        return decide_pieces(c)
    if c.behaviour == "tags":
        used = {u.how for u in c.uses} - COUNTING
        why = f"only words behind {c.sign} come out"
        # Names of accounts are given by somebody else; tags are what people write, and look for.
        sure = c.sign == "#" and "setop" in used
        kept = Decision("tokenizer", Confidence.HIGH if sure else Confidence.MEDIUM, (why,))
        return kept if used or c.returned else None
    if c.behaviour == "names":
        used = {u.how for u in c.uses} - COUNTING
        return (
            Decision("tokenizer", Confidence.MEDIUM, ("words written with a capital come out",))
            if used or c.returned
            else None
        )
    if c.behaviour == "text":
        return decide_text(c)
    if c.behaviour == "match":
        return decide_match(c)
    return None


def decide_pieces(c: Candidate) -> Decision | None:
    """Pieces come out: a tokenizer, unless they are only counted or looked at one by one."""
    hows = {u.how for u in c.uses}
    meaningful = {u.how for u in telling(c.uses)}
    names = c.said
    named = bool(TOKEN_NAMES.search(names))
    if c.value.shape == "match" and not c.returned:
        return None
    if not meaningful:
        iterated = "iterate" in hows and c.behaviour == "words"
        if not (iterated and named) or COUNT_NAMES.search(names):
            return None
    if c.behaviour == "grams" and meaningful == {"setop"} and all(u.fixed for u in c.uses if u.how == "setop"):
        # The characters of a text beside some separators: whether one of them is in it.
        return None
    if (
        c.behaviour == "grams"
        and not any(isinstance(s, st.NGrams) for s in st.flat_stages(c.value.stages))
        and not (meaningful - {"returned"})
        and not named
    ):
        return None
    reasons: list[str] = []
    if c.returned or "returned" in hows:
        reasons.append("its pieces are returned")
    if "setop" in hows or "set" in hows or "in" in hows:
        reasons.append("its pieces are compared as a set")
    if "counter" in hows or "index" in hows or "most_common" in hows:
        reasons.append("its pieces are counted or indexed")
    if any(h.startswith(("arg:", "collect:", "store")) for h in hows):
        reasons.append("its pieces are handed on")
    if named:
        reasons.append("names speak of tokens")
    stages = list(st.flat_stages(c.value.stages))
    lossy = [
        s
        for s in stages
        if isinstance(s, (st.Extract, st.Erase, st.KeepIf, st.Encode, st.Translate, st.Condition, st.NGrams))
        or (isinstance(s, st.Split) and s.pattern is not None)
    ]
    if WRAP_NAMES.search(c.function) and not any(st.pattern_of(s) is not None for s in stages):
        return None
    by_letter = any(isinstance(s, st.Chars) for s in stages) and any(isinstance(s, st.Condition) for s in lossy)
    if not by_letter and not any(map(_tells_letters, lossy)):
        return decide_spaces(c, named, bool(meaningful), tuple(reasons))
    if COUNT_NAMES.search(names) and not named:
        return Decision("tokenizer", Confidence.MEDIUM, (*reasons, "names speak of counting"))
    if c.hashed:
        return Decision("normalizer", Confidence.MEDIUM, (*reasons, "a digest goes with it"))
    if IDENTIFIER_NAMES.search(names) and not named:
        return Decision("tokenizer", Confidence.MEDIUM, (*reasons, "names speak of identifiers"))
    if OPTION_NAMES.search(names) and not named:
        return Decision("tokenizer", Confidence.MEDIUM, (*reasons, "names speak of options or columns"))
    if any(isinstance(s, st.KeepIf) and s.method == "isupper" for s in lossy):
        return Decision("tokenizer", Confidence.MEDIUM, (*reasons, "only what is written in capitals"))
    if any(isinstance(s, st.KeepIf) and s.method == "isidentifier" for s in lossy):
        return Decision("tokenizer", Confidence.MEDIUM, (*reasons, "only what may be a name in code"))
    if not named and not reasons:
        return None
    by_character = any(CHARACTER_TESTS.search(s.describe()) for s in lossy if isinstance(s, (st.Condition, st.KeepIf)))
    if by_character:
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "characters are kept or dropped one by one"))
    if all(isinstance(s, st.Condition) for s in lossy) and not named:
        return Decision("tokenizer", Confidence.MEDIUM, tuple(reasons))
    return Decision("tokenizer", Confidence.HIGH, tuple(reasons))


def _tells_letters(stage: st.Stage) -> bool:
    """Whether a stage treats letters unlike one another: a test for digits, or one of a whole piece, does not."""
    if isinstance(stage, st.Condition):
        return CHARACTER_TESTS.search(stage.describe()) is not None
    return not (isinstance(stage, st.KeepIf) and stage.method in ("isdigit", "isdecimal", "isnumeric"))


def decide_spaces(c: Candidate, named: bool, used: bool, reasons: tuple[str, ...]) -> Decision | None:
    """Only white space is cut: everybody does that. It is a tokenizer where the pieces are compared, counted, looked
    for in a text or ranked."""
    hows = {u.how for u in c.uses}
    names = c.said
    if any(_RANKED.search(h) for h in hows if h.startswith("arg:")):
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "its pieces are ranked"))
    if named and (
        hows & {"setop", "counter"} or ("set" in hows and (c.returned or hows - COUNTING - {"set", "iterate"}))
    ):
        return Decision("tokenizer", Confidence.HIGH, reasons)
    if c.returned and _SAYS_TOKENS.search(c.function.rpartition(".")[2]):
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "the function's name says so"))
    if FULL_TEXT in hows:
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "a database looks for its pieces"))
    lexical = bool(_LEXICAL.search(" ".join((names, *c.parameters))))
    asked = any(h.startswith("arg:") and _SEARCH.search(h) for h in hows)
    of_query = re.search(r"quer|keyw|search|intent", " ".join((c.function, *c.parameters)), re.IGNORECASE) is not None
    if lexical and (asked or any(_looks_for(u, of_query) for u in c.uses)):
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "its pieces are looked for"))
    stages = list(st.flat_stages(c.value.stages))
    filtered = any(isinstance(s, st.StopWords) for s in stages) or any(
        isinstance(s, st.Length) and s.least > 2 for s in stages
    )
    if lexical and filtered and (c.returned or "store" in hows):
        return Decision("tokenizer", Confidence.HIGH, (*reasons, "only words of weight stay"))
    return Decision("tokenizer", Confidence.LOW, reasons) if used and named else None


def _looks_for(use: Use, of_query: bool) -> bool:
    """Whether a use looks for a piece somewhere (``if word in text``, ``scores.get(word)``), or for something among the
    pieces of a query; ``"--flag" in line.split()`` looks for an option."""
    value = use.value
    if use.how == "container":
        return of_query and not use.fixed and value.shape in ("list", "set")
    if use.how != "in" and use.how != "index" and not _LOOKED_FOR.search(use.how):
        return False
    single = value.shape in ("str", "other", "dict") or (value.shape == "bytes" and use.how != "in")
    return (single or (use.how == "index" and _is_gram(value))) and not _by_position(value)


def _is_gram(value: Traced) -> bool:
    """Whether a list is a slice of pieces: ``tuple(words[i : i + n])``."""
    node = value.how[1] if value.how and value.how[0] == "expr" else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tuple" and node.args:
        node = node.args[0]
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


def _by_position(value: Traced) -> bool:
    """Whether a piece is the first or the second of its line: a field, not a word."""
    while value.parents:
        kind, *rest = value.how or ("",)
        fixed = kind == "expr" and isinstance(rest[0], ast.Subscript) and isinstance(rest[0].slice, ast.Constant)
        if kind == "part" or fixed:
            return True
        value = value.parents[0]
    return False


_RANKED = re.compile(r"bm25|BM25|\.get_scores$|\.get_top_n$|\.get_batch_scores$|tf_?idf")
_SAYS_TOKENS = re.compile(
    r"tokeni[sz]e|tokens?$|preprocess|(?:^|_)(?:terms|keywords)$|^_*(?:(?:split|cut|get|extract|find|text|to)_(?:\w+_)?|candidate_)?words$",
    re.IGNORECASE,
)
_LEXICAL = re.compile(
    r"quer|keyw|word|term|tok|search|overlap|relevan|similar|rank|retriev|inverted|n_?gram|freq", re.IGNORECASE
)
_LOOKED_FOR = re.compile(r"^arg:.*(?:\.(?:get|count|find)|\b(?:md5|sha1|sha256|crc32|hash|murmur\w*|xxh\w*))$")
_SEARCH = re.compile(r"search|match|rank|retriev|score|index|distance|levenshtein|\.i?like$|\.contains$", re.IGNORECASE)


def decide_text(c: Candidate) -> Decision | None:
    """One text comes out with letters gone: a key or a slug, unless it is an identifier or markup."""
    if c.kept is None or c.kept >= 0.97:
        return None
    stages = list(st.flat_stages(c.value.stages))
    names = c.said
    folded = any(isinstance(s, st.Case) and s.method in ("lower", "casefold") for s in stages)
    erased = {s.replacement for s in stages if isinstance(s, st.Erase)}
    erased |= {s.separator for s in stages if isinstance(s, st.Join)}
    ascii_only = any(isinstance(s, st.Encode) for s in stages)
    by_character = any(
        isinstance(s, (st.Condition, st.KeepIf)) and CHARACTER_TESTS.search(s.describe()) for s in stages
    )
    keyed = bool(KEY_NAMES.search(c.function) or KEY_VARIABLES.search(" ".join(c.names)))
    marks = set(c.marks)
    hows = {u.how for u in c.uses if marks & set(u.value.marks)}
    used = c.returned or bool(hows & {"in", "index", "set", "setop", "compare", "join", "store"})
    used = used or any(h.startswith(("arg:", "collect:")) for h in hows)
    if not used and not keyed:
        return None
    reasons = ["one text comes out, letters of it gone"]
    if keyed:
        reasons.append("names speak of a key or a slug")
    cut = any(isinstance(s, st.Split) and s.pattern is not None for s in stages)
    if not cut and not any(isinstance(s, (st.Erase, st.Translate, st.Extract, st.Encode, st.Chars)) for s in stages):
        # Whole texts are kept or dropped: those in other scripts are dropped.
        filters = [s for s in stages if isinstance(s, st.KeepIf) and s.pattern is not None]
        if c.returned and (by_character or (filters and TOKEN_NAMES.search(names))):
            return Decision("match", Confidence.HIGH, (*reasons, "a test of its characters decides which text stays"))
        return None
    if ascii_only:
        sure = Confidence.MEDIUM if _HEADER.search(names) else Confidence.HIGH
        return Decision("normalizer", sure, (*reasons, "encoded as ASCII, the rest ignored"))
    if (
        by_character
        and any(isinstance(s, st.Chars) for s in stages)
        and not _may_be_identifier(c, stages, keyed or folded)
    ):
        return Decision("normalizer", Confidence.HIGH, (*reasons, "characters are kept or dropped one by one"))
    if FULL_TEXT in hows:
        return Decision("normalizer", Confidence.HIGH, (*reasons, "a full-text query is made of it"))
    tests_words = any(isinstance(s, st.KeepIf) and s.pattern is None for s in stages)
    handed_on = c.returned or "store" in hows
    if tests_words and " " in erased and not any(isinstance(s, st.Chars) for s in stages) and handed_on:
        return Decision("normalizer", Confidence.HIGH, (*reasons, "words that a test of their characters refuses go"))
    if c.kept >= 0.75 and not re.search(r"slug|fold|_key", c.function, re.IGNORECASE):
        # Only marks are lost, and nothing says that a key is made of what is left.
        said = "one text comes out, marks of it gone"
        return Decision("normalizer", Confidence.MEDIUM, (said,)) if folded or keyed else None
    if (
        any(isinstance(s, (st.Union, st.Either)) and any(not chain for chain in s.chains) for s in c.value.stages)
        and not keyed
    ):
        # Text that is only put together with other text: what is lost of one part is there in another.
        return None
    if c.value.shape == "match":
        return None
    if any(isinstance(s, st.Extract) for s in stages) and not any(isinstance(s, (st.Join, st.Erase)) for s in stages):
        return None
    if c.hashed:
        return Decision("normalizer", Confidence.MEDIUM, (*reasons, "a digest goes with it"))
    if re.search(r"from_(?:slug|key|id)", c.function):
        return Decision("normalizer", Confidence.MEDIUM, (*reasons, "what it is given has lost them already"))
    if _speaks_of_identifiers(c):
        return Decision("normalizer", Confidence.MEDIUM, (*reasons, "names speak of identifiers or paths"))
    if keyed or (folded and erased & {"-", " ", ""}):
        return Decision("normalizer", Confidence.HIGH, tuple(reasons))
    human = HUMAN_TEXT.search(re.sub(r"\[.*", "", c.value.root))
    return Decision("normalizer", Confidence.HIGH if c.returned and human else Confidence.MEDIUM, tuple(reasons))


def _may_be_identifier(c: Candidate, stages: list[st.Stage], key: bool) -> bool:
    """Whether characters are dropped as a pattern would drop them, and nothing says that a key is made of them.

    Who decomposes before, or asks for the category, is after the marks; a join of what is alphanumeric is judged like
    a class that says so.
    """
    if any(isinstance(s, st.Normalize) or re.search("category|combining", s.describe()) for s in stages):
        return False
    names = c.said
    if c.kept is not None and c.kept < 0.75:
        # Whole scripts go. Who cleans a text of them does not make an identifier.
        names, key = names.replace("clean", ""), True
    return not key or bool(IDENTIFIER_NAMES.search(names) and not _KEYS_OF_TEXT.search(names))


def decide_match(c: Candidate) -> Decision | None:
    """A pattern decides over a text."""
    return Decision("match", Confidence.MEDIUM, ("a pattern decides",))
