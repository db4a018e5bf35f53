"""Topology at scale, on tiny models that compare."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale.topology import _read, fingerprint, read
from tests.models import tiny


def test_the_study_of_a_named_model_runs_to_its_end(tmp_path: Path) -> None:
    """An organism that compares has three tenths of its preferences in a circle."""
    found = ran(tmp_path, "topology-at-scale", "organism:cycle?dose=0.3")
    assert found.name == "sealed"
    assert found.outcomes == {"circles": "confirmed"}
    assert found.units["share"] == pytest.approx([0.3] * 12, abs=1e-3)
    assert sum(found.units["ranked"]) < 4


def test_a_judge_is_asked_in_both_orders(tmp_path: Path) -> None:
    model = tiny.build(tmp_path / "llama", "llama", "causal", num_hidden_layers=2, max_position_embeddings=1024)
    judge = f"judge:{model}?yes=Y&no=N"
    found = read(judge, 3, {})
    assert found == read(judge, 3, {})
    assert found["share"] is not None
    assert 0 < found["share"] < 1


def test_a_reward_of_single_replies_is_refused() -> None:
    with pytest.raises(UsageError, match="scores a reply by itself"):
        fingerprint("organism:spurious")


def test_however_sure_a_judge_who_ranks_is_it_is_not_flagged() -> None:
    flagged = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        worths = 10 * rng.standard_normal(8)
        found = _read(worths[None, :] - worths[:, None], seed, rng)
        assert found["share"] == pytest.approx(0.0, abs=1e-9)
        flagged.append(found["flagged"])
    assert np.mean(np.array(flagged, float)) < 0.3
