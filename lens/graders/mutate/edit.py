"""A change to one field of one syntax node, made in place and undone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Edit(NamedTuple):
    """Put `new` where `owner.field` (or its element `place`) stands. `what` names the change without quoting source."""

    owner: ast.AST
    field: str
    place: int | None
    new: Any
    what: str

    def swap(self, value: Any) -> Any:
        """Store `value` at the place and return what stood there."""
        if self.place is None:
            old = getattr(self.owner, self.field)
            setattr(self.owner, self.field, value)
            return old
        items = getattr(self.owner, self.field)
        old, items[self.place] = items[self.place], value
        return old

    @contextmanager
    def applied(self) -> Iterator[None]:
        old = self.swap(self.new)
        try:
            yield
        finally:
            self.swap(old)


def at(node: ast.AST, like: ast.AST) -> Any:
    """`node` and its unplaced descendants given the position of `like`, as `compile` asks for."""
    for child in ast.walk(node):
        if "lineno" in child._attributes and not hasattr(child, "lineno"):
            ast.copy_location(child, like)
    return node


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """The child nodes of `node` with their places."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None, value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield name, index, item


def statements(node: ast.AST) -> Iterator[tuple[str, int, ast.stmt]]:
    """The statements directly inside `node`, with their places."""
    for name, index, child in children(node):
        if isinstance(child, ast.stmt) and index is not None:
            yield name, index, child
