"""Values at scale, on a tiny model that is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from named_studies import holding_organism, ran

from lens.studies.at_scale._small import holding
from lens.studies.at_scale.values import DIRECTIONS, READ, TRAINED, WORDS, _pairs, measure


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    found = ran(tmp_path, "values-at-scale", holding_organism(tmp_path / "held"))
    assert found.name == "sealed"
    assert found.outcomes.keys() == {"split", "dealt"}
    assert found.outcomes["split"] == "confirmed"
    split = [value for value, arm in zip(found.units["excess"], found.units["arm"], strict=True) if arm == "split"]
    assert np.mean(split) > 0.15


def test_votes_that_belong_to_no_pair_are_told_by_no_probe() -> None:
    found = [measure(seed, {"disliking": 0.5, "dealt": 1.0})["naive"] for seed in range(3)]
    assert abs(np.mean(np.array(found, float))) < 0.12


def test_pairs_are_of_two_replies_to_one_prompt() -> None:
    import random

    streams, words = _pairs(holding(1), random.Random(1))
    assert streams.shape[:2] == (TRAINED + READ, 2)
    assert len(WORDS) <= streams.shape[2] <= DIRECTIONS
    assert words.shape == (TRAINED + READ, 2, len(WORDS))
    assert abs(words.mean() - 0.5) < 0.05
