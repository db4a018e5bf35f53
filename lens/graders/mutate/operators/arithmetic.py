"""An arithmetic operator becomes another; a joined text keeps one of its halves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "arithmetic"
NODES = (ast.BinOp, ast.AugAssign, ast.UnaryOp)
_INSTEAD: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


def edits(node: ast.BinOp | ast.AugAssign | ast.UnaryOp, place: Place) -> Iterator[Edit]:
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub):
            yield Edit(node, "op", None, ast.UAdd(), "sign dropped")
        return
    other = _INSTEAD.get(type(node.op))
    if other and not _is_text(node.value if isinstance(node, ast.AugAssign) else node):
        yield Edit(node, "op", None, other(), f"{type(node.op).__name__} to {other.__name__}")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield place.put(node.left, "right half dropped")
        yield place.put(node.right, "left half dropped")


def _is_text(node: ast.AST) -> bool:
    """Surely a text, by its spelling: taking one half of a sum of texts says more than a TypeError would."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or (isinstance(node.op, ast.Add) and _is_text(node.right))
    return isinstance(node, ast.JoinedStr)
