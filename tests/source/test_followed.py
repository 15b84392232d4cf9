"""Shapes of code that the tracer once followed wrong, each as a kind with its neighbours: what becomes of the scripts.

Every sample is also run as it is, on sentences: the model must give the tokens that Python gives.
"""

from __future__ import annotations

import findings
import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence

HEAD = "import re\nfrom collections import Counter, defaultdict\n\n\n"
TEXTS = (
    "quick brown foxes jump over lazy dogs",
    "Поиск ещё поиск документ сервер поиск документ",
    "हिन्दी में खोज और हिन्दी सुरक्षा खोज",
    "数据库 备份 恢复 数据库 ひらがな データベース",
    "Zürich İstanbul café Zürich naïve café a I x",
    "كِتَاب בחיפוש מסמך 검색 엔진 검색 ไทยภาษา ไทยภาษา",
)
SCRIPTS = ("Latn", "Cyrl", "Deva", "Hani")
WORD = "retained retained shredded unsegmented"
ASCII = "partial excluded excluded excluded"


def judged(source: str) -> dict[str, list[str]]:
    """What becomes of four scripts in each tokenizer that is found, in their order."""
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert result.problems == ()
    out: dict[str, list[str]] = {}
    for j in result.tokenizers:
        if j.tokenizer.confidence is Confidence.HIGH:
            out.setdefault(j.tokenizer.name, []).append(" ".join(j.scripts[s].verdict.value for s in SCRIPTS))
    return out


def found(source: str) -> dict[str, set[str]]:
    return findings.told(HEAD + source)


def assert_runs_as_python(source: str, name: str) -> None:
    """The model of a function of one text gives what the function gives."""
    names: dict[str, object] = {}
    exec(HEAD + source, names)
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    model = next(j.tokenizer for j in result.tokenizers if j.tokenizer.name == name)
    for text in TEXTS:
        real = names[name](text)  # type: ignore[operator]
        real = [real] if isinstance(real, str) else real
        assert sorted(model.run(text) or ()) == sorted(t for t in real or () if t), text


