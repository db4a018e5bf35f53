"""A call is replaced by what it was given: a method's receiver, else the first argument; a bare call is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "call-deletion"
NODES = (ast.Call, ast.Expr)


def edits(node: ast.Call | ast.Expr, place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call):
            yield place.put(at(ast.Pass(), node), "bare call deleted")
    elif not isinstance(place.owner, ast.Expr):
        if isinstance(node.func, ast.Attribute):
            yield place.put(node.func.value, "call to its receiver")
        elif node.args and not isinstance(node.args[0], ast.Starred):
            yield place.put(node.args[0], "call to its first argument")
