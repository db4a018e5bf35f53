"""Loading one module of a package without the rest of it.

Two rules, both at the import system's own seams:

* The packages *above* the grader's module are stand-ins: their `__path__` is right, so submodules import as
  usual, but their `__init__` does not run (verl's would import ray and torch). It runs, once, only when
  something asks a stand-in for a name that no submodule answers.
* A module that is nowhere becomes a placeholder, unless the code that imports it is ready to do without:
  an import inside `try` with a handler for ImportError, or a look that is no import statement, is told the truth.

A placeholder can be an annotation, a decorator or a base class while modules load. Anything that would
need what it stands for (calling it, subclass instances, truth, arithmetic, iteration) raises
`PlaceholderUsed` outside an import, and is remembered in `used` should the grader swallow that.
"""

from __future__ import annotations

import ast
import importlib.machinery
import sys
import types
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:
    Loader = MetaPathFinder = object  # the abstract classes add milliseconds to the start of every session

used: list[str] = []


class PlaceholderUsed(BaseException):
    """A call needed something that isn't installed. Not an Exception: graders swallow those."""


def _use(name: str) -> None:
    """Raise, unless some module is being imported further up."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return
        frame = frame.f_back
    used.append(name)
    raise PlaceholderUsed(name)


def install(above: Sequence[str]) -> None:
    """Put both rules in force for this process; `above` names the packages above the grader's module."""
    sys.meta_path.insert(0, StandIns(above))
    sys.meta_path.append(Missing())


class Placeholder:
    """Stands for a name in a module that isn't installed."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name
        self.__dict__["__name__"] = name.rpartition(".")[2]

    def __repr__(self) -> str:
        return f"<placeholder {self._name}>"

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        return stand_for(f"{self._name}.{attribute}")

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        _use(self._name)
        if len(arguments) == 1 and isinstance(arguments[0], (types.FunctionType, type)):
            return arguments[0]  # a decorator: leaves what it decorates alone
        return Placeholder(f"{self._name}()")

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        name = self._name

        def __init__(*_: Any, **__: Any) -> None:
            _use(name)

        return (type(self.__name__, (), {"__init__": __init__, "__getattr__": lambda _self, _attribute: _use(name)}),)

    def __instancecheck__(self, _instance: object) -> bool:
        return False

    def __subclasscheck__(self, _subclass: type) -> bool:
        return False

    def __bool__(self) -> bool:
        _use(self._name)
        return False

    def _pass(self, *_: Any) -> Any:
        _use(self._name)
        return self

    def _no(self, *_: Any) -> bool:
        _use(self._name)
        return False

    def __iter__(self) -> Any:
        _use(self._name)
        return iter(())

    __getitem__ = __or__ = __ror__ = __add__ = __radd__ = __sub__ = __mul__ = __truediv__ = __enter__ = _pass
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __exit__ = _no


class PlaceholderModule(types.ModuleType):
    """Stands for a module that isn't installed."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute != "__version__":
            raise AttributeError(attribute)
        return stand_for(f"{self.__name__}.{attribute}")


@cache
def stand_for(name: str) -> Any:
    """One placeholder a name. Names of exceptions get a class nobody raises, so that `except` clauses hold."""
    last = name.rpartition(".")[2]
    if last.endswith(("Error", "Exception", "Warning")):
        return type(last, (Exception,), {"__module__": name.rpartition(".")[0]})
    return Placeholder(name)


class StandInModule(types.ModuleType):
    """A package whose `__init__` waits until a name is asked for that no submodule answers."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute != "__version__":
            raise AttributeError(attribute)
        name = f"{self.__name__}.{attribute}"
        if importlib.machinery.PathFinder.find_spec(name, self.__path__):
            return importlib.import_module(name)
        loader = self.__dict__.pop("_loader", None)
        if loader is not None:
            loader.exec_module(self)
            if attribute in self.__dict__:
                return self.__dict__[attribute]
        raise AttributeError(f"module {self.__name__!r} has no attribute {attribute!r}")


class _StandInLoader(Loader):
    def __init__(self, real: Loader) -> None:
        self.real = real

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["_loader"] = self.real


class StandIns(MetaPathFinder):
    """First in line: the packages above the grader's module."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, name: str, path: Sequence[str] | None, _target: object = None) -> ModuleSpec | None:
        if name not in self.names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _StandInLoader(spec.loader)
        return spec


class _PlaceholderLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return PlaceholderModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["__path__"] = []


class Missing(MetaPathFinder):
    """Last in line: an import statement that nothing satisfied and whose author made no provision."""

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        parent = sys.modules.get(name.rpartition(".")[0])
        known = isinstance(parent, PlaceholderModule)
        inside_real_package = parent is not None and not known
        if inside_real_package or not _unguarded_statement():
            return None
        return ModuleSpec(name, _PlaceholderLoader(), is_package=True)


_HANDLERS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def _unguarded_statement() -> bool:
    """Whether the import now looked for is a plain statement that nobody, up the chain of imports, can do without."""
    frame: types.FrameType | None = sys._getframe(2)
    asked: bool | None = None
    while frame is not None:
        if not frame.f_code.co_filename.startswith("<frozen importlib"):
            statements, guarded = _import_lines(frame.f_code.co_filename)
            asked = frame.f_lineno in statements if asked is None else asked
            if not asked or frame.f_lineno in guarded:
                return False
        frame = frame.f_back
    return True


@cache
def _import_lines(path: str) -> tuple[frozenset[int], frozenset[int]]:
    """Lines of import statements, and of those whose failure the source itself provides for."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they would count as printed by the grader
            with open(path, "rb") as stream:
                tree = ast.parse(stream.read())
    except (OSError, SyntaxError, ValueError):
        return frozenset(), frozenset()
    providing = [node for node in ast.walk(tree) if isinstance(node, (ast.Try, ast.With)) and _provides(node)]
    guarded = [statement for node in providing for statement in node.body]
    return _imports(tree), frozenset().union(*map(_imports, guarded))


def _imports(tree: ast.AST) -> frozenset[int]:
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))


def _provides(node: ast.Try | ast.With) -> bool:
    """`except ImportError` (or wider, or bare), and `with suppress(ImportError)`."""
    if isinstance(node, ast.With):
        return any("suppress" in (text := ast.unparse(item.context_expr)) and "Import" in text for item in node.items)
    return any(handler.type is None or _HANDLERS & _names(handler.type) for handler in node.handlers)


def _names(expression: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
