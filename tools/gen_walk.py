"""Walk through scriptlint in a scratch repository and write docs/walk.md with what every command really printed.

python tools/gen_walk.py

Needs git, network for pip, and some minutes; CI doesn't run it. The older release that the walk upgrades from is made
here: this revision without one rule.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "walk.md"
OLD, NEW = "0.0.9", "0.1.0"
PIP, QUIET = "pip install -q", "2>/dev/null"
NEW_RULE = "scr011_constant_fallback.py"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "dist", ".*_cache", "__pycache__", "node_modules")

SEARCH = '''"""Search over skills and notes."""

import re

STOP_WORDS = {"a", "and", "of", "the", "to"}


def tokenize(text: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return [word for word in words if word not in STOP_WORDS]


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "note"


class Index:
    def __init__(self, texts: dict[str, str]) -> None:
        self.tokens = {name: set(tokenize(text)) for name, text in texts.items()}

    def search(self, query: str) -> list[str]:
        wanted = set(tokenize(query))
        return sorted(self.tokens, key=lambda name: -len(wanted & self.tokens[name]))
'''
FIXED = """def tokenize(text: str) -> list[str]:
    tokens = []
    for word in regex.findall(r"[\\p{L}\\p{M}\\p{N}]+", text.lower()):
        if regex.search(r"[\\p{sc=Han}]", word):
            tokens += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        elif word not in STOP_WORDS:
            tokens.append(word)
    return tokens
"""
TITLES = '''"""Titles of notes, by the words in them."""

import re


def title_words(title: str) -> set[str]:
    return set(re.findall(r"\\b[a-z]+\\b", title.lower()))
'''
SKILLS = {
    "meeting-minutes": ("meeting-minutes", "Writes minutes of a meeting from a recording, with decisions and tasks."),
    "huiyi-jiyao": ("meeting-notes-zh", "根据会议录音整理会议纪要，列出决定和待办事项。"),
    "delovye-pisma": ("business-letters-ru", "Пишет деловые письма, запросы и напоминания."),
}
SETTINGS = """
[tool.scriptlint]
languages = ["en", "zh", "ru"]
paths = ["src"]
require-reason = true

[[tool.scriptlint.corpus]]
paths = ["skills"]
tokenizer = "src/search.py::tokenize"
"""
HOOKS = """repos:
  - repo: {address}
    rev: v0.0.9
    hooks:
      - id: scriptlint
      - id: scriptlint-corpus
