"""A file of source text, repaired and run before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes
from scriptlint.fix.apply import fix_file
from scriptlint.unicode.scripts import RECOMMENDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from scriptlint.fix.apply import Fixed


@pytest.fixture
def repair() -> Callable[..., Fixed]:
    """Repairs of one file, with the findings of all rules: ``repair(source, unsafe=True)``."""

    def made(source: str | bytes, **options: Any) -> Fixed:
        data = source.encode() if isinstance(source, str) else source
        findings = check_bytes("example.py", data, Settings()).findings
        return fix_file("example.py", data, findings, RECOMMENDED, **options)

    return made


@pytest.fixture
def tokens_of() -> Callable[..., list[str]]:
    """What the program itself makes of a text: ``tokens_of(source, text)``."""

    def run(source: bytes, text: str, name: str = "tokenize") -> list[str]:
        space: dict[str, Any] = {}
        exec(compile(source, "example.py", "exec"), space)
        return list(space[name](text))

    return run
