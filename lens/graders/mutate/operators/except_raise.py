"""A handled exception is raised again instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at

NAME = "except-raise"


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.ExceptHandler):
        yield Edit(node, "body", None, [at(ast.Raise(None, None), node.body[0])], "raised again")
