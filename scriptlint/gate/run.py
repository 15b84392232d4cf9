"""Runs conditions: each in its own worker, over all queries, whatever single queries or conditions do."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scriptlint.gate.metrics import Answer, answer, metrics
from scriptlint.gate.session import Gone, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scriptlint.gate.metrics import Metrics
    from scriptlint.gate.queries import Query

RESTARTS = 3
"""How often a worker that hung or died on a query is started again; then the other queries are left out."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How to talk to a router: the same for all conditions. Times are in seconds, paths absolute.

    A name of ``build``, ``search``, ``tokenize`` and a ``gate`` that is text are names in the module; ``.name`` means
    a method of what ``build`` gives. ``depth`` results are asked for, of which k count.
    """

    root: str
    build: str = "build_index"
    search: str = "search"
    tokenize: str = ""
    gate: str | float = "GATE_MIN"
    k: int = 5
    depth: int = 100
    cache: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    name_field: str = ""
    score_field: str = ""
    query_seconds: float = 10.0
    build_seconds: float = 300.0

    def as_request(self, path: str) -> dict[str, Any]:
        """What a worker must know."""
        return {
            "root": self.root, "path": path, "build": self.build, "search": self.search, "tokenize": self.tokenize,
            "gate": self.gate, "depth": max(self.depth, self.k), "cache": self.cache, "skip": self.skip,
            "name_field": self.name_field, "score_field": self.score_field,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """One variant of a router: source text under a file's name (absolute; ``shown`` is for people), and constants.

    ``origin`` says where the text comes from when that is not the file: a revision.
    """

    name: str
    path: str
    shown: str
    source: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    origin: str = ""


@dataclass(slots=True)
class Run:
    """What one condition gave. With ``failure`` (one line) it gave nothing.

    ``refused`` are what the guard refused, each once: what, target, line (``path:line`` in the project or empty).
    ``read`` are the absolute paths of files that the worker opened for reading.
    """

    condition: Condition
    gate: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    failure: str = ""
    refused: list[dict[str, Any]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    builds: int = 0
    has_tokenizer: bool = False
    _measured: dict[tuple[float, int], Metrics] = field(default_factory=dict)

    def metrics(self, k: int) -> Metrics:
        """The metrics at its gate."""
        key = (self.gate, k)
        if key not in self._measured:
            self._measured[key] = metrics(self.answers, self.gate, k)
        return self._measured[key]


class Failed(Exception):  # noqa: N818  (a result, not a fault)
    """A condition that can't be measured: one line."""


