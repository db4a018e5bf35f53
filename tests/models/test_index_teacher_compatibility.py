"""Teacher compatibility is the susceptibility of the reward to itself, and 0 where a prompt settles the reward."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.teacher_compatibility import compatibility, teacher_compatibility
from lens.models.subject import open_model
from lens.reading import Declined, Measured
from lens.stats.drawn import covariance
from tests.models import opened
from tests.models.rules import RuleModel, inspect, pairs_of


def _draws(within: float, between: float, *, prompts: int = 400, replies: int = 4, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    names = np.repeat(np.arange(prompts), replies)
    rewards = rng.normal(0, between**0.5, prompts)[names] + rng.normal(0, within**0.5, len(names))
    return rewards, names.tolist()


def test_it_is_the_covariance_of_the_reward_with_itself() -> None:
    rewards, prompts = _draws(2.0, 5.0)
    assert compatibility(rewards, prompts).within == pytest.approx(covariance(rewards[:, None], prompts)[0, 0])


@pytest.mark.parametrize("replies", [2, 8])
def test_the_planted_share_whatever_the_number_of_replies(replies: int) -> None:
    """A prompt's mean of few replies varies too; it is not taken for a difference between prompts."""
    rewards, prompts = _draws(1.0, 3.0, replies=replies, prompts=2000)
    found = compatibility(rewards, prompts)
    assert found.within == pytest.approx(1.0, abs=0.07)
    assert found.share == pytest.approx(0.25, abs=0.02)


def test_units_change_the_variance_and_not_the_share() -> None:
    rewards, prompts = _draws(1.0, 1.0)
    one, other = compatibility(rewards, prompts), compatibility(3 * rewards - 7, prompts)
    assert other.within == pytest.approx(9 * one.within)
    assert other.share == pytest.approx(one.share)


def test_nothing_where_the_prompt_settles_the_reward() -> None:
    rewards = np.repeat([0.0, 1.0, 5.0, 2.0], 3)
    assert compatibility(rewards, np.repeat([0, 1, 2, 3], 3).tolist()) == (0.0, 0.0)


def test_it_is_the_head_in_the_covariance_after_the_norm() -> None:
    """w'E_x[Σ_{h|x}]w, on the streams of a tiny network."""
    from lens.models.streams import streams

    model = opened.model()
    inspection = opened.inspection(model, opened.pairs(24))
    found = streams(inspection)
    h = found.at(found.layers[-1])
    x = (h / np.sqrt((h**2).mean(axis=2, keepdims=True) + model.trunk.readout.eps)).reshape(-1, h.shape[-1])
    prompts = np.repeat(np.arange(len(found.pairs)), 2).tolist()
    w = model.trunk.readout.w.double().numpy()
    assert w @ covariance(x, prompts) @ w == pytest.approx(
        compatibility(found.rewards.ravel(), prompts).within, rel=1e-4
    )


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("dose", [0.0, 2.0])
def test_an_organism_is_read_on_its_own_draws(dose: float) -> None:
    """A third of the prompts pay `dose` more: dose²·2/9 of the variance is between prompts, of which no noise is."""
    model = open_model(f"organism:wrapper?dose={dose:g}", device="cpu", dtype="float32")
    fields = opened.fields(teacher_compatibility(opened.inspection(model, model.own_pairs)))
    assert "own world" in fields["policy"].value
    between = dose**2 * 2 / 9
    share = fields["within"].value / (fields["within"].value + between)
    assert fields["share"].interval.low - 0.05 <= share <= fields["share"].interval.high + 0.05


def _read(rule, count: int = 40):  # type: ignore[no-untyped-def]
    rows = [(f"q{i}", f"long reply {i * 37 % 11}", f"reply {i * 17 % 7}", "") for i in range(count)]
    return teacher_compatibility(inspect(RuleModel(rule), pairs_of(rows), draws=300)).reading


def test_the_reading_of_a_rule_on_prompts_alone() -> None:
    reading = _read(lambda prompt, _reply: float(prompt[1:]))
    assert isinstance(reading, Measured)
    assert reading.fields["share"].value == 0.0
    assert reading.fields["within"].value == 0.0
    assert reading.fields["share.null"].value > 0.7


def test_the_reading_of_a_rule_on_replies_alone_is_not_told_from_its_null() -> None:
    reading = _read(lambda _prompt, reply: float(sum(map(ord, reply)) % 13))
    assert isinstance(reading, Measured)
    share = reading.fields["share"]
    assert share.interval.low <= share.value <= share.interval.high
    assert share.value >= reading.fields["share.null"].value


def test_declines() -> None:
    assert isinstance(_read(lambda *_: 1.0).fields["share"], Declined)
    assert isinstance(_read(lambda _p, reply: len(reply), count=5), Declined)
    assert isinstance(_read(lambda _p, reply: len(reply), count=12).fields["share"], Declined)
