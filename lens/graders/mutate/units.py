"""Functions as units of mutation: their syntax, their live objects, compiling one and swapping it in.

A unit is an outermost function of a module: a module-level function or a method, with everything nested in it.
Live function objects keep their identity and get another `__code__`, so that whoever holds one (an import,
a decorator, a dispatch table) runs the mutant.
"""

from __future__ import annotations
import __future__

import ast
import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, FunctionType
from typing import NamedTuple

Def = ast.FunctionDef | ast.AsyncFunctionDef
_FUTURES = [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]
_FUTURE = sum({flag for flag in _FUTURES if flag > 0xFFFF})  # the lower bits of co_flags mean other things


class Key(NamedTuple):
    """Where a code object comes from; the first line is that of the first decorator."""

    file: str
    line: int
    name: str


class Unit(NamedTuple):
    """`within` are the names of the classes around it, outermost first."""

    key: Key
    node: Def
    within: tuple[str, ...]

    @property
    def name(self) -> str:
        return ".".join((*self.within, self.node.name))

    @property
    def lines(self) -> tuple[int, int]:
        return self.key.line, self.node.end_lineno or self.key.line


def key_of(code: CodeType) -> Key:
    return Key(code.co_filename, code.co_firstlineno, code.co_name)


@lru_cache(maxsize=256)
def source_tree(file: str) -> ast.Module | None:
    """The syntax of a file; None where it can't be read or is no Python source."""
    try:
        with open(file, "rb") as stream, _no_warnings():  # noqa: PTH123 - the worker loads as little as it can
            return ast.parse(stream.read(), file)
    except (OSError, SyntaxError, ValueError):
        return None


@contextmanager
def _no_warnings() -> Iterator[None]:
    """About somebody else's source, or about `1 is not x` where a mutant is meant to be odd."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _first_line(node: Def) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _outermost(body: list[ast.stmt], within: tuple[str, ...]) -> Iterator[tuple[Def, tuple[str, ...]]]:
    for statement in body:
        if isinstance(statement, Def):
            yield statement, within
        elif isinstance(statement, ast.ClassDef):
            yield from _outermost(statement.body, (*within, statement.name))
        else:  # definitions under `if`, `try` or `with` at module level
            for name in ("body", "orelse", "finalbody"):
                yield from _outermost(getattr(statement, name, []), within)
            for handler in getattr(statement, "handlers", []):
                yield from _outermost(handler.body, within)


@lru_cache(maxsize=256)
def units_of(file: str) -> dict[Key, Unit]:
    """Every unit of a file, and under the keys of its nested functions the unit that holds them."""
    tree = source_tree(file)
    found: dict[Key, Unit] = {}
    for node, within in _outermost(tree.body, ()) if tree else ():
        unit = Unit(Key(file, _first_line(node), node.name), node, within)
        for child in ast.walk(node):
            if isinstance(child, Def):
                found[Key(file, _first_line(child), child.name)] = unit
    return found


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code objects inside `code`, at any depth."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes(constant)


def live_functions(in_scope: Callable[[str], bool]) -> dict[Key, list[FunctionType]]:
    """Every function object alive whose file is in scope, by where its code comes from."""
    found: dict[Key, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and in_scope(thing.__code__.co_filename):
            found.setdefault(key_of(thing.__code__), []).append(thing)
    return found


class Swap:
    """Compiles a unit as its syntax stands now and swaps its code into the live functions that came from it."""

    def __init__(self, unit: Unit, live: dict[Key, list[FunctionType]]) -> None:
        inside = {Key(unit.key.file, _first_line(n), n.name) for n in ast.walk(unit.node) if isinstance(n, Def)}
        self.unit = unit
        self.live = {key: live[key] for key in sorted(inside) if key in live}
        self.original = {key: functions[0].__code__ for key, functions in self.live.items()}
        self._flags = next(iter(self.original.values())).co_flags & _FUTURE if self.original else 0
        self._shell = self._wrapped()

    def _wrapped(self) -> ast.Module:
        """The unit inside its classes, for `super()` and private names to compile as they did."""
        body: ast.stmt = self.unit.node
        for name in reversed(self.unit.within):
            body = ast.ClassDef(name, [], [], [body], [], lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
        return ast.Module([body], [])

    def compile(self) -> dict[Key, CodeType]:
        """Code by key, of the unit and what is nested in it. Raises SyntaxError where the change makes no program."""
        with _no_warnings():
            module = compile(self._shell, self.unit.key.file, "exec", self._flags, dont_inherit=True)
        return {key_of(code): code for code in codes(module) if key_of(code) in self.live}

    def fits(self, compiled: dict[Key, CodeType]) -> bool:
        """A live closure takes only code that captures the same names."""
        return all(code.co_freevars == self.original[key].co_freevars for key, code in compiled.items())

    def install(self, compiled: dict[Key, CodeType]) -> None:
        for key, functions in self.live.items():
            code = compiled.get(key, self.original[key])
            for function in functions:
                function.__code__ = code

    def restore(self) -> None:
        for key, functions in self.live.items():
            for function in functions:
                function.__code__ = self.original[key]


def fingerprint(code: CodeType) -> tuple[object, ...]:
    """What makes two code objects run alike: instructions, constants with their types, names; not line numbers."""
    constants = tuple(
        fingerprint(value) if isinstance(value, CodeType) else (type(value).__name__, repr(value))
        for value in code.co_consts
    )
    return (
        code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_exceptiontable, code.co_argcount, code.co_flags,
    )  # fmt: skip
