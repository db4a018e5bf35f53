"""A slice loses one of its ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit

NAME = "slice"


def edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Slice):
        for end in ("lower", "upper", "step"):
            if getattr(node, end) is not None:
                yield Edit(node, end, None, None, f"{end} dropped")
