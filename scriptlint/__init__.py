"""scriptlint: finds the scripts that a tokenizer, a corpus or a score gate silently loses."""

__version__ = "0.1.0"
