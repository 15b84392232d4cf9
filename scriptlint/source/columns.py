"""Columns of texts (pandas, polars): what their methods do to each text, as plain code.

``titles.str.findall(p)`` is ``re.findall(p, title)`` for each title, and ``titles.map(clean)`` is ``clean(title)``: a
column stands for any one of its texts.
"""

from __future__ import annotations

import ast

from scriptlint.tokenizer.closed import module_attribute

TEXT = "\0text"
"""The name under which the code reads one text of the column."""
_MAPPING = frozenset({"apply", "map", "progress_apply", "parallel_apply", "swifter_apply", "map_elements", "transform",
                      "flatMap"})  # fmt: skip
_PLAIN = frozenset(
    {"lower", "upper", "casefold", "title", "capitalize", "strip", "lstrip", "rstrip", "encode", "decode", "translate",
     "isalnum", "isalpha", "isascii", "isdigit", "startswith", "endswith", "splitlines", "partition", "to_lowercase",
     "to_uppercase", "strip_chars"}
)  # fmt: skip
SAME = frozenset(
    {"explode", "dropna", "fillna", "astype", "tolist", "to_list", "unique", "drop_duplicates", "reset_index"}
)
"""Methods of a column that leave its texts, or their pieces, as they are."""
_POLARS = {"to_lowercase": "lower", "to_uppercase": "upper", "strip_chars": "strip"}
FUNCTIONS = {f"\0{name}": module_attribute("re", name) for name in ("findall", "sub", "split")} | {
    "\0normalize": module_attribute("unicodedata", "normalize")
}
"""What else the code calls, by the names that it uses."""


def is_mapped(node: ast.Call) -> bool:
    """Whether a call may map a function over a column: what the column is, its receiver tells."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return False
    if isinstance(func.value, ast.Attribute) and func.value.attr == "str":
        return True
    return (
        func.attr in _MAPPING
        and len(node.args) == 1
        and isinstance(node.args[0], (ast.Name, ast.Lambda, ast.Attribute))
    )


def column_of(node: ast.Call) -> ast.expr:
    """The column whose texts a call of that kind works on."""
    assert isinstance(node.func, ast.Attribute)
    held = node.func.value
    return held.value if isinstance(held, ast.Attribute) and held.attr == "str" else held


def for_one(node: ast.Call) -> ast.Call | None:
    """What such a call does to one text, or ``None``: nothing that is known."""
    assert isinstance(node.func, ast.Attribute)
    text: ast.expr = ast.copy_location(ast.Name(TEXT, ast.Load()), node)
    name = node.func.attr
    if node.func.value is column_of(node):
        return _call(node.args[0], [text], [], node)
    given = {k.arg: k.value for k in node.keywords}
    by_place = dict(zip(("pat", "repl"), node.args, strict=False))
    pattern = given.get("pat", by_place.get("pat"))
    flags = [k for k in node.keywords if k.arg == "flags"]
    if name in _PLAIN:
        method = ast.copy_location(ast.Attribute(text, _POLARS.get(name, name), ast.Load()), node)
        return _call(method, node.args, node.keywords, node)
    if name in ("findall", "extract_all") and pattern is not None:
        return _call(_function("findall", node), [pattern, text], flags, node)
    if name in ("replace", "replace_all") and pattern is not None:
        new = given.get("repl", by_place.get("repl", node.args[1] if len(node.args) > 1 else None))
        as_pattern = name == "replace_all" or _is_true(given.get("regex"))
        if new is None:
            return None
        if as_pattern:
            return _call(_function("sub", node), [pattern, new, text], flags, node)
        method = ast.copy_location(ast.Attribute(text, "replace", ast.Load()), node)
        return _call(method, [pattern, new], [], node)
    if name in ("split", "rsplit"):
        if pattern is not None and (_is_true(given.get("regex")) or _looks_like_pattern(pattern)):
            return _call(_function("split", node), [pattern, text], [], node)
        method = ast.copy_location(ast.Attribute(text, name, ast.Load()), node)
        return _call(method, [pattern] if pattern is not None else [], [], node)
    if name == "normalize" and node.args:
        return _call(_function("normalize", node), [node.args[0], text], [], node)
    return None


def _function(name: str, place: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Name(f"\0{name}", ast.Load()), place)


def _call(func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], place: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(func, args, keywords), place)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _looks_like_pattern(node: ast.expr) -> bool:
    """Whether pandas reads a separator as a pattern when it is not told: one of more than one character."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 1
