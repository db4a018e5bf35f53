"""CUSUM of the backward difference: what a step adds to the one before it, known at that step.

A central difference needs the step after: an alarm on it is one step late, and only `lens.runs.series.recipe` computes
it.
"""

from __future__ import annotations

from lens.runs.detectors import Detector
from lens.runs.detectors.cusum import THRESHOLD, cusum

DETECTOR = Detector(
    name="backward-difference",
    title="Backward difference",
    about="CUSUM of what each step adds to the one before it",
    threshold=THRESHOLD,
    statistic=cusum,
    source="Page 1954, on x(t) − x(t−1)",
    order=40,
    differences=True,
)
