"""Which two tokenizers should agree: copies, and the two sides of one package; not all that a framework calls alike."""

from __future__ import annotations

import pytest

from scriptlint.conclude import conclude, from_results
from scriptlint.config import Settings
from scriptlint.engine import check_bytes


def messages(**files: str) -> list[str]:
    """What is said of siblings in files of one package."""
    results = [check_bytes(f"pack/{n}.py", f"import re\n{source}".encode(), Settings()) for n, source in files.items()]
    return [f.message for f in conclude(from_results(results), Settings()).findings if f.code == "SCR009"]


HOOK_A = (
    "def process_results(doc, results):\n    words = set(re.findall('[a-z0-9]+', results[0].lower()))\n"
    "    return {'acc': len(words & set(re.findall('[a-z0-9]+', doc['answer'].lower())))}\n"
)
HOOK_B = (
    "def process_results(doc, results):\n    terms = set(re.findall(r'\\w+', results[0]))\n"
    "    return {'hit': any(t in terms for t in doc['choices'])}\n"
)
POOR = "def tokenize(text):\n    return re.findall('[a-z0-9]+', text.lower())\n"
RICH = "def tokenize(text):\n    return re.findall(r'\\w+', text.lower())\n"
REPAIRED = (
    "def tokenize(text):\n    found = []\n    for run in re.findall(r'\\w+', text.lower()):\n"
    "        found += [run[i : i + 2] for i in range(len(run) - 1)] if ord(run[0]) > 0x2E80 else [run]\n    return found\n"
)
OTHER = (
    "PATTERN = re.compile(r'\\w+')\nclass {name}:\n    def tokenize(self, document):\n"
    "        return {{match.group() for match in PATTERN.finditer(document)}}\n"
)


def test_hooks_of_one_name_are_no_copies() -> None:
    assert messages(task_a=HOOK_A, task_b=HOOK_B) == []


@pytest.mark.parametrize("copy", [RICH, REPAIRED])
def test_a_copy_keeps_the_old_fault(copy: str) -> None:
    (said,) = messages(a=POOR, b=copy)
    assert "which `tokenize` of pack/b.py keeps: two copies of one function" in said


def test_two_sides_of_one_package() -> None:
    (said,) = messages(search=POOR, indexer=OTHER.format(name="Documents"))
    assert said.endswith("which `Documents.tokenize` of pack/indexer.py keeps: one reads documents, the other queries")
    assert messages(search=POOR, helpers=OTHER.format(name="Lines")) == []
