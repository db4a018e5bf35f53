"""An arithmetic operator becomes another; a joined text keeps one of its halves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, children

NAME = "arithmetic"
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


def _is_text(node: ast.AST) -> bool:
    """Surely a text, by its spelling: taking one half of a sum of texts says more than a TypeError would."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or (isinstance(node.op, ast.Add) and _is_text(node.right))
    return isinstance(node, ast.JoinedStr)


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and not _is_text(node):
        other = _INSTEAD.get(type(node.op))
        if other:
            yield Edit(node, "op", None, other(), f"{type(node.op).__name__} to {other.__name__}")
    if isinstance(node, ast.AugAssign) and not _is_text(node.value):
        other = _INSTEAD.get(type(node.op))
        if other:
            yield Edit(node, "op", None, other(), f"{type(node.op).__name__} to {other.__name__}, in place")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Edit(node, "op", None, ast.UAdd(), "sign dropped")
    for name, index, child in children(node):
        if isinstance(child, ast.BinOp) and isinstance(child.op, ast.Add):
            yield Edit(node, name, index, child.left, "right half dropped")
            yield Edit(node, name, index, child.right, "left half dropped")
