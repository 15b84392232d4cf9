"""What stands for a verdict wherever one is shown."""

from __future__ import annotations

from scriptlint.tokenizer.model import Verdict

PAINT = {
    Verdict.EXCLUDED: "red",
    Verdict.SHREDDED: "magenta",
    Verdict.UNSEGMENTED: "yellow",
    Verdict.PARTIAL: "cyan",
    Verdict.RETAINED: "green",
    Verdict.UNKNOWN: "dim",
}
"""A verdict's colour in a terminal."""

SYMBOL = {
    Verdict.EXCLUDED: "\u2717",
    Verdict.SHREDDED: "\u2248",
    Verdict.UNSEGMENTED: "\u2501",
    Verdict.PARTIAL: "\u25d0",
    Verdict.RETAINED: "\u2713",
    Verdict.UNKNOWN: "?",
}
"""A verdict's sign in a table or page, so that colour is never all that tells it."""
