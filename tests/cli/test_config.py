"""Settings: typed reading, nearest names, nearest file, the command line on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scriptlint import config
from scriptlint.cli.options import override, resolve
from scriptlint.config import Settings, SettingsError, load_settings, nearest_settings, settings_for
from scriptlint.finding import Level

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def forget() -> None:
    config.nearest_settings.cache_clear()
    config.project_root.cache_clear()


def load(project: Callable[..., Path], text: str) -> Settings:
    project({"pyproject.toml": text})
    found = load_settings("pyproject.toml")
    assert found is not None
    return found


def test_nothing_to_say(project: Callable[..., Path]) -> None:
    project({"pyproject.toml": "[tool.ruff]\nline-length = 100\n"})
    assert load_settings("pyproject.toml") is None


def test_all_keys(project: Callable[..., Path]) -> None:
    found = load(
        project,
        """
[tool.scriptlint]
scripts = ["Hani", "Cyrillic"]
languages = ["ru"]
select = ["ALL"]
extend-select = ["SCR010"]
ignore = "SCR004"
per-file-ignores = { "tests/**" = ["SCR001"], "a.py" = "SCR002" }
levels = { SCR001 = "error" }
exclude = ["vendored/"]
respect-gitignore = false
force-exclude = true
pedantic = true
fail-on = "note"
require-reason = true
baseline = "b.json"
extend-rules = ["tools/rules"]
paths = ["src"]
gate = { k = 5 }

[tool.scriptlint.rules.boilerplate-only-item]
share = 0.4

[[tool.scriptlint.corpus]]
paths = ["skills"]
tokenizer = ["ascii", "r.py::tokenize"]
fields = ["name", "description"]
""",
    )
    assert found.scripts == ("Hani", "Cyrillic")
    assert found.ignore == ("SCR004",)
    assert found.per_file_ignores == {"tests/**": ("SCR001",), "a.py": ("SCR002",)}
    assert found.levels == {"SCR001": Level.ERROR}
    assert found.fail_on is Level.NOTE
    assert found.rules == {"boilerplate-only-item": {"share": 0.4}}
    assert found.corpus[0].tokenizer == ("ascii", "r.py::tokenize")
    assert found.gate == {"k": 5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "pyproject.toml:2: [tool.scriptlint] unknown key 'selct'; did you mean 'select'?"),
        ("per_file_ignores = {}", "unknown key 'per_file_ignores'; did you mean 'per-file-ignores'?"),
        ("zzz = 1", "unknown key 'zzz'"),
        ("select = 1", "select must be a list of strings, not 1"),
        ("select = [1]", "select must be a list of strings, not [1]"),
        ("pedantic = 'yes'", "pedantic must be true or false, not 'yes'"),
        ("fail-on = 'bad'", "fail-on must be note, warning or error, not 'bad'"),
        ("levels = { SCR001 = 'loud' }", "SCR001 must be note, warning or error, not 'loud'"),
        ("corpus = {}", "corpus must be a list of tables ([[tool.scriptlint.corpus]]), not {}"),
        ("baseline = ''", "baseline must be a string, not ''"),
        ("[[tool.scriptlint.corpus]]\npaths = ['a']", "tokenizer is missing"),
        ("[[tool.scriptlint.corpus]]\npath = ['a']", "unknown key 'path'; did you mean 'paths'?"),
        ("rules = { SCR001 = 3 }", "SCR001 must be a table, not 3"),
    ],
)
def test_errors_name_the_place_and_the_nearest(project: Callable[..., Path], text: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(project, f"[tool.scriptlint]\n{text}\n")
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("pyproject.toml")


@pytest.mark.parametrize(
    "data", [b"[tool.scriptlint\n", b"[tool.scriptlint]\nx = '\xff'\n", b"[tool.scriptlint]\nx = " + b"[" * 5000]
)
def test_broken_toml_is_one_line(project: Callable[..., Path], data: bytes) -> None:
    project({"pyproject.toml": data})
    with pytest.raises(SettingsError, match=r"^pyproject\.toml: "):
        load_settings("pyproject.toml")


def test_nearest_file_wins_and_scriptlint_toml_goes_first(project: Callable[..., Path]) -> None:
    top = project(
        {
            "pyproject.toml": "[tool.scriptlint]\nscripts = ['Hani']\n",
            "a/pyproject.toml": "[project]\nname = 'scriptlint-user'\n",
            "b/scriptlint.toml": "scripts = ['Cyrl']\n",
            "b/pyproject.toml": "[tool.scriptlint]\nscripts = ['Grek']\n",
            "b/deep/x.py": "",
        }
    )
    assert settings_for(str(top / "a")).scripts == ("Hani",)
    assert settings_for(str(top / "b" / "deep")).scripts == ("Cyrl",)
    assert nearest_settings(str(top / "a")) is nearest_settings(str(top))


def test_command_line_wins() -> None:
    base = Settings(scripts=("Hani",), languages=("ru",), select=("SCR001",), ignore=("SCR002",), exclude=("a",))
    changed = override(
        base,
        {"scripts": (("Cyrl", "Grek"), ("Deva",)), "ignore": (("SCR003",),), "exclude": ("b",), "fail_on": "error"},
    )
    assert changed.scripts == ("Cyrl", "Grek", "Deva")
    assert changed.languages == ()
    assert changed.select == ("SCR001",)
    assert changed.ignore == ("SCR002", "SCR003")
    assert changed.exclude == ("a", "b")
    assert changed.fail_on is Level.ERROR


def test_project_rules_need_the_flag() -> None:
    base = Settings(extend_rules=("rules",))
    assert override(base, {}).extend_rules == ()
    assert override(base, {"project_rules": True}).extend_rules == ("rules",)


def test_isolated_and_config(project: Callable[..., Path]) -> None:
    project({"scriptlint.toml": "scripts = ['Cyrl']\n", "other.toml": "scripts = ['Grek']\n", "a/b.py": ""})
    assert resolve(["a/b.py"], {}).settings.scripts == ("Cyrl",)
    assert resolve(["a/b.py"], {"isolated": True}).settings.scripts == ()
    assert resolve(["a/b.py"], {"config": "other.toml"}).settings.scripts == ("Grek",)
    with pytest.raises(SettingsError, match=r"gone\.toml: No such file"):
        resolve([], {"config": "gone.toml"})
