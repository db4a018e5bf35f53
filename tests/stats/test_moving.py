"""Moving blocks: neighbours that are alike make an interval wider than points on their own would."""

from __future__ import annotations

import numpy as np

from lens.stats.moving import BLOCK, LEAST, moving_blocks


def medians(some: np.ndarray) -> np.ndarray:
    return np.median(some, axis=1)


def series(carry: float, length: int, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    value, found = 0.0, []
    for shock in rng.normal(size=length):
        value = carry * value + shock
        found.append(float(value))
    return found


def test_what_neighbours_share_widens_the_interval() -> None:
    wide, narrow = (moving_blocks(series(0.8, 400, 1), medians, seed=0, draws=400, block=block) for block in (16, 1))
    assert wide is not None
    assert narrow is not None
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_coverage_of_a_mean_of_a_series_with_memory() -> None:
    """Of 200 series with carry 0.5 and true mean 0; blocks of eight cover a little under the nominal 95 %."""
    hits = 0
    for seed in range(200):
        found = moving_blocks(series(0.5, 200, seed), lambda some: some.mean(axis=1), seed=seed, draws=200)
        assert found is not None
        hits += found.low <= 0.0 <= found.high
    assert 0.86 <= hits / 200 <= 0.98


def test_few_points_have_none_and_a_seed_repeats() -> None:
    values = series(0.5, LEAST, 3)
    assert moving_blocks(values[: LEAST - 1], medians, seed=0, draws=50) is None
    assert LEAST == 4 * BLOCK
    assert moving_blocks(values, medians, seed=7, draws=50) == moving_blocks(values, medians, seed=7, draws=50)
