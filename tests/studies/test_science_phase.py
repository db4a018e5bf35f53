"""Phase: loops of what lags, and of what remembers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lens.studies.sciences import _sweep, phase
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
