"""Code points as sets, and what Unicode 18.0 and CLDR say about them. Imports nothing else of scriptlint."""

from __future__ import annotations

from scriptlint.unicode.codepoints import CodePoints

__all__ = ["UNICODE_VERSION", "CodePoints"]

UNICODE_VERSION = "18.0.0"
"""The version of Unicode of every table; results never follow the interpreter's own."""
