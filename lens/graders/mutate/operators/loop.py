"""A loop's body never runs, or runs once; `break` and `continue` trade places."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "loop"
NODES = (ast.For, ast.AsyncFor, ast.While, ast.Break, ast.Continue)


def edits(node: ast.AST, place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.Break):
        yield place.put(at(ast.Continue(), node), "Break to Continue")
    elif isinstance(node, ast.Continue):
        yield place.put(at(ast.Break(), node), "Continue to Break")
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        first, last = node.body[0], node.body[-1]
        yield Edit(node, "body", None, [at(ast.Break(), first), *node.body], "body never runs")
        yield Edit(node, "body", None, [*node.body, at(ast.Break(), last)], "body runs once")
