"""Readers: one format a file, found by a file's name and content.

``read_file`` takes bytes and gives items with what was odd about them; it never raises for what a file holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.corpus.items import Oddity, Reading
from scriptlint.corpus.readers import markdown
from scriptlint.finding import Level

if TYPE_CHECKING:
    from scriptlint.corpus.readers.files import FileRef

MARKDOWN = frozenset({".md", ".mdc", ".markdown"})
JSON = frozenset({".json", ".snap"})
YAML = frozenset({".yaml", ".yml"})
TABLES = frozenset({".jsonl", ".ndjson", ".csv", ".tsv", ".parquet"})
SUFFIXES = MARKDOWN | JSON | YAML
MAX_BYTES = 64 * 1024 * 1024
"""A definition file above this is told, not read: tables, which stream, have no such limit."""


def read_file(ref: FileRef, data: bytes, places: bool = False) -> Reading:
    """The items of one definition file."""
    suffix = ref.suffix
    try:
        if suffix in MARKDOWN:
            return markdown.read(ref, data, places)
        from scriptlint.corpus.readers import structured

        if suffix in JSON:
            return structured.read_json(ref, data, places)
        if suffix in YAML:
            return structured.read_yaml(ref, data, places)
    except Exception as error:  # a reader's own fault must not end a scan of thousands of files
        why = f"made the reader fail ({type(error).__name__}: {error}); please report this file"
        oddity = Oddity("reader-failed", why, ref.path, level=Level.WARNING)
        return Reading(oddities=[oddity], unreadable=True)
    return Reading(recognised=False)
