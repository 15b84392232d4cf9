"""The fast path says what the full command line says, and costs next to nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("scriptlint.source.prefilter")

CLEAN = "def add(a: int, b: int) -> int:\n    return a + b\n"
RUN = "from scriptlint.cli import main; main()"


def call(folder: Path, *arguments: str, full: bool = False, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr; ``full`` keeps the fast path out."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCRIPTLINT_")} | environment
    if full:
        env["SCRIPTLINT_FORMAT"] = "text"
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], cwd=folder, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def imported(folder: Path, *arguments: str) -> set[str]:
    code = f"import sys\ntry:\n    {RUN}\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
@pytest.mark.parametrize("files", [["a.py"], ["a.py", "b.pyi", "./a.py"]])
def test_same_answer(project: Callable[..., Path], environment: dict[str, str], files: list[str]) -> None:
    top = project({"a.py": CLEAN, "b.pyi": CLEAN})
    fast = call(top, "check", *files, **environment)
    assert fast == call(top, "check", *files, full=True, **environment)
    assert fast[0] == 0 and "No findings" in fast[1]
    assert "click" not in imported(top, "check", *files)


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        ({}, ["check", "gone.py"]),
        ({"a.py": CLEAN}, ["check", "a.py", "gone.py"]),
        ({"a.py": CLEAN, "scriptlint.toml": "selct = []\n"}, ["check", "a.py"]),
        ({"a.py": CLEAN, "pyproject.toml": "[tool.scriptlint]\nselct = []\n"}, ["check", "a.py"]),
        ({"a.py": CLEAN}, ["check", "a.py", "--nope"]),
        ({"a.txt": CLEAN}, ["check", "."]),
    ],
)
def test_faults_are_not_passed_over(project: Callable[..., Path], files: dict[str, str], arguments: list[str]) -> None:
    top = project(files)
    code, _, said = call(top, *arguments)
    assert code == 2 and said.count("rror: ") == 1 and "Traceback" not in said


def test_settings_that_were_right_are_not_read_again(project: Callable[..., Path]) -> None:
    top = project({"a.py": CLEAN, "pyproject.toml": "[tool.scriptlint]\nscripts = ['Hani']\n"})
    assert "click" in imported(top, "check", "a.py")
    assert "click" not in imported(top, "check", "a.py")
    (top / "pyproject.toml").write_text("[tool.scriptlint]\nscripts = ['Hano', 'Nonsense']\n")
    assert call(top, "check", "a.py")[0] == 2


def test_unused_suppressions_are_found_without_a_candidate(project: Callable[..., Path]) -> None:
    top = project({"a.py": CLEAN + "x = 1  # scriptlint: ignore[SCR9999] r\n"})
    code, out, _ = call(top, "check", "a.py")
    assert code == 1 and "SCR901 unknown-rule" in out


def test_cost_of_a_clean_file(project: Callable[..., Path]) -> None:
    """At most 2.5 times a bare interpreter start, taking the best of several of each."""
    top = project({"a.py": CLEAN})

    def best(*arguments: str) -> float:
        times = []
        for _ in range(12):
            begin = time.perf_counter()
            subprocess.run([sys.executable, *arguments], cwd=top, stdout=subprocess.DEVNULL, check=True)
            times.append(time.perf_counter() - begin)
        return min(times)

    bare = best("-c", "pass")
    ours = best("-c", RUN, "check", "a.py")
    assert ours <= 2.5 * bare, f"{ours * 1000:.1f} ms against {bare * 1000:.1f} ms"
