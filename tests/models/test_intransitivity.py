"""Circles: rock, paper, scissors is all circle, a ranking none, and votes are held against a judge who ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lens.models.instruments.intransitivity import CIRCLE, intransitivity
from lens.models.pairs import Pair, Pairs
from lens.models.subject import open_model
from lens.reading import Declined
from lens.stats.hodge import bradley_terry, energies, planes, residue, split, transitive
from tests.models import opened


def test_rock_paper_scissors_is_all_circle() -> None:
    flow = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    assert split(flow).share == pytest.approx(1.0, abs=1e-12)
    assert split(flow).worths == pytest.approx(0.0, abs=1e-12)


def test_a_ranking_is_one_plane_and_no_circle() -> None:
    worths = np.random.default_rng(0).normal(size=9)
    flow = worths[None, :] - worths[:, None]
    energy = planes(flow)
    assert energy[1:].max() / energy[0] < 1e-28
    assert split(flow).share < 1e-28
    assert split(flow).worths == pytest.approx(worths - worths.mean(), abs=1e-12)


def test_the_parts_add_to_the_whole_and_a_planted_share_comes_back() -> None:
    draw = np.random.default_rng(1)
    worths, angles = draw.normal(size=7), 2 * np.pi * np.arange(7) / 7
    circle = np.sin(angles[None, :] - angles[:, None])
    straight = worths[None, :] - worths[:, None]
    c = np.sqrt(0.3 / 0.7 * (straight**2).sum() / (circle**2).sum())
    found = split(straight + c * circle)
    assert found.share == pytest.approx(0.3, abs=1e-12)
    assert found.cyclic == pytest.approx(c * circle, abs=1e-12)


def _votes(share: float, count: int, seed: int, items: int = 8) -> np.ndarray:
    """Votes of a judge of `items` whose log-odds are a ranking and a circle of `share` of the energy."""
    draw = np.random.default_rng(seed)
    worths, angles = draw.normal(size=items), 2 * np.pi * draw.permutation(items) / items
    straight, circle = worths[None, :] - worths[:, None], np.sin(angles[None, :] - angles[:, None])
    c = np.sqrt(share / (1 - share) * (straight**2).sum() / (circle**2).sum())
    chance = 1 / (1 + np.exp(-(straight + c * circle)))
    upper = np.triu(np.full((items, items), count), 1)
    drawn = draw.binomial(upper, chance)
    return (drawn + (upper - drawn).T).astype(float)


def test_a_judge_who_ranks_reads_circles_that_shrink_with_votes() -> None:
    found = [transitive(_votes(0.0, count, 3), seed=0, draws=100).sum(axis=0) for count in (1, 5, 25, 2500)]
    means = [cyclic / whole for cyclic, whole in found]
    assert means == sorted(means, reverse=True)
    assert means[0] > 0.5
    assert 0.2 < means[1] < 0.5
    assert means[2] < 0.2
    assert means[3] < 2e-3


def test_what_the_best_ranking_leaves_has_no_straight_part() -> None:
    """The likelihood's own equations: at its top, all that an item wins is what the ranking says."""
    left, flow, weight = residue(_votes(0.3, 25, 5))
    assert (weight * left).sum(axis=0) == pytest.approx(0.0, abs=1e-5)
    assert split(left, weight).share == pytest.approx(1.0, abs=1e-9)
    assert np.abs((weight * flow).sum(axis=0)).min() > 1.0


def test_a_ranking_however_sure_leaves_nothing_over() -> None:
    """Of expected votes; the straight part of the same flow leaves a tenth of it, since the curve saturates."""
    worths = np.array([-9.0, -5.0, -1.0, 0.0, 2.0, 4.0, 9.0])
    wins = 1e6 / (1 + np.exp(worths[:, None] - worths[None, :])) * ~np.eye(7, dtype=bool)
    left, flow, weight = residue(wins)
    assert np.abs(left).max() < 1e-3
    assert split(flow, weight).share > 0.05
    cyclic, whole = energies(wins)
    assert cyclic / whole < 1e-6


def test_batches_are_read_as_each_by_itself() -> None:
    some = np.stack([_votes(0.2, 9, seed) for seed in range(3)])
    together = energies(some)
    for i, wins in enumerate(some):
        assert [float(part[i]) for part in together] == pytest.approx([float(part) for part in energies(wins)])


@pytest.mark.parametrize(("share", "above"), [(0.0, False), (0.5, True)])
def test_votes_are_held_against_the_ranking_null(share: float, above: bool) -> None:
    wins = _votes(share, 25, 5)
    assert (energies(wins)[0] > np.quantile(transitive(wins, seed=1, draws=200)[:, 0], 0.95)) == above


def test_a_judge_who_ranks_is_left_alone_however_sure() -> None:
    """Worths spread by four nats, where a null whose own votes aren't fitted again flags four in five."""
    flagged = 0
    for seed in range(40):
        worths = 4 * np.random.default_rng(seed).normal(size=8)
        upper = np.triu(np.full((8, 8), 25), 1)
        drawn = np.random.default_rng(100 + seed).binomial(upper, 1 / (1 + np.exp(worths[:, None] - worths[None, :])))
        wins = (drawn + (upper - drawn).T).astype(float)
        flagged += energies(wins)[0] > np.quantile(transitive(wins, seed=seed, draws=200)[:, 0], 0.95)
    assert flagged <= 6  # P(more | .05) = .003


def test_worths_of_a_ranking_judge_come_back() -> None:
    wins = _votes(0.0, 4000, 7)
    truth = np.random.default_rng(7).normal(size=8)
    assert bradley_terry(wins) == pytest.approx(truth - truth.mean(), abs=0.1)


def _pairs_of(share: float) -> Pairs:
    made: list[Pair] = []
    for prompt in range(10):
        wins = _votes(share, 9, 40 + prompt, items=5)
        for i in range(5):
            for j in range(5):
                made += [Pair(len(made), f"q{prompt}", f"reply {j}", f"reply {i}")] * int(wins[i, j])
    return Pairs("votes", tuple(made), f"votes {share}")


@pytest.mark.parametrize(("share", "verdict"), [(0.0, "not told from a ranking"), (0.6, "above the null")])
def test_recorded_votes_are_read_from_pairs(share: float, verdict: str) -> None:
    fields = opened.fields(intransitivity(opened.inspection(opened.model(), _pairs_of(share))))
    assert fields["votes.verdict"].value == verdict
    assert fields["votes.cyclic"].n == 10 * 10 * 9
    assert fields["votes.cyclic"].interval.low <= fields["votes.cyclic"].value


def test_a_reward_of_single_replies_cannot_have_circles() -> None:
    reading = intransitivity(opened.inspection(opened.model(), opened.pairs(12))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "not_applicable"


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("dose", [0.0, 0.3])
def test_the_planted_circle_of_a_model_that_compares(dose: float) -> None:
    model: Any = open_model(f"organism:cycle?dose={dose}", device="cpu", dtype="float32")
    made = intransitivity(opened.inspection(model, model.own_pairs))
    fields = opened.fields(made)
    assert fields["cyclic"].value == pytest.approx(dose, abs=0.02)
    assert fields["scalar"].value < 1e-12
    assert fields["verdict"].value == (CIRCLE if dose else "a ranking, to rounding")
    assert fields["one-circle"].value > 0.9 or dose == 0.0
