"""A published alarm, reproduced as it was made: CUSUM over a whole series, baseline and all, on a central difference.

A central difference at step t needs step t + 1, so a live reader has its alarm one step later; this module is the only
one that computes it, and what it finds is called reproduced, never live.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens.runs.detectors.cusum import THRESHOLD, cusum
from lens.runs.series.surrogates import CONTROLS, Transform
from lens.runs.series.watching import NEVER, first_above, standardised

if TYPE_CHECKING:
    import numpy as np


class Rule(NamedTuple):
    """What is read of the series; `late` steps pass before a live reader has it."""

    about: str
    late: int


RULES = {
    "central": Rule("the central difference of the series, which a live reader has one step later", 1),
    "level": Rule("the series itself", 0),
}


def transform(rule: str, steps: np.ndarray) -> Transform:
    """What the rule reads of levels [series, steps]."""
    import numpy as np

    return lambda level: np.gradient(level, steps, axis=1) if rule == "central" else level


def alarm(read: np.ndarray, baseline: int) -> np.ndarray:
    """Indices of first alarms of series [series, steps], NEVER where there is none, the baseline's own included."""
    return first_above(cusum(standardised(read, baseline), 0), THRESHOLD)


class Reproduced(NamedTuple):
    """`at` is the alarm's index, NEVER where there is none; `surrogates` [count] those of surrogates."""

    at: int
    surrogates: np.ndarray


def reproduce(
    rule: str,
    steps: np.ndarray,
    level: np.ndarray,
    *,
    baseline: int,
    count: int,
    seed: int,
    control: str = "prefix-blocks",
) -> Reproduced:
    """The alarm of a rule on a series, and on surrogates of it by one control."""
    read = transform(rule, steps)
    made = CONTROLS[control].make(level, read, baseline, count, seed)
    return Reproduced(int(alarm(read(level[None]), baseline)[0]), alarm(made, baseline))


def share_within(found: np.ndarray, first: int, last: int) -> int:
    """How many of these alarms fall on indices `first` to `last`, both in it."""
    return int(((found != NEVER) & (found >= first) & (found <= last)).sum())