class Driver:
    """A condition's worker over the time of several tasks: started, and started again when a query ends it.

    Use as a context manager. ``refused`` and ``read`` add up.
    """

    def __init__(self, condition: Condition, setup: Setup, items: Sequence[Mapping[str, str]] | None) -> None:
        self.condition = condition
        self.setup = setup
        self.items = items
        self.constants: dict[str, Any] = dict(condition.constants)
        self.gate = 0.0
        self.refused: list[dict[str, Any]] = []
        self.read: dict[str, None] = {}
        self.builds = 0
        self.restarts = 0
        self.has_tokenizer = False
        self.session: Session | None = None

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self.session is not None:
            with suppress(Gone):
                self.read.update(dict.fromkeys(self.session.ask("read", 5.0)["read"]))
            self.session.end()
            self.session = None

    def ask(self, do: str, seconds: float, **more: Any) -> dict[str, Any]:
        """One request. Raises Gone when the worker is no more, after which it must be opened again."""
        assert self.session is not None
        try:
            reply = self.session.ask(do, seconds, **more)
        except Gone:
            self.session.end()
            self.session = None
            raise
        known = {(r["what"], r["target"]) for r in self.refused}
        self.refused += [r for r in reply.get("refused", ()) if (r["what"], r["target"]) not in known]
        return reply

    def open(self, constants: Mapping[str, Any] | None = None, *, build: bool = True) -> None:
        """A fresh process: load, with constants, and build. Raises Failed."""
        if constants is not None:
            self.constants = {**self.condition.constants, **constants}
        self._stop()
        self.session = Session(self.setup.as_request(self.condition.path))
        source = self.condition.source
        reply = self._must("load", self.setup.build_seconds, source=source, set=self.constants)
        self.gate = reply["gate"]
        self.has_tokenizer = reply["tokenizer"]
        if build:
            self.build()

    def build(self) -> None:
        """Call the build entry point. Raises Failed."""
        self._must("build", self.setup.build_seconds, items=self.items)
        self.builds += 1

    def set(self, constants: Mapping[str, Any]) -> None:
        """Other constants in the living module. Raises Failed."""
        self.constants = {**self.condition.constants, **constants}
        self.gate = self._must("set", self.setup.query_seconds, set=self.constants)["gate"]

    def _must(self, do: str, seconds: float, **more: Any) -> dict[str, Any]:
        words = {"load": "loading it", "build": f"{self.setup.build}()", "set": "setting constants"}
        try:
            reply = self.ask(do, seconds, **more)
        except Gone as error:
            raise Failed(f"{words[do]}: {error}") from None
        if "error" in reply:
            what = "" if reply["kind"] == "usage" else f"{words[do]}: "
            raise Failed(f"{what}{reply['error']}")
        return reply

    def answers(self, queries: Sequence[Query], tick: Callable[[], None] | None = None) -> Iterator[Answer]:
        """An answer to every query, in order. Raises Failed when the router can't be built again."""
        for q in queries:
            yield self._answer(q)
            if tick is not None:
                tick()

    def _answer(self, q: Query) -> Answer:
        if self.session is None:
            if self.restarts >= RESTARTS:
                return answer(q, (), error=f"not asked: the router ended or hung {RESTARTS + 1} times")
            self.restarts += 1
            self.open(self.constants)
        try:
            reply = self.ask("search", self.setup.query_seconds, query=q.text)
        except Gone as error:
            return answer(q, (), error=str(error))
        if "error" in reply:
            if reply["kind"] == "usage":
                raise Failed(reply["error"])
            return answer(q, (), error=reply["error"])
        return answer(q, [(name, score) for name, score in reply["results"]], reply["tokens"])

    def tokens(self, texts: Sequence[str], *, whole: bool = False) -> list[Any] | None:
        """Digests of the tokens of texts (``whole``: the tokens); ``None`` without a tokenizer or when it fails."""
        if self.session is None:
            self.open(self.constants)
        out: list[Any] = []
        for at in range(0, len(texts), 500):
            try:
                reply = self.ask("tokens", self.setup.build_seconds, texts=texts[at : at + 500], whole=whole)
            except Gone:
                return None
            if "error" in reply or reply["tokens"] is None:
                return None
            out += reply["tokens"]
        return out


def run_condition(
    condition: Condition,
    setup: Setup,
    queries: Sequence[Query],
    items: Sequence[Mapping[str, str]] | None,
    tick: Callable[[], None] | None = None,
) -> Run:
    """Measure one condition. Never raises for what the router does."""
    out = Run(condition)
    with Driver(condition, setup, items) as driver:
        try:
            driver.open()
            out.gate = driver.gate
            out.answers = list(driver.answers(queries, tick))
        except Failed as error:
            out.failure = str(error)
            out.answers = []
    out.refused, out.read, out.builds = driver.refused, list(driver.read), driver.builds
    out.has_tokenizer = driver.has_tokenizer
    return out


def run_all(
    conditions: Sequence[Condition],
    setup: Setup,
    queries: Sequence[Query],
    items: Sequence[Mapping[str, str]] | None,
    *,
    jobs: int = 1,
    tick: Callable[[], None] | None = None,
) -> list[Run]:
    """Measure all conditions, ``jobs`` at a time; runs in the order of the conditions."""
    from concurrent.futures import ThreadPoolExecutor

    def one(condition: Condition) -> Run:
        return run_condition(condition, setup, queries, items, tick)

    if jobs <= 1 or len(conditions) < 2:
        return [one(c) for c in conditions]
    with ThreadPoolExecutor(max_workers=min(jobs, len(conditions))) as pool:
        return list(pool.map(one, conditions))
