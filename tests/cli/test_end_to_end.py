"""The real finder and judge behind the real command line, on lines that break naive columns."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("scriptlint.source.prefilter")

ROUTER = (
    "import re\r\n"
    "\r\n"
    "def a(text):\r\n"
    '    note = "\U0001f600漢"; return re.findall("[a-z0-9]+", text.lower())\r\n'
    "\r\n"
    "def b(text):\r\n"
    '\tnote = "\U00020000\U00020000"; return re.findall(r"[a-z0-9]+", text.lower())\r\n'
    "\r\n"
    "class Index:\r\n"
    '    WORD = re.compile("[a-z0-9]+")  # \U0001f468\u200d\U0001f469 \x0b\u2028 e\u0301\r\n'
    "    def tokens(self, text):\r\n"
    "        return self.WORD.findall(text.lower())\r\n"
)


def scriptlint(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "scriptlint", *arguments], cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_sarif_regions_on_real_findings(project: Callable[..., Path], shared: Path) -> None:
    top = project({"router 漢.py": ROUTER.encode("utf-8")})
    code, out, _ = scriptlint(top, "check", ".", "--format", "sarif", "--no-cache")
    log: dict[str, Any] = json.loads(out)
    results = log["runs"][0]["results"]
    assert code == 1 and len(results) >= 3
    lines = ROUTER.split("\r\n")
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        assert place["artifactLocation"]["uri"] == "router%20%E6%BC%A2.py"
        assert region["startLine"] == region["endLine"]
        units = lines[region["startLine"] - 1].encode("utf-16-le")
        cut = units[(region["startColumn"] - 1) * 2 : (region["endColumn"] - 1) * 2].decode("utf-16-le")
        assert cut == region["snippet"]["text"]
        assert cut.endswith('"[a-z0-9]+"')
    schema = shared / "data" / "sarif-2.1.0.json"
    if schema.is_file():
        jsonschema = pytest.importorskip("jsonschema")
        loaded = json.loads(schema.read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(loaded)(loaded)
        assert [e.message for e in validator.iter_errors(log)] == []


def test_json_columns_are_code_points(project: Callable[..., Path]) -> None:
    top = project({"r.py": ROUTER.encode("utf-8")})
    _, out, _ = scriptlint(top, "check", "r.py", "--format", "json", "--no-cache")
    lines = ROUTER.split("\r\n")
    for one in json.loads(out)["findings"]:
        assert lines[one["line"] - 1][one["column"] - 1 : one["end_column"] - 1].endswith('"[a-z0-9]+"')


def test_bytes_that_are_not_python(project: Callable[..., Path]) -> None:
    top = project(
        {
            "latin.py": b'import re\nT = re.compile("[a-z]+")  # \xe9\n',
            "syntax.py": 'import re\nT = re.compile("[a-z]+"\n',
            "nul.py": b'import re\nT = re.compile("[a-z]+")\x00\n',
            "cookie.py": '# -*- coding: latin-1 -*-\nimport re\nT = "é"; t = re.findall("[a-z]+", T)\n'.encode(
                "latin-1"
            ),
            "empty.py": b"",
            "bom.py": b"\xef\xbb\xbfimport re\ndef f(t):\n    return re.findall('[a-z]+', t)\n",
            "cr.py": b"import re\rdef f(t):\r    return re.findall('[a-z]+', t)\r",
        }
    )
    code, out, err = scriptlint(top, "check", ".", "--format", "json", "--no-cache")
    data = json.loads(out)
    assert code == 1
    told = {e["path"] for e in data["errors"]}
    assert {"latin.py", "syntax.py"} <= told
    assert {e["path"] for e in data["errors"] if "internal error" in e["message"]} == set()
    assert not told & {"cookie.py", "empty.py", "bom.py", "cr.py"}
    assert err.count("\n") == len(data["errors"])


def test_the_cache_knows_what_a_file_imports(project: Callable[..., Path]) -> None:
    ascii_only, wide = 'WORD = r"[a-z0-9]+"\n', 'WORD = r"[a-z0-9а-яёіїєґ]+"\n'
    top = project(
        {
            "app/patterns.py": ascii_only,
            "app/search.py": "import re\nfrom .patterns import WORD\n\n"
            "def tokenize(text):\n    return re.findall(WORD, text.lower())\n",
        }
    )

    def lost() -> set[str]:
        _, out, _ = scriptlint(top, "check", "app/search.py", "--format", "json", "--select", "SCR001")
        return {s for f in json.loads(out)["findings"] for s in f["scripts"]}

    assert "Cyrl" in lost()
    assert "Cyrl" in lost()
    (top / "app" / "patterns.py").write_text(wide)
    assert lost() and "Cyrl" not in lost()


def test_results_do_not_depend_on_what_else_is_read(project: Callable[..., Path]) -> None:
    body = "import re\nfrom .patterns import W{n}\n\ndef tokenize(text):\n    return re.findall(W{n}, text.lower())\n"
    files = {f"app/m{n}.py": body.format(n=n) for n in range(8)}
    files["app/patterns.py"] = "".join(f'W{n} = r"[a-{chr(97 + n)}0-9]+"\n' for n in range(8))
    top = project(files)

    def found(*arguments: str) -> list[str]:
        _, out, _ = scriptlint(top, "check", *arguments, "--format", "json", "--no-cache", "--ignore", "SCR009")
        return [f["fingerprint"] for f in json.loads(out)["findings"]]

    together = found("app")
    assert found("app", "-j", "2") == together
    assert sorted(fp for n in range(8) for fp in found(f"app/m{n}.py")) == sorted(together)


def test_a_finding_in_a_file_that_others_import_is_told_once_by_its_own_name(project: Callable[..., Path]) -> None:
    text = "import re\n\ndef slugify(title):\n    return re.sub('[^a-z0-9]+', '-', title.lower())\n"
    importer = "from app.text import slugify\n\ndef slug(title):\n    return slugify(title)\n"
    top = project({"work/x": "", "there/app/text.py": text, "there/app/filters.py": importer})
    code, out, _ = scriptlint(top / "work", "check", "../there", "--format", "concise", "--no-cache")
    found = [line for line in out.splitlines() if "SCR001" in line]
    assert code == 1 and len(found) == 1
    assert found[0].startswith("../there/app/text.py:4:")


def test_a_syntax_error_is_told_in_a_small_run(project: Callable[..., Path]) -> None:
    top = project({"a.py": "def add(a, b:\n    return a + b\n", "b.py": "x = 1\n"})
    for arguments in (["a.py"], ["a.py", "b.py"], ["."], ["a.py", "--format", "concise"]):
        code, out, _ = scriptlint(top, "check", *arguments, "--no-cache")
        assert code == 1 and "a.py:1: error: not valid Python" in out, arguments


def test_a_large_run_says_the_same_with_and_without_what_it_remembers(project: Callable[..., Path]) -> None:
    lossy = "import re\n\ndef tokenize(text):\n    return re.findall('[a-z]+', text.lower())\n"
    files = {f"m{n}.py": f"x = {n}\n" for n in range(70)}
    top = project({**files, "tokens.py": lossy})
    first = scriptlint(top, "check", ".", "--format", "concise")
    assert first[0] == 1 and "tokens.py:4:" in first[1]
    assert scriptlint(top, "check", ".", "--format", "concise") == first
    (top / "m3.py").write_text(lossy)
    again = scriptlint(top, "check", ".", "--format", "concise")
    assert again == scriptlint(top, "check", ".", "--format", "concise", "--no-cache")
    assert "m3.py:4:" in again[1]


def test_a_listing_probes_with_a_text_among_others(project: Callable[..., Path]) -> None:
    """It shows what its verdicts speak of; ``probe`` shows what the function gives for this text alone."""
    words = "    words = re.findall(r'\\w+', text)\n"
    guarded = f"import re\ndef tokens(text):\n{words}    return words if len(words) > 1 else []\n"
    folder = project({"search.py": guarded})
    listed = json.loads(scriptlint(folder, "tokenizers", "search.py", "--probe", "поиск", "--format", "json")[1])
    assert listed["tokenizers"][0]["probes"] == {"поиск": ["поиск"]}
    alone = scriptlint(folder, "probe", "search.py::tokens", "поиск")[1]
    assert "no tokens" in alone
