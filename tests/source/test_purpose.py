"""What becomes of the pieces decides: each quiet case stands beside nearly the same code that must be told."""

from __future__ import annotations

import findings
import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence

HEAD = "import re, os, hashlib, unicodedata\n"

COUNTED = (
    (
        "words that are counted after a clean-up in a helper",
        "def _clean(text):\n    return re.sub('[`*_]+', '', text).strip()\n"
        "def prepared(doc):\n    article = _clean(doc.get('article', ''))\n"
        "    {use}\n"
        "    return {{**doc, 'article': article, 'length': n}}\n",
        "n = len(article.split())",
        "n = index(re.findall('[a-z]+', article))",
    ),
    (
        "words that are counted after a clean-up",
        "def is_actionable(snippet):\n    s = re.sub(r'\\s+', ' ', snippet)\n    words = re.findall(r'\\w+', s.lower())\n"
        "    return {use}\n",
        "len(words) >= 4 if '?' in s else len(s) >= 48",
        "set(words) & WANTED if '?' in s else len(s) >= 48",
    ),
    (
        "words of two patterns, counted together",
        "def plain(text):\n    return (text or '').casefold().translate(str.maketrans('–', '-'))\n"
        "def lexical_length(text):\n    text = plain(text)\n    a = re.findall('[a-z0-9]+', text)\n"
        "    b = re.findall('[一-鿿]', text)\n    return {use}\n",
        "max(1, len(a) + len(b))",
        "a + b",
    ),
    (
        "words that a helper counts",
        "def size(words):\n    return len(words)\n"
        "def long_query(text):\n    words = re.findall('[a-z]+', text.lower())\n    return {use}\n",
        "size(words) > 8",
        "words if size(words) > 8 else []",
    ),
    (
        "fragments of which the words are counted",
        "def _clean(text):\n    return ' '.join(re.sub('[`*_]+', '', text).split()).strip(' -')\n"
        "def fragments(text):\n    out = []\n    for part in re.split(r'(?<=[.!?;])\\s+', _clean(text)):\n"
        "        part = _clean(part)\n        if {use}:\n            continue\n        out.append(part)\n    return out\n",
        "len(part.split()) < 4",
        "not STOP.isdisjoint(re.findall('[a-z]+', part))",
    ),
    (
        "a line that is judged by its words",
        "def name_line(text):\n    for line in text.splitlines()[:6]:\n        line = re.sub(r'\\s+', ' ', line.strip())\n"
        "        words = re.split(r'[^\\w.]+', line)\n        if not 2 <= len(words) <= 4:\n            continue\n"
        "        if {use}:\n            continue\n        return line.title()\n",
        "any(w.isupper() and len(w) > 5 for w in words)",
        "any(w in KNOWN for w in words)",
    ),
)


def told(source: str) -> dict[str, set[str]]:
    return findings.told(HEAD + source)


@pytest.mark.parametrize(("source", "quiet", "loud"), [c[1:] for c in COUNTED], ids=[c[0] for c in COUNTED])
def test_what_is_only_counted_is_no_tokenizer(source: str, quiet: str, loud: str) -> None:
    assert told(source.format(use=quiet)) == {}
    assert told(source.format(use=loud)) != {}


