"""Fields over pairs, with the interval their prompts allow, or the decline of too few."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lens.models.inspection import Inspection, unread
from lens.models.pairs import Pair
from lens.reading import Columns, Declined, Interval, Kind, Quantity
from lens.stats.clusters import BOOTSTRAPPED, LEAST, interval_of
from lens.stats.coverage import covered

if TYPE_CHECKING:
    import numpy as np

RU = "ru"
_RANGE = {"proportion": (0.0, 1.0), "correlation": (-1.0, 1.0)}


def unreadable(inspection: Inspection) -> Declined | None:
    """The decline of an instrument that reads a trunk, where the model has none."""
    if inspection.model.trunk is None:
        return unread(inspection.model.family)
    return None


def largest(values: Sequence[float] | np.ndarray, *, unit: str = RU, n: int, note: str = "") -> Quantity:
    """An identity's largest deviation: it is met or not, so it has no interval."""
    import numpy as np

    found = float(np.max(np.abs(values))) if np.size(values) else 0.0
    return Quantity(found, unit=unit, kind="difference", n=n, note=note)


def few(pairs: Sequence[Pair], what: str = "pairs", least: int = LEAST) -> Declined | None:
    """The decline of pairs from fewer prompts than an interval needs."""
    prompts = len({pair.cluster for pair in pairs})
    if prompts >= least:
        return None
    return Declined(
        "corpus_inadequate",
        f"{len(pairs)} {what} of {prompts} prompts, where an interval needs {least}",
        f"give pairs of at least {least} prompts, and --sample {max(64, 4 * least)} or more",
    )


def mean_field(
    inspection: Inspection,
    values: Sequence[float],
    pairs: Sequence[Pair],
    *,
    unit: str = RU,
    kind: Kind = "score",
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """The mean of one value a pair."""
    import numpy as np

    return statistic_field(
        inspection, values, pairs, None, value=float(np.mean(values)) if len(values) else math.nan,
        unit=unit, kind=kind, control=control, note=note,
    )  # fmt: skip


def statistic_field(
    inspection: Inspection,
    values: Sequence[Any],
    pairs: Sequence[Pair],
    statistic: Callable[[np.ndarray], float] | None,
    *,
    value: float,
    unit: str,
    kind: Kind,
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """`value`, the statistic of one value or row of values a pair; without a statistic, their mean."""
    if (declined := few(pairs, least=LEAST if statistic is None else BOOTSTRAPPED)) is not None:
        return declined
    clusters = [pair.cluster for pair in pairs]
    interval = interval_of(values, clusters, statistic, seed=inspection.seed, draws=inspection.draws)
    if interval is None or not math.isfinite(value):
        return Declined(
            "corpus_inadequate", "it isn't defined on enough redraws of the prompts", "give pairs of more prompts"
        )
    return quantity(value, interval, pairs, unit=unit, kind=kind, control=control, note=note)


def ratio_field(
    inspection: Inspection,
    tops: Sequence[float],
    bottoms: Sequence[float],
    pairs: Sequence[Pair],
    *,
    unit: str,
    control: str = "",
    note: str = "",
) -> Quantity | Declined:
    """Σ tops / Σ bottoms over pairs (trust conventions, A5)."""
    from lens.stats.ratio import ratio_of

    if (declined := few(pairs)) is not None:
        return declined
    clusters = [pair.cluster for pair in pairs]
    found = ratio_of(tops, bottoms, clusters, seed=inspection.seed, draws=inspection.draws)
    if found.interval is None:
        return Declined(
            "corpus_inadequate",
            "the denominator isn't told from 0 on these pairs",
            "give more pairs, or pairs this model prefers one side of",
        )
    return quantity(found.value, found.interval, pairs, unit=unit, kind="ratio", control=control, note=note)


def quantity(
    value: float,
    interval: Interval,
    pairs: Sequence[Pair],
    *,
    unit: str,
    kind: Kind,
    control: str = "",
    note: str = "",
) -> Quantity:
    """A value over `pairs`; the interval's simulated coverage goes into the note."""
    told = covered(len({pair.cluster for pair in pairs})) if interval.method in ("bca", "t-over-clusters") else ""
    note = "; ".join(filter(None, (note, told)))
    return Quantity(value, unit=unit, kind=kind, interval=interval, n=len(pairs), control=control, note=note)


def band_field(
    values: Sequence[float], *, unit: str, kind: Kind, what: str = "re-initialised copies"
) -> Quantity | Declined:
    """The mean over controls, with the interval in which one more would fall; declined under two."""
    import numpy as np

    from lens.stats.prediction import prediction

    finite = [value for value in values if math.isfinite(value)]
    if len(finite) < 2:
        return Declined("no_control", f"{len(finite)} {what} gave a value", "measure with --controls 8")
    band = prediction(finite)
    low, high = _RANGE.get(kind, (-math.inf, math.inf))
    interval = Interval(min(high, max(low, band.low)), max(low, min(high, band.high)), band.method, band.level)
    note = f"{len(finite)} {what}; the interval is where one more would fall"
    return Quantity(float(np.mean(finite)), unit=unit, kind=kind, interval=interval, n=len(finite), note=note)


def listed(values: np.ndarray) -> list[float | None]:
    """A column of a table: nothing where there is no number."""
    return [float(value) if math.isfinite(value) else None for value in values]


def columns_of(inspection: Inspection, values: np.ndarray, pairs: Sequence[Pair], name: str = "mean") -> Columns:
    """Table columns `name`, `low`, `high` of many means, one row a column of `values` [P, K]; ends are NaN-free and
    None where there are too few prompts."""
    from lens.stats.columns import intervals_of

    means = values.mean(axis=0).tolist()
    clusters = [pair.cluster for pair in pairs]
    ends = intervals_of(values, clusters, seed=inspection.seed, draws=inspection.draws)
    nothing: list[float | None] = [None] * len(means)
    return {name: means, "low": list(ends.low) if ends else nothing, "high": list(ends.high) if ends else nothing}
