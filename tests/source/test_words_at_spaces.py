"""Text that is only cut at spaces: everybody does that, so it is what becomes of the words that tells."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.finding import Confidence


def told(source: str) -> set[str]:
    """The names of the tokenizers with a finding of high confidence."""
    result = check_bytes("a.py", source.encode(), Settings())
    assert result.problems == ()
    return {f.tokenizer or "" for f in result.findings if f.confidence is Confidence.HIGH}


QUIET = {
    "arguments of a command": "def run(line):\n    words = line.split()\n    return handlers[words[0]](words[1:])\n",
    "an option among them": "def verbose(query):\n    return '--verbose' in query.split()\n",
    "a word of the language among them": (
        "def direction(data):\n    word_list = data.split()\n    at = word_list.index('to')\n"
        "    return ' '.join(word_list[at + 1:])\n"
    ),
    "fields of a line": (
        "def load(lines):\n    ranks = {}\n    for token, rank in (line.split() for line in lines):\n"
        "        ranks[token] = int(rank)\n    return ranks\n"
    ),
    "the first word of a statement": (
        "def is_write(query, kinds):\n    first_word = query.strip().split()[0]\n    return first_word in kinds\n"
    ),
    "the number of different words": (
        "def richness(text):\n    words = text.lower().split()\n    return len(set(words)) / max(1, len(words))\n"
    ),
    "the number in an answer": (
        "def answer(text):\n    token = [t for t in text.split() if any(c.isdigit() for c in t)]\n"
        "    return int(''.join(c for c in token[-1] if c.isdigit()))\n"
    ),
    "a version": (
        "def version(out):\n    for token in out.split():\n        if token[0].isdigit():\n            return token\n"
    ),
    "columns of a table": (
        "def columns(query):\n    out = []\n    for piece in query.split(','):\n        token = piece.strip().split()[0]\n"
        "        if token.isidentifier():\n            out.append(token)\n    return out\n"
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str) -> None:
    assert told(QUIET[name]) == set()


LOUD = {
    "words with a weight": (
        "def build(text, lexicon):\n    score = 0\n    for word in text.lower().split():\n"
        "        score += lexicon.get(word, 0)\n    return score\n"
    ),
    "words of a query, counted in a text": (
        "def build(doc, query):\n    return sum(doc.lower().count(word) for word in query.lower().split())\n"
    ),
    "keywords among the words": (
        "def build(text, keywords):\n    tokens = text.lower().split()\n"
        "    return [i for i, keys in keywords.items() if any(k in tokens for k in keys)]\n"
    ),
    "terms of a filter": (
        "def build(query):\n    terms = query.split()\n    return [Q(title__icontains=t) for t in terms]\n"
    ),
    "n-grams counted by hand": (
        "def build(s, n=4):\n    words, counts = s.split(), {}\n    for i in range(len(words) - n + 1):\n"
        "        ngram = tuple(words[i:i + n])\n        counts[ngram] = counts.get(ngram, 0) + 1\n    return counts\n"
    ),
    "words of two texts, aligned": (
        "import editdistance\n\ndef build(reference, hypothesis):\n    a_words = reference.lower().split()\n"
        "    b_words = hypothesis.lower().split()\n    return editdistance.eval(a_words, b_words)\n"
    ),
    "an index that ranks": (
        "from rank_bm25 import BM25Okapi\n\ndef build(docs):\n    return BM25Okapi([d.lower().split() for d in docs])\n"
    ),
    "a query that is ranked": "def build(bm25, q):\n    return bm25.get_scores(q.lower().split())\n",
    "words looked for in a text": (
        "def build(query, name):\n    total = 0\n    for word in query.lower().split():\n"
        "        if word in name.lower():\n            total += 3\n    return total\n"
    ),
    "long words looked for in a text": (
        "def build(query, text):\n"
        "    return any(word in text.lower() for word in query.lower().split() if len(word) > 3)\n"
    ),
    "words counted by hand": (
        "def build(text):\n    freq = {}\n    for word in text.lower().split():\n"
        "        freq[word] = freq.get(word, 0) + 1\n    return freq\n"
    ),
    "an inverted index": (
        "from collections import defaultdict\n\ndef build(docs):\n    inverted = defaultdict(set)\n"
        "    for i, d in enumerate(docs):\n        for word in d.lower().split():\n"
        "            inverted[word].add(i)\n    return inverted\n"
    ),
    "n-grams of words": (
        "def build(a, b, n=3):\n    a_tokens = a.split()\n    b_tokens = b.split()\n"
        "    x = set(tuple(a_tokens[i:i + n]) for i in range(len(a_tokens) - n + 1))\n"
        "    y = set(tuple(b_tokens[i:i + n]) for i in range(len(b_tokens) - n + 1))\n    return len(x & y)\n"
    ),
    "words of weight": (
        "STOP = {'the', 'a', 'is'}\n\ndef build(query):\n    words = query.lower().split()\n"
        "    return [w.strip('.,') for w in words if w.strip('.,') not in STOP and len(w.strip('.,')) > 2]\n"
    ),
    "words of two titles": (
        "def build(a, b):\n    words1 = {w for w in a.split() if len(w) > 2}\n"
        "    words2 = {w for w in b.split() if len(w) > 2}\n    return len(words1 & words2)\n"
    ),
    "words that are searched for": (
        "async def build(storage, query):\n    query_tokens = [t.strip().lower() for t in query.split() if len(t) > 2]\n"
        "    return await storage.search_memories(tags=query_tokens)\n"
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_loud(name: str) -> None:
    assert told(LOUD[name]) == {"build"}


def test_the_name_of_a_function_may_say_it() -> None:
    source = "import itertools\n\ndef _split_into_words(sentences):\n    return list(itertools.chain(*[_.split(' ') for _ in sentences]))\n"
    assert told(source) == {"_split_into_words"}


def test_words_that_another_function_compares() -> None:
    source = (
        "from collections import Counter\n\n"
        "def f1(prediction, truth):\n    return sum((Counter(prediction) & Counter(truth)).values())\n\n"
        "def qa(prediction, truth):\n    prediction_tokens = prediction.lower().split()\n"
        "    truth_tokens = truth.lower().split()\n    return f1(prediction_tokens, truth_tokens)\n"
    )
    assert told(source) == {"qa"}


def test_a_text_that_a_database_searches_its_words_for() -> None:
    source = (
        "import re\n\ndef search(conn, query):\n    clean = re.sub(r'[^\\w\\s-]', '', query)\n"
        "    return conn.execute('SELECT id FROM fts WHERE fts MATCH ?', (clean,)).fetchall()\n"
    )
    assert told(source) == {"search"}
    assert told(source.replace("fts MATCH ?", "name = ?")) == set()


def test_n_grams_of_words_are_judged_by_words_among_others() -> None:
    result = check_bytes("a.py", LOUD["n-grams of words"].encode(), Settings())
    assert {f.code for f in result.findings} == {"SCR003"}
