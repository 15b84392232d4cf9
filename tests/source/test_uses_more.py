"""What pieces and keys are for: kinds that unseen projects showed, each a loud one beside a quiet one."""

from __future__ import annotations

import findings
import pytest

HEAD = (
    "import re\nimport hashlib\nfrom collections import Counter\nimport pandas as pd\nfrom nltk.corpus import stopwords\n"
    "from nltk.stem import PorterStemmer\nfrom sklearn.feature_extraction.text import TfidfVectorizer\n\n"
)
ASCII = {"SCR001", "SCR004"}
BLANKS = {"SCR003"}

LOUD = {
    "cut and joined again": (
        "def tokenize_query(query):\n    tokens = re.split('[^a-zA-Z0-9]+', query.lower())\n    return ' '.join(t for t in tokens if t)\n",
        {"tokenize_query": ASCII},
    ),
    "quoted for a query": (
        "def sanitize_fts_query(raw):\n    cleaned = re.sub('[^a-zA-Z0-9 ]', ' ', raw)\n    terms = cleaned.split()[:20]\n"
        "    return ' '.join(f'\"{t}\"' for t in terms)\n",
        {"sanitize_fts_query": ASCII},
    ),
    "a query in a nested function": (
        "def search(conn, query):\n    clean = re.sub(r'[^\\w -]', '', query)\n    if not clean.strip():\n        return []\n\n"
        "    def run():\n        return conn.execute('SELECT 1 FROM t WHERE t MATCH ?', (f'\"{clean}\"',)).fetchall()\n\n    return run()\n",
        {"search": {"SCR006"}},
    ),
    "hashed to a place": (
        "def vector(text):\n    words = text.lower().split()\n    out = [0] * 100\n    for word in words:\n        out[hash(word) % 100] += 1\n    return out\n",
        {"vector": BLANKS},
    ),
    "phrases and words": (
        "def query_terms(query):\n    words = re.findall('[a-z0-9]+', query.lower())\n    pairs = [' '.join(words[i:i + 2]) for i in range(len(words) - 1)]\n"
        "    seen, result = set(), []\n    for term in [*pairs, *words]:\n        if term not in seen:\n            seen.add(term)\n            result.append(term)\n    return result\n",
        {"query_terms": ASCII},
    ),
    "a script of a course": (
        "data = pd.read_csv('a.csv')\ncorpus = []\nps = PorterStemmer()\nfor i in range(10):\n    review = re.sub('[^a-zA-Z]', ' ', data['Review'][i])\n"
        "    review = review.lower().split()\n    review = [ps.stem(w) for w in review if w not in set(stopwords.words('english'))]\n    corpus.append(' '.join(review))\n",
        {"<module>": ASCII},
    ),
    "words that a test refuses": (
        "def transform_text(text):\n    kept = []\n    for w in text.lower().split():\n        if w.isalnum():\n            kept.append(w)\n    return ' '.join(kept)\n",
        {"transform_text": {"SCR002"}},
    ),
    "a library that may be missing": (
        "try:\n    from sklearn.feature_extraction.text import CountVectorizer\nexcept ImportError:\n    CountVectorizer = None\n\n"
        "def build():\n    return CountVectorizer()\n",
        {"build": {"SCR002", "SCR003", "SCR007"}},
    ),
    "a cleaner and a vectorizer": (
        "def clean_text(text):\n    return re.sub(r'[^a-z\\s]', '', text.lower())\n\n"
        "def train(df):\n    df['clean'] = df['text'].apply(clean_text)\n    return TfidfVectorizer().fit_transform(df['clean'])\n",
        {"clean_text": ASCII},
    ),
    "a constant for what is stored": (
        "class Page:\n    def __init__(self, title):\n        self.slug = re.sub('[^a-z0-9]+', '-', title.lower()).strip('-') or 'page'\n",
        {"Page.__init__": {*ASCII, "SCR011"}},
    ),
    "the most frequent of a set": (
        "def topic(text):\n    words = re.findall(r'[a-z]{4,}', text.lower())\n    return max(set(words), key=words.count)\n",
        {"topic": ASCII},
    ),
}


@pytest.mark.parametrize("source, wanted", LOUD.values(), ids=LOUD)
def test_loud(source: str, wanted: dict[str, set[str]]) -> None:
    assert findings.told(HEAD + source) == wanted


QUIET = {
    "long lines only": "def article(text):\n    text = re.sub(r'https?://\\S+', '', text)\n    kept = []\n    for line in text.split('\\n'):\n"
    "        if len(line) > 20:\n            kept.append(line)\n    return ' '.join(kept)\n",
    "numbers are added up": "def syllables(text):\n    n = 0\n    for token in re.findall('[一-鿿]+|[a-zA-Z]+', text):\n        n += syllable_count(token)\n    return n\n",
    "a set that is counted": "def density(text):\n    words = re.findall(r'\\b\\w+\\b', text.lower())\n    return len(set(words)) / len(words)\n",
    "options": "def csv_values(value):\n    items = re.split(r'[,;\\s]+', value) if isinstance(value, str) else list(value)\n    return [i.strip() for i in items if i]\n",
    "one of some": "MODES = {'fast', 'slow'}\n\ndef normalize_mode(value):\n    mode = re.sub('[^a-z]+', '', value.lower())\n    if mode in MODES:\n        return mode\n    return 'fast'\n",
    "a pairing code": "def normalize_pairing_code(value):\n    return re.sub('[^A-Z0-9]+', '', value.upper())\n",
    "a header": "def header_ascii(value):\n    return str(value).encode('ascii', 'ignore').decode('ascii')\n",
    "a digest in a digest": "def roll(lines, last):\n    rolling = start(last).strip()\n    for line in lines:\n        rolling = hashlib.sha256(rolling.encode('ascii', 'ignore') + line).hexdigest()\n    return rolling\n",
    "only printed": "def show(trace):\n    print(trace.text.encode('ascii', 'replace').decode('ascii'))\n",
    "only logged": "def work(text, logger):\n    short = re.sub('[^a-z]+', '', text.lower())\n    logger.debug(f'working on {short}')\n",
    "from a slug": "def title_from_slug(slug):\n    return ' '.join(w.capitalize() for w in re.split('[^a-z0-9]+', slug) if w)\n",
}  # fmt: skip


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str) -> None:
    assert findings.told(HEAD + source) == {}


