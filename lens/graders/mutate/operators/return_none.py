"""A function returns None where it returned something."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "return-none"
NODES = (ast.Return,)


def edits(node: ast.Return, _place: Place) -> Iterator[Edit]:
    if node.value is not None:
        yield Edit(node, "value", None, at(ast.Constant(None), node.value), "returns None")
