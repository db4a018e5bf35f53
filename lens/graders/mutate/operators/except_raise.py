"""A handled exception is raised again instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "except-raise"
NODES = (ast.ExceptHandler,)


def edits(node: ast.ExceptHandler, _place: Place) -> Iterator[Edit]:
    yield Edit(node, "body", None, [at(ast.Raise(None, None), node.body[0])], "raised again")
