"""A statement that assigns, asserts, raises, deletes or leaves a loop's turn is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, at, statements

NAME = "statement-deletion"
_KINDS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Assert, ast.Raise, ast.Delete, ast.Break, ast.Continue)


def edits(node: ast.AST) -> Iterator[Edit]:
    for name, index, child in statements(node):
        if isinstance(child, _KINDS):
            yield Edit(node, name, index, at(ast.Pass(), child), f"{type(child).__name__} deleted")
