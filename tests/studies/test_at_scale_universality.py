"""Universality at scale, on two tiny models that are named together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from named_studies import holding_organism, ran

from lens.errors import UsageError
from lens.studies.at_scale._small import holding
from lens.studies.at_scale.universality import _read, both, fingerprint


def test_the_study_of_two_named_models_runs_to_its_end(tmp_path: Path) -> None:
    one, other = (holding_organism(tmp_path / f"held-{seed}", seed) for seed in (3, 4))
    found = ran(tmp_path, "universality-at-scale", f"{one}+{other}")
    assert found.name == "sealed"
    assert found.outcomes.keys() == {"told", "common"}
    assert found.outcomes["told"] == "confirmed"
    assert np.allclose(np.subtract(found.units["value"], found.units["capability"]), found.units["vce"])
    assert fingerprint(f"{one}+{other}") != fingerprint(f"{other}+{one}")


def test_two_trunks_that_hold_the_words_are_alike_in_what_they_tell() -> None:
    found = _read([holding(1), holding(2)], 5, {"shared": 1.0})
    assert found["capability"] is not None
    assert found["capability"] > 0.3


def test_pairs_dealt_anew_agree_in_nothing() -> None:
    found = _read([holding(1), holding(2)], 5, {"shared": 1.0, "dealt": 1.0})
    assert found["value"] == pytest.approx(0.0, abs=0.35)
    assert found["capability"] == pytest.approx(0.0, abs=0.35)


@pytest.mark.parametrize("spec", ["one", "one+two+three"])
def test_two_models_are_named(spec: str) -> None:
    with pytest.raises(UsageError, match="where two are compared"):
        both(spec)
