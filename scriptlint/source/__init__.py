"""Reads Python source: finds tokenizers in it, assembles their stages, runs none of its code."""

from __future__ import annotations

from scriptlint.source.reader import SourceFacts, TokenizerNotFound, load_tokenizer, read_source

__all__ = ["SourceFacts", "TokenizerNotFound", "load_tokenizer", "read_source"]
