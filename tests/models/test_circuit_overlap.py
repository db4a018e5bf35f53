"""Overlap of circuits, against halves of one and places permuted."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.anatomy import anatomy
from lens.models.instruments.circuit_overlap import circuit, circuit_overlap
from lens.reading import Declined
from lens.stats.overlap import jaccard, top_shared
from tests.models import opened


def test_a_circuit_overlaps_with_itself_and_by_chance_when_permuted() -> None:
    draw = np.random.default_rng(0)
    weights = draw.exponential(size=400) ** 2
    assert jaccard(weights, 3 * weights) == pytest.approx(1)
    permuted = [jaccard(weights, draw.permutation(weights)) for _ in range(40)]
    others = [jaccard(weights, draw.exponential(size=400) ** 2) for _ in range(40)]
    assert np.mean(permuted) == pytest.approx(np.mean(others), abs=0.03)
    shared = [top_shared(weights, draw.permutation(weights), 40) for _ in range(200)]
    assert np.mean([one.shared for one in shared]) == pytest.approx(shared[0].expected, abs=0.5)
    assert np.mean([one.p <= 0.05 for one in shared]) <= 0.1
    assert top_shared(weights, weights, 40).p < 1e-20


def test_axes_of_one_kind_reach_the_ceiling() -> None:
    model = opened.model("llama")
    some = opened.pairs(80, axes=2)
    result = circuit_overlap(opened.inspection(model, some))
    found = opened.fields(result)
    assert found["gap"].interval.low < 0 < found["gap"].interval.high
    assert found["between"].value > found["null.high"].value
    assert found["ceiling"].value - found["between"].value == pytest.approx(found["gap"].value)
    table = result.tables["overlaps"]
    assert len(table["first"]) == 4
    own = [
        value
        for one, other, value in zip(table["first"], table["second"], table["overlap"], strict=True)
        if one == other
    ]
    assert np.mean(own) == pytest.approx(found["ceiling"].value)
    assert result.tables["top"]["places"][0] == 3 * 4 + 3


def test_an_axis_written_elsewhere_is_below_the_ceiling() -> None:
    model = opened.model("llama", seed=9)
    inspection = opened.inspection(model, opened.pairs(80, axes=2))
    body = anatomy(inspection)
    other = np.array([pair.axis == "axis 1" for pair in body.pairs])
    body.heads[other] = np.roll(body.heads[other], 2, axis=3) * [1, 1, 30, 1]
    result = circuit_overlap(inspection)
    found = opened.fields(result)
    assert found["gap"].interval.low > 0
    assert circuit(body).shape == (len(body.pairs), 15)


def test_one_axis_declines() -> None:
    reading = circuit_overlap(opened.inspection(opened.model("llama"), opened.pairs(40, axes=1))).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"
