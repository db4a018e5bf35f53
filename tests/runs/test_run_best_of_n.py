"""Best of n: order statistics, the KL that ties save, and the tilt that no policy beats."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from series_records import fields, number, rolled

from lens.reading import Declined, Quantity
from lens.runs.instruments.best_of_n import best_of_n
from lens.runs.opening import open_run
from lens.runs.review import Review
from lens.runs.scores.best_of import bound, divergence, least_divergence, levels, tilted, weights

scores = st.lists(st.integers(0, 5), min_size=2, max_size=7)


@given(values=scores, data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_chances_are_those_of_every_subset(values: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(values)))
    chances = np.zeros(len(values))
    subsets = list(combinations(range(len(values)), n))
    for subset in subsets:
        best = [at for at in subset if values[at] == max(values[one] for one in subset)]
        chances[best] += 1 / len(best) / len(subsets)
    assert weights(np.array(values, float), n) == pytest.approx(chances, abs=1e-12)


def test_a_coin_that_ties_costs_less_than_the_formula() -> None:
    assert round(divergence(np.array([0.5, 0.5]), 16), 3) == 0.693
    assert round(bound(16), 3) == 1.835


@given(shares=st.lists(st.floats(0.01, 1.0), min_size=2, max_size=8), n=st.integers(2, 64))
@settings(max_examples=80, deadline=None)
def test_the_formula_is_never_less_than_the_kl(shares: list[float], n: int) -> None:
    made = np.array(shares) / sum(shares)
    assert -1e-12 <= divergence(made, n) <= bound(n) + 1e-12


def test_it_is_reached_as_ties_vanish() -> None:
    fine = np.full(20_000, 1 / 20_000)
    assert divergence(fine, 8) == pytest.approx(bound(8), rel=1e-3)


@given(
    values=st.lists(st.floats(-3, 3).map(lambda one: round(one, 3)), min_size=2, max_size=8, unique=True),
    strength=st.floats(0.01, 5.0),
)
@settings(max_examples=60, deadline=None)
def test_a_tilts_kl_is_that_of_its_distribution(values: list[float], strength: float) -> None:
    shares = np.full(len(values), 1 / len(values))
    ordered = np.array(sorted(values))
    mean, kl = tilted(ordered, shares, strength)
    made = shares * np.exp(strength * ordered)
    made /= made.sum()
    assert mean == pytest.approx(float((made * ordered).sum()), abs=1e-9)
    assert kl == pytest.approx(float((made * np.log(made / shares)).sum()), abs=1e-9)
    assert least_divergence(ordered, shares, mean) == pytest.approx(kl, rel=1e-6, abs=1e-9)


@given(values=st.lists(st.integers(-4, 4), min_size=2, max_size=8), n=st.integers(2, 16))
@settings(max_examples=60, deadline=None)
def test_no_policy_reaches_the_reward_of_best_of_n_for_less_than_the_tilt(values: list[int], n: int) -> None:
    found, shares = levels(np.array(values, float))
    best = np.diff(np.concatenate([[0.0], np.cumsum(shares)]) ** n)
    mean = float((best / best.sum() * found).sum())
    least = least_divergence(found, shares, mean)
    assert -1e-9 <= least <= divergence(shares, n) + 1e-9


def test_the_highest_level_costs_the_log_of_its_share() -> None:
    assert least_divergence(np.array([0.0, 1.0]), np.array([0.75, 0.25]), 1.0) == pytest.approx(math.log(4))
    with pytest.raises(ValueError, match="no tilt up"):
        least_divergence(np.array([0.0, 1.0]), np.array([0.75, 0.25]), 0.1)


def test_a_record_gives_means_over_prompts(tmp_path: Path) -> None:
    rewards = [[[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]] * 5]
    told = fields(best_of_n(Review(rolled(tmp_path, rewards, gold=[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0] * 5))))
    assert number(told["best-of-1.reward"]) == pytest.approx(3 / 8)
    assert number(told["best-of-2.reward"]) == pytest.approx((5 / 6 + 1 / 2) / 2)
    assert number(told["best-of-4.reward"]) == 1.0
    assert number(told["best-of-4.gold"]) == pytest.approx((1 / 2 + 0.0) / 2)  # the reward's choice is not the gold's
    cost = [divergence(np.array(shares), 4) for shares in ([0.5, 0.5], [0.75, 0.25])]
    assert number(told["best-of-4.kl"]) == pytest.approx(sum(cost) / 2)
    assert number(told["best-of-4.least-kl"]) == pytest.approx(sum(cost) / 2)  # of two levels there is one way up
    assert number(told["best-of-4.bound"]) == pytest.approx(math.log(4) - 3 / 4)
    assert (told["tied"].value, told["tied"].of) == (10, 10)  # type: ignore[union-attr]
    assert told["best-of-4.reward"].control == "best-of-1.reward"  # type: ignore[union-attr]
    assert told["best-of-4.kl"].control == "best-of-4.bound"  # type: ignore[union-attr]


def test_abstentions_leave_a_group_smaller_and_out(tmp_path: Path) -> None:
    rewards: list[list[list[float | None]]] = [[[0.0, 1.0], [0.0, 1.0], [None, 1.0]] * 4]
    told = fields(best_of_n(Review(rolled(tmp_path, rewards))))
    assert (told["left-out"].value, told["left-out"].of) == (4, 12)  # type: ignore[union-attr]
    assert number(told["best-of-2.reward"]) == 1.0


def test_only_the_first_tenth_of_the_steps_is_read(tmp_path: Path) -> None:
    early, late = [[0.0, 1.0]] * 8, [[5.0, 9.0]] * 8
    told = fields(best_of_n(Review(rolled(tmp_path, [early, early] + [late] * 18))))
    assert number(told["best-of-2.reward"]) == 1.0


def test_lone_samples_decline(tmp_path: Path) -> None:
    reading = best_of_n(Review(rolled(tmp_path, [[[1.0], [0.0]]]))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


def test_under_eight_prompts_the_means_decline(tmp_path: Path) -> None:
    told = fields(best_of_n(Review(rolled(tmp_path, [[[0.0, 1.0]] * 7]))))
    assert isinstance(told["best-of-2.reward"], Declined)


VERDICTS = """
files = "math_cot_100.jsonl"
each = ["response", "score", "pred_score"]
[columns]
step = 0
group = "idx"
prompt_text = "question"
completion_text = "response"
reward = "pred_score.0"
"score.verifier" = "score"
"score.model" = "pred_score.0"
"""


def test_a_reward_models_choice_among_eight_real_rollouts(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "map.toml").write_text(VERDICTS)
    path = shared / "data/corpora/rl_verifier_robustness/math_cot_100.jsonl"
    told = fields(best_of_n(Review(open_run(str(path), map=str(tmp_path / "map.toml")))))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    best, right, models = [], [], []
    for row in rows:
        by_model = [score for (score,) in row["pred_score"]]
        top = [at for at, score in enumerate(by_model) if score == max(by_model)]
        best.append(sum(row["score"][at] for at in top) / len(top))
        right.append(sum(row["score"]) / 8)
        models.append(max(by_model))
    verdict = told["best-of-8.verifier"]
    assert isinstance(verdict, Quantity)
    assert verdict.value == pytest.approx(np.mean(best), abs=1e-12)
    assert number(told["best-of-1.verifier"]) == pytest.approx(np.mean(right), abs=1e-12)
    assert number(told["best-of-8.reward"]) == pytest.approx(np.mean(models), abs=1e-9)
    assert verdict.interval is not None
    assert verdict.interval.low < verdict.value < verdict.interval.high
    assert number(told["best-of-8.least-kl"]) < number(told["best-of-8.kl"]) <= number(told["best-of-8.bound"])
