"""A slice loses one of its ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "slice"
NODES = (ast.Slice,)


def edits(node: ast.Slice, _place: Place) -> Iterator[Edit]:
    for end in ("lower", "upper", "step"):
        if getattr(node, end) is not None:
            yield Edit(node, end, None, None, f"{end} dropped")
