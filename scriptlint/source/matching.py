"""``match`` statements as the ``if`` statements that they are short for, so that only those have to be followed."""

from __future__ import annotations

import ast

from scriptlint.tokenizer.trees import BODIES

_MOST = 200
"""So many cases become branches in branches; a longer table of them holds no tokenizer."""


def as_branches(body: list[ast.stmt]) -> None:
    """Put branches in the place of every ``match`` statement, at any depth."""
    at = 0
    while at < len(body):
        node = body[at]
        if isinstance(node, ast.Match) and len(node.cases) <= _MOST:
            made = _branches(node)
            body[at : at + 1] = made
            continue
        for name in BODIES:
            as_branches(getattr(node, name, []))
        at += 1


def _branches(node: ast.Match) -> list[ast.stmt]:
    """The statements that a ``match`` statement stands for: what is matched, if it is more than a name, and a chain of
    branches."""
    first: list[ast.stmt] = []
    subject: ast.expr = node.subject
    if not isinstance(subject, ast.Name):
        name = f"\0match {node.lineno}"
        first = [ast.Assign([ast.Name(name, ast.Store())], subject)]
        subject = ast.Name(name, ast.Load())
    chain: list[ast.stmt] = []
    for case in reversed(node.cases):
        bound: list[ast.stmt] = []
        test = _test(case.pattern, subject, bound)
        branch: list[ast.stmt] = [*bound, *case.body]
        if case.guard is not None and test is not None and not bound:
            test = ast.BoolOp(ast.And(), [test, case.guard])
        elif case.guard is not None:
            # What a pattern binds is there for its guard; where it asks for more, who fails the guard is let go.
            branch = [*bound, ast.If(case.guard, case.body, chain if test is None else [])]
        if test is not None:
            branch = [ast.If(test, branch, chain)]
        for made in branch:
            _place(made, case.pattern)
        chain = branch
    for made in first:
        _place(made, node.subject)
    return [*first, *chain]


def _test(pattern: ast.pattern, subject: ast.expr, bound: list[ast.stmt]) -> ast.expr | None:
    """What a pattern asks of the subject, ``None`` for nothing; what it binds is added to ``bound``."""
    if isinstance(pattern, ast.MatchValue):
        return ast.Compare(subject, [ast.Eq()], [pattern.value])
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])
    if isinstance(pattern, ast.MatchAs):
        test = None if pattern.pattern is None else _test(pattern.pattern, subject, bound)
        if pattern.name is not None:
            bound.append(_binding(pattern.name, subject))
        return test
    if isinstance(pattern, ast.MatchOr):
        tests = [_test(p, subject, bound) for p in pattern.patterns]
        known = [t for t in tests if t is not None]
        return ast.BoolOp(ast.Or(), known) if len(known) == len(tests) else None
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(pattern, subject, bound)
    # A class, a mapping: whether it matches is not known.
    return ast.Name("\0matches", ast.Load())


def _sequence(pattern: ast.MatchSequence, subject: ast.expr, bound: list[ast.stmt]) -> ast.expr | None:
    star = next((i for i, p in enumerate(pattern.patterns) if isinstance(p, ast.MatchStar)), None)
    if not pattern.patterns:
        return ast.UnaryOp(ast.Not(), subject)
    for i, part in enumerate(pattern.patterns):
        if isinstance(part, ast.MatchStar):
            if part.name is not None:
                bound.append(_binding(part.name, subject))
        else:
            at = i if star is None or i < star else i - len(pattern.patterns)
            _test(part, ast.Subscript(subject, ast.Constant(at), ast.Load()), bound)
    size = ast.Call(ast.Name("len", ast.Load()), [subject], [])
    wanted = ast.Constant(len(pattern.patterns) - (star is not None))
    return ast.Compare(size, [ast.Eq() if star is None else ast.GtE()], [wanted])


def _binding(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _place(node: ast.AST, where: ast.AST) -> None:
    """Give a place to what has none, down to what was written."""
    if "lineno" in node._attributes and not hasattr(node, "lineno"):
        ast.copy_location(node, where)
    elif "lineno" in node._attributes:
        return
    for child in ast.iter_child_nodes(node):
        _place(child, where)