def test_something_is_left_so_that_the_constant_never_comes() -> None:
    source = HEAD + "def key(v):\n    return re.sub('[^a-z0-9_]+', '_', v.lower()) or 'all'\n"
    assert findings.told(source) == {"key": ASCII}


def test_a_test_in_a_comprehension_says_nothing_of_the_loop_around_it() -> None:
    source = HEAD + (
        "def best(sentences):\n    for sent in sentences:\n        words = sent.lower().split()\n        tf = Counter(words)\n"
        "        named = sum(1 for w in sent.split() if w[0].isupper())\n        yield tf, named\n"
    )
    assert findings.told(source) == {"best": BLANKS}


def test_sentences_are_not_blamed_for_their_words() -> None:
    source = HEAD + (
        "def compact(facts, context):\n    sentences = [p.strip() for p in re.split(r'(?<=[.!?])\\s+', context)]\n"
        "    return [s for s in sentences if any(matches(f, ' '.join(s.lower().split())) for f in facts)]\n\n"
        "def matches(a, b):\n    return len(set(re.findall(r'\\w+', a)) & set(re.findall(r'\\w+', b))) > 2\n"
    )
    assert set(findings.told(source)) == {"matches"}


PLACES = {
    "the pattern that takes the words": (
        "SIGNS = {'url': re.compile(r'https?://\\S+'), 'mail': re.compile(r'[A-Za-z.]+@[A-Za-z.]+')}\n\n"
        "def concepts(text):\n    found = set()\n    for sign in SIGNS.values():\n        found.update(sign.findall(text))\n"
        "    found.update(re.findall(r'\\b\\w{4,}\\b', text.lower()))  # here\n    return found\n",
        {"SCR002", "SCR003", "SCR007"},
    ),
    "the cut before the length": (
        "def keywords(text):\n    text = re.sub('#[0-9a-f]{3,8}', '', text)\n"
        "    words = [w.strip('.') for w in text.split()]  # here\n    return [w for w in words if len(w) > 2]\n",
        {"SCR003", "SCR007"},
    ),
    "the way that is left": (
        "def tokens(text, lang):\n    if lang == 'ru':\n        return re.findall('[а-яё]+', text.lower())\n"
        "    return re.findall('[a-z]+', text.lower())  # here\n",
        {"SCR001"},
    ),
}


@pytest.mark.parametrize("source, codes", PLACES.values(), ids=PLACES)
def test_where_it_stands(source: str, codes: set[str]) -> None:
    text = HEAD + source
    line = next(i for i, said in enumerate(text.split("\n"), 1) if said.endswith("# here"))
    assert {f.code for f in findings.all_of(text) if f.location.line == line} >= codes
    assert all(f.location.line == line for f in findings.all_of(text) if f.code in codes)


BEHIND = {
    "tags that are compared": (
        "def related(a, b):\n    return len(set(re.findall(r'#(\\w+)', a)) & set(re.findall(r'#(\\w+)', b)))\n",
        {"related": {"SCR002", "SCR003"}},
    ),
    "tags that are counted": (
        "def top(posts):\n    return Counter(t for p in posts for t in re.findall('#([A-Za-z0-9_]+)', p)).most_common(5)\n",
        {},
    ),
    "tags that are handed on": ("def tags(post):\n    return re.findall(r'#\\w+', post)\n", {}),
    "accounts": ("def seen(posts):\n    return Counter(t for p in posts for t in re.findall('@([a-z]+)', p))\n", {}),
    "names": ("def names(fact):\n    return re.findall(r'\\b[A-Z][a-z]+(?:\\s+[A-Z][a-z]+)+\\b', fact)\n", {}),
}


@pytest.mark.parametrize("source, wanted", BEHIND.values(), ids=BEHIND)
def test_words_behind_a_sign_or_with_a_capital(source: str, wanted: dict[str, set[str]]) -> None:
    assert findings.told(HEAD + source) == wanted
    assert findings.told(HEAD + source, pedantic=True) != {}


def test_words_with_a_capital_are_asked_about_with_one() -> None:
    source = HEAD + "def names(fact):\n    return re.findall(r'\\b[A-Z][a-z]{2,}\\b', fact)\n"
    [lost] = [f for f in findings.all_of(source, pedantic=True) if f.code == "SCR001"]
    assert "Cyrl" in lost.scripts and "Latn" not in lost.scripts
