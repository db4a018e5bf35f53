"""Online detectors: what comes later changes no past alarm, thresholds mean what they say, changes are found."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lens.runs.detectors import ARL, detectors
from lens.runs.detectors.bocpd import HAZARD, SPREAD, bocpd
from lens.runs.detectors.cusum import THRESHOLD, cusum
from lens.runs.detectors.e_detector import SHIFTS, e_detector
from lens.runs.detectors.ewma import ewma
from lens.runs.detectors.page_hinkley import page_hinkley
from lens.runs.series.surrogates import CONTROLS, blocks
from lens.runs.series.watching import NEVER, first_above, read_by, standardised, watch

every = pytest.mark.parametrize("name", detectors())
BASELINE = 12
numbers = st.lists(st.floats(-5, 5, allow_nan=False, width=32), min_size=BASELINE + 1, max_size=40)


def alarm(name: str, values: np.ndarray, baseline: int) -> int:
    detector = detectors()[name]
    return int(watch(detector, read_by(detector, values[None]), baseline).alarms[0])


def test_the_detectors_are_those_of_the_design() -> None:
    assert list(detectors()) == ["cusum", "ewma", "page-hinkley", "backward-difference", "bocpd", "e-detector"]


@every
@given(past=numbers, future=st.lists(st.floats(-50, 50, allow_nan=False, width=32), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_replacing_the_future_changes_no_past_alarm(name: str, past: list[float], future: list[float]) -> None:
    detector, before = detectors()[name], np.array(past)
    after = np.concatenate([before, future])
    own = watch(detector, read_by(detector, before[None]), BASELINE)
    longer = watch(detector, read_by(detector, after[None]), BASELINE)
    assert np.array_equal(longer.statistic[0, : own.statistic.shape[1]], own.statistic[0])
    if own.alarms[0] != NEVER:
        assert longer.alarms[0] == own.alarms[0]
    else:
        assert longer.alarms[0] == NEVER or longer.alarms[0] >= len(before)


@every
@given(values=numbers, scale=st.sampled_from([0.125, 4.0, 1024.0]), shift=st.integers(-8, 8))
@settings(max_examples=30, deadline=None)
def test_units_and_origin_change_no_alarm(name: str, values: list[float], scale: float, shift: int) -> None:
    series = np.round(np.array(values) * 64) / 64  # sums of these are exact, so that rounding can't decide
    assert alarm(name, series, BASELINE) == alarm(name, series * scale + shift * scale, BASELINE)


@every
def test_no_alarm_comes_from_the_baseline(name: str) -> None:
    values = np.concatenate([np.tile([0.0, 9.0], 10), np.full(20, 4.5)])
    assert alarm(name, values, 20) == NEVER


def found_in_time(name: str, values: np.ndarray) -> float:
    """The share of series, changed at step 60, that alarm within ten steps of it."""
    detector = detectors()[name]
    alarms = watch(detector, read_by(detector, values), 40).alarms
    return float(((alarms >= 60) & (alarms < 70)).mean())


@every
def test_a_change_is_found_within_ten_steps(name: str) -> None:
    values = np.random.default_rng(3).standard_normal((200, 90))
    values[:, 60:] += 3.0 if name != "backward-difference" else 2.5 * np.arange(1, 31)
    assert found_in_time(name, values) > 0.8


def test_a_jump_is_one_difference_and_passes_the_backward_difference() -> None:
    values = np.random.default_rng(3).standard_normal((200, 90))
    values[:, 60:] += 3.0
    assert found_in_time("backward-difference", values) < 0.05


@pytest.mark.parametrize("name", ["cusum", "ewma", "page-hinkley", "e-detector"])
def test_thresholds_are_for_one_false_alarm_in_a_thousand_steps(name: str) -> None:
    detector = detectors()[name]
    z = np.random.default_rng(5).standard_normal((1500, 2060))
    alarms = first_above(detector.statistic(z, 60), detector.threshold)
    at_risk = np.where(alarms == NEVER, 2000, alarms - 59).sum() / (alarms != NEVER).sum()
    if name == "e-detector":
        assert at_risk > ARL  # a bound, whatever the dependence
    else:
        assert at_risk == pytest.approx(ARL, rel=0.08)


def test_the_threshold_of_cusum_is_siegmunds() -> None:
    width = THRESHOLD + 1.166
    one_side = (math.exp(width) - width - 1) * 2  # at a drift of one half
    assert one_side / 2 == pytest.approx(ARL, rel=1e-3)


def test_cusum_is_its_recursion_step_by_step() -> None:
    z = np.random.default_rng(0).standard_normal(50)
    up = down = 0.0
    expected = []
    for value in z:
        up, down = max(0.0, up + value - 0.5), max(0.0, down - value - 0.5)
        expected.append(max(up, down))
    assert cusum(z[None], 0)[0] == pytest.approx(expected, abs=1e-12)


def test_ewma_has_variance_one_at_every_step() -> None:
    z = np.random.default_rng(1).standard_normal((20_000, 12))
    assert (ewma(z, 2)[:, 2:] ** 2).mean(axis=0) == pytest.approx(np.ones(10), abs=0.05)


def test_page_hinkley_follows_a_mean_that_settles() -> None:
    values = np.concatenate([np.zeros(10), np.ones(400)])
    statistic = page_hinkley(values[None], 5)[0]
    assert statistic.argmax() < 40  # the mean so far catches up, and departures fade
    assert statistic[-1] < statistic.max()


def test_bocpd_is_the_posterior_over_changes() -> None:
    """Against every partition of a short series into segments, summed by hand."""
    z, size, start = np.array([0.3, -0.2, 2.5, 2.2, 1.9]), 5, 1

    def evidence(values: np.ndarray) -> float:
        covariance = np.eye(len(values)) + SPREAD**2
        sign, log = np.linalg.slogdet(2 * math.pi * covariance)
        return math.exp(-0.5 * (values @ np.linalg.solve(covariance, values) + sign * log))

    last_change: dict[int, float] = {}
    for bits in range(2 ** (size - 1)):
        cuts = [0, *(at + 1 for at in range(size - 1) if bits >> at & 1), size]
        weight = HAZARD ** (len(cuts) - 2) * (1 - HAZARD) ** (size - 1 - (len(cuts) - 2))
        for low, high in pairwise(cuts):
            weight *= evidence(z[low:high])
        last_change[cuts[-2]] = last_change.get(cuts[-2], 0.0) + weight
    total = sum(last_change.values())
    since = sum(weight for cut, weight in last_change.items() if cut >= start) / total
    expected = HAZARD + (1 - HAZARD) * since  # a change may come with the next step
    assert bocpd(z[None], start)[0, -1] == pytest.approx(expected, rel=1e-9)


def test_the_e_detector_is_a_sum_of_products_over_beginnings() -> None:
    z = np.array([0.4, -1.0, 2.0, 1.5])
    total = 0.0
    for shift in SHIFTS:
        for begin in range(4):
            total += math.exp(sum(shift * value - shift**2 / 2 for value in z[begin:])) / len(SHIFTS)
    assert e_detector(z[None], 0)[0, -1] == pytest.approx(math.log(total), rel=1e-12)


def test_a_series_without_spread_stays_at_zero() -> None:
    assert standardised(np.array([[2.0, 2.0, 2.0, 9.0]]), 3).tolist() == [[0.0, 0.0, 0.0, 0.0]]


def test_blocks_come_from_the_prefix_four_neighbours_at_a_time() -> None:
    prefix = np.arange(10.0)
    drawn = blocks(prefix, 22, 50, 0)
    assert drawn.shape == (50, 22)
    whole = drawn[:, :20].reshape(50, 5, 4)
    assert ((whole[:, :, 1:] - whole[:, :, :-1]) % 10 == 1).all()
    assert set(drawn.ravel()) == set(prefix)


def test_shuffling_keeps_the_values_and_phases_keep_the_spectrum() -> None:
    level = np.random.default_rng(2).standard_normal(41).cumsum()

    def same(values: np.ndarray) -> np.ndarray:
        return values

    shuffled = CONTROLS["shuffle"].make(level, same, 8, 5, 0)
    assert np.array_equal(np.sort(shuffled, axis=1), np.tile(np.sort(level), (5, 1)))
    turned = CONTROLS["phase"].make(level, same, 8, 5, 0)
    assert np.abs(np.fft.rfft(turned, axis=1)) == pytest.approx(np.tile(np.abs(np.fft.rfft(level)), (5, 1)), abs=1e-9)
    assert turned.mean(axis=1) == pytest.approx(np.full(5, level.mean()))


def test_the_order_of_transform_and_resampling_is_the_controls() -> None:
    level = np.random.default_rng(4).standard_normal(60)

    def difference(values: np.ndarray) -> np.ndarray:
        return np.diff(values, axis=1)

    own = set(np.diff(level[:20]).round(12))
    before = CONTROLS["prefix-blocks"].make(level, difference, 20, 4, 0)
    after = CONTROLS["level-then-transform"].make(level, difference, 20, 4, 0)
    assert before.shape == after.shape == (4, 59)
    assert set(before.ravel().round(12)) <= own
    assert not set(after.ravel().round(12)) <= own  # seams between blocks are differences of no two neighbours
