"""Transitions: the published one to the digit, planted ones inside their intervals, and what declines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from series_records import fields, logged, number

from lens.reading import Declined, Quantity
from lens.runs.instruments.transition import transition
from lens.runs.opening import open_run
from lens.runs.review import Review
from lens.runs.series.logistic import Fit, aicc, curve, fit, over_line, redrawn
from lens.runs.series.signals import series_of


def risen(length: int, midpoint: float, scale: float, noise: float, seed: int = 0) -> list[float]:
    x = np.arange(1.0, length + 1)
    drawn = np.random.default_rng(seed).standard_normal(length) * noise
    return [float(one) for one in curve(x, 0.1, 0.9, midpoint, scale) + drawn]


def test_the_published_run_goes_over_at_step_106_in_24_steps(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path))
    record = open_run(str(shared / "data/runs/aisi_olmo_kl0_seed2_series.json"))
    result = transition(Review(record))
    told = fields(result)
    midpoint, width = told["exploits.midpoint"], told["exploits.width"]
    assert isinstance(midpoint, Quantity)
    assert isinstance(width, Quantity)
    assert midpoint.interval is not None
    assert width.interval is not None
    assert round(midpoint.value, 2) == 105.99
    assert (round(midpoint.interval.low, 1), round(midpoint.interval.high, 1)) == (105.5, 106.7)
    assert round(width.value, 2) == 23.92
    assert (round(width.interval.low, 1), round(width.interval.high, 1)) == (21.7, 26.7)
    assert result.reading.headline == "exploits.midpoint"  # type: ignore[union-attr]
    assert isinstance(told["gradient-norm.midpoint"], Declined)  # a jump between two steps
    bound = told["gradient-norm.midpoint"].bound
    assert bound is not None
    assert bound.value == 1


def test_a_planted_rise_lies_in_its_interval(tmp_path: Path) -> None:
    told = fields(transition(Review(logged(tmp_path, {"hack_rate": risen(160, 70.0, 6.0, 0.03)}))))
    for name, true in (("midpoint", 70.0), ("width", 6.0 * 2 * np.log(9)), ("floor", 0.1), ("ceiling", 0.9)):
        field = told[f"exploits.{name}"]
        assert field.interval.low <= true <= field.interval.high  # type: ignore[union-attr]
    assert number(told["exploits.over-line"]) > 10


def test_a_fall_has_its_floor_after_its_ceiling(tmp_path: Path) -> None:
    values = [1.0 - value for value in risen(120, 50.0, 4.0, 0.02)]
    told = fields(transition(Review(logged(tmp_path, {"entropy": values}))))
    assert number(told["entropy.midpoint"]) == pytest.approx(50, abs=1)
    assert number(told["entropy.floor"]) == pytest.approx(0.9, abs=0.05)  # before
    assert number(told["entropy.ceiling"]) == pytest.approx(0.1, abs=0.05)  # after
    assert number(told["entropy.width"]) > 0


@pytest.mark.parametrize(
    "values",
    [
        [0.01 * at for at in range(100)],  # a line
        [float(one) for one in np.random.default_rng(1).standard_normal(100)],  # nothing
        [1.0] * 100,
        risen(60, 400.0, 60.0, 0.001),  # the beginning of something wider
    ],
)
def test_what_is_no_transition_declines(tmp_path: Path, values: list[float]) -> None:
    told = fields(transition(Review(logged(tmp_path, {"entropy": values}))))
    declined = told["entropy.midpoint"]
    assert isinstance(declined, Declined)
    assert declined.reason == "below_detection"
    assert (told["fitted"].value, told["fitted"].of) == (0, 1)  # type: ignore[union-attr]
    assert "entropy.width" not in told


def test_the_band_holds_the_curve(tmp_path: Path) -> None:
    table = transition(Review(logged(tmp_path, {"hack_rate": risen(100, 40.0, 5.0, 0.05)}))).tables["curve"]
    assert len(table["step"]) == 100
    inside = [low <= at <= high for low, at, high in zip(table["low"], table["fitted"], table["high"], strict=True)]
    assert sum(inside) >= 97


def test_redraws_keep_neighbouring_residuals_together() -> None:
    x = np.arange(1.0, 65.0)
    found = Fit(0.0, 1.0, 30.0, 4.0)
    residuals = 0.001 * np.arange(64)
    fits = redrawn(x, found.at(x) + residuals, found, draws=5, seed=0)
    again = redrawn(x, found.at(x) + residuals, found, draws=5, seed=0)
    assert fits == again
    assert len(fits) == 5


def test_aicc_prefers_the_line_for_a_line() -> None:
    x = np.arange(50.0)
    y = 0.3 * x + np.random.default_rng(0).standard_normal(50)
    found = fit(x, y)
    assert found is None or over_line(x, y, found) < 10
    assert aicc(4.0, 20, 3) == pytest.approx(20 * np.log(0.2) + 6 + 24 / 16)
    assert aicc(0.0, 20, 3) == -np.inf


def test_a_short_run_declines(tmp_path: Path) -> None:
    reading = transition(Review(logged(tmp_path, {"entropy": [0.0, 1.0] * 7}))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


def test_a_series_that_is_constant_but_for_rounding_has_no_transition(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reward is length in the reference run: their correlation is 1 in every step, by no fit a rise."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path))
    review = Review(run=open_run(str(shared / "data/runs/grpo_run/long")), draws=20)
    values = series_of(review)["reward-length"].values
    assert set(values) == {1.0}
    assert isinstance(fields(transition(review))["reward-length.midpoint"], Declined)
