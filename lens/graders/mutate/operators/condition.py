"""A condition is taken as always true or always false."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "condition"
NODES = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.comprehension)


def edits(node: ast.AST, _place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.comprehension):
        for index, test in enumerate(node.ifs):
            for value in (True, False):
                yield Edit(node, "ifs", index, at(ast.Constant(value), test), f"always {value}")
    elif isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        for value in (True, False) if isinstance(node, (ast.If, ast.IfExp)) else (False,):
            yield Edit(node, "test", None, at(ast.Constant(value), node.test), f"always {value}")
