"""Verification: where evidence is handed over, in networks that were taught and that were not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lens.studies.sciences._taught import Rules, margins, taught, twins, untaught
from lens.studies.sciences.verification import curve, halved, measure

RULES = Rules(2.0, 2.0, False)


def test_a_curve_is_one_at_the_first_block_and_nothing_after_the_last() -> None:
    """By construction, whatever was taught; so that only depths between say anything."""
    network = untaught(3)
    for axis in ("digit", "filler"):
        found = curve(network, twins(random.Random(0), axis, RULES, 12))
        assert found[0] == pytest.approx(1.0, abs=1e-5)
        assert found[-1] == 0.0


def test_half_is_crossed_on_a_straight_line() -> None:
    assert halved(np.array([1.0, 0.0, 0.0])) == pytest.approx(0.25)
    assert halved(np.array([1.0, 1.0, 0.0])) == pytest.approx(0.75)
    assert halved(np.array([1.0, 0.5, 0.0])) == pytest.approx(0.5)


def test_a_taught_network_pays_as_its_raters_do() -> None:
    network = taught(5, RULES)
    for axis, paid in (("digit", 2.0), ("word", 2.0), ("filler", 0.0)):
        found = margins(network, twins(random.Random(1), axis, RULES, 40))
        assert float(found.mean()) == pytest.approx(paid, abs=0.25)


def test_an_untaught_subject_is_read_before_its_first_step() -> None:
    found = measure(2, {"relational": 1.0, "raw": 1.0})
    assert found["later"] == found["untaught"]
    assert found["digit"] is not None
    assert found["word"] is not None
    assert found["later"] == pytest.approx(found["digit"] - found["word"])
