"""The rule for intervals over clusters, and the statistics beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference

from lens.reading import Declined, Quantity
from lens.stats.bca import bca
from lens.stats.clusters import interval_of, mean_of_sums, over_sums
from lens.stats.correlation import pearson, spearman, spearman_each
from lens.stats.coverage import SIMULATED, covered, simulate
from lens.stats.holm import holm
from lens.stats.kappa import kappa
from lens.stats.shares import share_of
from lens.stats.t_interval import t_interval
from lens.stats.tost import tost

_NUMBERS = st.floats(-100, 100).map(lambda x: round(x, 3))


def test_bca_is_scipys_on_the_same_redraws() -> None:
    values = np.random.default_rng(3).lognormal(size=60)
    ours = bca(60, lambda picks: values[picks].mean(axis=1), seed=0, draws=20_000)
    theirs = reference.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(0), vectorized=True
    ).confidence_interval
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


@given(st.lists(_NUMBERS, min_size=20, max_size=40), st.floats(0.5, 4), st.integers(-5, 5))
@settings(max_examples=30, deadline=None)
def test_the_interval_of_a_mean_moves_with_the_values(values: list[float], scale: float, shift: int) -> None:
    ours = interval_of(values, range(len(values)), seed=1, draws=200)
    moved = interval_of([scale * value + shift for value in values], range(len(values)), seed=1, draws=200)
    assert ours is not None
    assert moved is not None
    assert (moved.low, moved.high) == pytest.approx((scale * ours.low + shift, scale * ours.high + shift), abs=1e-6)


def test_cloned_rows_of_a_cluster_change_nothing() -> None:
    values = np.random.default_rng(0).normal(size=30).tolist()
    once = interval_of(values, range(30), seed=0)
    cloned = interval_of(values * 3, list(range(30)) * 3, seed=0)
    assert once is not None
    assert cloned is not None
    assert (cloned.low, cloned.high) == pytest.approx((once.low, once.high))
    thought_independent = interval_of(values * 3, range(90), seed=0)
    assert thought_independent is not None
    assert thought_independent.high - thought_independent.low < 0.7 * (once.high - once.low)


@pytest.mark.parametrize(
    ("clusters", "method"), [(7, None), (8, "t-over-clusters"), (19, "t-over-clusters"), (20, "bca")]
)
def test_the_number_of_clusters_decides(clusters: int, method: str | None) -> None:
    found = interval_of([float(i % 5) for i in range(clusters)], range(clusters), seed=0)
    assert (found.method if found else None) == method


def test_what_is_no_mean_has_no_t_interval() -> None:
    rows = [[float(i), float(i % 3)] for i in range(19)]
    assert interval_of(rows, range(19), lambda some: spearman(some[:, 0], some[:, 1]), seed=0) is None
    assert over_sums([[1.0, 2.0]] * 19, mean_of_sums, seed=0) is None


def test_sums_and_rows_give_the_same_interval() -> None:
    draw = np.random.default_rng(5)
    values, groups = draw.normal(size=60), draw.integers(0, 25, 60).tolist()
    by_rows = interval_of(values.tolist(), groups, lambda some: float(some.mean()), seed=4, draws=300)
    by_sums = interval_of(values.tolist(), groups, seed=4, draws=300)
    assert by_rows is not None
    assert by_sums is not None
    assert (by_rows.low, by_rows.high) == pytest.approx((by_sums.low, by_sums.high))


def test_a_statistic_that_is_mostly_undefined_has_no_interval() -> None:
    assert over_sums([[1.0, 0.0]] * 30, mean_of_sums, seed=0) is None


def test_many_clusters_fit_in_memory() -> None:
    found = interval_of([float(i % 7) for i in range(20_000)], range(20_000), seed=0, draws=200)
    assert found is not None
    assert found.low < 3.0 < found.high


@pytest.mark.parametrize("clusters", [12, 20])
def test_the_coverage_printed_is_the_one_simulated(clusters: int) -> None:
    normal, skewed = SIMULATED[clusters]
    assert simulate(clusters, "normal", repeats=400, seed=9) == pytest.approx(normal, abs=0.035)
    assert simulate(clusters, "lognormal", repeats=400, seed=9) == pytest.approx(skewed, abs=0.055)
    assert f"{normal:.1%}" in covered(clusters)


def test_t_interval_is_scipys() -> None:
    values = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0]
    theirs = reference.ttest_1samp(values, 0).confidence_interval(0.95)
    found = t_interval(values)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm(p: list[float]) -> None:
    adjusted = holm(p)
    order = sorted(range(len(p)), key=lambda at: p[at])
    assert all(min(1.0, p[at]) <= adjusted[at] <= min(1.0, len(p) * p[at]) + 1e-12 for at in order)
    assert [adjusted[at] for at in order] == sorted(adjusted)
    assert max(adjusted) >= max(p)


def test_tost_is_two_t_tests() -> None:
    values = np.random.default_rng(2).normal(0.02, 0.1, 40)
    lower = reference.ttest_1samp(values, -0.05, alternative="greater").pvalue
    upper = reference.ttest_1samp(values, 0.05, alternative="less").pvalue
    found = tost(values.tolist(), 0.05)
    assert found.p == pytest.approx(max(lower, upper))
    assert found.equivalent == (found.low > -0.05 and found.high < 0.05)
    assert not tost([0.0, 0.0, 0.3, -0.3], 0.05).equivalent  # not different from zero, and not shown to be zero
    assert tost([0.01] * 5, 0.05) == (0.0, 0.01, 0.01, True)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=30))
@settings(deadline=None)
def test_correlations_are_scipys_with_ties(points: list[tuple[int, int]]) -> None:
    x, y = [float(a) for a, _ in points], [float(b) for _, b in points]
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(pearson(x, y))
        assert math.isnan(spearman(x, y))
        return
    assert pearson(x, y) == pytest.approx(reference.pearsonr(x, y).statistic, abs=1e-9)
    assert spearman(x, y) == pytest.approx(reference.spearmanr(x, y).statistic, abs=1e-9)
    each = spearman_each(np.array([x, y]), np.array([y, y]))
    assert each == pytest.approx([spearman(x, y), 1.0])
    assert spearman([math.exp(value) for value in x], y) == pytest.approx(spearman(x, y))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_kappa(items: list[tuple[str, str]]) -> None:
    first, second = ([one[at] for one in items] for at in (0, 1))
    found = kappa(first, second)
    assert found.observed == pytest.approx(sum(a == b for a, b in items) / len(items))
    if found.expected < 1:
        assert found.kappa <= 1
        assert found.kappa == pytest.approx(kappa(second, first).kappa)
        assert kappa(first, first).kappa == pytest.approx(1.0) or len(set(first)) == 1


def test_a_share_of_independent_items_is_wilsons_and_of_clusters_wider() -> None:
    hits = [True] * 30 + [False] * 30
    alone = share_of(hits, range(60), "pairs", seed=0)
    paired = share_of(hits, [i // 2 for i in range(60)], "pairs", seed=0)
    assert isinstance(alone, Quantity)
    assert isinstance(paired, Quantity)
    assert alone.interval is not None
    assert paired.interval is not None
    assert (alone.interval.method, paired.interval.method) == ("wilson", "bca")
    width = (paired.interval.high - paired.interval.low) / (alone.interval.high - alone.interval.low)
    assert width == pytest.approx(math.sqrt(2), abs=0.15)
    assert (paired.n, paired.n_eff) == (60, 30)
    every = share_of([True] * 60, [i // 2 for i in range(60)], "pairs", seed=0)
    assert isinstance(every, Quantity)
    assert every.interval is not None
    assert every.interval.low == pytest.approx(30 / (30 + 1.959964**2))


def test_under_eight_clusters_a_share_declines() -> None:
    found = share_of([True] * 21, [i // 3 for i in range(21)], "pairs", seed=0)
    assert isinstance(found, Declined)
    assert "at least 8 prompts" in found.remedy
