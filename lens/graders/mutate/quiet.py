"""Parts of a function that only print, log or word an error: nothing a verdict depends on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .edit import children
from .units import Def

_LOG_NAMES = {"print", "warn", "log", "debug", "info", "warning", "error", "exception", "critical"}
_LOGGERS = {"logger", "logging", "log", "warnings", "_logger", "LOGGER"}


class Quiet:
    """`lines` are the quiet statements' first and last lines; texts of errors are covered by position."""

    def __init__(self, node: Def) -> None:
        self._node = node
        self._silent: set[str] = set()
        while found := self._feeding_only_quiet() - self._silent:
            self._silent |= found
        self.lines = [(s.lineno, s.end_lineno or s.lineno) for s in self._statements() if self._is_quiet(s)]
        self._texts = [_span(text) for text in _error_texts(node)]

    def covers(self, line: int, column: int, first: int, last: int) -> bool:
        """Whether a change at a position, in the statement on lines `first` to `last`, is quiet."""
        in_text = any(start <= (line, column) < end for start, end in self._texts)
        return in_text or any(low <= first and last <= high for low, high in self.lines)

    def _statements(self) -> Iterator[ast.stmt]:
        return (child for child in ast.walk(self._node) if isinstance(child, ast.stmt))

    def _is_quiet(self, node: ast.AST) -> bool:
        match node:
            case ast.Pass():
                return True
            case ast.Expr(value=ast.Call(func=function)):
                return _is_log(function)
            case ast.If():
                return all(self._is_quiet(child) for child in [*node.body, *node.orelse])
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self._silent
        return False

    def _feeding_only_quiet(self) -> set[str]:
        """Names assigned here that nothing but quiet statements reads."""
        assigned = {n.id for n in ast.walk(self._node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return assigned - set(self._heard(self._node)) if assigned else set()

    def _heard(self, node: ast.AST) -> Iterator[str]:
        for _place, child in children(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
                yield child.id
            if isinstance(child, (ast.Global, ast.Nonlocal)):
                yield from child.names
            if not (isinstance(child, ast.stmt) and self._is_quiet(child)):
                yield from self._heard(child)


def _is_log(function: ast.expr) -> bool:
    match function:
        case ast.Name(id="print"):
            return True
        case ast.Attribute(value=ast.Name(id=holder), attr=name):
            return holder in _LOGGERS and name in _LOG_NAMES
    return False


def _error_texts(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.walk(node):
        if isinstance(child, ast.Raise) and isinstance(child.exc, ast.Call):
            yield from child.exc.args
        elif isinstance(child, ast.Assert) and child.msg is not None:
            yield child.msg


def _span(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
