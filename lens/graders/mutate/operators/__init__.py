"""Mutation operators, one a file: `NAME`, the node types it acts at as `NODES`, and `edits(node, place)` giving every
change it makes to such a node."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache

from ..edit import Edit, Place

Operator = Callable[[ast.AST, Place], Iterator[Edit]]


@cache
def operators() -> dict[type[ast.AST], list[tuple[str, Operator]]]:
    """Names and functions of the operators by node type, in name order."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found: dict[type[ast.AST], list[tuple[str, Operator]]] = {}
    for module in sorted(modules, key=lambda module: str(module.NAME)):
        for kind in module.NODES:
            found.setdefault(kind, []).append((module.NAME, module.edits))
    return found
