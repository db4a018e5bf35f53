"""`and` and `or` trade places, one operand of them is dropped, `not` is removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "boolean"
NODES = (ast.BoolOp, ast.UnaryOp)


def edits(node: ast.BoolOp | ast.UnaryOp, place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield Edit(node, "op", None, other(), f"{type(node.op).__name__} to {other.__name__}")
        for dropped in range(len(node.values)):
            kept = node.values[:dropped] + node.values[dropped + 1 :]
            what = f"operand {dropped + 1} dropped"
            yield place.put(kept[0], what) if len(kept) == 1 else Edit(node, "values", None, kept, what)
    elif isinstance(node.op, ast.Not):
        yield place.put(node.operand, "Not removed")
