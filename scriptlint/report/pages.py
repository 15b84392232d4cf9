"""A rule's page in Markdown: its docstring with a title, the card, and the examples. ``explain`` and docs/ show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scriptlint.registry import Rule
    from scriptlint.rule import Example

_LANGUAGES = {".py": "python", ".pyi": "python", ".md": "markdown", ".json": "json", ".toml": "toml"}


def rule_page(rule: Rule) -> str:
    """The whole page, ending in a line break."""
    return "\n".join(_parts(rule)).rstrip("\n") + "\n"


def _parts(rule: Rule) -> Iterator[str]:
    yield f"# {rule.code} {rule.name}\n"
    yield f"{rule.summary}\n"
    card = [f"Level: {rule.meta.level.value}", f"since {rule.meta.since}"]
    if not rule.meta.default:
        card.append("runs only when it is selected")
    yield f"{', '.join(card)}. Suppress with `# scriptlint: ignore[{rule.code}] reason`.\n"
    _, _, body = rule.page.partition("\n")
    yield body.strip() + "\n"
    if rule.meta.options:
        yield "## Options\n"
        yield f"In `[tool.scriptlint.rules.{rule.name}]`, with their defaults:\n"
        yield "```toml"
        yield from (f"{name} = {_toml(value)}" for name, value in rule.meta.options.items())
        yield "```\n"
    yield "## More examples\n"
    yield from _examples("Found:", rule.loud)
    yield from _examples("Not found:", rule.quiet)


def _examples(title: str, examples: Iterable[Example]) -> Iterator[str]:
    yield f"{title}\n"
    for example in examples:
        if example.note:
            yield f"- {example.note}\n"
        for path, text in example.all_files.items():
            suffix = path[path.rfind(".") :] if "." in path else ""
            fence = "````" if "```" in text else "```"
            named = "" if path == "example.py" else f"`{path}`:\n\n"
            yield f"{named}{fence}{_LANGUAGES.get(suffix, '')}\n{text.rstrip()}\n{fence}\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
