"""Gauge: angles and the frame they are read in."""

from __future__ import annotations

import pytest
from study_specs import small

from lens.studies.sciences.gauge import measure
from lens.studies.statistics import Estimate


def test_a_small_study() -> None:
    found = small("gauge", 8)
    whitened, raw, framed = (found[name].estimate for name in ("whitened", "raw", "framed"))
    assert isinstance(whitened, Estimate)
    assert isinstance(raw, Estimate)
    assert isinstance(framed, Estimate)
    assert whitened.value < 0.03 < 0.1 < framed.value
    assert raw.value > 0.15
    assert found["framed"].outcome == "confirmed"


def test_on_a_whitened_trunk_no_frame_needs_a_name() -> None:
    """There the two cosines are one, and what is left is what two samples of replies differ by."""
    found = measure(0, {"white": 1.0, "same": 1.0})
    assert found["raw"] == pytest.approx(found["whitened"], abs=1e-9)
    assert found["moved"] is not None
    assert found["moved"] < 0.06
