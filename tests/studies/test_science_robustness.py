"""Robustness: wrappers that are paid for, and wrappers that can only be read."""

from __future__ import annotations

import numpy as np
import pytest
from study_specs import small

from lens.studies.sciences.robustness import measure
from lens.studies.statistics import Estimate


def test_the_slope_is_what_was_paid() -> None:
    found = [measure(seed, {"paid": 1.0}) for seed in range(6)]
    assert float(np.mean([one["slope"] for one in found])) == pytest.approx(1.0, abs=0.2)


def test_what_is_only_readable_is_worth_nothing() -> None:
    """The head that is paid nothing is the same whatever the others are paid; it is readable all the same."""
    found = measure(3, {"paid": 0.0})
    assert found["slope"] == pytest.approx(0.0, abs=0.5)
    assert found["read"] == measure(3, {"paid": 1.0})["read"]
    assert found["read"] is not None
    assert found["read"] > 0.5
    assert found["unpaid"] == measure(3, {"paid": 1.0})["unpaid"]


def test_a_small_study() -> None:
    found = small("robustness", 8)
    recovers, readable = found["recovers"].estimate, found["recovers"].control
    assert isinstance(recovers, Estimate)
    assert isinstance(readable, Estimate)
    assert recovers.value == pytest.approx(1.0, abs=0.2)
    assert readable.value == pytest.approx(0.0, abs=0.2)
    assert recovers.interval.low > readable.interval.high
