"""A text constant is emptied or wrapped in a marker; a text method trades places with its opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit

NAME = "string"
_MARK = "XX"
_PAIRS = (
    ("lstrip", "rstrip"),
    ("lower", "upper"),
    ("startswith", "endswith"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("split", "rsplit"),
    ("partition", "rpartition"),
    ("removeprefix", "removesuffix"),
)
_INSTEAD = dict(_PAIRS) | {b: a for a, b in _PAIRS} | {"strip": "lstrip"}


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value:
            yield Edit(node, "value", None, "", "emptied")
        yield Edit(node, "value", None, f"{_MARK}{node.value}{_MARK}", "wrapped")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        other = _INSTEAD.get(node.func.attr)
        if other:
            yield Edit(node.func, "attr", None, other, f"{node.func.attr} to {other}")
