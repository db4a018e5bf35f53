"""The mutation engine, as jobs load it: `lens.graders.mutate`, found beside this folder.

In the worker `lens` isn't importable, so the same files are loaded as a package of their own.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType


def engine(name: str) -> ModuleType:
    """A module of the engine by name."""
    above = (__package__ or "").rpartition(".")[0]
    package = f"{above}.mutate" if above else "_evidence_lens_mutate"
    if package not in sys.modules and not above:
        holder = ModuleType(package)
        holder.__path__ = [f"{__file__.rpartition('/sandbox/')[0]}/mutate"]
        sys.modules[package] = holder
    return importlib.import_module(f"{package}.{name}")
