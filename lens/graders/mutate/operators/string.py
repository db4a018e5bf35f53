"""A text constant is emptied or wrapped in a marker; a text method trades places with its opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "string"
NODES = (ast.Constant, ast.Call)
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


def edits(node: ast.Constant | ast.Call, _place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _INSTEAD and not _splits_all(node, name):
            yield Edit(node.func, "attr", None, _INSTEAD[name], f"{name} to {_INSTEAD[name]}")
    elif isinstance(node.value, str):
        if node.value:
            yield Edit(node, "value", None, "", "emptied")
        yield Edit(node, "value", None, f"{_MARK}{node.value}{_MARK}", "wrapped")


def _splits_all(node: ast.Call, name: str) -> bool:
    """Splitting from either end is the same where everything is split."""
    return name in ("split", "rsplit") and len(node.args) + len(node.keywords) < 2
