"""A finding on a tokenizer says what it does to the corpus."""

from __future__ import annotations

from scriptlint.corpus.join import harm_of, joined
from scriptlint.corpus.scan import scan_texts
from scriptlint.corpus.tokens import Tokens
from scriptlint.finding import Confidence, Finding, Level, Location
from scriptlint.tokenizer.model import Tokenizer
from scriptlint.tokenizer.presets import PRESETS


def finding(tokenizer: str, scripts: tuple[str, ...], item: str | None = None) -> Finding:
    place = Location("router.py", 3, 1, 3, 9)
    return Finding(
        "SCR001", "excluded-script", Level.WARNING, Confidence.HIGH, "loses", place,
        scripts=scripts, tokenizer=tokenizer, item=item,
    )  # fmt: skip


def test_joined() -> None:
    tokens = Tokens(Tokenizer("tokenize", "router.py", 1, "tokenizer", Confidence.HIGH, PRESETS["ascii"]))
    files = {
        "skills/a/SKILL.md": "---\nname: b\ndescription: 把视频转录\n---\n",
        "skills/c/SKILL.md": "---\nname: c\ndescription: Merge files\n---\n",
    }
    harms = harm_of(scan_texts(files, tokens), [tokens])
    han, greek, other, item = joined(
        [finding("tokenize", ("Hani", "Cyrl")), finding("tokenize", ("Grek",)), finding("other", ("Hani",)),
         finding("tokenize", ("Hani",), "a")],
        harms,
    )  # fmt: skip
    assert (han.level, han.message) == (Level.ERROR, "loses; 2 of 3 entries of the corpus are blind under it")
    assert (greek.level, greek.message.count("blind")) == (Level.WARNING, 1)
    assert other.message == item.message == "loses"
