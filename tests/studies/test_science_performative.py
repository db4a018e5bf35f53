"""Performative: metrics and the truth, before and under selection."""

from __future__ import annotations

import numpy as np
from study_specs import small

from lens.studies.sciences.performative import FEATURES, TRUE, measure, truth
from lens.studies.statistics import Estimate


def test_the_truth_is_a_correlation() -> None:
    """1 for a reward of all that matters alike, less for one of one feature, nought for one of what doesn't."""
    weights = np.zeros((3, FEATURES))
    weights[0, :TRUE], weights[1, 0], weights[2, TRUE:] = 2.0, 1.0, 1.0
    assert truth(weights).round(6).tolist() == [1.0, round(TRUE**-0.5, 6), 0.0]


def test_accuracy_of_what_goes_with_nothing_is_never_halved() -> None:
    """With no features to go by but the true ones, selection can't part accuracy from the truth."""
    assert [measure(seed, {"together": 0.0, "unselected": 1.0})["accuracy"] for seed in range(5)] == [30.0] * 5


def test_a_small_study() -> None:
    found = small("performative", 120)
    outlasts, spends = found["outlasts"].estimate, found["spends"].estimate
    assert isinstance(outlasts, Estimate)
    assert isinstance(spends, Estimate)
    assert 0.0 < outlasts.value < 1.5
    assert -10.0 < spends.value < -2.0
    assert found["spends"].outcome == "confirmed"
