"""How often a nominal 95 % interval of a mean holds the truth, by simulation: what A6 prints beside "95 %"."""

from __future__ import annotations

from typing import Literal

from lens.stats.clusters import BOOTSTRAPPED, LEAST

SIMULATED = {8: (0.955, 0.827), 12: (0.951, 0.847), 20: (0.927, 0.862), 40: (0.945, 0.899), 60: (0.943, 0.897)}
"""Coverage at a number of clusters, of normal and of lognormal cluster means: `simulate`, 1,500 repeats (±0.006)."""


def covered(clusters: int) -> str:
    """The note beside an interval over so many clusters; "" where it covers what it says.

    >>> covered(200)
    ''
    """
    at = max((n for n in SIMULATED if n <= clusters), default=0)
    if clusters < LEAST or clusters > max(SIMULATED):
        return ""
    normal, skewed = SIMULATED[at]
    kind = "BCa" if clusters >= BOOTSTRAPPED else "t"
    return (
        f"a 95 % {kind} interval at {at} clusters covers {normal:.1%} (normal) or {skewed:.1%} (lognormal), simulated"
    )


def simulate(clusters: int, shape: Literal["normal", "lognormal"], *, repeats: int, seed: int) -> float:
    """Share of `repeats` samples of `clusters` means whose interval (by the rule of A6) holds the true mean."""
    import numpy as np

    from lens.stats.clusters import interval_of

    rng = np.random.default_rng(seed)
    truth = 0.0 if shape == "normal" else float(np.exp(0.5))
    held = 0
    for repeat in range(repeats):
        drawn = rng.normal(size=clusters)
        values = drawn if shape == "normal" else np.exp(drawn)
        interval = interval_of(values.tolist(), range(clusters), seed=repeat)
        held += interval is not None and interval.low <= truth <= interval.high
    return held / repeats
