"""Colours, for light and dark. Verdicts and levels are told by symbol and word too; colour only helps."""

from __future__ import annotations

from typing import Final

LIGHT: Final = {
    "paper": "#fbfaf7",
    "card": "#ffffff",
    "ink": "#1f1e1c",
    "soft": "#5d5952",
    "line": "#e2ded5",
    "link": "#1c5a9c",
    "mark": "#fde9a9",
    "code": "#f4f2ec",
    "bad-ink": "#9c1f1b",
    "bad": "#fbe5e1",
    "cut-ink": "#7d2687",
    "cut": "#f7e6f8",
    "run-ink": "#7c4a06",
    "run": "#faecca",
    "part-ink": "#1d4f87",
    "part": "#e3edf8",
    "good-ink": "#1d653a",
    "good": "#e2f2e6",
    "dim-ink": "#59554f",
    "dim": "#efede8",
    "series-1": "#1c5a9c",
    "series-2": "#a3380f",
    "series-3": "#1d653a",
    "series-4": "#7d2687",
    "series-5": "#7c4a06",
    "series-6": "#4a4f57",
}
DARK: Final = {
    "paper": "#151618",
    "card": "#1d1f22",
    "ink": "#ecebe7",
    "soft": "#aaa79f",
    "line": "#35373b",
    "link": "#8fbdf0",
    "mark": "#574a17",
    "code": "#25272b",
    "bad-ink": "#ff9d94",
    "bad": "#431f1d",
    "cut-ink": "#e7a5ee",
    "cut": "#3b2040",
    "run-ink": "#f2c36b",
    "run": "#3b2e12",
    "part-ink": "#9cc6f5",
    "part": "#1b2f47",
    "good-ink": "#8fd6a8",
    "good": "#183423",
    "dim-ink": "#b5b1a9",
    "dim": "#2b2c2f",
    "series-1": "#8fbdf0",
    "series-2": "#ffa987",
    "series-3": "#8fd6a8",
    "series-4": "#e7a5ee",
    "series-5": "#f2c36b",
    "series-6": "#c3c6cc",
}

TONES: Final = ("bad", "cut", "run", "part", "good", "dim")
"""Grounds that have an ink of their own."""

SERIES: Final = 6
"""Colours for lines of a chart; further lines begin again, with another dash."""

PAIRS: Final = (
    *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("paper", "card", "code")),
    ("ink", "mark"),
    *((f"{tone}-ink", ground) for tone in TONES for ground in (tone, "card", "paper")),
    *(("ink", tone) for tone in TONES),
    *((f"series-{n}", "card") for n in range(1, SERIES + 1)),
)
"""(ink, ground) wherever text is set: each has a contrast of at least 4.5 to 1, held by a test."""


def variables(colours: dict[str, str]) -> str:
    """CSS custom properties."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())
