"""A call is replaced by what it was given: a method's receiver, else the first argument; a bare call is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at, children

NAME = "call-deletion"


def _given(call: ast.Call) -> tuple[ast.expr, str] | None:
    if isinstance(call.func, ast.Attribute):
        return call.func.value, "receiver"
    if call.args and not isinstance(call.args[0], ast.Starred):
        return call.args[0], "first argument"
    return None


def edits(node: ast.AST) -> Iterator[Edit]:
    for name, index, child in children(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Call):
            yield Edit(node, name, index, at(ast.Pass(), child), "bare call deleted")
        elif isinstance(child, ast.Call) and not isinstance(node, ast.Expr):
            given = _given(child)
            if given:
                yield Edit(node, name, index, given[0], f"call to its {given[1]}")
