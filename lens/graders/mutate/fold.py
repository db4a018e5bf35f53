"""Which parts of a function can run when some of its parameters are known constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from .edit import children

UNKNOWN: Final = object()
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def value_of(node: ast.expr, constants: dict[str, Any]) -> Any:
    """The value of an expression of constants, or UNKNOWN."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name(id=name):
            return constants.get(name, UNKNOWN)
        case ast.UnaryOp(op=ast.Not()):
            inner = value_of(node.operand, constants)
            return UNKNOWN if inner is UNKNOWN else not inner
        case ast.BoolOp():
            return _joined(node, constants)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(operator, value_of(left, constants), _sequence(right, constants))
    return UNKNOWN


def _joined(node: ast.BoolOp, constants: dict[str, Any]) -> Any:
    decisive = isinstance(node.op, ast.Or)
    value: Any = not decisive
    for operand in node.values:
        value = value_of(operand, constants)
        if value is UNKNOWN or bool(value) is decisive:
            return value
    return value


def _sequence(node: ast.expr, constants: dict[str, Any]) -> Any:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        values = [value_of(item, constants) for item in node.elts]
        return UNKNOWN if UNKNOWN in values else values
    return value_of(node, constants)


def _compared(operator: ast.cmpop, left: Any, right: Any) -> Any:
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    try:
        match operator:
            case ast.Eq() | ast.Is():
                return left == right and (left is None) == (right is None)
            case ast.NotEq() | ast.IsNot():
                return left != right or (left is None) != (right is None)
            case ast.In():
                return left in right
            case ast.NotIn():
                return left not in right
    except TypeError:
        pass
    return UNKNOWN


class Forced(NamedTuple):
    """A test with one outcome: from `line` control enters the body at [first, last], or never does."""

    line: int
    first: int
    last: int
    taken: bool


class Folded:
    """A function read with `constants` for some of its parameters: its live nodes, dead lines and forced tests."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, constants: dict[str, Any]) -> None:
        self._constants = constants
        self.dead: list[tuple[int, int]] = []
        self.forced: list[Forced] = []
        self._nodes: list[ast.AST] = [node.args, *node.decorator_list]
        self._block(node.body)

    def live(self) -> Iterator[ast.AST]:
        """Every node that can run, at any depth."""
        yield from self._nodes

    def is_dead(self, first: int, last: int) -> bool:
        return any(low <= first and last <= high for low, high in self.dead)

    def _block(self, body: list[ast.stmt]) -> bool:
        """Read a block; whether control never leaves it at its end."""
        for index, statement in enumerate(body):
            if self._statement(statement):
                self._kill(body[index + 1 :])
                return True
        return False

    def _kill(self, body: list[ast.stmt]) -> None:
        if body:
            self.dead.append((body[0].lineno, body[-1].end_lineno or body[-1].lineno))

    def _statement(self, node: ast.stmt) -> bool:
        self._nodes.append(node)
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While) and value_of(node.test, self._constants) is not UNKNOWN:
            taken = bool(value_of(node.test, self._constants))
            self._force(node.test, node.body, taken)
            if not taken:
                self._kill(node.body)
                return self._block(node.orelse)
        self._within(node)
        return isinstance(node, _ENDS)

    def _if(self, node: ast.If) -> bool:
        self._expression(node.test)
        value = value_of(node.test, self._constants)
        if value is UNKNOWN:
            first, second = self._block(node.body), self._block(node.orelse)
            return first and second and bool(node.orelse)
        self._force(node.test, node.body, bool(value))
        self._kill(node.orelse if value else node.body)
        return self._block(node.body if value else node.orelse)

    def _force(self, test: ast.expr, body: list[ast.stmt], taken: bool) -> None:
        self.forced.append(Forced(test.lineno, body[0].lineno, body[-1].end_lineno or body[-1].lineno, taken))

    def _within(self, node: ast.AST) -> None:
        """The parts of a node: its blocks as blocks, the rest as expressions."""
        blocks: dict[str, list[ast.stmt]] = {}
        for place, child in children(node):
            if isinstance(child, ast.stmt):
                blocks.setdefault(place.field, []).append(child)
            else:
                self._expression(child)
        for body in blocks.values():
            self._block(body)

    def _expression(self, node: ast.AST) -> None:
        self._nodes.append(node)
        if isinstance(node, ast.IfExp) and value_of(node.test, self._constants) is not UNKNOWN:
            self._expression(node.test)
            self._expression(node.body if value_of(node.test, self._constants) else node.orelse)
            return
        self._within(node)
