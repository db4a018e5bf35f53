"""Class-A architectures, one file each: how the library's modules make a trunk. Found by `config.model_type`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
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
