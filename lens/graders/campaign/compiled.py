"""The mutation engine imported here, so that workers, which load it by path and may not write, find it compiled."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

_JOBS = ("coverage", "mutants", "plan")


@cache
def compile_engine() -> None:
    """Once a process; where the folder can't be written, sessions start some 30 ms later each."""
    from lens.graders import mutate
    from lens.graders.mutate.operators import operators

    operators()
    for info in pkgutil.iter_modules(mutate.__path__):
        importlib.import_module(f"{mutate.__name__}.{info.name}")
    for name in _JOBS:
        importlib.import_module(f"lens.graders.sandbox.jobs.{name}")