DOUBTED = (
    (
        "an identifier of what is alphanumeric",
        "def target(folder, {name}):\n"
        "    safe = ''.join(c if c.isalnum() or c in '-_' else '_' for c in {name})\n    return folder / safe\n",
        {"name": "call"},
        None,
    ),
    (
        "a key under which a bucket keeps something",
        "def {name}(prefix, text):\n    {out} = ''.join(c if c.isalnum() else '_' for c in text.lower())\n"
        "    return prefix + {out}\n",
        {"name": "s3_key", "out": "safe"},
        {"name": "fold_title", "out": "normalized"},
    ),
    (
        "a code that is typed",
        "def verify(code, stored):\n    {name} = ''.join(c for c in {of} if c.isalnum())\n    return {name} == stored\n",
        {"name": "cleaned", "of": "code.upper()"},
        {"name": "key", "of": "code.lower()"},
    ),
    (
        "characters that a clean-up drops",
        "def clean_text(text):\n    return ''.join(c for c in text if {test} or c.isspace())\n",
        {"test": "c.isalnum()"},
        {"test": "ord(c) < 128"},
    ),
    (
        "a key that is looked up among fixed words",
        "FORBIDDEN = {{{words}}}\ndef forbidden_keys(report):\n"
        "    return [key for key in report if re.sub('[^a-z]', '', key.lower()) in FORBIDDEN]\n",
        {"words": "'prompt', 'rawprompt'"},
        {"words": "'prompt', 'подсказка'"},
    ),
    (
        "a heading that is looked up in a fixed table",
        "SECTIONS = {{'skills': {{'skills', 'technical skills'}}, 'education': {{'education'}}}}\n"
        "def normalize_header(line):\n    normalized = re.sub('[^a-zA-Z ]+', '', line).strip().lower()\n"
        "    for name, aliases in SECTIONS.items():\n        if normalized in aliases:\n            return name\n"
        "    return {rest}\n",
        {"rest": "None"},
        {"rest": "normalized"},
    ),
    (
        "tags with commas between them",
        "def {name}(value):\n    out, seen = [], set()\n    for item in re.split(r'{cut}', str(value)):\n"
        "        item = item.strip()\n        if not item or item in seen:\n            continue\n"
        "        seen.add(item)\n        out.append(item)\n    return out\n",
        {"name": "normalize_tags", "cut": r"[,\s]+"},
        {"name": "normalize_tags", "cut": r"[^a-z]+"},
    ),
    (
        "addresses with commas between them",
        "def index_{name}(raw, name):\n    known = {{}}\n    for {item} in re.split(r'[,\\s]+', raw):\n"
        "        known[{item}] = name\n    return known\n",
        {"name": "contacts", "item": "jid"},
        {"name": "query", "item": "word"},
    ),
    (
        "a command and its arguments",
        "def {name}(message):\n    self.tokens = re.split(r'{cut}', message)\n    return len(self.tokens)\n",
        {"name": "parse_command", "cut": r"\s+"},
        {"name": "parse_command", "cut": r"[^a-z]+"},
    ),
    (
        "words that are taken by their place",
        "def initials(label):\n    parts = [p for p in re.split(r'[^\\w.]+', label) if p]\n"
        "    if len(parts) == 1:\n        return parts[0][:2].upper()\n    return {out}\n",
        {"out": "(parts[0][0] + parts[1][0]).upper()"},
        {"out": "parts"},
    ),
    (
        "the keys of a path",
        "STEP = re.compile(r'([a-zA-Z_]+){index}')\n"
        "def resolve(data, path):\n    for step in STEP.finditer(path):\n        key = step.group(1)\n"
        "        if key not in data:\n            return None\n        data = data[key]\n    return data\n",
        {"index": r"(?:\[(\d+)\])?"},
        {"index": ""},
    ),
    (
        "a digest that goes on",
        "def scan(lines, {name}=''):\n    for line in lines:\n"
        "        digest = hashlib.sha256({name}.encode('ascii', errors='ignore') + line).hexdigest()\n"
        "    return digest\n",
        {"name": "digest"},
        {"name": "title"},
    ),
    (
        "characters beside separators",
        "def tokens_of_path(text):\n    text = text.split(':')[0]\n    return bool(set(text) & {other})\n",
        {"other": "{os.sep, '/'}"},
        {"other": "set(KNOWN.lower())"},
    ),
    (
        "words that become lines again",
        "def chunks(text, most):\n    lines, line, n = [], [], 0\n    for word in re.split(r'{cut}', text):\n"
        "        if n + len(word) > most and line:\n            lines.append(' '.join(line))\n"
        "            line, n = [word], len(word)\n        else:\n            line.append(word)\n"
        "            n += len(word) + 1\n    lines.append(' '.join(line))\n    return lines, {more}\n",
        {"cut": r"\s+", "more": "None"},
        {"cut": r"\s+", "more": "set(re.split(r'\\W+', text)) & KNOWN"},
    ),
)


@pytest.mark.parametrize(("source", "quiet", "loud"), [c[1:] for c in DOUBTED], ids=[c[0] for c in DOUBTED])
def test_what_may_be_no_words_is_not_told_as_sure(
    source: str, quiet: dict[str, str], loud: dict[str, str] | None
) -> None:
    assert told(source.format(**quiet)) == {}
    if loud is not None:
        assert told(source.format(**loud)) != {}


def test_a_doubt_says_why() -> None:
    source = "def parse_command(message):\n    self.tokens = re.split(r'\\s+', message)\n    return len(self.tokens)\n"
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert [j.tokenizer.reasons[-1] for j in result.tokenizers] == ["names speak of a command and its arguments"]


READER = (
    "def read({name}):\n    out, stack = [], []\n    tokens = re.findall(r'[A-Za-z0-9]+|[()&|]', {name})\n"
    "    for token in tokens:\n        if token == '(':\n            stack.append(out)\n        elif token == '&':\n"
    "            continue\n        else:\n            out.append(token)\n    return out\n"
)


def test_a_reader_of_code_reads_no_words() -> None:
    quiet = check_bytes("a.py", (HEAD + READER.format(name="formula")).encode(), Settings())
    assert [f for f in quiet.findings if f.confidence is Confidence.HIGH] == []
    told = check_bytes("a.py", (HEAD + READER.format(name="query")).encode(), Settings())
    assert {f.code for f in told.findings if f.confidence is Confidence.HIGH} == {"SCR001", "SCR004"}
