"""From bytes to text: encodings as they are met, never an exception."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from scriptlint.corpus.items import Oddity
from scriptlint.finding import Level

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_BOM_STARTS = frozenset(bom[:1] for bom, _ in _BOMS) | {codecs.BOM_UTF8[:1]}


@dataclass(slots=True)
class Decoded:
    """A file's text without its byte order mark. ``oddities`` tell what the bytes were like."""

    text: str
    oddities: list[Oddity] = field(default_factory=list)


def decode(data: bytes, path: str) -> Decoded:
    """Text of a file. Bad bytes become U+FFFD and are told with their number and the first one's place."""
    if data[:1] not in _BOM_STARTS:
        pass
    elif data.startswith(codecs.BOM_UTF8):
        out = decode(data[3:], path)
        why = "starts with a byte order mark; loaders that look for `---` or `{` first don't recognise the file"
        out.oddities.insert(0, Oddity("bom", why, path))
        return out
    else:
        for bom, name in _BOMS:
            if data.startswith(bom):
                text = data[len(bom) :].decode(name, "replace")
                why = f"is {name[:-3].upper()}, not UTF-8; read as such, but most loaders can't"
                return Decoded(text, [Oddity("utf-16", why, path, level=Level.WARNING)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _damaged(data, error.start, path)
    out = Decoded(text)
    if "\0" in text:
        where = text.index("\0")
        line, column = _place(text, where)
        many = text.count("\0")
        noun = "a NUL character" if many == 1 else f"{many} NUL characters"
        out.oddities.append(Oddity("nul", f"holds {noun}; ignored", path, line, column, line, column + 1))
    return out


def _damaged(data: bytes, first: int, path: str) -> Decoded:
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd") - data.count("\ufffd".encode())
    line, column = _place(data[:first].decode("utf-8", "replace"), first)
    share = bad / max(1, sum(byte > 0x7F for byte in data))
    noun = "1 bad byte sequence" if bad == 1 else f"{bad} bad byte sequences"
    if share > 0.2:
        why = f"is not UTF-8 ({noun}, the first is byte {data[first]:#04x}); what they spelt is lost. Save it as UTF-8"
        kind = "not-utf8"
    else:
        why = f"holds {noun} (the first is {data[first]:#04x}); each was read as U+FFFD. Save the file as UTF-8"
        kind = "bad-bytes"
    return Decoded(text, [Oddity(kind, why, path, line, column, line, column + 1, Level.WARNING)])


def _place(text: str, offset: int) -> tuple[int, int]:
    """1-based line and column of the end of ``text[:offset]``."""
    head = text[:offset]
    line = head.count("\n") + 1
    return line, len(head) - (head.rfind("\n") + 1) + 1
