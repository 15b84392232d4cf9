"""Values of the evaluator: holes, functions and objects of the program, and what ends a run."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

MAX_STEPS = 400_000
MAX_SIZE = 2_000_000
MAX_DEPTH = 40


class Unsupported(Exception):  # noqa: N818  (a result, not a fault)
    """The program does something that the evaluator has no model of."""


class LimitReached(Unsupported):
    """The program is too long, too deep or too large to be run here."""


PYTHON_ERRORS = (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError, OverflowError)
"""What an operation on values that nobody knows may raise where the program itself would not have come to."""


class Raised(Exception):  # noqa: N818
    """The evaluated program raised an exception of its own."""


@dataclass(frozen=True, eq=False, repr=False)
class Hole:
    """A value that is not known: a parameter, a field of one, what an unknown function returns.

    ``path`` spells where it comes from (``note.content``); two holes with one path are the same value.
    ``text`` is what an unknown function was given, when that was text: what it makes of it, nobody knows.
    """

    path: str
    text: object = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hole) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self.path}>"


class Scope(Protocol):
    """What a module offers: names to values. ``lookup`` returns a ``Hole`` for what it doesn't know."""

    def lookup(self, name: str, interp: Any) -> object: ...


@dataclass(eq=False, repr=False)
class Function:
    """A function of the program: its tree, where its free names are found, and the object it is bound to."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope
    closure: dict[str, object] = field(default_factory=dict)
    bound: object = None
    has_self: bool = False
    qualname: str = "<lambda>"


@dataclass(eq=False, repr=False)
class Instance:
    """An object of a class of the program; attributes are computed when they are asked for."""

    cls: ClassLike
    attributes: dict[str, object] = field(default_factory=dict)


class ClassLike(Protocol):
    """A class of the program, as the interpreter needs it."""

    name: str

    def attribute(self, name: str, instance: Instance | None, interp: Any) -> object: ...


@dataclass(frozen=True)
class Module:
    """A module of the standard library (or ``regex``) that the interpreter has a model of."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Builtin:
    """A callable of the closed list. ``name`` is its qualified name (``re.findall``, ``str.lower``)."""

    name: str
    call: Callable[..., Any]
    owner: object = None


@dataclass(frozen=True)
class Partial:
    """``functools.partial(func, *args, **kwargs)``."""

    func: object
    args: tuple[object, ...]
    kwargs: dict[str, object]


class ReturnSignal(Exception):  # noqa: N818
    def __init__(self, value: object) -> None:
        self.value = value


class BreakSignal(Exception):  # noqa: N818
    pass


class ContinueSignal(Exception):  # noqa: N818
    pass


def hole_child(hole: Hole, key: object) -> Hole:
    """The hole for a part of a hole; ``x.get("k")`` and ``x["k"]`` are the same part."""
    return Hole(f"{hole.path}[{key!r}]")


def on_node(look: Callable[[ast.AST], T]) -> Callable[[ast.AST], T]:
    """What ``look`` finds out about a node, remembered on the node itself: a cache beside it would keep trees alive."""
    name = f"_scriptlint_{look.__name__}"

    @functools.wraps(look)
    def remembered(node: ast.AST) -> T:
        known = node.__dict__
        if name not in known:
            known[name] = look(node)
        found: T = known[name]
        return found

    return remembered


@on_node
def is_generator(node: ast.AST) -> bool:
    """Whether a function yields (not counting the functions inside it)."""
    stack = list(ast.iter_child_nodes(node))
    while stack:
        n = stack.pop()
        if isinstance(n, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(n))
    return False
