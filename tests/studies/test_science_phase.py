"""Phase: loops of what lags, and of what remembers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lens.models.organisms.training import repeatable
from lens.runs.organism.policy import END, Schooling, scored, untaught
from lens.runs.organism.task import Problem
from lens.studies.sciences import _sweep, phase
from lens.studies.sciences._grpo import Learner
from lens.studies.sciences._sweep import LEGS, Lists, coefficients


def lag(steps: float) -> Lists:
    """A reversible lag of the share at rest, which is one half at the middle of the sweep."""
    found = {}
    for leg in LEGS:
        now, seen = rest(coefficients(leg)[0]), []
        for one in coefficients(leg):
            seen.append(now)
            now += (rest(one) - now) * (1 - math.exp(-1 / steps))
        found[leg] = seen
    return found


def rest(coefficient: float, middle: float = 0.05**0.5) -> float:
    return 1 / (1 + (coefficient / middle) ** 2)


def memory(back: float) -> Lists:
    """A share that is at rest at every step, and on the way back lets go of its lists only at `back`."""
    ways = {leg: (coefficients(leg)[:leg], coefficients(leg)[leg:]) for leg in LEGS}
    return {leg: [*map(rest, down), *(rest(one, back) for one in up)] for leg, (down, up) in ways.items()}


def measured(monkeypatch: pytest.MonkeyPatch, lists: Lists, **plant: float) -> dict[str, float | None]:
    monkeypatch.setattr(_sweep, "swept", lambda seed: lists)
    return phase.measure(3, plant)


def test_a_sweep_turns_once_and_retraces_its_steps() -> None:
    for leg in LEGS:
        steps = coefficients(leg)
        assert steps == steps[::-1]
        assert steps[0] == _sweep.HELD
        assert steps[leg] == pytest.approx(_sweep.LOOSE)


def test_the_area_is_the_mean_height_of_the_loop() -> None:
    assert phase.areas({2: [0.1, 0.5, 0.6, 0.4]}) == [pytest.approx(0.2)]


def test_a_line_in_the_rate_closes_what_shrinks_with_it() -> None:
    """Areas of .5 and twice the rate, whatever they are made of."""
    assert phase.limit({leg: [0.0] * leg + [0.5 + 2 / leg] * leg for leg in LEGS}) == pytest.approx(0.5)


def test_the_line_leaves_a_lag_a_fifth_of_its_loop() -> None:
    """Which is why no loop counts by itself: this one has no memory."""
    assert phase.limit(lag(4.0)) / max(phase.areas(lag(4.0))) == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize("steps", [1.0, 4.0, 12.0])
def test_a_lag_is_taken_off_whatever_the_line_leaves_of_it(monkeypatch: pytest.MonkeyPatch, steps: float) -> None:
    found = measured(monkeypatch, lag(steps))
    assert abs(found["over"] or 0.0) < 0.02
    if steps == 12.0:
        assert found["limit"] is not None
        assert found["limit"] > 0.2


def test_memory_is_not_taken_for_a_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(monkeypatch, memory(0.6))
    assert found["astray"] == pytest.approx(0.29, abs=0.02)
    assert found["limit"] == pytest.approx(0.28, abs=0.05)
    assert found["over"] is not None
    assert found["over"] > 0.1


def test_a_reversible_subject_has_no_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(monkeypatch, memory(0.6), reversible=1.0)
    assert abs(found["over"] or 0.0) < 0.08


def test_the_fit_finds_how_long_the_lag_is() -> None:
    drawn, ends = phase.fitted(lag(4.0))
    assert ends == (4.0, 4.0)
    assert np.abs(np.subtract(drawn[48], lag(4.0)[48])).max() < 0.05


# The learner


@pytest.fixture
def network() -> Iterator[Any]:
    pytest.importorskip("torch")
    with repeatable():
        yield untaught(Schooling(layers=2, width=16, heads=2))


def test_a_step_goes_up_the_advantage_by_the_last_block_alone(network: Any) -> None:
    import torch

    learner, problems = Learner(network, 1e-2, 0), [Problem(34, 27)] * 2
    replies = torch.tensor([[1, 2, END], [3, 4, END]])
    before = scored(learner.policy, problems, replies).logp.sum(1)
    learner.learn(problems, replies, torch.tensor([1.0, -1.0]), 0.0)
    after = scored(learner.policy, problems, replies).logp.sum(1)
    assert after[0] > before[0]
    assert after[1] < before[1]
    moved = {
        name.split(".")[2] if "layers" in name else name
        for (name, old), new in zip(network.named_parameters(), learner.policy.parameters(), strict=True)
        if not torch.equal(old, new)
    }
    assert moved == {"1", "model.norm.weight", "lm_head.weight"}


def test_a_divergence_holds_it_back(network: Any) -> None:
    import torch

    problems, replies = [Problem(34, 27)] * 2, torch.tensor([[1, 2, END], [3, 4, END]])
    gone = {}
    for held in (0.0, 50.0):
        learner = Learner(network, 1e-2, 0)
        for _ in range(10):
            learner.learn(problems, replies, torch.tensor([1.0, -1.0]), held)
        gone[held] = float(scored(learner.policy, problems, replies).logp[0].sum().detach())
    assert gone[50.0] < gone[0.0] - 0.5


def test_branches_go_on_alike_and_apart_from_their_stem(network: Any) -> None:
    import torch

    problems, replies = [Problem(34, 27)] * 2, torch.tensor([[1, 2, END], [3, 4, END]])
    stem = Learner(network, 1e-2, 0)
    stem.learn(problems, replies, torch.tensor([1.0, -1.0]), 0.0)
    stood = [weight.clone() for weight in stem.policy.parameters()]
    branches = [stem.branch(5), stem.branch(5)]
    for one in branches:
        one.learn(problems, one.replies(problems), torch.tensor([1.0, -1.0]), 0.1)
    first, second = (list(one.policy.parameters()) for one in branches)
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))
    assert not torch.equal(first[-1], stood[-1])
    assert all(torch.equal(one, other) for one, other in zip(stem.policy.parameters(), stood, strict=True))
