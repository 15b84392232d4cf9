"""Where scriptlint lives on the web, for formats that link to it: what its own package metadata says."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scriptlint.registry import Registry


@lru_cache(maxsize=1)
def home() -> str | None:
    """The repository's address; ``None`` when the installed metadata names none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("scriptlint").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    named = dict(url.split(", ", 1) for url in urls if ", " in url)
    return next((named[k].rstrip("/") for k in ("Repository", "Source", "Homepage") if k in named), None)


def rule_url(registry: Registry, code: str) -> str | None:
    """The page of a built-in rule; ``None`` for a project's own, or when there is no home."""
    rule, base = registry.rules.get(code), home()
    if rule is None or not rule.builtin or base is None:
        return None
    return f"{base}/blob/main/docs/rules/{rule.name}.md"
