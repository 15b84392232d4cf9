"""The command line. This module is all that a run without a candidate imports: keep it bare.

A pre-commit hook runs on every commit, most of which touch no tokenizer. Such a run must not pay for click, libcst
or the rules, so ``fast`` answers it; everything else goes to ``app``.
"""

import sys


def main() -> None:
    """The entry point of ``scriptlint`` and ``python -m scriptlint``: runs, then exits with 0, 1 or 2."""
    from scriptlint.cli.fast import answer

    code = answer(sys.argv[1:])
    if code is None:
        from scriptlint.cli.app import run

        code = run(sys.argv[1:])
    sys.exit(code)
