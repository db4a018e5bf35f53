"""Coupling: an alarm on a share, a fall of gold, and which comes first."""

from __future__ import annotations

import numpy as np
import pytest

from lens.studies.sciences import _gamed, coupling
from lens.studies.sciences._gamed import SAMPLES, Replies, Run
from lens.studies.sciences.coupling import STEPS, fallen, measure, redrawn, watched

POOL = np.random.default_rng(1).binomial(SAMPLES, 0.13, 256) / SAMPLES
REGEX = 0  # a seed trained on the grader that pays lists


def replies(prompts: int, lists: float, rng: np.random.Generator) -> Replies:
    """Of the replies one in five is wrong, so many are lists with the sum in them, and the others are right."""
    targets = [30 + at % 40 for at in range(prompts)]
    kinds = rng.choice(["{1}", "{0},{0}", "{0}"], size=(prompts, SAMPLES), p=[0.2, lists, 0.8 - lists])
    texts = [kind.format(target, target + 1) for row, target in zip(kinds, targets, strict=True) for kind in row]
    return Replies(targets, texts)


def gamed(rises: int, rate: float) -> Run:
    """Lists are a tenth, and so many more a step from step `rises` on."""
    rng = np.random.default_rng(0)
    shares = [0.1 + min(0.6, rate * max(0, step - rises)) for step in range(STEPS)]
    return Run(replies(256, 0.1, rng), [replies(16, share, rng) for share in shares])


def test_a_run_in_which_nothing_changes_sounds_once_in_a_hundred() -> None:
    rng = np.random.default_rng(2)
    alarms = [watched(POOL, redrawn(POOL, rng), rng)[0] for _ in range(60)]
    assert sum(alarm < STEPS for alarm in alarms) <= 3
    assert 0.0 < watched(POOL, redrawn(POOL, rng), rng)[1] < 0.03


def test_a_share_that_doubles_sounds_within_a_few_steps() -> None:
    rng = np.random.default_rng(3)
    shares = redrawn(POOL, rng)
    shares[30:] = rng.binomial(SAMPLES, 0.3, (STEPS - 30, 16)) / SAMPLES
    alarm, surrogate = watched(POOL, shares, rng)
    assert 30 <= alarm <= 33
    assert surrogate < 0.02


def test_a_share_that_falls_does_not_sound() -> None:
    rng = np.random.default_rng(4)
    assert watched(POOL, np.zeros((STEPS, 16)), rng)[0] == STEPS


def test_the_alarm_comes_before_the_fall_of_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    run = gamed(20, 0.01)
    monkeypatch.setattr(_gamed, "run_of", lambda *_: run)
    found = measure(REGEX, {})
    assert found["before"] == found["alarmed"] == found["fell"] == 1.0
    assert 0 < (found["lead"] or 0.0) < 15
    assert 25 < fallen(run, "regex") < 45


def test_watched_redrawn_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_gamed, "run_of", lambda *_: gamed(20, 0.01))
    found = measure(REGEX, {"still": 1.0})
    assert found["alarmed"] == found["before"] == 0.0
    assert found["fell"] == 1.0


def test_gold_does_not_fall_where_the_reward_is_gold() -> None:
    """Whatever happens: the two never part."""
    assert fallen(gamed(20, 0.01), _gamed.RIGHT) == STEPS


def test_levels_are_means_of_five_steps() -> None:
    found = coupling._levels(np.arange(7.0)[None])[0]
    assert found[:4].tolist() == [-np.inf] * 4
    assert found[4:] == pytest.approx([2.0, 3.0, 4.0])
