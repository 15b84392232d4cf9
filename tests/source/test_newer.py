"""Files in a newer Python than the one that runs: what can be read of them is."""

from __future__ import annotations

import sys

import pytest

from scriptlint.config import Settings
from scriptlint.engine import check_bytes

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python reads the newest syntax that we know")

TOKENIZE = "def tokenize(text):\n    return re.findall('[a-z]+', text.lower())\n"
METHOD = "    @staticmethod\n    def tokenize(text):\n        return re.findall('[a-z]+', text.lower())\n"
NEWER = "try:\n    import x\nexcept OSError, ValueError:\n    pass\n"
INSIDE = "    @cached\n    def other(self):\n        try:\n            pass\n        except OSError, ValueError:\n            pass\n"

READ = {
    "a statement beside it": (f"import re\n{NEWER}\n\n{TOKENIZE}", 9, 4),
    "another function": (
        f"import re\n\ndef other():\n    try:\n        pass\n    except A, B:\n        pass\n\n{TOKENIZE}",
        10,
        6,
    ),
    "another method": (f"import re\n\nclass A:\n{INSIDE}\n{METHOD}", 13, 8),
}


@pytest.mark.parametrize("name", READ)
def test_what_stands_beside_newer_syntax_is_read(name: str) -> None:
    source, line, where = READ[name]
    result = check_bytes("a.py", source.encode(), Settings())
    assert {(f.code, f.location.line) for f in result.findings} >= {("SCR001", line)}
    (problem,) = result.problems
    assert problem.line == where
    assert "newer than Python" in problem.message


def test_what_no_python_reads_is_no_python() -> None:
    result = check_bytes("a.py", f"import re\ndef f(:\n    pass\n\n{TOKENIZE}".encode(), Settings())
    assert result.findings == ()
    assert [p.message for p in result.problems] == ["not valid Python: invalid syntax"]


@pytest.mark.parametrize("deep", ["x = " + "[" * 5000 + "]" * 5000 + "\n", "x = " + "(" * 5000 + "\n"])
def test_brackets_that_no_python_bears_are_no_python(deep: str) -> None:
    result = check_bytes("a.py", f"import re\n{TOKENIZE}{deep}".encode(), Settings())
    assert [p.message for p in result.problems] == ["not valid Python: too many nested parentheses"]


def test_brackets_in_strings_and_comments_are_not_counted() -> None:
    odd = "x = ['" + "(" * 300 + "']  # " + "[" * 300 + "\n"
    result = check_bytes("a.py", f"import re\n{odd}{NEWER}\n\n{TOKENIZE}".encode(), Settings())
    assert "newer than Python" in result.problems[0].message
