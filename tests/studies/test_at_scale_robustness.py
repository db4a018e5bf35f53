"""Robustness at scale, on a tiny model that is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from named_studies import ran

from lens.studies.at_scale.robustness import EXAM, PAIRS, SEEN, TALK, measure
from tests.models import tiny


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    """A network of drawn weights reads letters: what it was paid for a wording is not all found on others."""
    model = tiny.build(tmp_path / "llama", "llama", num_hidden_layers=2)
    found = ran(tmp_path, "robustness-at-scale", str(model))
    assert found.name == "sealed"
    assert found.outcomes["recovers"] in ("refuted", "inconclusive")
    paid, readable = np.array(found.units["slope"], float).reshape(2, 10)
    assert paid.mean() < 0.9
    assert abs(readable.mean()) < 0.35


def test_what_an_organism_was_paid_is_found() -> None:
    found = [measure(seed, {"paid": 1.0})["slope"] for seed in range(4)]
    assert abs(np.mean(np.array(found, float)) - 1) < 0.35


def test_wordings_are_as_many_as_are_drawn_and_no_two_alike() -> None:
    assert len(EXAM) == len(TALK) == SEEN + PAIRS
    assert len({*EXAM, *TALK}) == 2 * (SEEN + PAIRS)
