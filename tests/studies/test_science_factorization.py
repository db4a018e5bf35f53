"""Factorization: premiums through a belief, beside it, and through it with the word still there."""

from __future__ import annotations

import numpy as np
import pytest
from study_specs import small

from lens.studies.sciences.factorization import measure


@pytest.mark.parametrize(
    ("plant", "share"),
    [({"routed": 0.0}, 0.0), ({"routed": 1.0}, 1.0), ({"routed": 1.0, "kept": 1.0}, 0.0)],
    ids=["direct", "routed", "kept"],
)
def test_what_erasing_the_belief_takes_away(plant: dict[str, float], share: float) -> None:
    found = [measure(seed, plant)["share"] for seed in range(4)]
    assert float(np.mean(np.array(found, float))) == pytest.approx(share, abs=0.15)


def test_labels_that_tell_nothing_erase_nothing() -> None:
    assert measure(0, {"routed": 1.0, "shuffled": 1.0})["removed"] == 0.0


def test_a_small_study() -> None:
    """Ten of ten are beyond a fifth; they are not enough to be beyond four fifths."""
    found = small("factorization", 10)
    assert found["direct"].estimate.value == found["hidden"].estimate.value == 0.0
    assert found["routed"].estimate.value == 1.0
    assert {name: one.outcome for name, one in found.items() if name != "straight"} == {
        "routed": "inconclusive",
        "direct": "inconclusive",
        "hidden": "inconclusive",
    }
    assert found["straight"].estimate.value is not None
    assert found["straight"].estimate.value > 0.2
