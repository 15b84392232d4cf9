"""Draw docs/img/terminal.svg from what scriptlint prints about fixtures/; ``--check`` says whether it is current.

python tools/gen_picture.py [--check]
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scriptlint.report.display import char_width

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "img" / "terminal.svg"
COLUMNS = 104
COMMANDS = (
    ("check", "fixtures/router/baseline.py", "--select", "SCR001"),
    ("tokenizers", "fixtures/router", "--probe", "视频下载"),
)
SIZE, LINE, LEFT, TOP = 13.0, 19.0, 24.0, 52.0
CELL = SIZE * 0.602
"""Width of a terminal's column: what most monospaced fonts have. Every run of text is fitted to its columns."""

COLOURS = {
    "31": "#ff8d85", "32": "#8fd6a8", "33": "#f2c36b", "34": "#86b6f2", "35": "#e0a0e8", "36": "#86cfd8",
    "2": "#9a9ca3",
}  # fmt: skip
GROUND, INK, SOFT = "#17191d", "#e8e6e1", "#9a9ca3"
_STYLE = re.compile("\x1b\\[([0-9;]*)m")


def printed(arguments: tuple[str, ...]) -> str:
    """What a command prints to a terminal of COLUMNS columns, with its colours."""
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR" and not k.startswith("SCRIPTLINT_")}
    done = subprocess.run(
        [sys.executable, "-m", "scriptlint", *arguments, "--color", "always", "--no-cache"],
        cwd=ROOT,
        env={**environment, "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode > 1 or done.stderr:
        sys.exit(f"scriptlint {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def runs(line: str) -> Iterator[tuple[str, str]]:
    """Text of one look, with its SGR codes joined by semicolons."""
    at, codes = 0, ""
    for hit in _STYLE.finditer(line):
        if hit.start() > at:
            yield line[at : hit.start()], codes
        codes = "" if hit[1] in ("", "0") else hit[1]
        at = hit.end()
    if at < len(line):
        yield line[at:], codes


def cells(line: str) -> list[tuple[str, int, str]]:
    """Characters with their widths and looks; what takes no column joins the character before it."""
    out: list[tuple[str, int, str]] = []
    for text, codes in runs(line):
        for char in text:
            width = char_width(char)
            if width == 0 and out:
                before, columns, look = out[-1]
                out[-1] = (before + char, columns, look)
            else:
                out.append((char, width, codes))
    return out


def rows(text: str) -> Iterator[list[tuple[str, int, str]]]:
    """Lines as a terminal shows them: what is too long goes on in the next."""
    for line in text.rstrip("\n").split("\n"):
        row: list[tuple[str, int, str]] = []
        used = 0
        for cell in cells(line):
            if used + cell[1] > COLUMNS:
                yield row
                row, used = [], 0
            row.append(cell)
            used += cell[1]
        yield row


def spans(row: list[tuple[str, int, str]], y: float) -> Iterator[str]:
    """One ``text`` for each stretch of a look and of a width."""
    at = start = 0
    while start < len(row):
        end = start
        while end < len(row) and row[end][1:] == row[start][1:]:
            end += 1
        text = "".join(c[0] for c in row[start:end])
        columns = sum(c[1] for c in row[start:end])
        if text.strip():
            codes = row[start][2].split(";")
            colour = next((COLOURS[c] for c in codes if c in COLOURS), INK)
            bold = ' font-weight="600"' if "1" in codes else ""
            yield (
                f'<text x="{LEFT + at * CELL:.1f}" y="{y:.1f}" fill="{colour}"{bold} textLength="{columns * CELL:.1f}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{html.escape(text)}</text>'
            )
        at += columns
        start = end


def picture() -> str:
    """The SVG."""
    body: list[str] = []
    said: list[str] = []
    y = TOP
    for arguments in COMMANDS:
        command = f"$ scriptlint {' '.join(arguments)}"
        said.append(command)
        body += spans(cells(f"\x1b[2m{command}\x1b[0m"), y)
        y += LINE * 1.3
        text = printed(arguments)
        said.append(_STYLE.sub("", text))
        for row in rows(text):
            body += spans(row, y)
            y += LINE
        y += LINE * 0.7
    width, height = 2 * LEFT + COLUMNS * CELL, y
    dots = "".join(f'<circle cx="{LEFT + 6 + 18 * n}" cy="22" r="5" fill="#3a3d44"/>' for n in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-labelledby="title" font-size="{SIZE:g}" '
        'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,Noto Sans Mono CJK SC,monospace">\n'
        f'<title id="title">{html.escape(said[0])} and {html.escape(said[2])} in a terminal</title>\n'
        f'<rect width="100%" height="100%" rx="10" fill="{GROUND}"/>{dots}\n' + "\n".join(body) + "\n</svg>\n"
    )


def main(arguments: list[str]) -> int:
    """0 when current (or written), 1 when ``--check`` finds a difference."""
    text = picture()
    name = PICTURE.relative_to(ROOT).as_posix()
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print(f"{name}: is not what scriptlint prints now; run python tools/gen_picture.py")
        return 1
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
