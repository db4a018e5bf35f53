"""Embryology at scale, on tiny models saved as the checkpoints of one training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from named_studies import ran, written

from lens.errors import UsageError
from lens.models.organisms.handset import Body
from lens.models.organisms.wordplay import World
from lens.studies.at_scale.embryology import _read, checkpoints, entered, settled

WORD = (0.4, 0.9, 1.0, 1.0)
DIGIT = (0.1, 0.3, 0.8, 1.0)


def _training(folder: Path) -> str:
    """Four checkpoints of one trunk, whose word and digit pay these shares of 2 ru."""
    folder.mkdir()
    for look, (one, other) in enumerate(zip(WORD, DIGIT, strict=True), start=1):
        body = Body(World(("thanks",)), 3)
        body.price(body.matched(body.codes(), "match", "finds the prompt's digit"), 2 * other)
        body.price(body.sum("thanks"), 2 * one)
        written(body.organism("grown", 0.0, ()), folder / f"checkpoint-{100 * look}")
    return str(folder)


def test_the_study_of_a_named_training_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "embryology-at-scale", _training(tmp_path / "training"))
    assert found.name == "sealed"
    assert found.outcomes == {"waits": "confirmed", "stays": "confirmed"}
    assert np.mean(found.units["word"]) == pytest.approx(0.3, abs=0.01)
    assert np.mean(found.units["digit"]) == pytest.approx(0.6, abs=0.01)


def test_a_rule_that_may_pay_nothing_in_the_end_has_no_entry() -> None:
    steps, rng = np.array([100, 200, 300]), np.random.default_rng(0)
    margins = np.ones((2, 24, 3)) * [0.1, 0.6, 1.0]
    assert _read(steps, margins + 1e-3 * rng.standard_normal(margins.shape), rng, {})["wait"] == pytest.approx(
        0, abs=0.01
    )
    margins[1, ::2] *= -1
    assert _read(steps, margins, rng, {})["wait"] is None


def test_a_share_that_falls_again_is_settled_later_than_it_entered() -> None:
    at, shares = [0.25, 0.5, 0.75, 1.0], [0.75, 0.25, 0.75, 1.0]
    assert entered(at, shares) == pytest.approx(0.25 * 2 / 3)
    assert settled(at, shares) == pytest.approx(0.625)


def test_too_few_checkpoints_are_no_order(tmp_path: Path) -> None:
    for step in (9, 10):
        (tmp_path / f"checkpoint-{step}").mkdir()
    with pytest.raises(UsageError, match="holds 2 checkpoints, where 3"):
        checkpoints(str(tmp_path))
    (tmp_path / "checkpoint-100").mkdir()
    assert list(checkpoints(str(tmp_path))) == [9, 10, 100]
