"""Front matter: where it is in a Markdown file, and its ``name`` and ``description`` with their places.

Three ways, tried in this order: a regex that accepts only front matter whose meaning is beyond doubt (most files; ten
times cheaper), PyYAML's C composer (the truth, with marks), and a reading line by line of what YAML refuses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from scriptlint.corpus.items import Oddity
from scriptlint.finding import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.corpus.places import Style

# A character that YAML allows and that neither breaks a line nor needs a second look.
_CH = r"\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_ODD = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_FIRST = r"A-Za-z0-9\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_PLAIN = rf"[{_FIRST}][^:#{_ODD}]*(?:(?::(?=[^\s{_ODD}])|(?<=[^ ])#)[^:#{_ODD}]*)*(?<! )"
_QUOTES = rf'"[^"\\{_ODD}]*"|\'[^\'{_ODD}]*\''
_SCALAR = rf"(?:{_QUOTES}|{_PLAIN})"
_WORDS = r"\[(?:[A-Za-z_]\w*(?:-\w+)*(?:, [A-Za-z_]\w*(?:-\w+)*)*)?\]"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]*"
_SURE = re.compile(rf"(?:{_KEY}: (?:{_SCALAR}|{_WORDS})\n|{_KEY}:\n(?:  - {_SCALAR}\n)+|\n)+")
_FORMS = (str.lower, str.title, str.upper)
_READ = frozenset(("name", "description"))
_ODD_KEYS = frozenset(
    form(word) for word in ("y", "n", "yes", "no", "true", "false", "on", "off", "null") for form in _FORMS
)
"""Words that YAML 1.1 reads as something else than text (``y`` and ``n`` only in some readers)."""
_DIGITS = frozenset("0123456789")

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
_STYLES: dict[str, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_INDICATOR = re.compile(r"[|>][+-]?[1-9]?[+-]?")


class Scalar(NamedTuple):
    """A value and where it stands: offsets of the raw scalar in the file's text. ``kind`` is YAML's (str, int...)."""

    value: str
    start: int
    end: int
    style: Style
    kind: str = "str"


@dataclass(slots=True)
class Header:
    """A file's front matter. ``error`` says why it couldn't be read at all, with the offset of the place."""

    found: bool = False
    name: Scalar | None = None
    description: Scalar | None = None
    keys: tuple[str, ...] = ()
    oddities: list[Oddity] = field(default_factory=list)
    error: str = ""


def read_header(text: str, path: str, *, exact: bool = False) -> Header:
    """The front matter of a Markdown file. ``exact`` skips the fast way (tests compare the two)."""
    opened = _OPEN.match(text)
    out = Header()
    if opened is None:
        stripped = text.lstrip()
        if not (stripped.startswith("---") and _OPEN.match(stripped)):
            return out
        start = len(text) - len(stripped)
        opened = _OPEN.match(text, start)
        assert opened is not None
        line = text.count("\n", 0, start) + 1
        why = f"front matter starts on line {line}, after white space; loaders that look on line 1 find none"
        out.oddities.append(_oddity(text, path, "leading-space", why, start, start + 3))
    begin = opened.end()
    out.found = True
    closed = _close(text, begin)
    if closed is None:
        end = _unterminated_end(text, begin)
        why = "front matter has no closing `---`; the lines up to the first one that is no `key: value` were read"
        out.oddities.append(_oddity(text, path, "unterminated", why, opened.start(), opened.start() + 3, Level.WARNING))
    else:
        end = closed
    body = text[begin:end]
    if "\r" in body:
        why = "has \\r line ends; loaders that look for `---\\n` find no front matter"
        out.oddities.append(_oddity(text, path, "crlf", why, 0, 3, common=True))
    if not exact and _fast(body, begin, out):
        return out
    _composed(text, body, begin, path, out)
    return out


def _close(text: str, begin: int) -> int | None:
    at = text.find("\n---", begin - 1)
    if at >= 0 and text[at + 4 : at + 5] == "\n":
        return at + 1
    at = begin - 1
    while True:
        at = text.find("---", at + 1)
        if at < 0:
            closed = _CLOSE.search(text, begin)
            return closed.start() if closed else None
        if at < begin or text[at - 1] not in "\r\n":
            continue
        stop = text.find("\n", at)
        if not text[at + 3 : stop if stop >= 0 else None].strip(" \t\r"):
            return at


def _unterminated_end(text: str, begin: int) -> int:
    at = begin
    for line in text[begin:].splitlines(keepends=True):
        if line.strip() and not re.match(r"[ \t]|- |[\w-]+[ \t]*:|#[^#\s]", line):
            break
        at += len(line)
    return at


def _fast(body: str, begin: int, out: Header) -> bool:
    """Read front matter of one-line plain and quoted scalars and lists of them; false when anything is in doubt."""
    if _SURE.fullmatch(body) is None:
        return False
    keys = []
    at = begin
    for line in body.split("\n"):
        if line and line[0] != " ":
            key, _, rest = line.partition(":")
            keys.append(key)
            if key in _READ:
                raw = rest[1:]
                if not raw or raw[0] == "[":
                    return False
                start = at + len(key) + 2
                if raw[0] in "\"'":
                    found = Scalar(raw[1:-1], start, start + len(raw), _STYLES[raw[0]])
                elif raw[0] in _DIGITS or raw in _ODD_KEYS:
                    return False
                else:
                    found = Scalar(raw, start, start + len(raw), "plain")
                if key == "name":
                    out.name = found
                else:
                    out.description = found
        at += len(line) + 1
    distinct = set(keys)
    if len(distinct) != len(keys) or not _ODD_KEYS.isdisjoint(distinct):
        out.name = out.description = None
        return False
    out.keys = tuple(keys)
    return True


def _composed(text: str, body: str, begin: int, path: str, out: Header) -> None:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(body, Loader=loader)
    except yaml.YAMLError as error:
        from scriptlint.corpus.readers.lenient import read_lines

        read_lines(text, body, begin, path, error, out)
        return
    except RecursionError:
        out.error = "front matter is nested too deeply to read"
        return
    if node is None:
        return
    if not isinstance(node, yaml.MappingNode):
        what = "a list" if isinstance(node, yaml.SequenceNode) else "one text"
        out.error = f"front matter is {what}, not `key: value` lines"
        return
    seen: dict[str, int] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            why = "front matter has a key that is a list or a mapping; strict loaders refuse it. Ignored"
            span = (begin + key.start_mark.index, begin + key.end_mark.index)
            out.oddities.append(_oddity(text, path, "odd-key", why, *span))
            continue
        seen[key.value] = seen.get(key.value, 0) + 1
        if seen[key.value] == 2:
            span = (begin + key.start_mark.index, begin + key.end_mark.index)
            why = f"key `{key.value}` stands twice; the last one was taken, as YAML loaders do"
            out.oddities.append(_oddity(text, path, "duplicate-key", why, *span))
        if key.value == "name":
            out.name = _scalar(text, value, begin, path, "name", out)
        elif key.value == "description":
            out.description = _scalar(text, value, begin, path, "description", out)
    out.keys = tuple(seen)
    if out.description is None:
        _nested(text, node, begin, path, out)


def _nested(text: str, node: object, begin: int, path: str, out: Header) -> None:
    """Tell a description that stands below another key: routers read the top level."""
    for key, value in getattr(node, "value", ()):
        inner = getattr(value, "value", None)
        if not isinstance(inner, list):
            continue
        for pair in inner:
            if isinstance(pair, tuple) and getattr(pair[0], "value", None) == "description":
                where = begin + pair[0].start_mark.index
                above = getattr(key, "value", "")
                why = f"`description` stands under `{above}`; routers read the top level, so there it is missing"
                out.oddities.append(
                    _oddity(text, path, "nested-description", why, where, where + len("description"), Level.WARNING)
                )
                return


def _scalar(text: str, node: object, begin: int, path: str, key: str, out: Header) -> Scalar | None:
    """The value of a node; anything that isn't text is told."""
    import yaml

    assert isinstance(node, yaml.Node)
    start, end = begin + node.start_mark.index, begin + node.end_mark.index
    kind = node.tag.rpartition(":")[2]
    if isinstance(node, yaml.ScalarNode):
        style = _STYLES.get(node.style or "", "plain")
        if kind == "null":
            return None
        if kind != "str":
            raw = node.value
            article = "an" if kind[0] in "aeio" else "a"
            why = f"{key} `{raw}` is {article} {kind} in YAML, not text; read as `{raw}`. Put it in quotes"
            out.oddities.append(_oddity(text, path, f"{key}-type", why, start, end))
        return Scalar(node.value, start, end, style, kind)
    parts = list(_leaves(node))
    what = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
    why = f"{key} is {what}, not text; read as its parts joined by commas. Write it as one text"
    out.oddities.append(_oddity(text, path, f"{key}-type", why, start, end, Level.WARNING))
    return Scalar(", ".join(parts), start, end, "raw", kind)


def _leaves(node: object) -> Iterator[str]:
    import yaml

    if isinstance(node, yaml.ScalarNode):
        yield node.value
    elif isinstance(node, yaml.SequenceNode):
        for child in node.value:
            yield from _leaves(child)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _leaves(key)
            yield from _leaves(value)


def _oddity(
    text: str,
    path: str,
    kind: str,
    message: str,
    start: int,
    end: int,
    level: Level = Level.NOTE,
    common: bool = False,
) -> Oddity:
    from scriptlint.corpus.places import Lines

    lines = Lines(text, path)
    place = lines.location(start, min(end, len(text)))
    if place.end_line != place.line:
        place = lines.location(start, lines.line_end(place.line))
    return Oddity(kind, message, path, place.line, place.column, place.end_line, place.end_column, level, common)
