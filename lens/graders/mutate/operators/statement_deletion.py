"""A statement that assigns, asserts, raises, deletes or leaves a loop's turn is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place, at

NAME = "statement-deletion"
NODES = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Assert, ast.Raise, ast.Delete, ast.Break, ast.Continue)


def edits(node: ast.stmt, place: Place) -> Iterator[Edit]:
    yield place.put(at(ast.Pass(), node), f"{type(node).__name__} deleted")
