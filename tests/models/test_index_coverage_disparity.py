"""Equal groups show no disparity beyond sampling, and one that is worse is found."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.coverage_disparity import coverage_disparity, disparity_of, effective, permuted
from lens.models.pairs import Pair, Pairs
from lens.reading import Declined, Measured
from lens.stats.disparity import disparity
from tests.models.rules import RuleModel, inspect


def _groups(shares, n: int, seed: int):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    return [
        ([bool(hit) for hit in rng.random(n) < share], [f"{at} {i}" for i in range(n)])
        for at, share in enumerate(shares)
    ]


def test_equal_groups_have_none_in_half_of_the_draws_and_p_is_even() -> None:
    found = [disparity_of(_groups([0.75] * 4, 100, seed)) for seed in range(400)]
    assert sum(one.tau == 0 for one in found) >= 200
    p = np.sort([one.p for one in found])
    assert np.abs(p - (np.arange(400) + 0.5) / 400).max() < 1.36 / 400**0.5 + 0.02  # Kolmogorov's bound at 5 %


def test_one_group_that_is_worse_is_found() -> None:
    found = [disparity_of(_groups([0.8, 0.8, 0.8, 0.65], 400, seed)) for seed in range(40)]
    assert sum(one.p < 0.05 for one in found) >= 36
    assert np.mean([one.tau for one in found]) == pytest.approx(0.383, abs=0.06)


def test_tau_is_that_of_dersimonian_and_laird_and_its_interval_covers() -> None:
    y, v = np.array([0.1, 0.5, -0.2, 0.9]), np.array([0.04, 0.05, 0.06, 0.03])
    w = 1 / v
    q = (w * (y - (w * y).sum() / w.sum()) ** 2).sum()
    expected = (q - 3) / (w.sum() - (w**2).sum() / w.sum())
    found = disparity(y.tolist(), v.tolist())
    assert found.tau**2 == pytest.approx(expected)
    assert found.low <= found.tau <= found.high
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(200):
        drawn = rng.normal(0, 0.4, 12) + rng.normal(0, 0.3, 12)
        one = disparity(drawn.tolist(), [0.09] * 12)
        held += one.low <= 0.4 <= one.high
    assert 180 <= held <= 198


def test_pairs_that_go_together_count_once() -> None:
    hits = [bool(i % 3) for i in range(60)]
    names = [str(i) for i in range(60)]
    assert effective(hits, names) == 60
    nine_times = [hit for hit in hits for _ in range(9)], [name for name in names for _ in range(9)]
    assert effective(*nine_times) == pytest.approx(59, abs=1e-6)


def test_the_null_deals_prompts_anew() -> None:
    null = permuted(_groups([0.95, 0.55], 80, 0), seed=1)
    assert null.high < 0.6
    assert 0 <= null.mean < null.high


def _pairs(parts: dict[str, int], shared: bool = False) -> Pairs:
    made = []
    for part, count in parts.items():
        for i in range(count):
            prompt = f"q{i}" if shared else f"{part} {i}"
            made.append(Pair(len(made), prompt, f"{part} good {i}", f"{part} bad {i}", part=part))
    return Pairs("made", tuple(made), "made")


def _rule(_prompt: str, reply: str) -> float:
    part, side, number = reply.split()
    wrong = int(number) % 10 < (5 if part == "code" else 1)
    return float((side == "good") != wrong)


def test_the_reading_of_a_model_that_is_worse_at_one_part() -> None:
    reading = coverage_disparity(
        inspect(RuleModel(_rule), _pairs({"code": 100, "chat": 100, "safety": 100, "tiny": 3}))
    ).reading
    assert isinstance(reading, Measured)
    fields = reading.fields
    assert (fields["code.accuracy"].value, fields["code.accuracy"].of) == (50, 100)
    assert fields["lowest"].value == "code"
    assert fields["p"].value < 1e-6
    assert fields["disparity"].interval.low > fields["null"].value
    assert isinstance(fields["tiny.accuracy"], Declined)


def test_declines_on_shared_prompts_and_on_one_part() -> None:
    reading = coverage_disparity(inspect(RuleModel(_rule), _pairs({"code": 20, "chat": 20}, shared=True))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "assumption_violated"
    assert isinstance(coverage_disparity(inspect(RuleModel(_rule), _pairs({"code": 50}))).reading, Declined)
