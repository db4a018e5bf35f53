"""Susceptibility is the derivative of a tilted mean, taken prompt by prompt."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lens.models.features import features
from lens.models.indices.susceptibility import effective, slopes, standardised, susceptibility, susceptibility_of
from lens.reading import Declined, Measured
from lens.stats.drawn import spread
from tests.models.rules import RuleModel, inspect, pairs_of

PROMPTS = np.repeat(np.arange(200), 6).tolist()


def _draws(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rewards = rng.normal(size=1200) * 1.5 + rng.normal(size=200)[PROMPTS] * 4
    return rewards, rng.normal(size=1200)


def _tilted(f: np.ndarray, r: np.ndarray, tilt: float) -> float:
    """E_λ f over prompts whose replies are all there are: a distribution, not a sample."""
    means = []
    for prompt in range(200):
        rows = np.array(PROMPTS) == prompt
        w = np.exp(tilt * r[rows])
        means.append((w * f[rows]).sum() / w.sum())
    return float(np.mean(means))


def test_it_is_the_derivative_of_a_tilted_mean() -> None:
    """Of the empirical distribution, whose covariance divides by k and not by k − 1."""
    rewards, noise = _draws()
    f = 0.3 * rewards + noise
    step = 1e-3
    numeric = (_tilted(f, rewards, step) - _tilted(f, rewards, -step)) / (2 * step)
    assert susceptibility(f[:, None], rewards, PROMPTS)[0] * 5 / 6 == pytest.approx(numeric, abs=1e-4)


def test_a_planted_share_of_the_reward() -> None:
    rewards, noise = _draws(1)
    found = susceptibility((0.3 * rewards + noise)[:, None], rewards, PROMPTS)[0]
    assert found == pytest.approx(0.3 * 1.5**2, abs=0.1)
    assert susceptibility(rewards[:, None], rewards, PROMPTS)[0] == pytest.approx(
        spread(rewards, PROMPTS) ** 2, rel=1e-9
    )


def test_pooling_prompts_can_turn_the_sign() -> None:
    """Longer prompts are scored higher, longer replies lower."""
    rng = np.random.default_rng(2)
    level = rng.normal(size=200)[PROMPTS] * 3
    f = level + rng.normal(size=1200)
    rewards = 2 * level - 0.5 * (f - level)
    assert np.cov(f, rewards)[0, 1] > 5
    assert susceptibility(f[:, None], rewards, PROMPTS)[0] == pytest.approx(-0.5, abs=0.1)


def test_standardised_knows_no_units_and_slopes_hold_the_others() -> None:
    _, noise = _draws(3)
    f = np.column_stack([noise, noise + 0.5 * _draws(4)[1]])
    paid = 2.0 * f[:, 1]
    one, other = standardised(f, paid, PROMPTS), standardised(f * [10, -0.1], 7 * paid + 3, PROMPTS)
    assert other == pytest.approx(one * [1, -1])
    own = slopes(f, paid, PROMPTS)
    assert own is not None
    assert own == pytest.approx([0.0, 2.0 * spread(f[:, 1], PROMPTS)], rel=0.01, abs=1e-9)
    assert slopes(np.column_stack([noise, noise]), paid, PROMPTS) is None
    assert np.isnan(standardised(f, np.zeros(1200), PROMPTS)).all()


def test_all_replies_carry_no_tilt_and_one_carries_a_large_one() -> None:
    rewards, _ = _draws()
    assert effective(rewards, PROMPTS, 0.0) == 1.0
    assert effective(rewards, PROMPTS, 1e4) == pytest.approx(1 / 6)


def _pairs(count: int = 60):  # type: ignore[no-untyped-def]
    draw = random.Random(7)
    words = ["amber", "stone", "river", "cloud"]

    def reply() -> str:
        some = draw.sample(words, k=draw.randint(1, 3)) + draw.choices(
            [letter * (i % 5 + 1) for i, letter in enumerate("abcdefghijklmnopqrst")], k=draw.randint(2, 6)
        )
        return " ".join(some) + draw.choice([".", "!", "?"])

    return pairs_of([(f"q{i}", reply(), reply(), "") for i in range(count)])


def test_the_reading_names_what_is_paid() -> None:
    reading = susceptibility_of(inspect(RuleModel(lambda _p, reply: 2.0 * ("amber" in reply)), _pairs(), draws=300))
    assert isinstance(reading.reading, Measured)
    fields = reading.reading.fields
    assert fields["largest"].value == "says-amber"
    assert fields["says-amber.standardised"].value > 0.9
    assert fields["says-amber.standardised"].interval.low > fields["null"].value
    slope = fields["says-amber.slope"]
    assert slope.interval.low <= slope.value <= slope.interval.high
    assert set(reading.tables["features"]["feature"]) >= {"says-amber", "characters"}


def test_noise_is_not_told() -> None:
    def rule(prompt: str, reply: str) -> float:
        return float(np.random.default_rng(list(map(ord, prompt + reply))).normal())

    fields = susceptibility_of(inspect(RuleModel(rule), _pairs(), draws=300)).reading.fields  # type: ignore[union-attr]
    assert fields["told"].value == 0


def test_declines() -> None:
    assert isinstance(susceptibility_of(inspect(RuleModel(lambda *_: 1.0), _pairs())).reading, Declined)
    few = susceptibility_of(inspect(RuleModel(lambda _p, reply: len(reply)), _pairs(10))).reading
    assert isinstance(few, Declined)


def test_features_look_at_text_alone_and_leave_out_what_never_differs() -> None:
    found = features(["one two", "one two two", "## three\n- a 4?", "three"], ["a", "a", "b", "b"])
    assert found.names[:3] == ("characters", "words", "lines")
    assert "says-one" not in found.names
    at = found.names.index("marks")
    assert found.values[:, at].tolist() == [0, 0, 2, 0]
