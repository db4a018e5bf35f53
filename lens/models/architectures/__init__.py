"""Class-A architectures, one file each: how the library's modules make a trunk. Found by `config.model_type`."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lens.models.trunk import Trunk


class Architecture(Protocol):
    MODEL_TYPE: str
    ATTENTION: str  # the implementation the library must be asked for

    def trunk(self, model: Any, w_r: Any, b: float) -> Trunk: ...


@cache
def architectures() -> dict[str, Architecture]:
    """Every class-A architecture by the library's model type. Imports torch."""
    modules = [
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
        if not info.name.startswith("_")
    ]
    return {module.MODEL_TYPE: module for module in modules}


@cache
def attentions() -> dict[str, str]:
    """The attention each is asked for, by the library's model type: read from the files here, without torch."""
    found: dict[str, str] = {}
    for path in Path(__file__).parent.glob("[!_]*.py"):
        told = {
            line.targets[0].id: line.value.value
            for line in ast.parse(path.read_text("utf-8")).body
            if isinstance(line, ast.Assign)
            and isinstance(line.targets[0], ast.Name)
            and isinstance(line.value, ast.Constant)
        }
        found[str(told["MODEL_TYPE"])] = str(told["ATTENTION"])
    return found
