"""Discovery: excludes, .gitignore, order, links, force-exclude."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from scriptlint import config
from scriptlint.config import Settings
from scriptlint.walk import discover

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def forget() -> None:
    config.nearest_settings.cache_clear()
    config.project_root.cache_clear()


def shown(*paths: str, **options: object) -> list[str]:
    return [u.shown for u in discover(paths, **options).units]  # type: ignore[arg-type]


def test_order_suffixes_and_default_excludes(project: Callable[..., Path]) -> None:
    project(
        {
            "b.py": "",
            "a.pyi": "",
            "c.txt": "",
            "n.ipynb": "{}",
            "z/a.py": "",
            "z/.venv/x.py": "",
            "z/node_modules/x.py": "",
            "a-dir/x.py": "",
        }
    )
    assert shown(".") == ["a.pyi", "b.py", "n.ipynb", "a-dir/x.py", "z/a.py"]
    assert shown("z/.venv") == ["z/.venv/x.py"]
    assert shown("c.txt", "b.py", "./b.py") == ["c.txt", "b.py"]
    assert discover(["gone", "b.py"]).missing == ["gone"]


def test_gitignore(project: Callable[..., Path]) -> None:
    project(
        {
            ".git/HEAD": "",
            ".gitignore": "*.gen.py\nbuilt/\n/top.py\n",
            "a.py": "",
            "a.gen.py": "",
            "top.py": "",
            "sub/top.py": "",
            "sub/.gitignore": "!keep.gen.py\nlocal.py\n",
            "sub/keep.gen.py": "",
            "sub/drop.gen.py": "",
            "sub/local.py": "",
            "local.py": "",
            "built/x.py": "",
            "sub/built/x.py": "",
        }
    )
    assert shown(".") == ["a.py", "local.py", "sub/keep.gen.py", "sub/top.py"]
    # From a folder inside, the patterns above still hold.
    assert shown("sub") == ["sub/keep.gen.py", "sub/top.py"]
    off = Settings(root=os.getcwd(), respect_gitignore=False)
    assert "sub/drop.gen.py" in [u.shown for u in discover(["."], lambda _: off).units]
    assert shown("a.gen.py") == ["a.gen.py"]
    assert shown("a.gen.py", "a.py", force_exclude=True) == ["a.py"]


def test_lines_that_are_no_patterns_are_passed_over(project: Callable[..., Path]) -> None:
    project({".git/HEAD": "", ".gitignore": "!\n\\\n[z-a]\n[[:foo:]]\nb.py\n", "a.py": "", "b.py": ""})
    assert shown(".") == ["a.py"]


def test_a_named_folder_is_walked_even_if_it_is_left_out(project: Callable[..., Path]) -> None:
    project(
        {
            ".git/HEAD": "",
            ".gitignore": "env/\n",
            "scriptlint.toml": "exclude = ['vendored/', '*_pb2.py']\n",
            "env/lib/x.py": "",
            "env/lib/.gitignore": "y.py\n",
            "env/lib/y.py": "",
            "vendored/x.py": "",
        }
    )
    assert shown(".") == []
    assert shown("env") == ["env/lib/x.py"]
    assert shown("env/lib") == ["env/lib/x.py"]
    assert shown("vendored") == ["vendored/x.py"]
    assert shown("env", "vendored", force_exclude=True) == []


def test_a_repository_inside_another_starts_afresh(project: Callable[..., Path]) -> None:
    project({".git/HEAD": "", ".gitignore": "x.py\n", "inner/.git/HEAD": "", "inner/x.py": ""})
    assert shown(".") == ["inner/x.py"]


def test_exclude_setting(project: Callable[..., Path]) -> None:
    project(
        {
            "scriptlint.toml": "exclude = ['vendored/', '*_pb2.py']\n",
            "a/vendored/x.py": "",
            "a/m_pb2.py": "",
            "a/b.py": "",
        }
    )
    walk = discover(["."])
    assert [u.shown for u in walk.units] == ["a/b.py"]
    assert walk.excluded == 1
    assert shown("a/m_pb2.py") == ["a/m_pb2.py"]
    assert shown("a/m_pb2.py", "a/vendored/x.py", "a/b.py", "scriptlint.toml", force_exclude=True) == ["a/b.py"]


def test_links_are_not_followed(project: Callable[..., Path]) -> None:
    top = project({"a/x.py": ""})
    try:
        (top / "a" / "loop").symlink_to(top / "a", target_is_directory=True)
        (top / "y.py").symlink_to(top / "a" / "x.py")
    except OSError:
        pytest.skip("no symbolic links here")
    assert shown(".") == ["a/x.py"]
    assert shown("y.py", "a/x.py") == ["y.py"]


@pytest.mark.skipif(os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root reads all")
def test_unreadable_folder_is_told(project: Callable[..., Path]) -> None:
    top = project({"a/x.py": "", "b/y.py": ""})
    (top / "a").chmod(0)
    try:
        walk = discover(["."])
        assert [u.shown for u in walk.units] == ["b/y.py"]
        assert walk.unreadable == [("a", "Permission denied")]
    finally:
        (top / "a").chmod(0o755)


def test_hostile_names(project: Callable[..., Path]) -> None:
    top = project({"näh 漢.py": "", "new\nline.py": ""})
    try:
        (top / os.fsdecode(b"b\xff.py")).write_bytes(b"")
    except OSError:
        pytest.skip("names must be UTF-8 here")
    assert len(shown(".")) == 3
