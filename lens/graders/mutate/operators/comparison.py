"""A comparison becomes its negation or, for an order, its neighbour: `==` to `!=`, `<` to `<=` and `>=`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "comparison"
NODES = (ast.Compare,)
_INSTEAD: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


def edits(node: ast.Compare, _place: Place) -> Iterator[Edit]:
    for index, operator in enumerate(node.ops):
        for other in _INSTEAD[type(operator)]:
            yield Edit(node, "ops", index, other(), f"{type(operator).__name__} to {other.__name__}")
