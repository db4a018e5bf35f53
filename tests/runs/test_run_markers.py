"""Markers and transitions: found where they were planted, with intervals, and never given a lead or a rate."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from series_records import fields, logged, number

from lens.reading import Declined, Quantity
from lens.runs.instruments.markers import markers
from lens.runs.review import Review
from lens.runs.series.changepoint import EDGE, changepoint


def jump(length: int, at: int, size: float, seed: int = 0) -> list[float]:
    noise = np.random.default_rng(seed).standard_normal(length)
    return [float(one) for one in noise + size * (np.arange(length) >= at)]


def test_the_peak_and_the_change_are_where_they_were_planted(tmp_path: Path) -> None:
    values = jump(120, 70, 3.0)
    values[33] = 50.0
    told = fields(markers(Review(logged(tmp_path, {"grad_norm": values, "entropy": jump(120, 40, -4.0, 1)}))))
    assert number(told["gradient-norm.peak"]) == 34  # steps begin at 1
    assert number(told["gradient-norm.highest"]) == 50.0
    change = told["entropy.change"]
    assert number(change) == 41
    assert change.interval.low <= 41 <= change.interval.high  # type: ignore[union-attr]
    assert number(told["entropy.shift"]) == pytest.approx(-4.0, abs=0.5)


def test_a_change_in_noise_is_declined(tmp_path: Path) -> None:
    told = fields(markers(Review(logged(tmp_path, {"entropy": jump(100, 0, 0.0, 4)}))))
    declined = told["entropy.change"]
    assert isinstance(declined, Declined)
    assert declined.reason == "below_detection"
    assert (told["changed"].value, told["changed"].of) == (0, 1)  # type: ignore[union-attr]


def test_no_marker_has_a_lead_or_a_rate(tmp_path: Path) -> None:
    record = logged(tmp_path, {"grad_norm": jump(60, 30, 5.0), "hack_rate": jump(60, 40, 5.0, 1)})
    told = fields(markers(Review(record)))
    assert {name.rpartition(".")[2] for name in told} == {"peak", "highest", "change", "shift", "changed"}
    assert not [one for one in told.values() if isinstance(one, Quantity) and one.control]


def test_the_changepoint_is_least_squares_over_every_place() -> None:
    values = np.random.default_rng(6).standard_normal(40).cumsum()

    def rest(at: int) -> float:
        return float(((values[:at] - values[:at].mean()) ** 2).sum() + ((values[at:] - values[at:].mean()) ** 2).sum())

    assert changepoint(values).at == min(range(EDGE, 40 - EDGE + 1), key=rest)


def test_its_interval_holds_the_planted_step_in_most_runs(tmp_path: Path) -> None:
    held = 0
    for seed in range(20):
        record = logged(tmp_path / str(seed), {"entropy": jump(80, 40, 2.0, seed)})
        change: Any = fields(markers(Review(record, draws=100)))["entropy.change"]
        held += change.interval.low <= 41 <= change.interval.high
    assert held >= 17


def test_a_run_without_a_long_series_declines(tmp_path: Path) -> None:
    reading = markers(Review(logged(tmp_path, {"entropy": [1.0] * 8}))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


def test_a_constant_series_has_no_change() -> None:
    found = changepoint(np.full(30, 2.0))
    assert found.over == 0.0
    assert math.isfinite(found.before)
