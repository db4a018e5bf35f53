"""The mutants of a unit: every operator at every node of its body, in source order, numbered within the unit.

The number is a place in the source alone, so it means the same mutant in every worker. Docstrings and
annotations are left out. What compiles to the original's bytecode, or to an earlier mutant's, is set aside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from .edit import Edit, Place, children
from .operators import operators
from .units import Def, Key, Swap, Unit, fingerprint

_SKIPPED = {"annotation", "returns", "type_params"}


class Site(NamedTuple):
    """One mutant: `first` and `last` are the lines of the statement (its header, where it holds others) it sits in."""

    number: int
    operator: str
    edit: Edit
    line: int
    column: int
    first: int
    last: int


def sites(unit: Unit) -> list[Site]:
    """Every mutant of a unit, duplicates included."""
    found: list[Site] = []
    acting = operators()
    for node, place, span in _nodes(unit.node):
        for name, edits in acting.get(type(node), ()):
            for edit in edits(node, place):
                position, lines = _position(edit, node, span)
                found.append(Site(len(found), name, edit, *position, *lines))
    return found


def _nodes(unit: Def) -> Iterator[tuple[ast.AST, Place, tuple[int, int]]]:
    """Nodes inside the body in source order, each with its place and the lines of its statement."""
    stack = [(child, place, header(unit)) for place, child in children(unit) if place.field == "body"][::-1]
    while stack:
        node, place, span = stack.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            span = header(node)
        yield node, place, span
        stack += [(child, at, span) for at, child in children(node) if at.field not in _SKIPPED][::-1]


def header(node: Any) -> tuple[int, int]:
    """First and last line of a statement without the statements inside it."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    match node:
        case ast.If() | ast.While():
            return first, node.test.end_lineno or first
        case ast.For() | ast.AsyncFor():
            return first, node.iter.end_lineno or first
        case ast.With() | ast.AsyncWith():
            return first, node.items[-1].context_expr.end_lineno or first
        case ast.Match():
            return first, node.end_lineno or first
        case ast.ExceptHandler():
            return first, node.type.end_lineno or first if node.type else first
        case ast.Try() | ast.TryStar():
            return first, first
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return first, max(first, node.body[0].lineno - 1)
    return first, node.end_lineno or first


def _position(edit: Edit, node: ast.AST, span: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the changed node stands, and the lines of the statement that must run for the change to be felt."""
    target = getattr(edit.owner, edit.field)
    if edit.place is not None:
        target = target[edit.place]
    shown = next(one for one in (target, edit.owner, node) if hasattr(one, "lineno") or one is node)
    return (getattr(shown, "lineno", span[0]), getattr(shown, "col_offset", 0)), span


class Planned(NamedTuple):
    """A unit's mutants by number, those with the original's bytecode, and how many repeat another or are no program."""

    kept: list[Site]
    same_bytecode: list[Site]
    duplicates: int
    invalid: int


def plan(unit: Unit, swap: Swap) -> Planned:
    """Compile every mutant once and set aside what can't differ, repeats another, or is no program."""
    original = imprint(swap, swap.original)
    seen: set[Any] = set()
    planned = Planned([], [], 0, 0)
    duplicates = invalid = 0
    for site in sites(unit):
        compiled = compiled_with(site.edit, swap)
        mark = imprint(swap, compiled) if compiled else None
        if mark is None:
            invalid += 1
        elif mark == original:
            planned.same_bytecode.append(site)
        elif mark in seen:
            duplicates += 1
        else:
            seen.add(mark)
            planned.kept.append(site)
    return planned._replace(duplicates=duplicates, invalid=invalid)


def whole(unit: Unit) -> Planned:
    """Every mutant, nothing compiled and nothing set aside."""
    return Planned(sites(unit), [], 0, 0)


def compiled_with(edit: Edit, swap: Swap) -> dict[Key, CodeType] | None:
    """The unit's code with the change made; None where that is no program, or one its live closures can't take."""
    try:
        with edit.applied():
            compiled = swap.compile()
    except (SyntaxError, ValueError, RecursionError):
        return None
    return compiled if swap.fits(compiled) else None


def imprint(swap: Swap, compiled: dict[Key, CodeType]) -> int:
    """A number for what a unit compiles to, the same in every worker of one hash seed."""
    return hash(tuple(fingerprint(compiled.get(key, swap.original[key])) for key in swap.live))
