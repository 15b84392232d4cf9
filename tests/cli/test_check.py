"""``check`` from end to end: formats, exit codes, suppressions, baseline, cache, workers, bad input."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ASCII = 'import re\nTOKEN = re.compile("[a-z0-9]+")\n'
WIDE = 'import re\nTOKEN = re.compile("[a-z漢]+")\n'
CALM = "x = 1\n"

Run = "Callable[..., Any]"


def findings(out: str) -> list[dict[str, Any]]:
    return json.loads(out)["findings"]


def test_clean(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": WIDE, "b.py": CALM})
    for name in ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson"):
        done = run("check", ".", "--format", name, "--exclude", "acme.rule")
        assert (done.code, done.err) == (0, "")
    done = run("check", "a.py", "b.py")
    assert done.out == "No findings in 2 files, 1 tokenizer.\n"


def test_findings(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"src/a.py": ASCII, "b.py": CALM})
    done = run("check", "src", "b.py")
    assert done.code == 1
    assert done.out == (
        "src/a.py:2:20: ACME1 lost-script: `TOKEN` loses Han and Cyrillic\n"
        "  |\n"
        '2 | TOKEN = re.compile("[a-z0-9]+")\n'
        "  |                    ^^^^^^^^^^^^ ACME1\n".replace("^^^^^^^^^^^^ ", "^^^^^^^^^^^ ")
        + "  |\n"
        "  = witness: 视频下载 -> no tokens\n"
        "  = help: say which letters are words\n"
        "\n"
        "Found 1 finding in 2 files, 1 tokenizer.\n"
    )
    for name in ("concise", "json", "sarif", "github", "gitlab", "junit", "rdjson"):
        assert run("check", "src", "--format", name).code == 1
        assert run("check", "src", "--format", name, "--exit-zero").code == 0
    one = findings(run("check", "src", "--format", "json").out)[0]
    assert one["code"] == "ACME1" and one["scripts"] == ["Hani", "Cyrl"] and one["tokenizer"] == "TOKEN"
    assert (one["path"], one["line"], one["column"], one["end_column"]) == ("src/a.py", 2, 20, 31)


def test_fail_on_and_levels(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII}, "levels = { lost-script = 'note' }\n")
    assert run("check", "a.py").code == 0
    assert run("check", "a.py", "--fail-on", "note").code == 1


def test_options_of_a_rule(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII}, "[rules.lost-script]\nleast = 3\n")
    assert run("check", "a.py").code == 0


def test_select_ignore_and_per_file(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII, "t/a.py": ASCII}, "per-file-ignores = { 't/**' = ['ACME1'] }\n")
    assert [f["path"] for f in findings(run("check", ".", "--format", "json", "--exclude", "acme.rule").out)] == [
        "a.py"
    ]
    assert run("check", "a.py", "--ignore", "lost-script").code == 0
    assert run("check", "a.py", "--select", "SCR9").code == 0
    done = run("check", "a.py", "--select", "SCR90O")
    assert done.code == 2 and "unknown rule 'SCR90O'; did you mean SCR90" in done.err


def test_pedantic(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII.replace("TOKEN", "maybe")})
    assert run("check", "a.py").code == 0
    assert run("check", "a.py", "--pedantic").code == 1


def test_suppressions(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    used = ASCII.rstrip() + "  # scriptlint: ignore[ACME1] ids\n"
    unused = WIDE.rstrip() + "  # scriptlint: ignore[ACME1] ids\n"
    typo = ASCII.rstrip() + "  # scriptlint: ignore[ACEM1] ids\n"
    calm = "x = 1  # scriptlint: ignore[lost-script] ids\n"
    acme({"used.py": used, "unused.py": unused, "typo.py": typo, "calm.py": calm})
    assert run("check", "used.py").out == "No findings (1 suppressed) in 1 file, 1 tokenizer.\n"
    shown = run("check", "used.py", "--include-suppressed", "--format", "concise")
    assert "[suppressed, inline: ids]" in shown.out and shown.code == 0
    for name in ("unused.py", "calm.py"):
        assert [f["code"] for f in findings(run("check", name, "--format", "json").out)] == ["SCR900"]
    assert [f["code"] for f in findings(run("check", "typo.py", "--format", "json").out)] == ["ACME1", "SCR901"]
    assert "did you mean ACME1?" in run("check", "typo.py").out
    assert run("check", "unused.py", "--ignore", "ACME1").code == 0  # the rule didn't run, so nothing is known


def test_require_reason(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII.rstrip() + "  # scriptlint: ignore[ACME1]\n"}, "require-reason = true\n")
    done = run("check", "a.py", "--format", "json")
    assert [f["code"] for f in findings(done.out)] == ["ACME1", "SCR900"]
    assert "gives no reason" in done.out


def test_add_ignores(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    top = acme({"a.py": ASCII})
    done = run("check", "a.py", "--add-ignores", "identifiers only")
    assert (done.code, done.err) == (0, "added 1 suppression\n")
    assert (top / "a.py").read_text().endswith("  # scriptlint: ignore[ACME1] identifiers only\n")
    assert run("check", "a.py").code == 0


def test_baseline(acme: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    two = ASCII + 'OTHER = re.compile("[a-z]+")\n'
    top = acme({"src/a.py": two, "src/b.py": ASCII})
    done = run("check", "src", "--write-baseline", "base.json")
    assert (done.code, done.err) == (0, "base.json: wrote 3 findings\n")
    before = (top / "base.json").read_bytes()
    assert b'"line"' not in before
    assert run("check", "src", "--baseline", "base.json").out == (
        "No findings (3 in the baseline) in 2 files, 3 tokenizers.\n"
    )
    # Lines move, and the same holds from another folder.
    (top / "src" / "a.py").write_text("# a comment\n\n" + two)
    monkeypatch.chdir(top / "src")
    assert run("check", ".", "--baseline", "../base.json").code == 0
    monkeypatch.chdir(top)
    assert (top / "base.json").read_bytes() == before
    # A new finding fails; the old ones don't.
    (top / "src" / "c.py").write_text(ASCII)
    done = run("check", "src", "--baseline", "base.json", "--format", "json")
    assert done.code == 1 and [f["path"] for f in findings(done.out)] == ["src/c.py"]
    # What is repaired leaves the baseline, and that is told.
    (top / "src" / "a.py").write_text(ASCII)
    (top / "src" / "c.py").write_text(WIDE)
    kept = run("check", "src", "--baseline", "base.json", "--keep-baseline")
    assert "1 finding no longer there; run without --keep-baseline" in kept.out
    assert (top / "base.json").read_bytes() == before
    done = run("check", "src", "--baseline", "base.json")
    assert "baseline base.json: 1 finding no longer there, removed; 2 left" in done.out and done.code == 0
    assert len(json.loads((top / "base.json").read_text())["findings"]) == 2
    # A run over a part of the project leaves the rest of the baseline alone.
    assert run("check", "src/c.py", "--baseline", "base.json").out == "No findings in 1 file, 1 tokenizer.\n"
    (top / "src" / "b.py").unlink()
    assert "1 finding no longer there, removed; 1 left" in run("check", "src/c.py", "--baseline", "base.json").out


def test_baseline_setting_and_bad_files(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    top = acme({"a.py": ASCII, "bad.json": "{}"}, "baseline = 'base.json'\n")
    done = run("check", "a.py")
    assert done.code == 2 and done.err.endswith("base.json: No such file or directory\n")
    run("check", "a.py", "--write-baseline", "base.json")
    assert run("check", "a.py").code == 0
    done = run("check", "a.py", "--baseline", "bad.json")
    assert done.code == 2 and "not a baseline" in done.err
    assert (top / "base.json").exists()


def test_fingerprints_are_distinct_and_stable(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    top = acme({"a.py": ASCII + ASCII + ASCII})
    first = [f["fingerprint"] for f in findings(run("check", "a.py", "--format", "json").out)]
    assert len(set(first)) == 3
    (top / "a.py").write_text("# moved\n" * 40 + ASCII + ASCII + ASCII)
    assert [f["fingerprint"] for f in findings(run("check", "a.py", "--format", "json").out)] == first


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_workers_and_cache_change_nothing(acme: Callable[..., Path], run: Callable[..., Any], jobs: str) -> None:
    top = acme({f"p/{n:02}.py": (ASCII if n % 3 else WIDE) for n in range(60)})
    plain = run("check", "p", "--format", "json", "--no-cache", "-j", "1")
    assert not (top / ".scriptlint_cache").exists()
    for _ in range(2):
        assert run("check", "p", "--format", "json", "-j", jobs).out == plain.out
    assert (top / ".scriptlint_cache" / "CACHEDIR.TAG").exists()
    (top / "p" / "01.py").write_text(WIDE)
    assert len(findings(run("check", "p", "--format", "json", "-j", jobs).out)) == len(findings(plain.out)) - 1
    assert len(findings(run("check", "p", "--format", "json", "--scripts", "Latn").out)) == 0


def test_bad_input_is_told_and_the_rest_goes_on(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"latin.py": "# re.compile \xe9".encode("latin-1"), "syntax.py": "re.compile SYNTAX", "a.py": ASCII})
    done = run("check", "latin.py", "syntax.py", "a.py")
    assert done.code == 1
    assert "latin.py: error: not UTF-8: " in done.out and "syntax.py:1: error: invalid syntax" in done.out
    assert "Found 1 finding and 2 errors in 3 files" in done.out
    assert run("check", "syntax.py").code == 1
    done = run("check", "syntax.py", "--format", "json")
    assert json.loads(done.out)["errors"] == [{"path": "syntax.py", "line": 1, "message": "invalid syntax"}]
    assert done.err == "syntax.py:1: error: invalid syntax\n"
    log = json.loads(run("check", "syntax.py", "--format", "sarif").out)
    assert log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "invalid syntax."


def test_a_fault_of_our_own_exits_2_and_the_rest_goes_on(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"crash.py": "re.compile CRASH", "bug.py": ASCII.replace("TOKEN", "BUG"), "a.py": ASCII})
    done = run("check", "crash.py", "bug.py", "a.py")
    assert done.code == 2
    assert "crash.py: error: internal error in the reader: RuntimeError: boom" in done.out
    assert "bug.py:2: error: internal error in the judge: ValueError: verdict and witness disagree" in done.out
    assert "a.py:2:20: ACME1" in done.out
    assert run("check", "crash.py", "--exit-zero").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "gone.py"], "no such file or folder: gone.py"),
        (["check", "empty"], "no Python file in empty"),
        (["check", "a.py", "--format", "txt"], "'txt' is not one of"),
        (["check", "a.py", "--nope"], "No such option"),
        (["check", "a.py", "--output", "empty"], "is a folder"),
        (["check", "a.py", "--output", "no/such/place"], "no such folder"),
        (["check", "a.py", "--output", "a.py"], "is a source file"),
        (["explain", "-o", "a.py"], "is a source file"),
        (["check", "a.py", "--write-baseline", "a.py"], "a.py: not a baseline"),
        (["check", ".", "--exclude", "!"], "not a gitignore pattern among '!'"),
        (["check", "a.py", "--scripts", "Hann"], "unknown script 'Hann'"),
        (["check", "a.py", "--config", "gone.toml"], "gone.toml: No such file"),
        (["chekc", "a.py"], "did you mean 'check'?"),
        (["explain", "SCR9000"], "unknown rule 'SCR9000'"),
    ],
)
def test_usage_errors(acme: Callable[..., Path], run: Callable[..., Any], arguments: list[str], said: str) -> None:
    top = acme({"a.py": ASCII, "empty/x.txt": ""})
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err + done.out
    assert (top / "a.py").read_text(encoding="utf-8") == ASCII


def test_one_missing_path_does_not_stop_the_rest(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII})
    done = run("check", "a.py", "gone.py", "--format", "concise")
    assert done.code == 2
    assert "ACME1" in done.out and done.err == "error: no such file or folder: gone.py\n"


def test_bad_settings(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII}, "slect = []\n")
    done = run("check", "a.py")
    assert done.code == 2
    assert done.err == "error: scriptlint.toml:4: [scriptlint.toml] unknown key 'slect'; did you mean 'select'?\n"


def test_bad_rule_options(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII}, "[rules.lost-script]\nlest = 3\n")
    assert "rule lost-script has no option 'lest'; did you mean 'least'?" in run("check", "a.py").err
    acme({"a.py": ASCII}, "[rules.ACME1]\nleast = 'x'\n")
    from scriptlint import config

    config.nearest_settings.cache_clear()
    config.settings_for.cache_clear()
    done = run("check", "a.py")
    assert done.code == 2 and "option least of rule lost-script must be a int, not 'x'" in done.err


def test_output_file(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    top = acme({"a.py": ASCII, "r.sarif": "old"})
    done = run("check", "a.py", "--format", "sarif", "--output", "r.sarif")
    assert (done.code, done.out) == (1, "")
    assert json.loads((top / "r.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_stdin(acme: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    acme({"sub/scriptlint.toml": "select = ['SCR9']\n"})

    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    give(ASCII)
    done = run("check", "-", "--stdin-filename", "src/x.py")
    assert done.code == 1 and done.out.startswith("src/x.py:2:20: ACME1")
    assert '2 | TOKEN = re.compile("[a-z0-9]+")' in done.out
    give(ASCII)
    assert run("check", "-", "--stdin-filename", "sub/x.py").code == 0
    give("")
    assert run("check", "-").out == "No findings in 1 file.\n"


def test_notebook(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# words\n"]},
        {"cell_type": "code", "source": ["import re\n", 'TOKEN = re.compile("[a-z0-9]+")']},
    ]
    acme({"n.ipynb": json.dumps({"cells": cells}, indent=1), "bad.ipynb": '{"cells": "re.compile"'})
    done = run("check", "n.ipynb")
    assert done.code == 1
    assert "n.ipynb:13:" in done.out and "= in: cell 2, line 2, column 20" in done.out
    one = findings(run("check", "n.ipynb", "--format", "json").out)[0]
    assert one["cell"] == "cell 2, line 2, column 20"
    region = json.loads(run("check", "n.ipynb", "--format", "sarif").out)["runs"][0]["results"][0]["locations"][0]
    assert region["physicalLocation"]["region"]["snippet"]["text"] == '\\"[a-z0-9]+\\"'
    done = run("check", "bad.ipynb")
    assert done.code == 1 and "bad.ipynb:1: error: not a notebook" in done.out


def test_show_settings_and_files(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII, "b/c.pyi": ""}, "exclude = ['acme.rule']\n")
    shown = json.loads(run("check", ".", "--show-settings", "--pedantic").out)
    assert shown["source"] == "scriptlint.toml" and shown["pedantic"] is True
    assert shown["in-force"] == {"scripts": ["Latn", "Hani", "Cyrl"], "rules": ["ACME1", "SCR900", "SCR901"]}
    assert run("check", ".", "--show-files").out == "a.py\nb/c.pyi\n"


def test_project_rules_are_not_run_unasked(
    acme: Callable[..., Path], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRIPTLINT_PROJECT_RULES", raising=False)
    top = acme({"a.py": ASCII})
    (top / "acme.rule" / "lost_script.py").write_text("open('ran', 'w')\n")
    done = run("check", "a.py")
    assert not (top / "ran").exists()
    assert done.code == 2 and "unknown rule 'ACME1'" in done.err


def test_statistics(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII + ASCII, "b.py": ASCII})
    done = run("check", "a.py", "b.py", "--statistics")
    assert done.code == 1
    assert done.out == "3  ACME1  lost-script  in 2 files\nFound 3 findings in 2 files, 3 tokenizers.\n"


def test_force_exclude(acme: Callable[..., Path], run: Callable[..., Any]) -> None:
    acme({"a.py": ASCII, "README.md": "re.compile"}, "exclude = ['a.py']\n")
    assert run("check", "a.py").code == 1
    done = run("check", "--force-exclude", "a.py", "README.md")
    assert (done.code, done.out) == (0, "No findings in 0 files.\n")
