"""One Python file as a scope: what its names are, without running or importing it.

Names are resolved lazily: a constant is evaluated when something asks for it. Names imported from other files of the
same project are looked up in those files, which are read and parsed, never run.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from scriptlint.source.blocks import Block, FunctionNode, cut, decoded, functions_of
from scriptlint.tokenizer.closed import MODULES, module_attribute
from scriptlint.tokenizer.values import Function, Hole, Instance, Module, Raised, Unsupported

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scriptlint.source.project import Project
    from scriptlint.tokenizer.interp import Interp


@dataclass(eq=False, repr=False)
class SourceClass:
    """A class of the program."""

    node: ast.ClassDef
    module: SourceModule
    name: str
    qualname: str
    methods: dict[str, FunctionNode] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    _values: dict[str, object] = field(default_factory=dict)
    _self: Instance | None = None
    _busy: bool = False

    def __post_init__(self) -> None:
        for statement in self.node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.methods[statement.name] = statement
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        self.constants[target.id] = statement.value
            elif (
                isinstance(statement, ast.AnnAssign)
                and statement.value is not None
                and isinstance(statement.target, ast.Name)
            ):
                self.constants[statement.target.id] = statement.value

    def bases(self, interp: Interp) -> Iterator[SourceClass]:
        """Base classes that the project itself defines."""
        for base in self.node.bases:
            if isinstance(base, ast.Name):
                found = self.module.lookup(base.id, interp)
                if isinstance(found, SourceClass) and found is not self:
                    yield found

    def attribute(self, name: str, instance: Instance | None, interp: Interp) -> object:
        """A method (bound), a class constant, or a hole."""
        if name in self.methods:
            node = self.methods[name]
            decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
            bound: object = instance if instance is not None else self.template(interp)
            function = Function(
                node, self.module, {}, bound, "staticmethod" not in decorators, f"{self.qualname}.{name}"
            )
            if "classmethod" in decorators:
                function.bound = self
            if decorators & {"property", "cached_property"}:
                try:
                    return interp.call_function(function, [], {})
                except (Unsupported, Raised):
                    return Hole(f"self.{name}")
            return function
        if name in self.constants:
            if name not in self._values:
                self._values[name] = Hole(f"self.{name}")
                with contextlib.suppress(Unsupported, Raised):
                    self._values[name] = interp.constant(self.constants[name], self.module, self.constants)
            return self._values[name]
        for base in self.bases(interp):
            found = base.attribute(name, instance, interp)
            if not isinstance(found, Hole):
                return found
        return Hole(f"self.{name}")

    def template(self, interp: Interp) -> Instance:
        """An object as ``__init__`` makes it from its defaults: what ``self`` is inside a method."""
        if self._self is None:
            self._self = Instance(self)
            self.initialize(self._self, [], {}, interp)
            for name, value in list(self._self.attributes.items()):
                # What starts empty is filled by somebody later: its content is not known.
                if value is None or (isinstance(value, (list, dict, set)) and not value):
                    self._self.attributes[name] = Hole(f"self.{name}")
        return self._self

    def initialize(self, instance: Instance, args: list[object], kwargs: dict[str, object], interp: Interp) -> None:
        """Run ``__init__`` as far as it can be run."""
        if self._busy:
            return
        self._busy = True
        try:
            init = self.attribute("__init__", instance, interp)
            if isinstance(init, Function):
                interp.initialize(init, args, kwargs)
            else:
                for name, value in zip(list(self.annotated()), args, strict=False):
                    instance.attributes[name] = value
                instance.attributes.update(kwargs)
                after = self.attribute("__post_init__", instance, interp)
                if isinstance(after, Function):
                    interp.initialize(after, [], {})
        finally:
            self._busy = False

    def annotated(self) -> list[str]:
        """Fields of a dataclass-like body, in order."""
        return [s.target.id for s in self.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]

    def instantiate(self, args: list[object], kwargs: dict[str, object], interp: Interp) -> Instance:
        """What calling the class gives."""
        instance = Instance(self)
        self.initialize(instance, args, kwargs, interp)
        return instance


class SourceModule:
    """A file as a scope. Of its blocks, those are parsed that something asks for.

    Raises ``SyntaxError`` for bytes that are no text.
    """

    def __init__(
        self, path: str, data: bytes, project: Project | None = None, blocks: list[Block] | None = None
    ) -> None:
        self.path = path
        self.blocks = cut(decoded(data)) if blocks is None else blocks
        self.project = project
        self.functions: dict[str, FunctionNode] = {}
        self.classes: dict[str, SourceClass] = {}
        self.assigned: dict[str, ast.expr] = {}
        self.imports: dict[str, tuple[str, str | None, int]] = {}
        self.values: dict[str, object] = {}
        self.bound_names: frozenset[str] | None = None
        self.broken = False
        """A block that a name led to could not be parsed."""
        self._collected: set[int] = set()
        self._at = 0
        self._bound_by: dict[tuple[int, str], int] = {}

    def parse(self) -> None:
        """Parse the whole file at once; blocks that were cut inside a statement become one. Raises
        ``SyntaxError``."""
        whole = Block("plain", "", 0, 1, self.text)
        statements = collections.deque(whole.parse())
        blocks: list[Block] = []
        last = 0
        for block in self.blocks:
            if block.first <= last:
                # Whatever it began as, it may hold anything.
                blocks[-1].kind, blocks[-1].name = "plain", ""
                blocks[-1].text += block.text
            else:
                blocks.append(Block(block.kind, block.name, block.start, block.first, block.text, []))
            into, end = blocks[-1], block.first + block.text.count("\n")
            while statements and (block is self.blocks[-1] or _first_line(statements[0]) < end):
                last = statements[0].end_lineno or 0
                into.body.append(statements.popleft())  # type: ignore[union-attr]
        self.blocks = blocks

    @cached_property
    def text(self) -> str:
        """The whole file, with ``\\n`` for every line end."""
        return "".join(b.text for b in self.blocks)

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.text.split("\n")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *itertools.accumulate(len(line) + 1 for line in self.lines)]

    def range_of(self, node: ast.AST) -> tuple[int, int]:
        """Where the lines that a statement stands on start and end, as offsets."""
        first = getattr(node, "lineno", 1)
        starts = self._line_starts
        return starts[first - 1], starts[min(getattr(node, "end_lineno", first), len(starts) - 1)]

    def text_of(self, node: ast.AST) -> str:
        """The lines that a statement stands on."""
        first = getattr(node, "lineno", 1)
        return "\n".join(self.lines[first - 1 : getattr(node, "end_lineno", first)])

    def statements(self, block: Block) -> list[ast.stmt]:
        """The statements of a block, whose names the scope knows from here on. Raises ``SyntaxError``."""
        body = block.parse()
        if block.first not in self._collected:
            self._collected.add(block.first)
            self._at = block.first
            self._collect(body)
        return body

    def top_level(self) -> list[ast.stmt]:
        """The statements outside functions and classes of the top level, in order."""
        return [s for b in self.blocks if b.kind == "plain" for s in self.statements(b)]

    def all_functions(self) -> list[tuple[FunctionNode, str, ast.ClassDef | None]]:
        """Every function of the file with its qualified name and class, methods and nested ones too."""
        return list(functions_of([s for b in self.blocks for s in self.statements(b)]))

    def statement_lines(self, line: int) -> tuple[int, int] | None:
        """The lines of the statement that a line belongs to; of a compound one, those of its head. ``None``: none that
        was parsed."""
        block = next((b for b in reversed(self.blocks) if b.first <= line), None)
        body = block.body if block is not None else None
        while body:
            node = next((s for s in body if _first_line(s) <= line <= (s.end_lineno or s.lineno)), None)
            if node is None:
                return None
            body = _ways(node)
            if not body or line < min(map(_first_line, body)):
                last = min(map(_first_line, body)) - 1 if body else node.end_lineno or node.lineno
                return _first_line(node), max(last, node.lineno)
            if all(not _first_line(s) <= line <= (s.end_lineno or s.lineno) for s in body):
                return None
        return None

    def column(self, line: int, offset: int) -> int:
        """A column of ``ast`` (0-based, UTF-8 bytes) as we count: 1-based, code points."""
        if not 0 < line <= len(self.lines) or self.lines[line - 1].isascii():
            return offset + 1
        return len(self.lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1

    def _bind(self, name: str) -> None:
        """Parse what may give a name its value."""
        for block in self.blocks:
            if block.first in self._collected or (
                name not in block.text if block.kind == "plain" else name != block.name
            ):
                continue
            try:
                self.statements(block)
            except SyntaxError:
                # Cut in the wrong place, or not Python at all: the whole file tells.
                self.broken = True
                with contextlib.suppress(SyntaxError):
                    self.blocks = cut(self.text)
                    self.parse()
                    self._collected.clear()
                    for again in self.blocks:
                        self.statements(again)
                return

    def _collect(self, body: list[ast.stmt]) -> None:
        """Bind the names of statements. Of two bindings the later block's stands; within one, that of the way that is
        taken when nothing goes wrong."""
        stack = [iter(body)]
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._bound(self.functions, node.name, node)
            elif isinstance(node, ast.ClassDef):
                self._bound(self.classes, node.name, SourceClass(node, self, node.name, node.name))
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self._assign(node.target, node.value)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.partition(".")[0]
                    named = (alias.name if alias.asname else first, None, 0)
                    self._bound(self.imports, alias.asname or first, named)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self._bound(self.imports, alias.asname or alias.name, (node.module or "", alias.name, node.level))
            else:
                stack.append(iter(_ways(node)))

    def _bound(self, table: dict[str, T], name: str, value: T) -> None:
        key = (id(table), name)
        if self._bound_by.get(key, 0) <= self._at:
            self._bound_by[key] = self._at
            table[name] = value

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._bound(self.assigned, target.id, value)
        elif isinstance(target, ast.Tuple):
            for i, element in enumerate(target.elts):
                if isinstance(element, ast.Name):
                    if isinstance(value, (ast.Tuple, ast.List)) and i < len(value.elts):
                        self._bound(self.assigned, element.id, value.elts[i])
                    else:
                        part = ast.Subscript(value, ast.Constant(i), ast.Load())
                        part = ast.fix_missing_locations(ast.copy_location(part, value))
                        self._bound(self.assigned, element.id, part)

    def lookup(self, name: str, interp: Interp) -> object:
        """The value of a module-level name, or a hole."""
        if name in self.values:
            return self.values[name]
        self.values[name] = Hole(name)
        self._bind(name)
        self.values[name] = value = self._value(name, interp)
        return value

    def _value(self, name: str, interp: Interp) -> object:
        if name in self.functions:
            return Function(self.functions[name], self, {}, qualname=name)
        if name in self.classes:
            return self.classes[name]
        if name in self.assigned and not (name in self.imports and _is_nothing(self.assigned[name])):
            try:
                value = interp.constant(self.assigned[name], self, self.assigned)
            except (Unsupported, Raised):
                return Hole(name)
            # A module's empty container is a cache or a registry: filled by somebody, with what is not known.
            return Hole(name) if isinstance(value, (list, dict, set)) and not value else value
        if name in self.imports:
            module, attribute, level = self.imports[name]
            if attribute is None:
                return Module(module) if module in MODULES else self._project_module(module, name)
            if module in MODULES and not level:
                return module_attribute(module, attribute)
            if self.project is not None:
                found = self.project.imported(self.path, module, level, attribute)
                if found is not None and found is not self:
                    return found.lookup(attribute, interp)
            return Hole(f"{module}.{attribute}" if module else attribute)
        return Hole(name)

    def _project_module(self, module: str, name: str) -> object:
        if self.project is not None:
            found = self.project.imported(self.path, module, 0)
            if found is not None and found is not self:
                return ImportedModule(found, module)
        return Hole(module)


@dataclass(eq=False, repr=False)
class ImportedModule:
    """``import tools.text`` of the same project: its attributes are that file's names."""

    module: SourceModule
    name: str

    def attribute(self, name: str, instance: Instance | None, interp: Interp) -> object:
        """A name of that module."""
        return self.module.lookup(name, interp)


def _first_line(statement: ast.stmt) -> int:
    """The line that a statement starts on, decorators and all."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _is_nothing(value: ast.expr) -> bool:
    """Whether a name is given what stands for a library that is missing."""
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)


def _ways(node: ast.stmt) -> list[ast.stmt]:
    """The statements inside one, those last that are run when nothing goes wrong."""
    handlers = [s for h in getattr(node, "handlers", ()) for s in h.body]
    cases = [s for c in getattr(node, "cases", ()) for s in c.body]
    orelse, final = getattr(node, "orelse", []), getattr(node, "finalbody", [])
    if handlers or final:
        return [*handlers, *getattr(node, "body", []), *orelse, *final]
    return [*orelse, *cases, *getattr(node, "body", [])]