"""


class Walk:
    """A scratch repository, and the page as it grows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "notes"
        self.folder.mkdir()
        self.place = folder
        self.page: list[str] = []
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SCRIPTLINT_", "VIRTUAL_ENV"))}
        self.environment = {
            **environment,
            "COLUMNS": "100",
            "PATH": f"{self.folder / '.venv' / 'bin'}:{environment['PATH']}",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PRE_COMMIT_HOME": str(folder / "hooks"),
            "PRE_COMMIT_COLOR": "never",
            **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", "A Newcomer"), ("EMAIL", "newcomer@example.org"))},
        }  # fmt: skip

    def quietly(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, encoding="utf-8"
        )
        if done.returncode:
            sys.exit(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def say(self, text: str) -> None:
        """Add to the page; prose is wrapped, whatever has a fence or a heading in it is left as it is."""
        parts = text.strip("\n").split("\n\n")
        plain = [p if p.startswith(("```", "#", "<!--")) or "```" in text else textwrap.fill(p, 118) for p in parts]
        self.page.append("\n\n".join(plain) + "\n")

    def show(self, name: str, text: str, language: str) -> None:
        self.say(f"`{name}`:\n\n```{language}\n{text.strip()}\n```")

    def run(self, command: str, code: int, *, shown: str = "", keep: str = "", last: int = 0) -> str:
        """Run a command that must end with ``code``; ``keep`` (a pattern) or ``last`` lines are what the page shows."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8",
        )  # fmt: skip
        out = done.stdout.replace(str(self.folder) + "/", "").replace(str(self.place), "..")
        if done.returncode != code:
            sys.exit(f"{command}: exit {done.returncode}, not {code}\n{out}")
        lines = out.rstrip("\n").split("\n") if out.strip() else []
        if keep:
            lines = _kept(lines, lambda line: re.search(keep, line) is not None)
        if last and len(lines) > last:
            lines = ["...", *lines[-last:]]
        told = f"\n(exit {code})" if code else ""
        text = "\n".join([f"$ {shown or command}", *lines])
        self.say(f"```console\n{text}{told}\n```")
        return out


def _kept(lines: list[str], wanted: Callable[[str], bool]) -> list[str]:
    """Lines that are wanted, with dots where others were."""
    out: list[str] = []
    for line in lines:
        if wanted(line):
            out.append(line)
        elif not out or out[-1] != "...":
            out.append("...")
    return out


def release(folder: Path, version: str, without: str = "") -> Path:
    """A copy of this revision as a release of its own, without one rule if that is named."""
    source = folder / f"source-{version}"
    shutil.copytree(ROOT, source, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "scriptlint/__init__.py"):
        path = source / name
        path.write_text(path.read_text(encoding="utf-8").replace(f'"{NEW}"', f'"{version}"', 1), encoding="utf-8")
    if without:
        (source / "rules" / without).unlink()
    return source


def wheel(folder: Path, source: Path, version: str) -> Path:
    """Its wheel."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder / "dist"), str(source)]
    subprocess.run(command, check=True)
    return next((folder / "dist").glob(f"scriptlint-{version}-*.whl"))


def repository(walk: Walk, releases: dict[str, Path]) -> Path:
    """The releases as a repository that pre-commit can clone, each with its tag."""
    place = walk.place / "scriptlint"
    for version, source in releases.items():
        if place.exists():
            shutil.move(place / ".git", source / ".git")
            shutil.rmtree(place)
        shutil.move(source, place)
        begin = "" if (place / ".git").exists() else "git init -q -b main . && "
        walk.quietly(f"cd {place} && {begin}git add -A && git commit -qm {version} && git tag v{version}")
    return place


def start(walk: Walk, old: Path) -> None:
    walk.write("src/search.py", SEARCH)
    for folder, (name, description) in SKILLS.items():
        walk.write(f"skills/{folder}/SKILL.md", f"---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n")
    walk.write("pyproject.toml", '[project]\nname = "notes"\nversion = "1.0"\n')
    walk.write(".gitignore", ".venv/\n.scriptlint_cache/\n")
    walk.quietly("git init -q -b main . && git add -A && git commit -qm 'A search over notes'")
    walk.quietly(f"{sys.executable} -m venv .venv")
    walk.say(
        "# A newcomer's walk\n\n<!-- Written by tools/gen_walk.py, which does all of it. -->\n\n"
        "From nothing to a pull request that is checked, done in a scratch repository: a small search with three "
        "skills, one of them described in Chinese and one in Russian. Every output is what the command printed. There "
        "is one release so far, so the older one, from which the last step upgrades, is this one without the rule "
        "SCR011; both were installed from wheels."
    )
    walk.show("src/search.py", SEARCH, "python")
    walk.say("## Install, and first findings")
    walk.run(
        f"{PIP} {old} {QUIET}; scriptlint --version",
        0,
        shown="pip install scriptlint && scriptlint --version",
        last=1,
    )
    walk.run("scriptlint check src", 1)
    walk.say("Every tokenizer against the scripts, and what it makes of a query that a user would type:")
    walk.run("scriptlint tokenizers src --scripts Latn,Hani,Cyrl --probe 会议纪要 --probe 'деловые письма'", 0)


def configure(walk: Walk) -> None:
    walk.say(
        "## Settings\n\nThe project promises three languages, and has a corpus. `pyproject.toml` gets:\n\n"
        f"```toml\n{SETTINGS.strip()}\n```"
    )
    with (walk.folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    walk.say(
        "`audit` runs both parts. The tokenizer's finding is an error now, since it makes entries of the corpus blind:"
    )
    walk.run("scriptlint audit", 1)
    walk.say("A typing mistake is told, with the nearest right name:")
    walk.run(
        "sed 's/require-reason/require-reasons/' pyproject.toml > wrong.toml; scriptlint check --config wrong.toml", 2
    )
    walk.quietly("rm wrong.toml")


def suppress(walk: Walk) -> None:
    walk.say(
        "## A suppression with a reason\n\nSlugs are ASCII on purpose: they are parts of addresses. First without a "
        "reason, which `require-reason` doesn't let pass:"
    )
    line = "    return re.sub("
    path = walk.folder / "src/search.py"
    bare = "    # scriptlint: ignore[SCR001]\n"
    path.write_text(path.read_text(encoding="utf-8").replace(line, bare + line), encoding="utf-8")
    walk.run("scriptlint check src --format concise", 1)
    reason = bare.rstrip() + " addresses are ASCII\n"
    path.write_text(path.read_text(encoding="utf-8").replace(bare, reason), encoding="utf-8")
    walk.run("git diff -U0 src | grep '^+ '", 0)
    walk.run("scriptlint check src --format concise", 1)
    walk.quietly("git add -A && git commit -qm 'Check scripts'")


def baseline(walk: Walk) -> None:
    walk.say("## A baseline\n\nWhat is there may stay for now; nothing new may come.")
    walk.run("scriptlint audit --write-baseline scriptlint-baseline.json", 0)
    walk.quietly("""sed -i 's/^require-reason.*/&\\nbaseline = "scriptlint-baseline.json"/' pyproject.toml""")
    walk.say('With `baseline = "scriptlint-baseline.json"` in the settings:')
    walk.run("scriptlint audit", 0)
    walk.quietly("git add -A && git commit -qm 'Adopt scriptlint with a baseline'")
    walk.say("A new file brings a finding of its own, and only that one fails:")
    walk.write("src/titles.py", TITLES)
    walk.show("src/titles.py", TITLES, "python")
    walk.run("scriptlint audit --format concise", 1)


def hook(walk: Walk, address: Path) -> None:
    walk.say("## The hook")
    walk.quietly("pip install -q pre-commit")
    shown = HOOKS.format(address="<the address of scriptlint's repository>")
    walk.show(".pre-commit-config.yaml", shown, "yaml")
    walk.write(".pre-commit-config.yaml", HOOKS.format(address=address))
    walk.quietly("pre-commit install && pre-commit install-hooks")
    walk.run("git add -A && git commit -m 'Titles by their words'", 1)
    walk.say("The commit did not happen. A pattern of letters and marks is better, and not enough:")
    path = walk.folder / "src/titles.py"
    better = TITLES.replace("import re\n", "import regex\n").replace(
        're.findall(r"\\b[a-z]+\\b"', 'regex.findall(r"[\\p{L}\\p{M}]+"'
    )
    path.write_text(better, encoding="utf-8")
    walk.run("tail -n 2 src/titles.py && scriptlint check src/titles.py --format concise", 1)


def repair(walk: Walk) -> None:
    walk.say(
        "Chinese is written without blanks, so a run of it must be cut as well. The titles are only counted here, so "
        "that is left for later, with a reason; the search's own tokenizer is repaired:"
    )
    titles = walk.folder / "src/titles.py"
    text = titles.read_text(encoding="utf-8")
    mark = "  # scriptlint: ignore[SCR003] titles are counted, not searched"
    titles.write_text(text.rstrip("\n") + mark + "\n", encoding="utf-8")
    path = walk.folder / "src/search.py"
    text = path.read_text(encoding="utf-8")
    begin, end = text.index("def tokenize"), text.index("def slug")
    text = text[:begin] + FIXED + "\n\n" + text[end:]
    path.write_text(text.replace("import re\n", "import re\n\nimport regex\n"), encoding="utf-8")
    walk.say(f"```python\n{FIXED.strip()}\n```")
    walk.run("scriptlint audit", 0)
    walk.say("The baseline shrank by itself. The commit goes through:")
    walk.run("git add -A && git commit -m 'Find Chinese and Russian'", 0)
    walk.run("scriptlint tokenizers src --scripts Latn,Hani,Cyrl --probe 会议纪要 --probe 'деловые письма'", 0)


def workflow(walk: Walk) -> None:
    walk.say(
        "## The workflow file\n\n[workflow.yml](workflow.yml) as `.github/workflows/scriptlint.yml`, with the address "
        "and the release filled in:"
    )
    text = (ROOT / "docs" / "workflow.yml").read_text(encoding="utf-8")
    walk.write(".github/workflows/scriptlint.yml", text.replace("OWNER/scriptlint@TAG", f"example/scriptlint@v{NEW}"))
    walk.quietly("pip install -q check-jsonschema")
    walk.run("check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/scriptlint.yml", 0)
    walk.say("What its job will upload:")
    walk.run("scriptlint audit --format sarif --output scriptlint.sarif", 0)
    walk.run(
        "python -c \"import json; run = json.load(open('scriptlint.sarif'))['runs'][0]; "
        "print('results:', len(run['results']), 'rules:', len(run['tool']['driver']['rules']))\"",
        0,
    )
    walk.quietly("rm scriptlint.sarif && git add -A && git commit -qm 'Check every pull request'")


def upgrade(walk: Walk, new: Path) -> None:
    walk.say("## An upgrade that brings a new finding")
    walk.run(
        f"{PIP} {new} {QUIET}; scriptlint --version",
        0,
        shown="pip install --upgrade scriptlint && scriptlint --version",
        last=1,
    )
    walk.run("scriptlint audit", 1)
    walk.run("pre-commit autoupdate", 0, keep="updating")
    walk.say("A rule that the older release didn't have speaks about a line that nobody touched. Its page:")
    walk.run("scriptlint explain SCR011 | head -n 14", 0)
    walk.say("It is right: two titles in Chinese get the same slug. A number of its own for each is the repair:")
    path = walk.folder / "src/search.py"
    text = path.read_text(encoding="utf-8")
    text = text.replace("import re\n\nimport regex\n", "import re\nfrom hashlib import sha256\n\nimport regex\n")
    path.write_text(text.replace(' or "note"', " or sha256(title.encode()).hexdigest()[:8]"), encoding="utf-8")
    walk.run("git diff -U0 src | grep '^[-+] '", 0)
    walk.run("scriptlint audit", 0)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="scriptlint-walk-") as name:
        folder = Path(name)
        releases = {OLD: release(folder, OLD, NEW_RULE), NEW: release(folder, NEW)}
        old, new = (wheel(folder, source, version) for version, source in releases.items())
        walk = Walk(folder)
        start(walk, old)
        configure(walk)
        suppress(walk)
        baseline(walk)
        hook(walk, repository(walk, releases))
        repair(walk)
        workflow(walk)
        upgrade(walk, new)
        text = "\n".join(walk.page)
        PAGE.write_text(re.sub(r"[0-9a-f]{7}(?=\] )", "1a2b3c4", text), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.relative_to(ROOT).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
