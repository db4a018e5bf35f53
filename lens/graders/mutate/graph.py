"""What the audited call can reach: a static call graph over live objects, with constant arguments carried along it.

A parameter that every reachable call leaves at one constant is that constant (`method="strict"`), and a
branch its test rules out is dead under the audited call. Names resolve through the live modules, so an import,
a decorator or a dispatch table leads to the function it holds. Attributes of unknown objects reach the methods
of that name in every class already reached; functions passed on as values can be called with anything.
Follows sparse conditional constant propagation (Wegman and Zadeck 1991), over functions instead of blocks.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import resolve_name
from types import FunctionType, MethodType, ModuleType
from typing import Any

from .fold import UNKNOWN, Folded, value_of
from .units import Def, Key, Unit, key_of, units_of

Bindings = dict[str, Any]


def definition(source: str, name: str) -> Def:
    """The function `name` that a source text defines."""
    return next(node for node in ast.parse(source).body if isinstance(node, Def) and node.name == name)


class Graph:
    """`root` is the call as the audit makes it, `bindings` what its free names and `grader` stand for, `columns` the
    names of the further columns that any row brings."""

    def __init__(
        self,
        root: Def,
        bindings: Bindings,
        live: dict[Key, list[FunctionType]],
        in_scope: Callable[[str], bool],
        columns: Iterable[str] = (),
    ) -> None:
        self.live, self.in_scope = live, in_scope
        self.units: dict[Key, Unit] = {}
        self.parameters: dict[Key, dict[str, Any]] = {}
        self.entries: list[Key] = []
        self._root, self._columns = root, tuple(columns)
        self._classes: dict[type, None] = {}
        self._mentioned: set[str] = set()
        self._changed = True
        while self._changed:
            self._changed = False
            self._scan(root, {}, bindings, {"__builtins__": None}, entry=True)
            for key in list(self.units):
                self._scan_unit(key)
            self._reach_methods()

    def folded(self, key: Key) -> Folded:
        """Which parts of a reached unit are dead under the audited call."""
        unit = self.units[key]
        return Folded(unit.node, self._constants(key, unit.node))

    def _constants(self, key: Key, node: Def) -> dict[str, Any]:
        known = {name: value for name, value in self.parameters.get(key, {}).items() if value is not UNKNOWN}
        return {name: value for name, value in known.items() if name not in _rebound(node)}

    def _scan_unit(self, key: Key) -> None:
        unit = self.units[key]
        function = self.live[unit.key][0] if unit.key in self.live else self.live[key][0]
        self._scan(unit.node, self._constants(key, unit.node), {}, function.__globals__)

    def _scan(
        self, node: Def, constants: dict[str, Any], bindings: Bindings, module: dict[str, Any], *, entry: bool = False
    ) -> None:
        names = Names(node, bindings, module)
        called: set[int] = set()
        for child in Folded(node, constants).live():
            if isinstance(child, ast.Call):
                target = names.resolve(child.func)
                if isinstance(target, FunctionType):
                    called.add(id(child.func))
                    key = self._reach(target)
                    if key and entry and key not in self.entries:
                        self.entries.append(key)
                    if key:
                        self._bind(key, target, child, constants)
            elif isinstance(child, ast.Attribute):
                self._mentioned.add(child.attr)
            if isinstance(child, (ast.Name, ast.Attribute)) and id(child) not in called:
                self._follow(names.resolve(child))

    def _reach(self, function: FunctionType) -> Key | None:
        if not self.in_scope(function.__code__.co_filename):
            return None
        unit = units_of(function.__code__.co_filename).get(key_of(function.__code__))
        if unit is None:
            return None
        if unit.key not in self.units:
            self.units[unit.key] = unit
            self._changed = True
            for cell in function.__closure__ or ():
                self._follow(_content(cell))
        return unit.key

    def _bind(self, key: Key, function: FunctionType, call: ast.Call, constants: dict[str, Any]) -> None:
        """Join the arguments of one call into what is known of the parameters."""
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given: dict[str, Any] = dict(
            zip(names[: code.co_argcount][::-1], (function.__defaults__ or ())[::-1], strict=False)
        )
        given |= function.__kwdefaults__ or {}
        open_ended = any(isinstance(argument, ast.Starred) for argument in call.args)
        for name, argument in zip(names, call.args, strict=False):
            given[name] = value_of(argument, constants)
        for keyword in call.keywords:
            if keyword.arg:
                given[keyword.arg] = value_of(keyword.value, constants)
            elif _only_columns(self._root, keyword.value):
                given |= dict.fromkeys(self._columns, UNKNOWN)
            else:
                open_ended = True
        if self.units[key].within or key_of(code) != key:
            open_ended = True
        self._join(key, {name: UNKNOWN if open_ended else _simple(given.get(name, UNKNOWN)) for name in names})

    def _join(self, key: Key, given: dict[str, Any]) -> None:
        known = self.parameters.setdefault(key, {})
        for name, value in given.items():
            before = known.get(name, given)
            if before is UNKNOWN or (type(before) is type(value) and before == value):
                continue
            known[name] = value if before is given else UNKNOWN
            self._changed = True

    def _escape(self, function: FunctionType) -> None:
        """The function is held as a value: who calls it, and with what, isn't known."""
        key = self._reach(function)
        if key:
            code = function.__code__
            self._join(key, dict.fromkeys(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], UNKNOWN))

    def _follow(self, thing: Any, depth: int = 0) -> None:
        if isinstance(thing, FunctionType):
            self._escape(thing)
            if hasattr(thing, "__wrapped__"):
                self._follow(thing.__wrapped__, depth)
        elif isinstance(thing, type):
            self._reach_class(thing)
        elif isinstance(thing, MethodType):
            self._follow(thing.__func__, depth)
        elif isinstance(thing, functools.partial):
            self._follow(thing.func, depth)
        elif isinstance(thing, (staticmethod, classmethod)):
            self._follow(thing.__func__, depth)
        elif isinstance(thing, property):
            for part in (thing.fget, thing.fset):
                self._follow(part, depth)
        elif isinstance(thing, (dict, list, tuple, set, frozenset)):
            if depth < 2:
                for item in list(thing.values() if isinstance(thing, dict) else thing):
                    self._follow(item, depth + 1)
        elif hasattr(type(thing), "__wrapped__") or isinstance(thing, functools._lru_cache_wrapper):
            self._follow(thing.__wrapped__, depth)
        elif thing is not None and not isinstance(thing, ModuleType):
            self._reach_class(type(thing))

    def _reach_class(self, kind: type) -> None:
        for base in kind.__mro__:
            module = sys.modules.get(base.__module__)
            if base not in self._classes and self.in_scope(getattr(module, "__file__", None) or ""):
                self._classes[base] = None
                self._changed = True

    def _reach_methods(self) -> None:
        for kind in list(self._classes):
            for name, member in list(vars(kind).items()):
                if name in self._mentioned or (name.startswith("__") and name.endswith("__") and callable(member)):
                    self._follow(member)


