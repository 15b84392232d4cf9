"""Pieces that are no words of a text: each quiet case stands beside nearly the same code that must be told."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence

HEAD = "import re, regex, collections\nfrom unicodedata import normalize\nfrom urllib.parse import quote\n"

CODE = (
    (
        "numbers, identifiers and any sign",
        "def lex(src):\n    for number, name, op in re.findall({pattern}, src):\n"
        "        if number:\n            yield 'NUM', int(number)\n        elif name:\n            yield 'NAME', name\n"
        "        else:\n            yield 'OP', op\n",
        r"r'\s*(?:(\d+)|([A-Za-z_]\w*)|(.))'",
        r"r'\s*(?:(\d+)|([A-Za-z]+)|(.))'",
    ),
    (
        "numbers, identifiers and operators",
        "def tokenize_expr(expr):\n    return re.findall({pattern}, expr)\n",
        r"r'\d+\.?\d*|[A-Za-z_]\w*|[-+*/^()=]'",
        r"r'\d+\.?\d*|[A-Za-z]+|[-.,!?()]'",
    ),
    (
        "groups by their names",
        "SPEC = [('NUM', r'\\d+'), ('WORD', {pattern}), ('SIGN', r'[-+*/]'), ('SKIP', r'\\s+')]\n"
        "SPEC_RE = '|'.join('(?P<%s>%s)' % pair for pair in SPEC{less})\n"
        "def tokens(code):\n    for m in re.finditer(SPEC_RE, code):\n"
        "        kind, value = m.lastgroup, m.group()\n        if kind == 'SKIP':\n            continue\n"
        "        yield kind, value\n",
        {"pattern": r"r'[A-Za-z_]\w*'", "less": ""},
        {"pattern": "r'[a-z]+'", "less": "[:2]"},
    ),
    (
        "brackets with blanks around them",
        "def tokenize(chars):\n    return {pattern}.split()\n",
        "chars.replace('(', ' ( ').replace(')', ' ) ')",
        "chars.replace('(', ' ( ').replace(')', ' ) ').replace(',', ' , ')",
    ),
    (
        "what is cut like code, and searched",
        "def {pattern}\n",
        r"tokens(code):" "\n" r"    return re.findall(r'\d+|[A-Za-z_]\w*|[-+*/=<>]', code)",
        r"search_tokens(code):" "\n" r"    return re.findall(r'\d+|[A-Za-z_]\w*|[-+*/=<>]', code)",
    ),
)

PURPOSES = (
    (
        "blanks kept, and joined with nothing",
        "def urlize(text):\n    words = re.split(r'(\\s+)', text)\n    for i, word in enumerate(words):\n"
        "        if {use}:\n            words[i] = '<b>' + word + '</b>'\n    return ''.join(words)\n",
        "word.startswith('https://')",
        "word.lower() in TERMS",
    ),
    (
        "pieces that are numbers",
        "def parse_datetime(value):\n    tokens = re.split(r'-|T|:|\\.| ', value)\n    return {use}\n",
        "build(*map(int, tokens))",
        "build(set(tokens))",
    ),
    (
        "pieces that a function reads numbers in",
        "def post(form, existing):\n    keys = []\n    for val in re.split(r'[\\s,]+', form.pr.strip()):\n"
        "        if val:\n            keys.append({use})\n    return [n for n in keys if n not in existing]\n",
        "parse_number(val)",
        "parse_word(val)",
    ),
    (
        "n-grams of a text without its blanks",
        "def grams(line, n):\n    words = line.split()\n    line = ''.join(words)\n"
        "    return collections.Counter([{use}])\n",
        "line[i:i + n] for i in range(len(line) - n + 1)",
        "word.lower() for word in words",
    ),
    (
        "names of styles in an attribute",
        "def styles(obj):\n    out = {{}}\n    for line in obj.{use}:\n        for token in line.split():\n"
        "            if token in out:\n                continue\n            out[token] = [0]\n    return out\n",
        "styles",
        "lines",
    ),
    (
        "a stop list",
        "def {use}\n",
        "set_words(language):\n    global STOPWORDS\n    words = read(language)\n"
        "    STOPWORDS = frozenset({w for w in words.split() if w} | EXTRA)",
        "set_words(language):\n    global KEYWORDS\n    words = read(language)\n"
        "    KEYWORDS = frozenset({w for w in words.split() if w} | EXTRA)",
    ),
    (
        "a list of words in a file",
        "def score({use}, scores):\n    word_list = {use}.split()\n    return sum(scores[w] for w in word_list if w in scores)\n",
        "word_file",
        "keyword",
    ),
    (
        "as many pieces as there are names",
        "def name_day(text):\n    day, {use} = re.split(r'[ /-]+', text.strip())\n    return ask(day, {more})\n",
        {"use": "month", "more": "month"},
        {"use": "*words", "more": "set(words) & TERMS"},
    ),
    (
        "pieces that a function of this file reads numbers in",
        "def {use}(val):\n    found = re.search('/pull/([0-9]+)', val)\n    return int(found[1]) if found else int(val)\n"
        "def post(form):\n    keys = []\n    for val in re.split(r'[\\s,]+', form.pr.strip()):\n"
        "        keys.append({use}(val))\n    {more}\n    return keys\n",
        {"use": "parse_number", "more": ""},
        {"use": "parse_number", "more": "index(set(re.split(r'[\\s,]+', form.pr.strip())))"},
    ),
    (
        "the list of words of a class for it",
        "class {use}:\n    def load(self, file):\n        words = file.read().lower().split()\n"
        "        return set(words) & self.terms\n",
        "Wordlist",
        "Document",
    ),
    (
        "the first word",
        "class Storage:\n    def ask(self, query):\n        keyword = None\n        for keyword in query.split():\n"
        "            if {use}:\n                break\n        if keyword not in self.plugins:\n            return []\n"
        "        return self.plugins[keyword].answer(query)\n",
        "keyword",
        "keyword in self.plugins",
    ),
    (
        "only where words begin",
        "def context(text, start, end):\n    words = [{use} for m in re.finditer(r'\\S+', text)]\n"
        "    return text[words[start]:]{more}\n",
        {"use": "m.start()", "more": ""},
        {"use": "m.group()", "more": ", set(words) & TERMS"},
    ),
    (
        "names of accounts",
        "{use} = r'[a-zA-Z\\[\\]\\\\`_^{{|}}][a-zA-Z0-9\\[\\]\\\\`_^{{|}}-]+'\n"
        "def present(line, room):\n    possible = re.findall({use}, line)\n    return [m for m in possible if m in room]\n",
        "NICK_REGEX",
        "WORD_REGEX",
    ),
    (
        "an ASCII name beside the whole one",
        "def serve(filename, kind):\n"
        "    filename_normalized = normalize('NFKD', filename).encode('ascii', 'ignore').decode('ascii')\n"
        "    return {use}\n",
        "f'{kind}; filename=\"{filename_normalized}\"; filename*=utf-8\\'\\'{quote(filename)}'",
        "f'{kind}; filename=\"{filename_normalized}\"'",
    ),
    (
        "words that must fit",
        "def check(s):\n    for i in s.split(' '):\n"
        "        if not re.match('(^[a-z][a-z0-9-]*$)|(^[0-9]+$)', i) and i not in WORDS:\n            {use}\n"
        "        found(i)\n    return True\n",
        "return False",
        "continue",
    ),
    (
        "keys of a code",
        "CODE = {{'AAAAA': 'a', 'AAAAB': 'b'}}\n"
        "def decode(coded):\n    out = ''\n    for word in coded.split():\n        out += {use}\n    return out\n",
        "CODE[word]",
        "CODE[word] if word in CODE else rest(word) if word in TERMS else ''",
    ),
    (
        "characters that are replaced",
        "PUBID = re.compile('[^\\\\sa-zA-Z0-9,.?!-]')\n"
        "def coerce(data):\n    out = data\n    for char in PUBID.findall(data):\n        {use}\n    return out\n",
        "out = out.replace(char, escape(char) if char not in KNOWN else KNOWN[char])",
        "out = out + KNOWN[char] if char in KNOWN else index(char)",
    ),
)


def told(source: str) -> set[str]:
    """Codes of the sure findings."""
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert result.problems == ()
    return {f.code for f in result.findings if f.confidence is Confidence.HIGH}


def filled(source: str, use: str | dict[str, str], name: str) -> str:
    return source.format(**({name: use} if isinstance(use, str) else use))


@pytest.mark.parametrize(("source", "quiet", "loud"), [c[1:] for c in CODE], ids=[c[0] for c in CODE])
def test_a_lexer_of_code_reads_no_words(source: str, quiet: str | dict[str, str], loud: str | dict[str, str]) -> None:
    assert told(filled(source, quiet, "pattern")) == set()
    assert told(filled(source, loud, "pattern")) != set()


@pytest.mark.parametrize(("source", "quiet", "loud"), [c[1:] for c in PURPOSES], ids=[c[0] for c in PURPOSES])
def test_pieces_that_are_no_words(source: str, quiet: str | dict[str, str], loud: str | dict[str, str]) -> None:
    assert told(filled(source, quiet, "use")) == set()
    assert told(filled(source, loud, "use")) != set()


ALONE = (
    "CJK = regex.compile(r'[\\p{{Han}}\\p{{Hiragana}}\\p{{Katakana}}\\p{{Hangul}}{more}]+')\n"
    "def cjk_query(index, query, fields):\n    cjk_text = ' '.join(CJK.findall(query))\n"
    "    return index.parse_query(cjk_text, fields)\n"
)


def test_who_takes_one_script_alone_leaves_out_the_others_on_purpose() -> None:
    assert "SCR001" not in told(ALONE.format(more=""))
    assert "SCR003" in told(ALONE.format(more=""))
    # With Latin words beside them it is the tokenizer of a whole text; so is that of an alphabet with blanks.
    assert "SCR001" in told(ALONE.replace(r"\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Hangul}}", "а-яё").format(more=""))
    assert "SCR001" in told(ALONE.format(more="A-Za-z"))


def test_what_is_left_out_on_purpose_is_doubted_and_not_hidden() -> None:
    found = check_bytes("a.py", (HEAD + ALONE.format(more="")).encode(), Settings()).findings
    assert [f.confidence for f in found if f.code == "SCR001"] == [Confidence.MEDIUM]
