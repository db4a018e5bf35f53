"""The dark share is the planted one, and noise channels don't lower it."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.dark_reward import dark, dark_reward
from lens.models.subject import open_model
from lens.reading import Declined, Measured
from lens.stats.boosted import boosted
from lens.stats.ridge import ridge
from tests.models import opened
from tests.models.rules import RuleModel, inspect, pairs_of

PROMPTS, K = 500, 4
NAMES = np.repeat(np.arange(PROMPTS), K).tolist()


def _draws(share: float, seed: int = 0, channels: int = 3):  # type: ignore[no-untyped-def]
    """Binary channels that pay (1 − share) of the variance, beside levels of prompts."""
    rng = np.random.default_rng(seed)
    x = (rng.random((PROMPTS * K, channels)) < 0.5).astype(float)
    paid = x @ np.array([1.0, 0.8, 0.6, *[0.0] * (channels - 3)])
    noise = rng.normal(size=len(x)) * paid.std() * (share / (1 - share)) ** 0.5
    return x, paid + noise + rng.normal(0, 5, PROMPTS)[NAMES]


@pytest.mark.parametrize("learner", ["linear", "trees"])
@pytest.mark.parametrize("share", [0.1, 0.35, 0.7])
def test_the_planted_dark_share(learner: str, share: float) -> None:
    x, rewards = _draws(share)
    assert dark(x, rewards, NAMES, NAMES, learner) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("learner", ["linear", "trees"])
def test_noise_channels_do_not_lower_it(learner: str) -> None:
    """Forty of them on a hundred replies: in-sample they would explain 0.4 of nothing."""
    rng = np.random.default_rng(1)
    names = np.repeat(np.arange(25), 4).tolist()
    rewards = rng.normal(size=100)
    assert dark(rng.normal(size=(100, 40)), rewards, names, names, learner) > 0.97
    x, rewards = _draws(0.35)
    more = np.column_stack([x, rng.normal(size=(len(x), 40))])
    assert dark(more, rewards, NAMES, NAMES, learner) >= dark(x, rewards, NAMES, NAMES, learner) - 0.01


def test_trees_see_what_a_line_cannot() -> None:
    rng = np.random.default_rng(2)
    x = rng.choice([0.0, 1.0], (PROMPTS * K, 2))
    rewards = (x[:, 0] != x[:, 1]) * 1.0 + 0.01 * rng.normal(size=len(x))
    assert dark(x, rewards, NAMES, NAMES, "linear") > 0.95
    assert dark(x, rewards, NAMES, NAMES, "trees") < 0.1


def test_units_change_nothing() -> None:
    x, rewards = _draws(0.35)
    for learner in ("linear", "trees"):
        one = dark(x, rewards, NAMES, NAMES, learner)
        assert dark(x, -3 * rewards + 9, NAMES, NAMES, learner) == pytest.approx(one, abs=1e-4)


def test_targets_side_by_side_are_fitted_as_if_alone() -> None:
    rng = np.random.default_rng(3)
    x, y, new = rng.normal(size=(60, 4)), rng.normal(size=(60, 3)), rng.normal(size=(5, 4))
    names = np.repeat(np.arange(20), 3).tolist()
    for at in range(3):
        assert boosted(x, y[:, [at]], names, new)[:, 0] == pytest.approx(boosted(x, y, names, new)[:, at], abs=1e-4)
        assert ridge(x, y[:, [at]], new)[:, 0] == pytest.approx(ridge(x, y, new)[:, at])


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_a_rubric_finds_its_channels() -> None:
    model = open_model("organism:rubric?dose=0", device="cpu", dtype="float32")
    reading = dark_reward(opened.inspection(model, model.own_pairs)).reading
    assert isinstance(reading, Measured)
    assert reading.fields["linear"].value < 0.1
    assert reading.fields["linear"].interval.high < reading.fields["linear.null"].value
    assert "linear" in reading.fields["explains"].value


def _noise(prompt: str, reply: str) -> float:
    return float(np.random.default_rng(list(map(ord, prompt + reply))).normal())


def test_the_reading_of_noise_is_all_dark_and_declines() -> None:
    pairs = pairs_of([(f"q{i}", f"one {'two ' * (i % 3)}three", f"{'so ' * (i % 4)}so!", "") for i in range(60)])
    reading = dark_reward(inspect(RuleModel(_noise), pairs, draws=300)).reading
    assert isinstance(reading, Measured)
    assert reading.fields["explains"].value == "neither"
    assert reading.fields["linear"].value > 0.9
    assert isinstance(dark_reward(inspect(RuleModel(lambda *_: 1.0), pairs)).reading, Declined)
