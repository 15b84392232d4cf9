"""Write docs/rules/*.md from the rules, and the rule table of README.md; ``--check`` says whether they are current.

python tools/gen_docs.py [--check]
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from scriptlint.registry import load_registry
from scriptlint.report.pages import rule_page

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Written by tools/gen_docs.py from the rule's docstring; edit rules/{file} instead. -->\n\n"
BEGIN, END = "<!-- rules: begin -->", "<!-- rules: end -->"


def wanted() -> dict[Path, str]:
    """Every generated file and its text."""
    registry = load_registry()
    folder = ROOT / "docs" / "rules"
    files = {folder / f"{r.name}.md": NOTE.format(file=r.path.name) + rule_page(r) for r in registry}
    rows = [f"| [{r.code}]({{base}}{r.name}.md) | {r.name} | {r.summary} |" for r in registry]
    table = "\n".join(["| code | name | finds |", "| --- | --- | --- |", *rows])
    index = "# Rules\n\n<!-- Written by tools/gen_docs.py. -->\n\n" + table.format(base="") + "\n"
    files[folder / "README.md"] = index
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    if BEGIN in text and END in text:
        head, _, rest = text.partition(BEGIN)
        _, _, tail = rest.partition(END)
        files[readme] = f"{head}{BEGIN}\n{table.format(base='docs/rules/')}\n{END}{tail}"
    return files


def main(arguments: list[str]) -> int:
    """0 when current (or written), 1 when ``--check`` finds a difference."""
    check = "--check" in arguments
    files = wanted()
    stale = set((ROOT / "docs" / "rules").glob("*.md")) - set(files)
    wrong = 0
    for path, text in sorted(files.items()):
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if before == text:
            continue
        wrong += 1
        name = path.relative_to(ROOT).as_posix()
        if check:
            sys.stdout.writelines(
                difflib.unified_diff(before.splitlines(True), text.splitlines(True), name, f"{name} (generated)", n=1)
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {name}")
    for path in sorted(stale):
        wrong += 1
        print(f"{path.relative_to(ROOT).as_posix()}: no such rule")
        if not check:
            path.unlink()
    if check and wrong:
        print("not current: run python tools/gen_docs.py")
    return int(check and bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
