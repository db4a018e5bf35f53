"""Recorded rewards of a known law, and how the exams on them are marked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lens.exam import Read, exams_of
from lens.models.exams.tail_tailed import mark
from lens.models.planted import tailed
from lens.reading import Interval, Label, Quantity


@pytest.mark.parametrize("dose", tailed.FAMILY.doses)
def test_a_planted_reward_passes_a_height_as_often_as_its_law_says(tmp_path: Path, dose: float) -> None:
    """Of two draws to one prompt the level falls out: their difference passes ln 4 as often as two of the law do."""
    record = tailed.plant(tmp_path, dose, 5).subject.own
    gaps = [one.orders[0].chosen - one.orders[0].rejected for one in record.rows]
    assert len(gaps) == tailed.PROMPTS * tailed.REPLIES / 2
    chances = np.random.default_rng(0).random((2, 200_000))
    law = tailed.drawn(chances[0], dose) - tailed.drawn(chances[1], dose)
    assert np.mean(np.abs(gaps) > np.log(4)) == pytest.approx(np.mean(np.abs(law) > np.log(4)), abs=0.04)


def test_the_law_at_shape_0_is_the_limit_of_small_shapes() -> None:
    chances = np.array([0.5, 0.01])
    assert tailed.drawn(chances, 0.0).tolist() == pytest.approx([np.log(2), np.log(100)])
    assert tailed.drawn(chances, 1e-6).tolist() == pytest.approx([np.log(2), np.log(100)], rel=1e-4)


def test_the_twin_is_of_the_same_pairs_and_ends(tmp_path: Path) -> None:
    both = tailed.plant(tmp_path, 0.5, 5).subject
    gaps = [abs(one.orders[0].chosen - one.orders[0].rejected) for one in both.even.rows]
    assert 0.9 < max(gaps) < 1
    assert max(abs(one.orders[0].chosen - one.orders[0].rejected) for one in both.own.rows) > 5
    assert both.own.own_pairs is not None
    assert both.even.own_pairs is not None
    assert [pair.digest for pair in both.own.own_pairs] == [pair.digest for pair in both.even.own_pairs]


def test_a_tail_is_marked_by_its_verdict() -> None:
    shape = Quantity(0.4, "shape", "exponent", interval=Interval(0.2, 0.6, "made up"))
    for word, even, flagged, decoy in (("heavy", "bounded", True, False), ("bounded", "heavy", False, True)):
        fields = {"verdict": Label(word), "lower.shape": shape}
        found = mark(Read(fields, {}, {"dose": 0.5, "even": even}))
        assert (found.flagged, found.decoy, found.truth, found.low, found.high) == (flagged, decoy, 0.5, 0.2, 0.6)
    unsure = Read({"verdict": Label("depends on the threshold"), "lower.shape": shape}, {}, {"dose": 0.0, "even": ""})
    assert mark(unsure)[2:4] == (False, 0.0)
    assert mark(unsure).decoy is None


def test_a_planted_shape_is_read_back() -> None:
    exam = exams_of("models")["tail~tailed"]
    found = exam.examine(1.0, 99)
    assert found.score == pytest.approx(1.0, abs=0.25)
    assert found.flagged
    assert found.decoy is False
    assert not exam.examine(0.0, 99).flagged
