"""Verification at scale, on a tiny model that is named."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from named_studies import ran, written

from lens.models.organisms.handset import Body
from lens.models.organisms.wordplay import World
from lens.studies.at_scale._model import model
from lens.studies.at_scale.verification import KINDS, _depth, _patched, _twins


def _late(folder: Path) -> str:
    """A model whose digit is matched by a head of a later block than that which sums the word."""
    body = Body(World(("thanks",)), 5)
    place = body.chassis.free_head(range(1))
    body.chassis.add(place, {body.chassis.feature("thanks"): body.chassis.feature("sum of thanks")})
    body.price(body.chassis.feature("sum of thanks"), 1.0)
    match = body.chassis.free_head(range(2, 3))
    body.chassis.match(match, body.codes(), body.chassis.feature("match"))
    body.price(body.sum("match", range(3, 4)), 1.0)
    return written(body.organism("late", 0.0, ()), folder)


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "verification-at-scale", _late(tmp_path / "late"))
    assert found.name == "sealed"
    assert found.outcomes.keys() == {"later", "beyond"}
    assert found.outcomes["later"] == "confirmed"
    assert np.mean(found.units["digit"]) == pytest.approx(7 / 8, abs=0.01)
    assert np.mean(found.units["word"]) == pytest.approx(1 / 8, abs=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_span_holds_all_at_first_and_nothing_after_the_last_block(tmp_path: Path, kind: str) -> None:
    found = model(_late(tmp_path / "late"))
    row = _patched(found, *_twins(kind, random.Random(2)))
    assert row is not None
    assert row[0] == pytest.approx(row[-1], abs=1e-3)
    assert row[-2] == pytest.approx(0.0, abs=1e-3)


def test_too_few_twins_have_no_depth() -> None:
    row = np.array([1.0, 1.0, 0.0, 1.0])
    assert _depth([row] * 7) is None
    assert _depth([row, -row] * 4) == pytest.approx(0.75)
