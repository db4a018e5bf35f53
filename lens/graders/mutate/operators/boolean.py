"""`and` and `or` trade places, one operand of them is dropped, `not` is removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, children

NAME = "boolean"


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield Edit(node, "op", None, other(), f"{type(node.op).__name__} to {other.__name__}")
        if len(node.values) > 2:
            for dropped in range(len(node.values)):
                kept = node.values[:dropped] + node.values[dropped + 1 :]
                yield Edit(node, "values", None, kept, f"operand {dropped + 1} dropped")
    for name, index, child in children(node):
        if isinstance(child, ast.BoolOp) and len(child.values) == 2:
            yield Edit(node, name, index, child.values[1], "first operand dropped")
            yield Edit(node, name, index, child.values[0], "second operand dropped")
        if isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.Not):
            yield Edit(node, name, index, child.operand, "Not removed")
