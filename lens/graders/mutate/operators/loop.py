"""A loop's body never runs, or runs once; `break` and `continue` trade places."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at, statements

NAME = "loop"


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        first, last = node.body[0], node.body[-1]
        yield Edit(node, "body", None, [at(ast.Break(), first), *node.body], "body never runs")
        yield Edit(node, "body", None, [*node.body, at(ast.Break(), last)], "body runs once")
    for name, index, child in statements(node):
        if isinstance(child, ast.Break):
            yield Edit(node, name, index, at(ast.Continue(), child), "Break to Continue")
        elif isinstance(child, ast.Continue):
            yield Edit(node, name, index, at(ast.Break(), child), "Continue to Break")
