"""Mutation operators, one a file: `NAME`, and `edits(node)` giving every change the operator makes at that node."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache

from ..edit import Edit

Operator = Callable[[ast.AST], Iterator[Edit]]


@cache
def operators() -> dict[str, Operator]:
    """Every operator by name, in name order."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return dict(sorted((module.NAME, module.edits) for module in modules))
