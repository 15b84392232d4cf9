"""Small routers to run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from scriptlint.gate.queries import Query
from scriptlint.gate.run import Condition, Setup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROUTER = """\
import re
GATE_MIN = 2.0
DISCOUNT = 1.0
FIELDS = ("description",)
WORD = re.compile(r"[a-z0-9]+")
def tokenize(text):
    return WORD.findall(text.lower()) + re.findall("[一-鿿]", text)
def build_index(items):
    return items
def search(index, query, k=5):
    tokens = tokenize(query)
    scored = [(i["name"], DISCOUNT * sum(t in tokenize(i["description"]) for t in tokens)) for i in index]
    return sorted(scored, key=lambda pair: -pair[1])[:k]
"""
ITEMS = [
    {"name": "video", "dirname": "video", "description": "视频转录成文字", "path": "a", "kind": "skill"},
    {"name": "trip", "dirname": "trip", "description": "规划旅行路线", "path": "b", "kind": "skill"},
    {"name": "pdf", "dirname": "pdf", "description": "fill in pdf forms", "path": "c", "kind": "skill"},
]
QUERIES = [
    Query("转录视频", ("video",), "zh"),
    Query("旅行路线", ("trip",), "zh"),
    Query("把视频变成文字", ("video",), "zh"),
    Query("fill pdf forms", ("pdf",), "en"),
    Query("weather", (), "en"),
]


@pytest.fixture
def condition(tmp_path: Path) -> Callable[..., Condition]:
    """Writes a router and gives it as a condition."""

    def make(source: str = ROUTER, name: str = "router", **constants: object) -> Condition:
        path = tmp_path / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        return Condition(name, str(path), path.name, source, constants)

    return make


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """Settings of a run in the test's own folder, with short limits."""
    return Setup(str(tmp_path), cache=("cache/**",), query_seconds=1.0, build_seconds=5.0)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes."""
    return {
        os.path.relpath(os.path.join(top, name), folder): (folder / top / name).read_bytes()
        for top, _, names in os.walk(folder)
        for name in names
    }
