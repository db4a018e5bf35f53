"""The signal beside the wording's noise is recovered, and where there is none the interval holds 0."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.robustness import robustness, snr
from lens.models.pairs import Pair, Pairs
from lens.models.paraphrases import reworded
from lens.models.subject import open_model
from lens.reading import Declined, Measured
from tests.models import opened
from tests.models.rules import RuleModel, inspect

K = 4


def _draws(between: float, *, prompts: int = 300, replies: int = 3, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    items = np.repeat(np.arange(prompts * replies), K)
    level = rng.normal(0, 5, prompts)[items // replies]
    return level + rng.normal(0, between**0.5, prompts * replies)[items] + rng.normal(size=len(items)), items


@pytest.mark.parametrize("between", [0.25, 1.0, 4.0])
def test_the_planted_icc_whatever_prompts_differ_by(between: float) -> None:
    rewards, items = _draws(between)
    found = snr(rewards, items.tolist(), (items // 3).tolist())
    assert found.snr == pytest.approx(between, rel=0.15)
    assert found.icc == pytest.approx(between / (1 + between), abs=0.04)


def test_no_signal_reads_none_where_the_variance_of_means_reads_a_quarter() -> None:
    rewards, items = _draws(0.0, prompts=1, replies=400)
    found = snr(rewards, items.tolist(), [0] * len(items))
    means = rewards.reshape(-1, K).mean(axis=1)
    assert means.var() / rewards.reshape(-1, K).var(axis=1, ddof=1).mean() == pytest.approx(0.25, abs=0.06)
    assert found.snr < 0.06


def test_units_change_nothing() -> None:
    rewards, items = _draws(1.0)
    one = snr(rewards, items.tolist(), (items // 3).tolist())
    assert snr(-7 * rewards + 3, items.tolist(), (items // 3).tolist()) == pytest.approx(one)


def test_wordings_of_unequal_number() -> None:
    rewards, items = _draws(1.0, replies=4)
    keep = np.random.default_rng(1).random(len(items)) < 0.7
    found = snr(rewards[keep], items[keep].tolist(), (items[keep] // 4).tolist())
    assert found.snr == pytest.approx(1.0, rel=0.2)


def test_rewording_keeps_all_other_words() -> None:
    texts = reworded("3 river thanks so stone .", [("river", "stone", "cloud")], seed="x")
    assert texts[0] == "3 river thanks so stone ."
    for text in texts:
        words = text.split(" ")
        assert [words[0], *words[2:4], words[5]] == ["3", "thanks", "so", "."]


def _paraphrased(count: int = 30) -> Pairs:
    made = [Pair(i, f"q{i}", f"say {i} so", f"tell {i} so", "paraphrase", f"item {i}") for i in range(count)]
    return Pairs("said", tuple(made), "said")


def test_the_reading_of_pairs_that_somebody_certifies() -> None:
    def rule(_prompt: str, reply: str) -> float:
        return float(reply.split()[1]) + reply.startswith("say")

    reading = robustness(inspect(RuleModel(rule), _paraphrased(), draws=300)).reading
    assert isinstance(reading, Measured)
    fields = reading.fields
    assert fields["snr"].interval.low > fields["null"].value
    assert fields["compared"].value == "replies to different prompts"
    assert "author of the pairs" in fields["certified"].value

    def noise(prompt: str, reply: str) -> float:
        return float(np.random.default_rng(list(map(ord, reply))).normal())

    fields = robustness(inspect(RuleModel(noise), _paraphrased(80), draws=300)).reading.fields  # type: ignore[union-attr]
    assert fields["snr"].interval.low == 0


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_an_organism() -> None:
    model = open_model("organism:spurious?dose=2", device="cpu", dtype="float32")
    fields = opened.fields(robustness(opened.inspection(model, model.own_pairs, sample=400)))
    assert fields["certified"].value.startswith("by the planted rule")
    assert fields["icc"].interval.low > 0.5
    assert fields["flipped"].value < 0.2


def test_declines_where_nobody_certifies_and_where_nothing_differs() -> None:
    plain = Pairs("plain", tuple(Pair(i, f"q{i}", "a", "b") for i in range(30)), "plain")
    assert isinstance(robustness(inspect(RuleModel(lambda *_: 1.0), plain)).reading, Declined)
    assert isinstance(robustness(inspect(RuleModel(lambda *_: 1.0), _paraphrased())).reading, Declined)
    assert isinstance(robustness(inspect(RuleModel(lambda _p, r: len(r)), _paraphrased(9))).reading, Declined)
