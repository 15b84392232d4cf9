"""Errors that a person can mend: the command line shows their one line and exits 2."""

from __future__ import annotations


class UserError(Exception):
    """What was asked for can't be done; the text is one line that says why, with the place first."""
