"""A condition is taken as always true or always false."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at

NAME = "condition"


def _as(value: bool, like: ast.expr) -> ast.expr:
    return at(ast.Constant(value), like)  # type: ignore[no-any-return]


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield Edit(node, "test", None, _as(value, node.test), f"always {value}")
    elif isinstance(node, (ast.While, ast.Assert)):
        yield Edit(node, "test", None, _as(False, node.test), "always False")
    elif isinstance(node, ast.comprehension):
        for index, test in enumerate(node.ifs):
            for value in (True, False):
                yield Edit(node, "ifs", index, _as(value, test), f"always {value}")
