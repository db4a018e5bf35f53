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


class Place(NamedTuple):
    """Where a node stands in its parent."""

    owner: ast.AST
    field: str
    place: int | None

    def put(self, new: Any, what: str) -> Edit:
        """The node replaced by `new`."""
        return Edit(self.owner, self.field, self.place, new, what)


def at(node: ast.AST, like: ast.AST) -> Any:
    """`node` given the position of `like`, as `compile` asks for."""
    return ast.copy_location(node, like)


def children(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    """The child nodes of `node` with their places, in source order of the fields."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            yield Place(node, name, None), value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield Place(node, name, index), item
