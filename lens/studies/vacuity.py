"""What a hypothesis must not be: true of every input (a tautology), or confirmed where there is nothing (vacuous)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lens.reading import Kind
from lens.stats.intervals import wilson
from lens.studies.adjudicate import Units, apart, fields_behind, holds, read_fields
from lens.studies.science import Science, Values
from lens.studies.spec import Hypothesis, Spec

SHUFFLES = 200
_RANGE: dict[Kind, tuple[float, float]] = {
    "proportion": (0.0, 1.0),
    "correlation": (-1.0, 1.0),
    "count": (0.0, float("inf")),
    "duration": (0.0, float("inf")),
    "bytes": (0.0, float("inf")),
    "size": (0.0, float("inf")),
}


class Null(NamedTuple):
    """On how many of `n` null studies a hypothesis was confirmed."""

    confirmed: int
    n: int

    def vacuous(self, alpha: float) -> bool:
        """Confirmed more often than alpha allows, beyond what `n` draws could make of it."""
        return self.confirmed > 0 and wilson(self.confirmed, self.n).low > alpha


def nulls(spec: Spec, science: Science, units: Units, *, seed: int) -> dict[str, Null]:
    """Every hypothesis adjudicated with its control, as if alone in its family, on each null study.

    `units` are null subjects where the science has some, and are redrawn; else the pilot's, whose arms' labels are
    shuffled. Either way a null study has as many units as the study will have.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    pool = [one for some in units.values() for one in some]
    confirmed, behind = {one.name: 0 for one in spec.hypothesis}, fields_behind(spec)
    for _ in range(SHUFFLES):
        drawn = {}
        for arm, size in spec.arms.items():
            source = pool if science.null_plant is None else list(units[arm])
            drawn[arm] = [source[i] for i in rng.integers(0, len(source), size)]
        fields = read_fields(science, spec.arms, drawn, behind)
        for one in spec.hypothesis:
            got, control = fields[one.field], fields[one.control_field]
            seen = holds(one, got, spec.alpha) and not holds(one, control, spec.alpha)
            confirmed[one.name] += seen and apart(got, control)
    return {name: Null(count, SHUFFLES) for name, count in confirmed.items()}


def tautology(spec: Spec, science: Science, one: Hypothesis, pilot: Units) -> str:
    """Why a hypothesis holds of every input, or "" where it could fail.

    By the range of its metric's kind; because the metric reads the same on every subject of the pilot, whatever was
    planted; or because two arms differ by the same amount or factor on every seed of the pilot, whose arms share them.
    Such is an identity, which a test asserts and a study doesn't.
    """
    statistic, value, arms = science.fields(spec.arms)[one.field]
    low, high = (0.0, 1.0) if statistic in ("share", "auc", "trend") else (float("-inf"), float("inf"))
    if statistic == "mean":
        low, high = _RANGE.get(science.values[value].kind, (low, high))
    if _every(one, low, high):
        return f"every {value} lies between {low:g} and {high:g}"
    read = _column(pilot, value, arms)
    everywhere = _column(pilot, value, tuple(pilot))
    if statistic == "mean" and read and max(everywhere) - min(everywhere) <= 1e-9 * max(1.0, abs(everywhere[0])):
        return f"{value} is {everywhere[0]:.6g} on every subject of the pilot, whatever is planted"
    if statistic in ("difference", "ratio") and pilot:
        first, second = (_column(pilot, value, (arm,)) for arm in arms)
        if len(first) == len(second):
            apart = [
                a - b if statistic == "difference" else a / b if b else 0.0 for a, b in zip(first, second, strict=True)
            ]
            if max(apart) - min(apart) <= 1e-9 * max(1.0, abs(apart[0])):
                return f"the {statistic} of {arms[0]} and {arms[1]} is {apart[0]:.6g} on every seed of the pilot"
    return ""


def _every(one: Hypothesis, low: float, high: float) -> bool:
    match one.comparator:
        case "above":
            return low > one.threshold
        case "below":
            return high < one.threshold
    return one.threshold - one.margin < low and high < one.threshold + one.margin


def _column(units: Mapping[str, Sequence[Values]], value: str, arms: tuple[str, ...]) -> list[float]:
    return [found for arm in arms for one in units.get(arm, ()) if (found := one.get(value)) is not None]
