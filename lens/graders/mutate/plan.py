"""The mutants of a unit: every operator at every node of its body, in source order, numbered within the unit.

The number is a place in the source alone, so it means the same mutant in every worker. Docstrings and
annotations are left out. What compiles to the original's bytecode, or to an earlier mutant's, is set aside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from .edit import Edit, children
from .operators import operators
from .units import Def, Swap, Unit, fingerprint

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
    for node, span in _nodes(unit.node):
        for name, edits in operators().items():
            for edit in edits(node):
                place, lines = _place(edit, node, span)
                found.append(Site(len(found), name, edit, *place, *lines))
    return found


def _nodes(unit: Def) -> Iterator[tuple[ast.AST, tuple[int, int]]]:
    """Nodes of the body in source order, each with the lines of its statement."""
    stack: list[tuple[ast.AST, tuple[int, int]]] = [(unit, header(unit))]
    while stack:
        node, span = stack.pop()
        yield node, span
        inside = [
            (child, header(child) if isinstance(child, (ast.stmt, ast.ExceptHandler)) else span)
            for name, _index, child in children(node)
            if name not in _SKIPPED and (node is not unit or name == "body") and not _is_text_statement(child)
        ]
        stack += reversed(inside)


def _is_text_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


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


def _place(edit: Edit, node: ast.AST, span: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the changed node stands, and the lines of the statement that must run for the change to be felt."""
    target: Any = getattr(edit.owner, edit.field)
    if edit.place is not None:
        target = target[edit.place]
    if isinstance(target, ast.stmt):
        span = header(target)
    if not hasattr(target, "lineno"):
        target = edit.owner if hasattr(edit.owner, "lineno") else node
    return (getattr(target, "lineno", span[0]), getattr(target, "col_offset", 0)), span


class Planned(NamedTuple):
    """A unit's mutants by number, and the numbers set aside with the reason."""

    kept: list[Site]
    same_bytecode: list[Site]
    duplicates: int
    invalid: int


def plan(unit: Unit, swap: Swap) -> Planned:
    """Compile every mutant once and set aside what can't differ, repeats another, or is no program."""
    original = _fingerprint(swap)
    seen: set[Any] = set()
    planned = Planned([], [], 0, 0)
    duplicates = invalid = 0
    for site in sites(unit):
        with site.edit.applied():
            print_ = _fingerprint(swap)
        if print_ is None:
            invalid += 1
        elif print_ == original:
            planned.same_bytecode.append(site)
        elif print_ in seen:
            duplicates += 1
        else:
            seen.add(print_)
            planned.kept.append(site)
    return planned._replace(duplicates=duplicates, invalid=invalid)


def _fingerprint(swap: Swap) -> Any:
    """Of everything a unit compiles to; None where it is no program, or one its live closures can't take."""
    try:
        compiled = swap.compile()
    except (SyntaxError, ValueError, RecursionError):
        return None
    return tuple(fingerprint(compiled[key]) for key in sorted(compiled)) if swap.fits(compiled) else None
