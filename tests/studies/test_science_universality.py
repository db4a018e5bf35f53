"""Universality: pairs of models with raters, or words, in common."""

from __future__ import annotations

import numpy as np
import pytest

from lens.studies.sciences.universality import measure


def test_raters_in_common_make_rewards_agree_as_far_as_trunks_hold_the_same() -> None:
    both = measure(1, {"values": 1.0, "capability": 1.0})
    some = measure(1, {"values": 1.0, "capability": 0.0})
    assert both["value"] is not None
    assert some["value"] is not None
    assert both["value"] > 0.6
    assert some["value"] < both["value"]


def test_capability_is_the_share_of_words_that_both_trunks_hold() -> None:
    """Four of six held by both, or two: a probe of a word that a trunk lacks says nothing that the other's does."""
    same, apart = ([measure(seed, {"values": 0.0, "capability": to}) for seed in (1, 2)] for to in (1.0, 0.0))
    assert float(np.mean([one["capability"] for one in same])) == pytest.approx(4 / 6, abs=0.12)
    assert float(np.mean([one["capability"] for one in apart])) == pytest.approx(2 / 6, abs=0.12)


def test_the_index_is_the_difference_and_dealt_pairs_have_none() -> None:
    found = measure(3, {"values": 1.0, "capability": 1.0})
    assert found["value"] is not None
    assert found["capability"] is not None
    assert found["vce"] == pytest.approx(found["value"] - found["capability"])
    dealt = measure(3, {"values": 1.0, "capability": 1.0, "dealt": 1.0})
    assert dealt["value"] == pytest.approx(0.0, abs=0.3)
    assert dealt["capability"] == pytest.approx(0.0, abs=0.15)
