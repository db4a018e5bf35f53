"""Decompiling at scale, on a tiny model that is named."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from named_studies import holding_organism, ran

from lens.studies.at_scale._small import WORLD, holding
from lens.studies.at_scale.decompiling import _planted, library
from lens.studies.sciences import decompiling as small


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "decompiling-at-scale", holding_organism(tmp_path / "held"))
    assert found.name == "sealed"
    assert found.outcomes["unbiased-fifth"] == "confirmed"
    assert found.outcomes.keys() == {"unbiased-fifth", "unbiased-half"}
    assert max(found.units["insample"]) < 0


def test_the_library_and_a_planted_reward() -> None:
    reply = WORLD.reply(random.Random(2))
    assert len(library(reply)) == small.LIBRARY
    assert set(library(reply)) <= {0.0, 1.0}
    predicates, reward = _planted(holding(2), random.Random(2), np.random.default_rng(2), 0.0)
    said = small._fitted(predicates, reward, list(range(9)), predicates)
    assert said == pytest.approx(reward, abs=1e-6)  # without a tacit part, three of nine words are all of it
    assert (reward**2).mean() == pytest.approx(1.0)
