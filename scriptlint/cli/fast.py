"""``check FILE...`` where no file can matter: answered with next to no imports (no re, no pathlib, no click).

Anything unusual is left to the full command line: ``answer`` then gives ``None``, and must not have printed.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SUFFIXES = (".py", ".pyi")
_FLAGS = ("--force-exclude",)
_MOST_FILES = 2000


def answer(arguments: "Sequence[str]") -> int | None:
    """0 when the arguments are a plain ``check`` of files in which there is nothing to find; ``None`` otherwise."""
    if len(arguments) < 2 or arguments[0] != "check" or len(arguments) > _MOST_FILES:
        return None
    if any(name.startswith("SCRIPTLINT_") for name in os.environ):
        return None
    paths = [a for a in arguments[1:] if a not in _FLAGS]
    if not paths or any(p.startswith("-") or not p.endswith(_SUFFIXES) for p in paths):
        return None
    if not _settings_are_plain(paths):
        return None
    from scriptlint.source.prefilter import is_python, may_matter

    seen = set()
    for path in paths:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return None
        if b"scriptlint:" in data or may_matter(data) or not is_python(data):
            return None
        seen.add(os.path.realpath(path))
    if "--force-exclude" in arguments:
        # Which of the files settings leave out changes the count and nothing else; so none is told.
        return _say("No findings", ".")
    return _say("No findings", f" in {len(seen):,} file{'s' * (len(seen) != 1)}.")


def _say(what: str, tail: str) -> int:
    from_environment = os.environ.get
    paint = False
    if not from_environment("NO_COLOR"):
        paint = bool(from_environment("FORCE_COLOR")) or (sys.stdout.isatty() and from_environment("TERM") != "dumb")
    sys.stdout.write(f"\x1b[1;32m{what}\x1b[0m{tail}\n" if paint else f"{what}{tail}\n")
    return 0


def _settings_are_plain(paths: "Sequence[str]") -> bool:
    """Whether every settings file at or above the paths is known to be right; what it says can't matter then."""
    seen: set[str] = set()
    for path in paths:
        folder = os.path.dirname(os.path.abspath(path))
        while folder not in seen:
            seen.add(folder)
            for name in ("scriptlint.toml", "pyproject.toml"):
                try:
                    with open(os.path.join(folder, name), "rb") as file:
                        data = file.read()
                except OSError:
                    continue
                if name != "scriptlint.toml" and b"scriptlint" not in data:
                    continue
                from scriptlint.stamp import is_stamped

                if not is_stamped(folder, data):
                    return False
            parent = os.path.dirname(folder)
            if parent == folder:
                break
            folder = parent
    return True
