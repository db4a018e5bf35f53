"""Capacity at scale, on a tiny model that is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from named_studies import holding_organism, ran

from lens.studies.at_scale.capacity import _anywhere, measure


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "capacity-at-scale", holding_organism(tmp_path / "held"))
    assert found.name == "sealed"
    assert found.outcomes == {"clears": "confirmed", "crowded": "confirmed"}
    kept = dict(zip(("four", "thirty-two"), (found.units["kept"][:10], found.units["kept"][10:]), strict=True))
    assert max(kept["thirty-two"]) < 0.5 < 0.8 < min(kept["four"])


def test_directions_that_point_anywhere() -> None:
    """In a plane the mean |cosine| is 2/π, in space a half."""
    assert _anywhere(2) == pytest.approx(2 / 3.141592653589793)
    assert _anywhere(3) == pytest.approx(0.5)


def test_criteria_that_tell_nothing_interfere_as_chance_does() -> None:
    found = measure(5, {"width": 4.0, "shuffled": 1.0})["kept"]
    assert found is not None
    assert found > 0.7
