"""A number moves by one either way, a truth value flips."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edit import Edit, Place

NAME = "constant"
NODES = (ast.Constant,)


def edits(node: ast.Constant, _place: Place) -> Iterator[Edit]:
    if isinstance(node.value, bool):
        yield Edit(node, "value", None, not node.value, "flipped")
    elif isinstance(node.value, (int, float)):
        yield Edit(node, "value", None, node.value + 1, "one more")
        yield Edit(node, "value", None, node.value - 1, "one less")
