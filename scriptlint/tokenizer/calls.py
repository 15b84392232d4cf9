"""Calls in the evaluator: attributes, methods, built-in functions, functions of the program."""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

from scriptlint.pattern.engines import refuse_expansion
from scriptlint.tokenizer.closed import (
    BUILTINS,
    EXCEPTIONS,
    PATTERN_ATTRIBUTES,
    STAND_INS,
    STR_METHODS,
    TYPES,
    is_pattern,
    methods_of,
    module_attribute,
)
from scriptlint.tokenizer.guards import Tally, tally
from scriptlint.tokenizer.values import (
    MAX_SIZE,
    MAX_STEPS,
    BreakSignal,
    Builtin,
    ContinueSignal,
    Function,
    Hole,
    Instance,
    LimitReached,
    Module,
    Partial,
    Raised,
    ReturnSignal,
    Scope,
    Unsupported,
    hole_child,
)

_PLAIN_METHODS = STR_METHODS - {"join", "format", "format_map", "replace", "zfill", "ljust", "rjust", "center",
                                "expandtabs", "maketrans", "translate"}  # fmt: skip
"""Methods of text that take plain values and give no more than they got."""
_OF_ELEMENTS = frozenset({"set", "frozenset", "list", "tuple", "sorted", "any", "all", "sum", "min", "max", "enumerate",
                          "reversed", "zip", "iter"})  # fmt: skip
_CONTAINERS = frozenset({"collections.Counter", "collections.OrderedDict", "collections.deque", "itertools.chain",
                         "itertools.islice", "itertools.pairwise", "itertools.accumulate", "dict.fromkeys",
                         "dict"})  # fmt: skip
_BUILTINS = {name: Builtin(name, call) for name, call in BUILTINS.items()}


