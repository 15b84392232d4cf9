"""The house keeps its shape: who imports whom, how long files are, what rules may see."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "scriptlint"
MOST_LINES = 440
LONGER = {
    "pattern/parse_re.py": (700, "one grammar"),
    "pattern/parse_regex.py": (700, "one grammar"),
    "tokenizer/calls.py": (470, "every call that an evaluated program may make"),
    "tokenizer/interp.py": (540, "every expression and statement of Python"),
}
"""Files that may be longer: up to how many lines, and why. Generated tables are not counted."""

LAYERS = [
    {"errors", "nearest", "finding", "files", "lines", "stamp", "unicode"},
    {"pattern"},
    {"tokenizer"},
    {"suppress", "rule", "registry", "config", "results"},
    {"source", "corpus", "gate", "notebook", "suppress_edit", "walk", "cache", "pool", "baseline"},
    {"engine", "run", "conclude", "probe", "imported", "imported_worker", "revision", "diff", "fix"},
    {"report"},
    {"cli"},
]
"""A part imports from its own layer and those before it, and never one beside it that ``APART`` names."""

APART = [{"source", "corpus"}, {"source", "gate"}]
ALLOWED_DOWN: set[tuple[str, str]] = set()


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if not {"_tables", "_rules"} & set(path.relative_to(PACKAGE).parts):
            yield path, ast.parse(path.read_bytes())


def part_of(module: str) -> str:
    """``scriptlint.unicode.scripts`` -> ``unicode``."""
    return module.split(".")[1] if "." in module else ""


def imports(tree: ast.Module, *, typing_too: bool) -> Iterator[tuple[str, int]]:
    """Names of imported modules with lines; those under ``if TYPE_CHECKING`` are for the type checker alone."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            skipped.update(n for child in node.body for n in ast.walk(child))
    for node in ast.walk(tree):
        if node in skipped and not typing_too:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
            if node.module == "scriptlint":
                yield from ((f"scriptlint.{alias.name}", node.lineno) for alias in node.names)


def layer(part: str) -> int | None:
    return next((n for n, names in enumerate(LAYERS) if part in names), None)


def test_every_part_has_a_layer() -> None:
    parts = {p.stem if p.is_file() else p.name for p in PACKAGE.iterdir() if p.suffix == ".py" or p.is_dir()}
    parts -= {"__init__", "__main__", "__pycache__", "_rules"}
    assert {p for p in parts if layer(p) is None} == set()


@pytest.mark.parametrize(("path", "tree"), [pytest.param(p, t, id=str(p.relative_to(PACKAGE))) for p, t in modules()])
def test_imports_point_down(path: Path, tree: ast.Module) -> None:
    here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if here.startswith("__"):
        return
    for module, line in imports(tree, typing_too=False):
        if not module.startswith("scriptlint."):
            continue
        part = part_of(module)
        there = layer(part)
        if there is None:  # a name in scriptlint/__init__.py
            continue
        up = there > layer(here)
        apart = part != here and {part, here} in APART
        assert not ((up or apart) and (here, part) not in ALLOWED_DOWN), f"{path}:{line}: {here} imports {module}"


def test_libcst_stays_in_source() -> None:
    for path, tree in modules():
        inside = path.relative_to(PACKAGE).parts[0]
        for module, line in imports(tree, typing_too=True):
            if module.split(".")[0] == "libcst":
                assert inside in ("source", "fix"), f"{path}:{line}"
                assert not module.startswith(("libcst.metadata", "libcst.matchers")), f"{path}:{line}: too slow"


def test_nothing_imports_rules() -> None:
    for path, tree in modules():
        for module, line in imports(tree, typing_too=True):
            assert module.split(".")[0] != "rules", f"{path}:{line}"
            assert not module.startswith("scriptlint._rules"), f"{path}:{line}"


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.py")), ids=lambda p: p.name)
def test_rules_see_scriptlint_rule_alone(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    for module, line in imports(tree, typing_too=True):
        ours = module.startswith("scriptlint")
        assert not ours or module == "scriptlint.rule", f"{path}:{line}: {module}"
        assert ours or module.split(".")[0] in sys.stdlib_module_names, f"{path}:{line}: {module}"


def test_files_stay_short() -> None:
    long = {}
    for path, _ in modules():
        name = path.relative_to(PACKAGE).as_posix()
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONGER.get(name, (MOST_LINES, ""))[0]:
            long[name] = lines
    assert long == {}


def test_a_run_without_a_candidate_imports_next_to_nothing(tmp_path: Path) -> None:
    clean = tmp_path / "clean.py"
    clean.write_text("def add(a: int, b: int) -> int:\n    return a + b\n")
    code = (
        "import sys; sys.argv = ['scriptlint', 'check', sys.argv[1]]\n"
        "from scriptlint.cli import main\n"
        "try:\n    main()\nexcept SystemExit as e:\n    print(e.code)\n"
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(clean)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    said, code_line, loaded = done.stdout.splitlines()
    assert (said, code_line) == ("No findings in 1 file.", "0")
    heavy = {"click", "libcst", "yaml", "regex", "sarif_om", "tomllib", "msgspec", "dataclasses", "pathlib", "typing"}
    assert heavy & set(loaded.split()) == set()
