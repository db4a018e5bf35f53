"""Power at the smallest effect of interest, by applying the rule itself to made-up units.

Units are redrawn from a pilot that was moved to that effect, so that their spread is real; a share's are drawn with
that chance. The rule is applied at alpha over the size of the family, the hardest step of Holm's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.studies.adjudicate import holds
from lens.studies.science import Science
from lens.studies.spec import Hypothesis, Spec
from lens.studies.statistics import estimate

if TYPE_CHECKING:
    import numpy as np

DRAWS = 400
WANTED = 0.8
_QUANTILES = 200  # of a normal spread, where there is no pilot


def power(spec: Spec, science: Science, one: Hypothesis, pilot: Mapping[str, Sequence[float]], *, seed: int) -> float:
    """Share of `DRAWS` made-up studies in which the hypothesis is confirmed, control aside.

    `pilot` holds the metric's values by arm, read on subjects that are not the study's.
    """
    import numpy as np

    statistic, _, arms = science.fields(spec.arms)[one.field]
    sizes = [spec.arms[arm] for arm in arms]
    rng = np.random.default_rng(seed)
    if statistic == "share":
        made = [[(rng.random(sizes[0]) < one.smallest).astype(float).tolist()] for _ in range(DRAWS)]
    else:
        moved = _moved(statistic, [np.asarray(pilot[arm], float) for arm in arms], one)
        if moved is None:
            return 0.0
        made = [[rng.choice(arm, size).tolist() for arm, size in zip(moved, sizes, strict=True)] for _ in range(DRAWS)]
    alpha = spec.alpha / len(spec.family)
    return sum(holds(one, estimate(statistic, units, seed=at), alpha) for at, units in enumerate(made)) / DRAWS


def _moved(statistic: str, arms: list[np.ndarray], one: Hypothesis) -> list[np.ndarray] | None:
    """The pilot's arms moved so that the statistic is the smallest effect of interest; None where it can't be."""
    import numpy as np

    if one.spread is not None:
        arms = [_spread(arm, one.spread) for arm in arms]
    if any(np.ptp(arm) == 0 for arm in arms):
        return None
    first, rest = arms[0], arms[1:]
    match statistic:
        case "mean":
            return [first - first.mean() + one.smallest]
        case "difference":
            return [first - first.mean() + rest[0].mean() + one.smallest, rest[0]]
        case "ratio":
            return [first - first.mean() + rest[0].mean() * one.smallest, rest[0]]
    return _shifted(statistic, arms, one.smallest)


def _shifted(statistic: str, arms: list[np.ndarray], wanted: float) -> list[np.ndarray] | None:
    """Arms centred and moved apart in even steps, by bisection, till the statistic is as wanted."""
    import numpy as np

    centred = [arm - np.median(arm) for arm in arms]
    order = range(len(arms)) if statistic == "trend" else range(len(arms) - 1, -1, -1)
    scale = max(float(np.ptp(arm)) for arm in arms)

    def at(step: float) -> list[np.ndarray]:
        return [arm + step * place for arm, place in zip(centred, order, strict=True)]

    low, high = -2 * scale, 2 * scale
    for _ in range(60):
        middle = (low + high) / 2
        found = estimate(statistic, [arm.tolist() for arm in at(middle)])  # type: ignore[arg-type]
        value = getattr(found, "value", None)
        if value is None:
            return None
        low, high = (middle, high) if value < wanted else (low, middle)
    return at(high)


def _spread(arm: np.ndarray, wanted: float) -> np.ndarray:
    """The arm with the standard deviation that the spec states."""
    import numpy as np
    from scipy.stats import norm

    away = arm - arm.mean()
    had = float(arm.std(ddof=1)) if len(arm) > 1 else 0.0
    if had == 0:
        quantiles = norm.ppf((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
        return np.asarray(arm.mean() + wanted * quantiles / quantiles.std(ddof=1))
    return np.asarray(arm.mean() + away * wanted / had)
