"""A router under test inside its own process: loaded, built, asked."""
# Paths stay plain strings: this process starts once for every condition.
# ruff: noqa: PTH100, PTH113, PTH118

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import math
import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scriptlint.gate.shapes import pairs
from scriptlint.nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import CodeType, ModuleType

QUERY_NAMES = {"query", "q", "text", "prompt", "question", "message", "request", "task", "utterance", "user_input"}
COUNT_NAMES = {"k", "top_k", "topk", "limit", "n", "top_n", "topn", "max_results", "n_results", "size", "count"}
TOKENIZE_NAMES = ("tokenize", "_tokenize", "tokenise", "tokenizer", "get_tokens", "tokens_of")


class RouterError(Exception):
    """A router that isn't what the settings say: one line."""


class TimeUp(BaseException):
    """The time limit; a ``BaseException``, so that a router's ``except Exception`` doesn't swallow it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the body after ``seconds``, where there are interval timers. The parent has a limit, too."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, stop)
    # It rings again: a bare ``except:`` around a loop would swallow the first.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except TimeUp:  # it rang on the way here
            signal.setitimer(signal.ITIMER_REAL, 0)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads given source text under a file's name: the file itself may hold another revision."""

    def __init__(self, name: str, path: str, source: str, constants: Mapping[str, Any]) -> None:
        super().__init__(name, path)
        self.source = source
        self.constants = constants

    def get_code(self, fullname: str) -> CodeType:
        """The code with patched constants; no bytecode file is looked at."""
        tree = ast.parse(self.source, self.path)
        for name, old in _literals(tree):
            _check_kind(name, old, self.constants.get(name, old))
        tree = patched(tree, self.constants)
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code


def patched(tree: ast.Module, constants: Mapping[str, Any]) -> ast.Module:
    """The tree with the values of these module constants replaced where they are assigned."""
    for node in assignments(tree):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id in constants and node.value is not None:
            new = ast.parse(repr(constants[target.id]), mode="eval").body
            for part in ast.walk(new):
                ast.copy_location(part, node.value)
            node.value = new
    return tree


def assignments(tree: ast.Module) -> Iterator[ast.Assign | ast.AnnAssign]:
    """Assignments to one name at a module's top level, those in ``if`` and ``try`` there included."""
    stack: list[ast.stmt] = list(reversed(tree.body))
    while stack:
        node = stack.pop()
        if (isinstance(node, ast.Assign) and len(node.targets) == 1) or isinstance(node, ast.AnnAssign):
            yield node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            inner = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
            for handler in getattr(node, "handlers", ()):
                inner += handler.body
            stack += reversed(inner)


