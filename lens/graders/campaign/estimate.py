"""Counts and rates over mutants, with the interval that the way they were drawn asks for."""

from __future__ import annotations

from collections.abc import Callable

from lens.graders.campaign.sample import Sample, Stratum
from lens.reading import Interval

_DRAWS = 2000


def rate(sample: Sample, holds: Callable[[int], bool]) -> float:
    """Share of all mutants, each stratum weighted by its size."""
    return sum(len(one.members) * _share(one, holds) for one in sample.strata if one.drawn) / sum(
        len(one.members) for one in sample.strata if one.drawn
    )


def interval(sample: Sample, holds: Callable[[int], bool], *, seed: int, level: float = 0.95) -> Interval:
    """Of that share. A census is exact; a stratified sample is bootstrapped within its strata, each draw's deviation
    shrunk by the finite-population factor sqrt(1 − n/N) of its stratum (Rao and Wu 1988).

    Where every stratum agrees throughout there is nothing to redraw: Wilson with the finite-population size instead.
    """
    from lens.stats.intervals import wilson

    share = rate(sample, holds)
    if sample.census:
        return Interval(share, share, "census", level)
    if share in (0.0, 1.0):
        return wilson(share * sample.size, sample.size, level=level, population=sample.population)
    import numpy as np

    random = np.random.default_rng(seed)
    total = np.full(_DRAWS, share)
    for stratum in sample.strata:
        n, population = len(stratum.drawn), len(stratum.members)
        if n:
            centre = _share(stratum, holds)
            spread = random.binomial(n, centre, _DRAWS) / n - centre
            total += population / sample.population * np.sqrt(1 - n / population) * spread
    low, high = np.quantile(np.clip(total, 0, 1), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), "stratified-bootstrap", level)


def _share(stratum: Stratum, holds: Callable[[int], bool]) -> float:
    return sum(map(holds, stratum.drawn)) / len(stratum.drawn)