class Names:
    """Resolves names and attribute chains of one function to live objects, where that needs no running."""

    def __init__(self, node: Def, bindings: Bindings, module: dict[str, Any]) -> None:
        self._module = module
        self._bound = {**_imported(node, module), **bindings}
        self._local = _rebound(node) | {argument.arg for argument in _arguments(node)}

    def resolve(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name):
            if node.id in self._bound:
                return self._bound[node.id]
            return None if node.id in self._local else self._module.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.resolve(node.value)
            if isinstance(base, ModuleType):
                return vars(base).get(node.attr)
            if isinstance(base, type):
                found = next((vars(kind)[node.attr] for kind in base.__mro__ if node.attr in vars(kind)), None)
                return found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        return None


def _imported(node: Def, module: dict[str, Any]) -> Bindings:
    """What the imports written inside a function bind, where their modules are loaded."""
    found: Bindings = {}
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or name] = sys.modules.get(name)
        elif isinstance(child, ast.ImportFrom):
            dotted = "." * child.level + (child.module or "")
            try:
                source = sys.modules.get(resolve_name(dotted, module.get("__package__") or ""))
            except ImportError:
                continue
            for alias in child.names:
                found[alias.asname or alias.name] = getattr(source, alias.name, None)
    return found


@functools.lru_cache(maxsize=4096)
def _rebound(node: Def) -> frozenset[str]:
    """Names assigned anywhere in a function, or bound by what is nested in it."""
    return frozenset(_bound_names(node))


def _bound_names(node: Def) -> Iterator[str]:
    own = {id(argument) for argument in _arguments(node)}
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
            yield child.id
        elif isinstance(child, ast.arg) and id(child) not in own:
            yield child.arg
        elif isinstance(child, ast.ExceptHandler):
            yield child.name or ""
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and child is not node:
            yield child.name


def _arguments(node: Def) -> Iterable[ast.arg]:
    known = node.args
    extra = [argument for argument in (known.vararg, known.kwarg) if argument]
    return [*known.posonlyargs, *known.args, *known.kwonlyargs, *extra]


def _only_columns(root: Def, node: ast.expr) -> bool:
    """Whether `**node` in the audited call holds nothing but some of a row's columns."""
    if isinstance(node, ast.Name):
        made = [child.value for child in ast.walk(root) if isinstance(child, ast.Assign) and _assigns(child, node.id)]
        node = made[0] if len(made) == 1 else node
    inside = {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
    read = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)} - inside
    local = {argument.arg for argument in _arguments(root)} | _rebound(root)
    return root.args.kwarg is not None and read & local == {root.args.kwarg.arg}


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _simple(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else UNKNOWN


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
