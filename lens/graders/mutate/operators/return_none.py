"""A function returns None where it returned something."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at

NAME = "return-none"


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Return) and node.value is not None:
        yield Edit(node, "value", None, at(ast.Constant(None), node.value), "returns None")
