"""Online detectors, one a file, found here and listed nowhere else.

A detector reads a series in units of its baseline, z = (x − mean) / sd over the first m points, and gives a statistic
a step that depends on that step and earlier ones alone: what comes later changes no past alarm. It alarms at the first
step after the baseline at which the statistic is above its threshold. Thresholds are set for one false alarm in 1,000
steps of independent Gaussian noise whose mean and sd are known; how often it errs on a real series is what surrogates
say.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

ARL = 1000.0  # steps between false alarms that thresholds are set for


@dataclass(frozen=True)
class Detector:
    """`statistic(z, m)` takes series [series, steps] in baseline units and gives as many numbers, -inf or 0 before m.

    `differences`: it reads the step-to-step difference of a series in place of the series.
    """

    name: str
    title: str
    about: str
    threshold: float
    statistic: Callable[[np.ndarray, int], np.ndarray]
    source: str
    order: int
    differences: bool = False


@cache
def detectors() -> dict[str, Detector]:
    """Every detector by name."""
    found: list[Detector] = [
        importlib.import_module(f"{__name__}.{one.name}").DETECTOR for one in pkgutil.iter_modules(__path__)
    ]
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}
