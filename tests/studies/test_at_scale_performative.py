"""Performative at scale, on a tiny model that is named."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from named_studies import holding_organism, ran

from lens.studies.at_scale._small import holding
from lens.studies.at_scale.performative import TRUE, _scores


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "performative-at-scale", holding_organism(tmp_path / "held"))
    assert found.name == "sealed"
    assert found.outcomes.keys() == {"outlasts", "spends"}
    assert found.outcomes["spends"] in ("confirmed", "inconclusive")
    together, loose = np.array(found.units["lost"], float).reshape(2, 10)
    assert together.mean() > 4 > loose.mean()


def test_heads_of_words_say_their_words() -> None:
    """A twin moves its own word's head by far the most, and words that matter go with what matters alone."""
    found = _scores(holding(1), random.Random(1), 0.0)
    moved = np.abs(found.twins)
    assert np.array_equal(moved.argmax(axis=1), found.of)
    assert found.merit[: len(TRUE)].min() > 0.4
    assert np.abs(found.merit[len(TRUE) :]).max() < 0.2
    assert np.diag(found.spread) == pytest.approx(np.ones(9), abs=0.01)
