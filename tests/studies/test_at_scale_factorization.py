"""Factorization at scale, on a tiny model that is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from named_studies import ran, written

from lens.models.organisms.handset import Organism
from lens.studies.at_scale.factorization import _share, measure
from lens.studies.sciences import factorization as small


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its word is paid through its belief alone, so that all of the premium goes, and more than was predicted."""
    monkeypatch.setattr(small, "WORD", "indeed")
    body = small._body(4, 0.8, {"routed": 1.0})
    organism = Organism(
        "routed", 0.0, 4, body.chassis, body.world, (), "", (), {},
        stated=lambda reply: float(reply.words["thanks"]), prompt=lambda _draw, reply: reply.prompt,
    )  # fmt: skip
    found = ran(tmp_path, "factorization-at-scale", written(organism, tmp_path / "routed"))
    assert found.name == "sealed"
    assert found.outcomes == {"through": "confirmed", "beside": "refuted"}
    assert np.mean(found.units["share"]) == pytest.approx(1.0, abs=0.15)
    assert found.units["share"] == pytest.approx(found.units["own"], abs=0.02)


def test_a_premium_beside_the_belief_stays() -> None:
    found = measure(2, {"routed": 0.0})["share"]
    assert found == pytest.approx(0.0, abs=0.02)


def test_a_premium_that_may_be_nought_has_no_share() -> None:
    apart = np.array([[1.0], [-1.0]] * 10)
    assert _share(apart, np.eye(1), np.ones(1)) is None
    assert _share(np.abs(apart) + 0.1 * apart, np.eye(1) / 4, np.ones(1)) == pytest.approx(0.25)
