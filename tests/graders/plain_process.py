"""A grader in an interpreter with nothing of this project in it: `test_plain_process.py` runs this as a program.

Standard input is JSON: folder, module, function, call (the source of an adapter's call), call_name, rows. Standard
output is a pair for each row: "value" and what was returned, or "exception" and its class.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

ABSENT = {"datasets", "langdetect", "pylatexenc", "regex", "sympy", "torch", "unidiff"}


class Absent(MetaPathFinder, Loader):
    """Stands for what some graders import and nothing we ask of them uses, where it isn't fetched beside them: whether
    it is installed here is no matter."""

    def __init__(self, folder: str) -> None:
        self.absent = {name for name in ABSENT if not Path(folder, name).exists()}

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in self.absent else None

    def create_module(self, spec: ModuleSpec) -> Any:
        return MagicMock(__path__=[], __spec__=spec)

    def exec_module(self, module: Any) -> None:
        pass


def load(folder: str, name: str) -> Any:
    """The module. Packages above it stand empty: their `__init__` would want much that isn't here."""
    sys.path.append(folder)
    sys.meta_path.insert(0, Absent(folder))
    parts = name.split(".")
    for count in range(1, len(parts)):
        package = types.ModuleType(".".join(parts[:count]))
        package.__path__ = [str(Path(folder, *parts[:count]))]
        sys.modules[package.__name__] = package
    return importlib.import_module(name)


def main() -> None:
    asked = json.load(sys.stdin)
    namespace: dict[str, Any] = {"Any": Any}
    results = []
    with contextlib.redirect_stdout(io.StringIO()):
        module = load(asked["folder"], asked["module"])
        grader = getattr(module, asked["function"]) if asked["function"] else module
        exec(asked["call"], namespace)
        for response, gold, columns in asked["rows"]:
            try:
                results.append(("value", namespace[asked["call_name"]](grader, response, gold, **columns)))
            except Exception as error:
                results.append(("exception", type(error).__qualname__))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
