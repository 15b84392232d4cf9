"""Walking syntax trees: most of what is found out about one takes a look at every node."""

from __future__ import annotations

import ast

_NO_CHILDREN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "module", "level", "kind", "asname", "conversion",
                          "is_async", "simple", "type_comment", "lineno"})  # fmt: skip
_FIELDS = {
    kind: tuple(f for f in kind._fields if f not in _NO_CHILDREN)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_FIELDS |= {ast.Constant: (), ast.Name: (), ast.alias: (), ast.Global: (), ast.Nonlocal: ()}
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where statements hold other statements, or the parts of them that do."""


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all under it, outer ones first, as ``ast.walk`` gives them and three times as fast; operators and
    contexts (``Load``) are left out."""
    found = [node]
    for one in found:  # which grows as it is gone through
        for name in _FIELDS[type(one)]:
            child = getattr(one, name, None)
            if type(child) is list:
                found += [c for c in child if isinstance(c, ast.AST)]
            elif isinstance(child, ast.AST):
                found.append(child)
    return found


TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
"""What a comparison says with its sides changed over: ``2 < n`` is ``n > 2``."""


def as_load(target: ast.expr) -> ast.expr:
    """The same place, to be read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    return target