class Router:
    """One condition. Requests say what to do; replies are JSON. Raises RouterError, and what the router raises."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.path: str = settings["path"]
        self.module: ModuleType | None = None
        self.index: object = None
        self._search: Callable[[str], object] | None = None
        self._tokenize: Callable[[str], Any] | None = None

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Import it as a module object of its own; gives the gate's value and whether there is a tokenizer."""
        os.chdir(self.settings["root"])
        name, roots = module_name(self.path)
        for root in reversed((*roots, self.settings["root"])):
            if root not in sys.path:
                sys.path.insert(0, root)
        package = name.rpartition(".")[0]
        if package:
            importlib.import_module(package)
        elif name in sys.modules or name in sys.stdlib_module_names:
            name = f"_router_{name}"
        constants: dict[str, Any] = request["set"]
        loader = _Loader(name, self.path, request["source"], constants)
        spec = importlib.util.spec_from_file_location(name, self.path, loader=loader)
        if spec is None:
            raise RouterError(f"{self.path}: not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        loader.exec_module(module)
        self.module = module
        self.set({"set": constants})
        for skipped in self.settings["skip"]:
            self._known(skipped)
            _assign(module, skipped, _nothing)
        for wanted in ("build", "search"):
            if not self.settings[wanted].startswith("."):
                self._known(self.settings[wanted])
        self._tokenize = self._tokenizer()
        self._search = None
        return {"gate": self.gate(), "tokenizer": self._tokenize is not None}

    def _known(self, dotted: str) -> Any:
        """What a (dotted) name in the module is; raises RouterError with the nearest name."""
        value: Any = self.module
        for part in dotted.split("."):
            try:
                value = value[part] if isinstance(value, dict) else getattr(value, part)
            except (AttributeError, KeyError):
                names = value if isinstance(value, dict) else [n for n in dir(value) if not n.startswith("__")]
                raise RouterError(f"has no {dotted!r}{did_you_mean(part, map(str, names))}") from None
        return value

    def set(self, request: dict[str, Any]) -> dict[str, Any]:
        """Give (dotted) names new values."""
        for dotted, value in request["set"].items():
            old = self._known(dotted)
            _check_kind(dotted, old, value)
            _assign(self.module, dotted, value)
        return {"gate": self.gate()}

    def gate(self) -> float:
        """The gate's value now."""
        wanted = self.settings["gate"]
        value = self._known(wanted) if isinstance(wanted, str) else wanted
        if not _is_number(value) or math.isnan(value):
            raise RouterError(f"the gate {wanted!r} is {value!r}, not a number")
        return float(value)

    def build(self, request: dict[str, Any]) -> dict[str, Any]:
        """Call the build entry point, with the items when it takes any."""
        self.index = None
        build = self._known(self.settings["build"])
        items = request["items"]
        takes = [p for p in _parameters(build) if p.kind is not p.VAR_KEYWORD]
        needed = [p for p in takes if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        if items is not None and takes:
            self.index = _finish(build(items))
        elif not needed:
            self.index = _finish(build())
        else:
            raise RouterError(f"{self.settings['build']} wants {needed[0].name}: name the items in the settings")
        self._search = None
        return {"took_items": items is not None and bool(takes)}

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask one query."""
        if self._search is None:
            self._search = self._bound_search()
        found = pairs(
            _finish(self._search(request["query"])), self.settings["name_field"], self.settings["score_field"]
        )
        tokens = None if self._tokenize is None else _tokens(self._tokenize(request["query"]))
        return {"results": found[: self.settings["depth"]], "tokens": tokens}

    def _bound_search(self) -> Callable[[str], object]:
        name = self.settings["search"]
        if name.startswith("."):
            search = getattr(self.index, name[1:], None)
            if search is None:
                raise RouterError(
                    f"what {self.settings['build']} gives ({type(self.index).__name__}) has no {name[1:]}"
                )
        else:
            search = self._known(name)
        named = [p for p in _parameters(search) if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        count = next((p.name for p in named if p.name in COUNT_NAMES), None)
        query = next((p.name for p in named if p.name in QUERY_NAMES), None)
        depth = self.settings["depth"]
        if query is None:
            # Names say nothing: index, query, k in this order, as many as it takes.
            rest = [p for p in named if p.name != count]
            plain = len(rest) == 1
            extra: dict[str, Any] = {count: depth} if count else {}
            if plain:
                return lambda text: search(text, **extra)
            if not count and len(rest) > 2 and rest[2].default is rest[2].empty:
                return lambda text: search(self.index, text, depth)
            return lambda text: search(self.index, text, **extra)
        index = next((p for p in named if p.name not in (query, count) and p.default is p.empty), None)
        keywords: dict[str, Any] = {}
        if count:
            keywords[count] = depth
        if index is not None:
            keywords[index.name] = self.index
        positional = {p.name for p in named if p.kind is p.POSITIONAL_ONLY}
        if positional:
            order = [p.name for p in named if p.kind is p.POSITIONAL_ONLY]
            rest_of = {n: v for n, v in keywords.items() if n not in positional}

            def call(text: str) -> object:
                values = {**keywords, query: text}
                later = {} if query in positional else {query: text}
                return search(*(values[n] for n in order if n in values), **rest_of, **later)

            return call
        return lambda text: search(**keywords, **{query: text})

    def _tokenizer(self) -> Callable[[str], Any] | None:
        wanted = self.settings["tokenize"]
        if wanted:
            found = self._known(wanted)
            if not callable(found):
                raise RouterError(f"tokenize {wanted!r} can't be called")
            return found  # type: ignore[no-any-return]
        for name in TOKENIZE_NAMES:
            found = getattr(self.module, name, None)
            if callable(found):
                return found  # type: ignore[no-any-return]
        return None

    def tokens(self, request: dict[str, Any]) -> dict[str, Any]:
        """Tokens of texts: a digest for each text, or (``whole``) the tokens themselves."""
        if self._tokenize is None:
            return {"tokens": None}
        out: list[Any] = []
        for text in request["texts"]:
            tokens = _tokens(self._tokenize(text))
            if not request.get("whole"):
                joined = "\0".join(tokens).encode("utf-8", "surrogatepass")
                out.append(f"{len(tokens)}:{hashlib.sha256(joined).hexdigest()[:24]}")
            else:
                out.append(tokens)
        return {"tokens": out}


def module_name(path: str) -> tuple[str, list[str]]:
    """A file's (dotted) module name, and the folders from which imports in it are looked up."""
    folder, base = os.path.split(os.path.abspath(path))
    parts = [base.removesuffix(".py")]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, own = os.path.split(folder)
        parts.insert(0, own)
    return ".".join(p for p in parts if p != "__init__") or parts[0], [folder]


def _literals(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """Module constants that are literals, with their values."""
    for node in assignments(tree):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Constant):
            yield target.id, node.value.value


def _check_kind(name: str, old: object, new: object) -> None:
    if _is_number(old) and not _is_number(new):
        raise RouterError(f"{name} is a number ({old!r}), it can't be set to {new!r}")


def _assign(module: Any, dotted: str, value: object) -> None:
    *path, last = dotted.split(".")
    target = module
    for part in path:
        target = target[part] if isinstance(target, dict) else getattr(target, part)
    if isinstance(target, dict):
        target[last] = value
    else:
        setattr(target, last, value)


def _nothing(*_args: object, **_kwargs: object) -> None:
    """Stands in for a function that is skipped."""


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _finish(value: Any) -> Any:
    """The result of a coroutine that waits for nothing; anything else as it is."""
    if not inspect.iscoroutine(value):
        return value
    try:
        value.send(None)
    except StopIteration as done:
        return done.value
    value.close()
    raise RouterError("it is asynchronous and waits for something: give a plain function")


def _tokens(found: Any) -> list[str]:
    if found is None:
        return []
    if isinstance(found, str):
        return found.split()
    if isinstance(found, (set, frozenset)):
        found = sorted(map(str, found))
    return [str(t) for t in found]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
