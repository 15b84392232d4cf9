"""Findings about the tokens of one tokenizer stand at one place: where they are made."""

from __future__ import annotations

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes

HEAD = "import re\n\n\n"
PLACES = {
    "behind a clean-up of blanks": (
        "    s = re.sub(r'\\s+', ' ', text)\n    return set(re.findall(r'\\b\\w+\\b', s.lower()))",
        2,
    ),
    "behind a clean-up of links": (
        "    s = re.sub(r'https?://\\S+', ' ', text)\n    s = re.sub('[ \\t]{2,}', ' ', s)\n    return re.findall(r'\\w+', s)",
        3,
    ),
    "tested, not matched": (
        "    s = re.sub(r'[ \\t]+', ' ', text)\n    return [t for t in s.split() if len(t) > 2 and t.isalnum()]",
        2,
    ),
    "cut by what is erased": ("    s = re.sub(r'[^\\w\\s]', ' ', text)\n    return s.lower().split()", 1),
    "split at what is no word": ("    s = re.sub(r'\\s+', ' ', text).strip()\n    return re.split(r'\\W+', s)", 2),
}


@pytest.mark.parametrize("name", PLACES)
def test_findings_about_tokens_stand_where_tokens_are_made(name: str) -> None:
    body, line = PLACES[name]
    findings = check_bytes("a.py", f"{HEAD}def tokens(text):\n{body}\n".encode(), Settings()).findings
    assert {"SCR002", "SCR003"} <= {f.code for f in findings}
    assert {f.location.line for f in findings} == {HEAD.count("\n") + 1 + line}


def test_a_run_is_told_at_the_pattern_that_lets_it_through() -> None:
    source = "def tokens(text):\n    words = re.findall('[a-z]+', text)\n    return words + re.findall('[\\u4e00-\\u9fff]+', text)\n"
    places = {f.code: f.location.line for f in check_bytes("a.py", (HEAD + source).encode(), Settings()).findings}
    assert (places["SCR001"], places["SCR003"]) == (5, 6)
