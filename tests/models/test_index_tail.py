"""The tail's shape is that of known distributions, whatever the reward's units."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lens.models.indices.tail import exponential, gaussian, residuals, tail_index, tail_of, verdict
from lens.reading import Declined, Measured
from lens.stats.pareto import shape_of, tail
from tests.models.rules import RuleModel, inspect, pairs_of

MANY = 40  # replies a prompt: its mean is near enough to what it is the mean of
PLANTED = {"pareto": 0.5, "exponential": 0.0, "uniform": -1.0}


def _draws(name: str, prompts: int = 250, seed: int = 3) -> tuple[np.ndarray, list[int]]:
    rng = np.random.default_rng(seed)
    size = prompts * MANY
    drawn = {
        "pareto": lambda: rng.pareto(2.0, size),
        "exponential": lambda: rng.exponential(size=size),
        "uniform": lambda: rng.uniform(size=size),
    }[name]()
    return drawn, np.repeat(np.arange(prompts), MANY).tolist()


@pytest.mark.parametrize("name", PLANTED)
def test_excesses_of_known_distributions(name: str) -> None:
    drawn, _ = _draws(name)
    threshold = np.quantile(drawn, 0.9)
    found = tail(drawn[drawn > threshold] - threshold)
    assert found.shape == pytest.approx(PLANTED[name], abs=0.1)
    assert found.interval.low <= PLANTED[name] + 1e-9 <= found.interval.high + 0.01
    assert verdict(found.interval) == {
        "pareto": "heavy", "exponential": "not told from exponential", "uniform": "bounded"
    }[name]  # fmt: skip


def test_the_fit_is_the_most_likely_one() -> None:
    drawn = stats.genpareto.rvs(0.3, scale=2.0, size=400, random_state=5)
    found = tail(drawn)
    shape, _, scale = stats.genpareto.fit(drawn, floc=0)
    likelihood = stats.genpareto.logpdf(drawn, found.shape, scale=found.scale).sum()
    assert likelihood >= stats.genpareto.logpdf(drawn, shape, scale=scale).sum() - 1e-6
    assert found.shape == pytest.approx(shape, abs=1e-3)


def test_the_profile_interval_covers() -> None:
    held = 0
    for seed in range(120):
        interval = tail(stats.genpareto.rvs(0.2, size=150, random_state=seed)).interval
        held += interval.low <= 0.2 <= interval.high
    assert held >= 108


def test_residuals_have_a_heavy_tail_where_rewards_have() -> None:
    heavy, prompts = _draws("pareto")
    found = tail_of(residuals(heavy, prompts), 0.95)
    assert found is not None
    assert found.shape == pytest.approx(0.5, abs=0.15)
    even, prompts = _draws("uniform")
    found = tail_of(residuals(even, prompts), 0.85)
    assert found is not None
    assert found.interval.high < -0.3


def test_units_change_nothing() -> None:
    drawn, prompts = _draws("pareto")
    one, other = (tail_of(residuals(x, prompts), 0.9) for x in (drawn, 4.0 * drawn - 11.0))
    assert one is not None
    assert other is not None
    assert other.shape == pytest.approx(one.shape, abs=1e-6)
    assert other.scale == pytest.approx(4 * one.scale, rel=1e-4)


def test_two_uniform_rewards_end_at_a_half() -> None:
    rng = np.random.default_rng(0)
    found = tail_of(residuals(rng.uniform(size=8000), np.repeat(np.arange(4000), 2).tolist()), 0.85)
    assert found is not None
    assert found.shape == pytest.approx(-0.5, abs=0.1)


def test_the_null_is_what_exponential_excesses_read() -> None:
    null = exponential(100, seed=1)
    assert 0.1 < null.high < 0.35
    assert shape_of(np.random.default_rng(2).exponential(size=20000)) == pytest.approx(0.0, abs=0.03)


def test_normal_residuals_read_below_zero_and_have_no_end() -> None:
    assert -0.3 < gaussian(2000, 0.85, seed=0) < -0.08


def _read(rule, count: int):  # type: ignore[no-untyped-def]
    pairs = pairs_of([(f"q{i}", f"a {i}", f"b {i}", "") for i in range(count)])
    return tail_index(inspect(RuleModel(rule), pairs)).reading


def _noise(_prompt: str, reply: str) -> float:
    return float(np.random.default_rng(list(map(ord, reply))).standard_cauchy())


def test_the_reading_of_a_heavy_rule_and_its_declines() -> None:
    reading = _read(_noise, 400)
    assert isinstance(reading, Measured)
    assert reading.fields["lower.verdict"].value == "heavy"
    assert reading.fields["lower.index"].value == pytest.approx(1.0, abs=0.5)
    assert isinstance(reading.fields["upper.shape"], Declined)
    assert reading.fields["verdict"].value == "heavy"
    assert isinstance(_read(_noise, 100), Declined)
    assert isinstance(_read(lambda *_: 0.0, 400), Declined)
