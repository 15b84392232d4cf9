"""Finds the rules: loads rule files by path, checks that each is whole, and answers questions about them.

Rule files live in ``rules/`` beside the package, or in ``scriptlint/_rules`` once a wheel has put them there. They
are loaded by path because a static import of either place breaks in the other.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scriptlint.errors import UserError
from scriptlint.rule import HEADINGS, Example, Meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from scriptlint.finding import Finding
    from scriptlint.rule import Reads, RuleSettings

    Check = Callable[[Any, RuleSettings], Iterator[Finding]]


class RuleError(UserError):
    """A rule file that is not whole. The text is one line with the file's path first."""


class UnknownRuleError(UserError):
    """A rule that nobody has; the text names the nearest one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A loaded rule. ``page`` is its whole page (Markdown), ``summary`` the page's first line."""

    meta: Meta
    summary: str
    page: str
    quiet: tuple[Example, ...]
    loud: tuple[Example, ...]
    check: Check
    path: Path
    builtin: bool

    @property
    def code(self) -> str:
        """``SCR001``."""
        return self.meta.code

    @property
    def name(self) -> str:
        """``excluded-script``."""
        return self.meta.name

    def section(self, heading: str) -> str:
        """The text under ``## heading`` of the page, without the heading."""
        _, _, rest = self.page.partition(f"\n## {heading}\n")
        return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()


@dataclass(frozen=True)
class Registry:
    """Rules by code, in the order of their codes."""

    rules: Mapping[str, Rule]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __contains__(self, code: object) -> bool:
        return code in self.rules

    def __len__(self) -> int:
        return len(self.rules)

    def reading(self, reads: Reads) -> tuple[Rule, ...]:
        """The rules that take this kind of facts."""
        return tuple(r for r in self if r.meta.reads == reads)

    def find(self, word: str) -> Rule:
        """The rule with this code or name, in any case; raises UnknownRuleError with the nearest one."""
        code, name = word.strip().upper(), word.strip().lower().replace("_", "-")
        for rule in self:
            if rule.code == code or rule.name == name:
                return rule
        near = self.nearest(word)
        hint = f"; did you mean {near}?" if near else ""
        raise UnknownRuleError(f"unknown rule {word!r}{hint}")

    def match(self, selector: str) -> tuple[str, ...]:
        """Codes that a selector names: ``ALL``, a code, a name, or a code's beginning (``SCR1``).

        Raises UnknownRuleError when it names none.
        """
        wanted = selector.strip()
        if wanted.upper() == "ALL":
            return tuple(self.rules)
        if re.fullmatch(r"[A-Za-z]+[0-9]*", wanted):
            found = tuple(code for code in self.rules if code.startswith(wanted.upper()))
            if found:
                return found
        return (self.find(wanted).code,)

    def nearest(self, word: str) -> str | None:
        """The code or name that looks most like ``word``, if any does."""
        from scriptlint.nearest import nearest

        return nearest(word, [n for rule in self for n in (rule.code, rule.name)])


def rules_dir() -> Path:
    """Where the built-in rules are."""
    here = Path(__file__).resolve().parent
    packed = here / "_rules"
    return packed if packed.is_dir() else here.parent / "rules"


@lru_cache(maxsize=8)
def load_registry(extend: tuple[str, ...] = ()) -> Registry:
    """The built-in rules and those of the folders (or single files) in ``extend``; raises RuleError.

    ``extend`` runs code that the project keeps: callers pass it only when the project's own settings name it.
    """
    rules: dict[str, Rule] = {}
    names: dict[str, Path] = {}
    for path, builtin in _rule_files(extend):
        rule = _load(path, builtin)
        other = rules[rule.code].path if rule.code in rules else names.get(rule.name)
        if other is not None:
            raise RuleError(f"{path}: code {rule.code} or name {rule.name!r} is taken by {other}")
        rules[rule.code] = rule
        names[rule.name] = path
    return Registry(dict(sorted(rules.items())))


def _rule_files(extend: tuple[str, ...]) -> Iterator[tuple[Path, bool]]:
    for path in sorted(rules_dir().glob("scr[0-9]*_*.py")):
        yield path, True
    for word in extend:
        place = Path(word)
        if place.is_file():
            yield place, False
        elif place.is_dir():
            for path in sorted(place.glob("*.py")):
                if not path.name.startswith(("_", "test_")):
                    yield path, False
        else:
            raise RuleError(f"{word}: no such rule file or folder")


def _load(path: Path, builtin: bool) -> Rule:
    module = _module(path, builtin)
    meta = getattr(module, "META", None)
    if not isinstance(meta, Meta):
        raise RuleError(f"{path}: no META = Meta(...)")
    for why in _faults(path, module, meta, builtin):
        raise RuleError(f"{path}: {why}")
    page = (module.__doc__ or "").strip() + "\n"
    summary = page.splitlines()[0]
    return Rule(meta, summary, page, module.QUIET, module.LOUD, module.check, path, builtin)


def _module(path: Path, builtin: bool) -> ModuleType:
    name = f"scriptlint.{'_rules' if builtin else '_project_rules'}.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RuleError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    # dataclasses in a rule file look their module up by name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise RuleError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def _faults(path: Path, module: ModuleType, meta: Meta, builtin: bool) -> Iterator[str]:
    """What is wrong with a rule file, in words."""
    if builtin and not re.fullmatch(r"SCR[0-9]{3}", meta.code):
        yield f"code {meta.code!r} is not SCR and three digits"
    if not builtin and (not re.fullmatch(r"[A-Z]{2,8}[0-9]{1,5}", meta.code) or meta.code.startswith("SCR")):
        yield f"code {meta.code!r} must be capital letters and digits, with another prefix than SCR"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", meta.name):
        yield f"name {meta.name!r} is not kebab-case"
    if builtin and path.stem != f"{meta.code.lower()}_{meta.name.replace('-', '_')}":
        yield f"the file should be named {meta.code.lower()}_{meta.name.replace('-', '_')}.py"
    page = (module.__doc__ or "").strip()
    if not page or page.startswith("#"):
        yield "the docstring's first line must be a one-sentence summary"
    headings = tuple(re.findall(r"^## (.+?)[ \t]*$", page, re.MULTILINE))
    if headings != HEADINGS:
        yield f"the page's headings must be {', '.join(HEADINGS)}; they are {', '.join(headings) or 'missing'}"
    for attribute in ("QUIET", "LOUD"):
        examples = getattr(module, attribute, None)
        if not isinstance(examples, tuple) or not examples or not all(isinstance(e, Example) for e in examples):
            yield f"{attribute} must be a tuple of at least one Example"
    if not callable(getattr(module, "check", None)):
        yield "no check(facts, settings)"