# -- a bound on how many pieces there are, or how often one occurs, says nothing about a word -------------------------
COUNTED = {
    "too few: nothing": (
        "def tokens(text):\n    words = re.findall(r'\\w+', text.lower())\n    if len(words) < 3:\n        return []\n"
        "    return words\n",
        WORD,
    ),
    "enough, or None": (
        "def tokens(text):\n    words = re.findall(r'\\w+', text.lower())\n"
        "    return words if len(words) >= 2 else None\n",
        WORD,
    ),
    "the number has a name": (
        "def tokens(text):\n    words = re.findall('[a-z]+', text.lower())\n    n = len(words)\n    if n < 3:\n"
        "        return []\n    return words\n",
        ASCII,
    ),
    "the bound is a parameter": (
        "def tokens(text, least=2):\n    words = re.findall(r'[^\\W_]+', text)\n    if len(words) < least:\n"
        "        return set()\n    return set(words)\n",
        WORD,
    ),
    "a sentence of too few words": (
        "def tokens(text):\n    out = []\n    for sentence in text.split('.'):\n"
        "        words = re.findall('[a-z]+', sentence.lower())\n        if len(words) < 4:\n            continue\n"
        "        out.extend(words)\n    return out\n",
        ASCII,
    ),
    "neither too few nor too many, twice": (
        "def tokens(text):\n    words = re.findall('[a-z]+', text.lower())\n    if not 3 <= len(words) <= 10:\n"
        "        return []\n    kept = [w for w in words if w != 'the']\n    return kept if len(kept) > 4 else []\n",
        ASCII,
    ),
    "often enough": (
        "def tokens(text):\n    return [w for w, n in Counter(re.findall('[a-z]+', text.lower())).items() if n >= 2]\n",
        ASCII,
    ),
    "often enough, counted by hand": (
        "def tokens(text):\n    seen = {}\n    for w in re.findall(r'\\w+', text.lower()):\n"
        "        seen[w] = seen.get(w, 0) + 1\n    return [w for w, n in seen.items() if n > 1]\n",
        WORD,
    ),
    "often enough, in a table": (
        "def tokens(text):\n    seen = defaultdict(int)\n    for w in re.findall(r'\\w+', text.lower()):\n"
        "        seen[w] += 1\n    return {w for w in seen if seen[w] >= 2}\n",
        WORD,
    ),
    "words often enough beside names": (
        "def tokens(text):\n    out = set(re.findall(r'\\b[A-Z][a-z]{2,}\\b', text))\n"
        "    for word, n in Counter(re.findall(r'\\b[a-zA-Z]{4,}\\b', text.lower())).most_common(20):\n"
        "        if n >= 2:\n            out.add(word)\n    return list(out)\n",
        ASCII,
    ),
    "a few words as they are, else pairs": (
        "def tokens(text):\n    words = re.findall('[a-z]+', text.lower())\n    if len(words) < 2:\n"
        "        return words\n    return words + [a + ' ' + b for a, b in zip(words, words[1:])]\n",
        ASCII,
    ),
    "all but the first": (
        "def tokens(text):\n    return re.findall('[a-z]+', text.lower())[1:]\n",
        ASCII,
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_bound_on_a_number_of_pieces_is_passed(name: str) -> None:
    source, verdicts = COUNTED[name]
    assert judged(source) == {"tokens": [verdicts]}
    assert "SCR007" not in found(source)["tokens"]


@pytest.mark.parametrize("name", [n for n in COUNTED if "first" not in n])
def test_a_bound_on_a_number_of_pieces_holds_in_a_run(name: str) -> None:
    assert_runs_as_python(COUNTED[name][0], "tokens")


LENGTHS = {
    "of a token": "def tokens(text):\n    return [t for t in re.findall(r'\\w+', text) if len(t) > 2]\n",
    "of a token, in a branch": (
        "def tokens(text):\n    out = []\n    for t in re.findall(r'\\w+', text):\n        if len(t) < 3:\n"
        "            continue\n        out.append(t)\n    return out\n"
    ),
    "of a token, by its letters": (
        "def tokens(text):\n    out = []\n    for w in text.split():\n        letters = [c for c in w if c.isalnum()]\n"
        "        if len(letters) < 3:\n            continue\n        out.append(''.join(letters))\n    return out\n"
    ),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_a_bound_on_a_length_is_a_loss(name: str) -> None:
    assert "SCR007" in found(LENGTHS[name])["tokens"]


def test_a_number_of_pieces_is_no_stage() -> None:
    source = (
        "TERM = re.compile(r'[\\w$.]+')\nCAMEL = re.compile('[A-Z]?[a-z]+')\n\ndef parts(word):\n"
        "    pieces = [p for chunk in re.split('[_$.]+', word) for p in CAMEL.findall(chunk)]\n"
        "    if len(pieces) < 2:\n        return []\n    return [p.lower() for p in pieces]\n\n"
        "def tokens(text):\n    seen = {}\n    for word in TERM.findall(text):\n        for part in parts(word):\n"
        "            seen.setdefault(part, None)\n    return list(seen)\n"
    )
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    stages = {s.describe() for j in result.tokenizers for s in j.tokenizer.stages}
    assert not [s for s in stages if "characters" in s]
    assert judged(source) == {"parts": [ASCII], "tokens": [ASCII]}


# -- records chosen by another field: their text is like that of any other ---------------------------------------------
RECORDS = {
    "by its role": "users = [m for m in items if m['role'] == 'user']",
    "by its kind": "users = [m for m in items if m.kind in ('note', 'page')]",
    "by a field that may be missing": "users = [m for m in items if m.get('role') != 'system' and m.get('content')]",
    "by a length": "users = [m for m in items if len(m['content']) > 20]",
    "by a function": "users = [m for m in items if is_user(m)]",
    "by a lambda": "users = list(filter(lambda m: m['role'] == 'user', items))",
    "newest first": "users = sorted((m for m in items if m.kind == 'a'), key=lambda m: m.at)[:5]",
    "by a branch": "users = []\n    for m in items:\n        if m['role'] == 'user':\n            users.append(m)",
    "by another branch": (
        "users = []\n    for m in items:\n        if m['role'] != 'user':\n            continue\n        users.append(m)"
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_chosen_by_another_field_hide_nothing(name: str) -> None:
    after = "    return {w for m in users for w in re.findall('[a-z]+', m['content'].lower())}\n"
    assert judged(f"def tokens(items):\n    {RECORDS[name]}\n{after}") == {"tokens": [ASCII]}


def test_words_of_a_list_that_nobody_knows_are_no_records() -> None:
    stop = "def tokens(text, stop):\n    return [w for w in re.findall(r'\\w+', text) if w in stop]\n"
    assert judged(stop) == {"tokens": [WORD]}


def test_what_is_skipped_is_no_tokenizer() -> None:
    source = (
        "STOP = {'the', 'que'}\n\ndef tokens(text):\n    seen = Counter()\n"
        "    for tok in re.findall('[a-z]{2,}', text.lower()):\n        if tok in STOP or len(tok) < 3:\n"
        "            continue\n        seen[tok] += 1\n    return seen.most_common(30)\n"
    )
    assert judged(source) == {"tokens": [ASCII]}
    kept = source.replace("            continue\n", "            short.append(tok)\n            continue\n")
    assert judged(kept.replace("    seen = Counter()\n", "    seen, short = Counter(), []\n")) != {}


# -- ``*texts``: as many as there may be ------------------------------------------------------------------------------
MANY_TEXTS = {
    "joined": "text = ' '.join(texts)\n    return re.findall('[a-z]+', text.lower())",
    "looped over": (
        "out = set()\n    for t in texts:\n        out.update(re.findall('[a-z]+', t.lower()))\n    return out"
    ),
    "in a comprehension": "return {w for t in texts for w in re.findall('[a-z]+', (t or '').lower())}",
    "the first": "return set(re.findall('[a-z]+', texts[0].lower()))",
    "those that are there": "return set(re.findall('[a-z]+', ' '.join(filter(None, texts)).lower()))",
    "as texts": "return set(re.findall('[a-z]+', ' '.join(map(str, texts)).lower()))",
    "none: nothing": (
        "if not texts:\n        return set()\n    return {w for t in texts for w in re.findall('[a-z]+', t)}"
    ),
}


@pytest.mark.parametrize("name", MANY_TEXTS)
def test_any_number_of_texts(name: str) -> None:
    source = f"def tokens(*texts):\n    {MANY_TEXTS[name]}\n"
    assert judged(source) == {"tokens": [ASCII]}


# -- words with their positions: one tokenizer, whatever lists they go through -----------------------------------------------
POSITIONS = {
    "a list of runs, appended by a loop": (
        "    tokens = []\n    for m in re.finditer('[a-zA-Z]{2,}', text):\n        tokens.append((m.start(), m.group()))\n"
        "    runs = []\n    for m in re.finditer('[\\u4e00-\\u9fff]+', text):\n        runs.append((m.start(), m.group()))\n"
        "    for start, run in runs:\n        tokens.append((start, run))\n    for start, run in runs:\n"
        "        for i in range(len(run) - 1):\n            tokens.append((start + i, run[i:i + 2]))\n"
        "    return [t for _, t in sorted(tokens)]\n"
    ),
    "words first": (
        "    tokens = []\n    for m in re.finditer('[a-zA-Z]+|[\\u4e00-\\u9fff]+', text):\n"
        "        tokens.append((m.group(), m.start()))\n    grams = []\n    for word, at in tokens:\n"
        "        for i in range(len(word) - 1):\n            grams.append((word[i:i + 2], at + i))\n"
        "    return [word for word, at in tokens + grams]\n"
    ),
    "extended": (
        "    runs = [(m.start(), m.group()) for m in re.finditer('[\\u4e00-\\u9fff]+', text)]\n"
        "    tokens = [(m.start(), m.group()) for m in re.finditer('[a-z]+', text)]\n"
        "    tokens.extend((at + i, run[i:i + 2]) for at, run in runs for i in range(len(run) - 1))\n"
        "    return [t for _, t in sorted(tokens)]\n"
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_words_with_their_positions_are_one_tokenizer(name: str) -> None:
    source = f"def tokens(text):\n{POSITIONS[name]}"
    assert judged(source) == {"tokens": ["partial excluded excluded retained"]}
    assert_runs_as_python(source, "tokens")


def test_words_with_their_positions_are_lost_like_words() -> None:
    source = (
        "def tokens(text):\n    out = []\n    for m in re.finditer('[a-z]+', text.lower()):\n"
        "        out.append((m.start(), m.group()))\n    return [t for _, t in out]\n"
    )
    assert judged(source) == {"tokens": [ASCII]}


# -- n-grams of the whole text beside the words: marks come out in them -------------------------------------------------
def test_ngrams_of_the_whole_text_keep_marks() -> None:
    source = (
        "def tokens(text):\n    words = set(re.findall(r'\\w+', text.casefold()))\n    whole = re.sub(r'\\s+', '', text.casefold())\n"
        "    words.update(whole[i:i + 3] for i in range(len(whole) - 2))\n    return words\n"
    )
    assert judged(source) == {"tokens": ["retained retained retained retained"]}
    assert_runs_as_python(source, "tokens")


def test_ngrams_of_the_words_lose_them() -> None:
    source = (
        "def tokens(text):\n    words = re.findall(r'\\w+', text.lower())\n"
        "    return words + [w[i:i + 3] for w in words for i in range(len(w) - 2)]\n"
    )
    assert judged(source) == {"tokens": ["retained retained shredded retained"]}
    assert_runs_as_python(source, "tokens")


# -- matches taken by their index, of a pattern put together from parts ------------------------------------------------
BY_INDEX = {
    "a formatted pattern of class attributes": (
        "class T:\n    WORD = r'[^\\W_]+'\n    REST = r'[^\\s]'\n\n    def __init__(self, **kwargs):\n"
        "        self._regexp = re.compile('(%s)|(%s)' % (self.WORD, self.REST), flags=re.IGNORECASE + re.UNICODE)\n\n"
        "    def tokens(self, text):\n        data = []\n        matches = [m for m in self._regexp.finditer(text)]\n"
        "        for i in range(len(matches)):\n            data.append((matches[i].group(), matches[i].span()))\n"
        "        return data\n"
    ),
    "in a comprehension": (
        "class T:\n    def tokens(self, text):\n        found = list(re.finditer(r'\\w+', text))\n"
        "        return [found[i].group() for i in range(len(found))]\n"
    ),
    "by a counter": (
        "class T:\n    def tokens(self, text):\n        found = list(re.finditer(r'\\w+', text))\n        out, i = [], 0\n"
        "        while i < len(found):\n            out.append(found[i].group(0))\n            i += 1\n        return out\n"
    ),
}


@pytest.mark.parametrize("name", BY_INDEX)
def test_matches_by_index(name: str) -> None:
    assert judged(BY_INDEX[name]) == {"T.tokens": [WORD]}


def test_a_group_of_one_match_by_index_is_no_token() -> None:
    source = "def first(text):\n    found = list(re.finditer(r'(\\w+)=(\\w+)', text))\n    return found[0].group(1)\n"
    assert judged(source) == {}


# -- what a function in a function sees of a branch around it ------------------------------------------------------------
AROUND = {
    "an import": ("import re as _r", "_r.findall(r'\\w+', text)"),
    "a pattern": ("WORDS = re.compile(r'\\w+')", "WORDS.findall(text)"),
    "another function": ("def cut(t):\n            return re.findall(r'\\w+', t.lower())", "cut(text)"),
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("block", ["if query", "for doc in docs", "with lock", "while True"])
def test_a_function_in_a_branch_sees_what_the_branch_names(name: str, block: str) -> None:
    named, cut = AROUND[name]
    source = (
        f"def chat(query, docs):\n    {block}:\n        {named}\n\n        def words(text):\n            return set({cut})\n\n"
        "        return [d for d in docs if words(query) & words(d)]\n"
    )
    assert WORD in [v for found in judged(source).values() for v in found]


# -- the text behind a match is a text like that of a caller ---------------------------------------------------------------
BEHIND = {
    "its end": "m = HEAD.match(text)\n    return re.findall('[a-z]+', text[m.end():].lower())",
    "its end, if there is one": (
        "m = HEAD.match(text)\n    rest = text[m.end() + 1:] if m else text\n    return re.findall('[a-z]+', rest.lower())"
    ),
    "its end, named": "m = HEAD.match(text)\n    end = m.end()\n    return re.findall('[a-z]+', text[end:].lower())",
}


@pytest.mark.parametrize("name", BEHIND)
def test_the_text_behind_a_match(name: str) -> None:
    assert judged(f"HEAD = re.compile(r'(\\S+)\\s*')\n\ndef tokens(text):\n    {BEHIND[name]}\n") == {"tokens": [ASCII]}


def test_arguments_of_a_command_keep_their_letters() -> None:
    source = (
        "HEAD = re.compile(r'^([^ ]+)[ ]*')\nARG = re.compile(r'\"([^\"]+)\"|([^ \"]+)')\n\ndef tokens(s):\n"
        "    m = HEAD.match(s)\n    out = []\n    for quoted, plain in ARG.findall(s[m.end():]):\n"
        "        out.append(quoted or plain)\n    return out\n"
    )
    assert judged(source) == {"tokens": ["retained retained retained unsegmented"]}


# -- one text made of several: what is kept of one says nothing about the other ----------------------------------------------
SLUG = "re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')"
BESIDE = {
    "an id, changed": f"base = {SLUG}\n    return f'{{base}}-{{other.strip()}}'",
    "another text": f"return '/'.join([other.lower(), {SLUG}])",
    "another text, added": f"return other.strip() + '-' + {SLUG}",
    "in one of two branches": (
        f"base = {SLUG}\n    tail = other.replace('-', '')\n    if not base:\n        return f'x-{{tail}}'\n"
        "    return f'{base}-{tail}'"
    ),
    "in a choice": (
        f"base = {SLUG}\n    tail = other.replace('-', '')[:8] or 'unk'\n"
        "    return f'{base}-{tail}' if base else f'untitled-{tail}'"
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_text_beside_another_saves_no_letter(name: str) -> None:
    assert judged(f"def slugify(title, other):\n    {BESIDE[name]}\n") == {"slugify": [ASCII]}


@pytest.mark.parametrize("other", ["uuid", "note_id", "digest"])
def test_a_key_with_an_id_is_told_as_a_note(other: str) -> None:
    for name in BESIDE:
        source = f"def slugify(title, other):\n    {BESIDE[name]}\n".replace("other", other)
        codes = {f.code: f.confidence for f in check_bytes("a.py", (HEAD + source).encode(), Settings()).findings}
        assert codes["SCR001"] is Confidence.MEDIUM, name


def test_two_texts_with_patterns_of_their_own_are_two() -> None:
    source = (
        f"def slugify(title, other):\n    base = {SLUG}\n    tail = re.sub('[^a-z0-9]+', '-', other.lower())\n"
        "    return f'{base}/{tail}'\n"
    )
    assert judged(source) == {"slugify": [ASCII, ASCII]}


def test_parts_of_one_text_are_judged_together() -> None:
    source = "def tokens(text):\n    bare = re.sub('[^a-z0-9 ]+', ' ', text.lower())\n    return f'{text.lower()} {bare}'.split()\n"
    assert judged(source) == {"tokens": ["retained retained retained unsegmented"]}
    assert_runs_as_python(source, "tokens")


# -- characters that a loop skips or ends at --------------------------------------------------------------------------------
def test_a_prefix_of_letters_is_no_list_of_them() -> None:
    source = (
        "def tokens(text):\n    code = ''\n    for ch in text:\n        if ch.isalpha():\n            code += ch\n"
        "        else:\n            break\n    return code[:2] if len(code) >= 2 else code\n"
    )
    assert judged(source) == {}


def test_characters_that_are_skipped_are_lost() -> None:
    source = (
        "def name_key(text):\n    out = ''\n    for ch in text:\n        if not ch.isalnum():\n            continue\n"
        "        out += ch\n    return out.lower()\n"
    )
    assert judged(source) == {"name_key": ["retained retained partial retained"]}
    assert_runs_as_python(source, "name_key")


def test_a_text_that_holds_another_is_no_list_of_stop_words() -> None:
    source = (
        "def similar(names):\n    out = []\n    for a in names:\n        for b in names:\n"
        "            x, y = a.lower(), b.lower()\n            if x in y or y in x:\n                continue\n"
        "            words = set(re.findall('[a-z]+', x))\n            if words & set(re.findall('[a-z]+', y)):\n"
        "                out.append((a, b))\n    return out\n"
    )
    assert judged(source)["similar"] == [ASCII]
    result = check_bytes("a.py", (HEAD + source).encode(), Settings())
    assert not [s for j in result.tokenizers for s in j.tokenizer.stages if "stop words" in s.describe()]


def test_the_first_word_of_a_title_in_a_key() -> None:
    source = (
        "def citation_key(entry):\n    name = re.sub('[^a-zA-Z]', '', entry['author'])\n"
        "    words = re.findall('[a-zA-Z]{4,}', entry['title'])\n    word = words[0].lower() if words else 'paper'\n"
        "    return f\"{name}{entry['year']}{word}\"\n"
    )
    assert ASCII in judged(source)["citation_key"]


def test_a_pattern_that_backtracks_for_ever_on_a_known_text_is_left() -> None:
    known = "TAG = re.compile('(a+)+$')\nHIT = TAG.match('" + "a" * 60 + "!')\n\n\n"
    text = f"{HEAD}{known}def tokenize(s):\n    return re.findall('[a-z]+', s.lower())\n"
    result = check_bytes("a.py", text.encode(), Settings())
    assert "SCR001" in {f.code for f in result.findings}
    assert result.problems == ()