class Caller:
    """Runs trees. One instance is one run: it counts its steps.

    ``fill`` maps the path of a hole to the value that stands there in this run.
    """

    if TYPE_CHECKING:
        # What the layer above brings.
        def eval(self, node: ast.expr, env: dict[str, object], scope: Scope) -> object: ...

        def block(self, body: Iterable[ast.stmt], env: dict[str, object], scope: Scope) -> None: ...

        def truth(self, value: object) -> bool: ...

        def call_function(self, func: Function, args: list[object], kwargs: dict[str, object]) -> object: ...

    def __init__(self, fill: dict[str, object] | None = None, max_steps: int = MAX_STEPS) -> None:
        self.fill = fill or {}
        self.steps = 0
        self.max_steps = max_steps
        self.yields: list[list[object]] = [[]]
        self.guessed = False
        """Set once a branch was taken on a value that nobody knows."""
        self.among = 0
        """How many pieces the text of this run is taken to have at least: it stands for a word among others."""
        self.tallied = 0
        """The last bound on a number of pieces that they do not exceed."""

    # -- names and holes ------------------------------------------------------------------------------------

    def hole(self, path: str, text: object = None) -> object:
        """A hole, or what fills it in this run."""
        if path in self.fill:
            return self.fill[path]
        return Hole(path, text)

    def resolve(self, value: object) -> object:
        """What stands for a value in this run (holes are filled; traced values are materialized by subclasses)."""
        if isinstance(value, Hole) and value.path in self.fill:
            return self.fill[value.path]
        return value

    def name(self, name: str, env: dict[str, object], scope: Scope) -> object:
        if name in env:
            return self.resolve(env[name])
        found = scope.lookup(name, self)
        if isinstance(found, Hole) and found.path == name:
            if name in _BUILTINS:
                return _BUILTINS[name]
            if name in EXCEPTIONS:
                return Hole(name)
        return self.resolve(found)

    def tick(self) -> None:
        self.steps += 1
        if self.steps > self.max_steps:
            raise LimitReached("too many steps")

    # -- expressions ----------------------------------------------------------------------------------------

    def e_constant(self, node: ast.Constant, env: dict[str, object], scope: Scope) -> object:
        return node.value

    def e_name(self, node: ast.Name, env: dict[str, object], scope: Scope) -> object:
        name = node.id
        return self.resolve(env[name]) if name in env else self.name(name, env, scope)

    def e_attribute(self, node: ast.Attribute, env: dict[str, object], scope: Scope) -> object:
        return self.attribute(self.eval(node.value, env, scope), node.attr, node)

    def attribute(self, value: object, name: str, node: ast.AST | None = None) -> object:
        if isinstance(value, Hole):
            return self.hole(f"{value.path}.{name}")
        if isinstance(value, Module):
            return module_attribute(value.name, name)
        if isinstance(value, Instance):
            if name in value.attributes:
                return self.resolve(value.attributes[name])
            return self.resolve(value.cls.attribute(name, value, self))
        if isinstance(value, Builtin):
            if value.name == "itertools.chain" and name == "from_iterable":
                return Builtin("itertools.chain.from_iterable", itertools.chain.from_iterable)
            if value.name == "str" and name in STR_METHODS:
                return Builtin(f"str.{name}", lambda s, *a, **k: self.method(s, name, *a, **k))
            if value.name == "str" and name == "maketrans":
                return Builtin("str.maketrans", str.maketrans)
            if value.name == "dict" and name == "fromkeys":
                return Builtin("dict.fromkeys", dict.fromkeys)
            if value.name in ("set", "frozenset") and name in ("union", "intersection"):
                return Builtin(f"set.{name}", getattr(set, name))
            return Hole(f"{value.name}.{name}")
        if hasattr(value, "attribute") and not isinstance(value, type):
            return self.resolve(value.attribute(name, None, self))
        if is_pattern(value) and name in PATTERN_ATTRIBUTES:
            return getattr(value, name)
        if name in methods_of(value):
            return Builtin(f"{type(value).__name__}.{name}", functools.partial(self.method, value, name), owner=value)
        if isinstance(value, collections.deque) and name == "maxlen":
            return value.maxlen
        if isinstance(value, str) and name == "maketrans":
            return Builtin("str.maketrans", str.maketrans)
        return Hole(f"<{type(value).__name__}>.{name}")

    def method(self, value: Any, name: str, *args: Any, **kwargs: Any) -> object:
        """Call a method of a plain value; arguments are already evaluated."""
        if (
            isinstance(value, str)
            and name in ("zfill", "ljust", "rjust", "center", "expandtabs")
            and args
            and isinstance(args[0], int)
            and args[0] > 10_000
        ):
            raise LimitReached("a padding of that width")
        if isinstance(value, str) and name == "format":
            if re.search(r"[0-9]{5}", value) or re.search(r"\{[^}]*[._\[]", value):
                raise Unsupported("a format with attributes or a huge width")
            args = tuple("" if isinstance(a, Hole) else a for a in args)
        if name in ("split", "rsplit") and isinstance(value, str) and args and isinstance(args[0], Hole):
            return [value]
        if name == "join" and isinstance(value, (str, bytes)) and args:
            parts = [self.text(p) for p in self.iterate(args[0])]
            if sum(len(p) for p in parts) + len(value) * len(parts) > MAX_SIZE:
                raise LimitReached("a text of that size")
            return value.join(parts)
        if (
            isinstance(value, str)
            and name == "replace"
            and len(args) >= 2
            and len(args[1]) > 1
            and len(value) * len(args[1]) > MAX_SIZE
        ):
            raise LimitReached("a text of that size")
        if isinstance(value, (set, frozenset)) and name in ("pop",):
            raise Unsupported("a set has no order")
        if name == "sort" and "key" in kwargs:
            kwargs["key"] = self.python_callable(kwargs["key"])
        if is_pattern(value) and name in ("sub", "subn") and args:
            args = (self.replacement(args[0]), *args[1:])
        if is_pattern(value):
            args = tuple("" if isinstance(a, Hole) else a for a in args)
        if isinstance(value, (set, frozenset, collections.Counter)) and name in (
            "update",
            "union",
            "difference",
            "intersection",
            "difference_update",
            "intersection_update",
        ):
            args = tuple(a if isinstance(a, (set, frozenset, dict)) else list(self.iterate(a)) for a in args)
        if name == "extend" and args:
            args = (list(self.iterate(args[0])),)
        result = self.guard(getattr(value, name), args, kwargs)
        if name == "count" and isinstance(result, int):
            return Tally(result)
        return list(result) if name == "finditer" and is_pattern(value) else result

    def guard(self, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Call something of the closed list; its exceptions become ``Raised``."""
        try:
            result = call(*args, **kwargs)
        except (Unsupported, Raised, ReturnSignal, BreakSignal, ContinueSignal):
            raise
        except MemoryError as error:
            raise LimitReached("out of memory") from error
        except TimeoutError:
            raise
        except RecursionError as error:
            raise LimitReached("nested too deep") from error
        except Exception as error:
            raise Raised(type(error).__name__) from error
        if isinstance(result, (str, bytes, list, tuple, set, frozenset, dict)) and len(result) > MAX_SIZE:
            raise LimitReached("a value of that size")
        return result

    def text(self, value: object) -> Any:
        """A value where text is wanted: a hole is no text."""
        if isinstance(value, Hole):
            if value.text is not None:
                self.guessed = True
                return self.text(value.text)
            return ""
        return value

    def replacement(self, value: object) -> Any:
        if isinstance(value, (Function, Builtin, Partial)):
            return self.python_callable(value)
        return "" if isinstance(value, Hole) else value

    def python_callable(self, value: object) -> Callable[..., Any]:
        """A function of the program as a Python callable, for ``sorted(key=...)`` and the like."""
        if isinstance(value, Builtin) and not isinstance(value.owner, Hole):
            return lambda *a, **k: self.call(value, list(a), dict(k))
        return lambda *a: self.call(value, list(a), {})

    def iterate(self, value: object) -> Iterator[Any]:
        """Iterate as the program would; sets come sorted, so that runs repeat; a hole has one unknown element."""
        value = self.resolve(value)
        if isinstance(value, Hole):
            if value.text is not None:
                self.guessed = True
                yield from self.iterate(value.text)
                return
            yield self.hole(f"{value.path}[*]")
            return
        if isinstance(value, (set, frozenset)):
            try:
                yield from sorted(value)
            except TypeError:
                yield from sorted(value, key=repr)
            return
        if isinstance(value, (Function, Builtin, Module, Instance, int, float)) or value is None:
            raise Raised("TypeError")
        count = 0
        try:
            for element in value:  # type: ignore[attr-defined]
                count += 1
                if count > MAX_SIZE:
                    raise LimitReached("too many elements")
                yield element
        except TypeError as error:
            raise Raised("TypeError") from error

    def e_call(self, node: ast.Call, env: dict[str, object], scope: Scope) -> object:
        func_node = node.func
        if type(func_node) is ast.Attribute and func_node.attr in _PLAIN_METHODS:
            owner = self.eval(func_node.value, env, scope)
            if isinstance(owner, str) and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args):
                # The short way, for what most calls of a run are: a method of text whose arguments are known.
                given = [self.eval(a, env, scope) for a in node.args]
                if all(isinstance(a, (str, int, tuple)) or a is None for a in given):
                    self.tick()
                    return self.guard(getattr(owner, func_node.attr), given, {})
                return self.call(self.attribute(owner, func_node.attr, func_node), given, {}, node)
            func = self.attribute(owner, func_node.attr, func_node)
        else:
            func = self.eval(func_node, env, scope)
        args: list[object] = []
        for a in node.args:
            if isinstance(a, ast.Starred):
                args.extend(self.iterate(self.eval(a.value, env, scope)))
            else:
                args.append(self.eval(a, env, scope))
        kwargs: dict[str, object] = {}
        for k in node.keywords:
            v = self.eval(k.value, env, scope)
            if k.arg is None:
                if isinstance(v, dict):
                    kwargs.update(v)
            else:
                kwargs[k.arg] = v
        return self.call(func, args, kwargs, node)

    def call(self, func: object, args: list[object], kwargs: dict[str, object], node: ast.AST | None = None) -> object:
        """Call anything. An unknown function gives a hole that remembers the text it was given."""
        self.tick()
        if isinstance(func, Function):
            return self.call_function(func, args, kwargs)
        if isinstance(func, Builtin):
            try:
                return self.call_builtin(func, args, kwargs)
            except (IndexError, TypeError, ValueError, KeyError, AttributeError) as error:
                # Wrong arguments: the program itself would raise here.
                raise Raised(type(error).__name__) from error
        if isinstance(func, Partial):
            return self.call(func.func, [*func.args, *args], {**func.kwargs, **kwargs}, node)
        if isinstance(func, Hole):
            stand_in = STAND_INS.get(func.path.rpartition(".")[2])
            if stand_in is not None and args and isinstance(args[0], str):
                return stand_in(args[0])
            if func.path.endswith(".setdefault") and len(args) > 1:
                # A cache that nobody knows gives what it would be given.
                return args[1]
            if func.path.endswith(".get") and args and isinstance(args[0], str):
                if len(args) > 1 and isinstance(args[1], (bool, int, float)) and args[1] is not None:
                    # A setting with a default: the default is what runs.
                    return args[1]
                return self.resolve(hole_child(Hole(func.path[:-4]), args[0]))
            text = next((a for a in args if isinstance(a, (str, list, set, tuple)) and a), None)
            return self.hole(f"{func.path}()", text)
        if isinstance(func, Instance):
            called = self.attribute(func, "__call__")
            if isinstance(called, Function):
                return self.call_function(called, args, kwargs)
            return Hole("call()")
        if hasattr(func, "instantiate"):
            return func.instantiate(args, kwargs, self)
        return Hole("call()", next((a for a in args if isinstance(a, str) and a), None))

    def call_builtin(self, func: Builtin, args: list[object], kwargs: dict[str, object]) -> object:
        name = func.name
        if func.owner is not None and name != "dict.fromkeys" and not isinstance(func.owner, Hole):
            # A method of a value that is known: ``method`` has seen to its arguments.
            return self.guard(func.call, args, kwargs)
        if name == "len":
            value = args[0] if args else None
            if isinstance(value, Hole):
                return len(value.text) if isinstance(value.text, (str, list, set)) else 0
            return self.guard(tally, args, {})
        if name == "isinstance":
            return self.is_instance(args[0], args[1])
        if name in ("getattr", "hasattr"):
            if len(args) >= 2 and isinstance(args[1], str):
                found = self.attribute(args[0], args[1])
                if name == "hasattr":
                    return not isinstance(found, Hole)
                if isinstance(found, Hole) and len(args) > 2:
                    return args[2]
                return found
            return Hole(name)
        if name in ("type", "callable", "repr", "hash"):
            return Hole(name)
        if name in _OF_ELEMENTS and args:
            converted = [
                list(self.iterate(a)) if i == 0 or name == "zip" else a
                for i, a in enumerate(args)
                if not (name in ("min", "max") and len(args) > 1)
            ] or [0 if isinstance(a, Hole) else a for a in args]
            if "key" in kwargs:
                kwargs = dict(kwargs)
                if kwargs["key"] is None or isinstance(kwargs["key"], Hole):
                    del kwargs["key"]
                else:
                    kwargs["key"] = self.python_callable(kwargs["key"])
            if name in ("any", "all"):
                converted = [[self.truth(v) for v in self.iterate(converted[0])]]
            if name in ("sum",):
                converted[0] = [0 if isinstance(v, Hole) else v for v in self.iterate(converted[0])]
            if name in ("sorted", "min", "max") and isinstance(converted[0], list):
                converted[0] = [v for v in converted[0] if not isinstance(v, Hole)]
            if name in ("enumerate", "zip", "reversed", "iter"):
                first: Any = converted[0]
                return iter(first) if name == "iter" else list(self.guard(func.call, converted, kwargs))
            return self.guard(func.call, converted, kwargs)
        if name == "map" and len(args) >= 2:
            return [
                self.call(args[0], list(row), {})
                for row in zip(*(list(self.iterate(a)) for a in args[1:]), strict=False)
            ]
        if name == "filter" and len(args) == 2:
            test = args[0]
            return [v for v in self.iterate(args[1]) if self.truth(v if test is None else self.call(test, [v], {}))]
        if name == "range":
            plain = [0 if isinstance(a, Hole) else a for a in args]
            made = self.guard(range, plain, {})
            if len(made) > MAX_SIZE:
                raise LimitReached("a range of that size")
            return made
        if name == "str" and args and isinstance(args[0], Hole):
            return args[0]
        if name in ("int", "float", "round", "abs", "bool", "ord") and any(isinstance(a, Hole) for a in args):
            return 0
        if name.startswith(("re.", "regex.")) and name.split(".")[1] != "escape":
            if name.endswith((".sub", ".subn")) and len(args) > 1:
                args = [args[0], self.replacement(args[1]), *args[2:]]
            if args and isinstance(args[0], Hole):
                raise Unsupported("a pattern that is not known")
            args = [self.text(a) for a in args]
            if name.startswith("regex.") and args and isinstance(args[0], (str, bytes)):
                refuse_expansion(args[0])
            kwargs = {k: (0 if isinstance(v, Hole) else v) for k, v in kwargs.items()}
            result = self.guard(func.call, args, kwargs)
            return list(result) if name.endswith(".finditer") else result
        if name in _CONTAINERS:
            plain = [
                list(self.iterate(a))
                if (i == 0 and not isinstance(a, (dict, int))) or (name == "itertools.chain")
                else a
                for i, a in enumerate(args)
            ]
            if name == "itertools.chain":
                return [v for part in plain for v in part]  # type: ignore[attr-defined]
            result = self.guard(func.call, plain, kwargs)
            if name == "collections.Counter":
                for key, often in result.items():
                    result[key] = Tally(often) if type(often) is int else often
            return list(result) if name.startswith("itertools") else result
        if name == "itertools.chain.from_iterable":
            return [v for part in self.iterate(args[0]) for v in self.iterate(part)]
        if name == "collections.defaultdict":
            factory = args[0] if args else None
            if isinstance(factory, Builtin) and factory.name in ("list", "set", "int", "dict", "float", "str"):
                return collections.defaultdict(BUILTINS[factory.name])
            if isinstance(factory, (Builtin, Function)):
                return collections.defaultdict(lambda: self.call(factory, [], {}))
            return collections.defaultdict(lambda: Hole("default"))
        if name == "functools.partial":
            return Partial(args[0], tuple(args[1:]), dict(kwargs))
        if name == "functools.reduce":
            values = list(self.iterate(args[1]))
            acc = args[2] if len(args) > 2 else values.pop(0)
            for v in values:
                acc = self.call(args[0], [acc, v], {})
            return acc
        if name == "operator.itemgetter":
            keys = args
            return Builtin("itemgetter()", lambda v: v[keys[0]] if len(keys) == 1 else tuple(v[k] for k in keys))
        if name.startswith("unicodedata."):
            if any(isinstance(a, Hole) for a in args):
                return ""
            return self.guard(func.call, args, kwargs)
        if name.startswith("str.") and args and isinstance(args[0], Hole) and func.owner is None:
            return args[0]
        return self.guard(func.call, args, kwargs)

    def is_instance(self, value: object, types: object) -> bool:
        wanted = types if isinstance(types, tuple) else (types,)
        known: list[Any] = [TYPES[t.name] for t in wanted if isinstance(t, Builtin) and t.name in TYPES]
        return any(isinstance(value, t) for t in known)
