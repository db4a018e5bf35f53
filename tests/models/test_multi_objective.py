"""Several objectives: the weighed ones add to the reward, gates to their scale, and a copy of one is found."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from lens.models.instruments.multi_objective import multi_objective
from lens.models.instruments.term_conflict import cancelled, term_conflict
from lens.models.terms import terms
from lens.stats.within import correlations, extremes
from tests.models import opened, subjects


def _read(model: Any, instrument: Any = multi_objective, count: int = 24) -> Any:
    return instrument(opened.inspection(model, opened.pairs(count)))


@pytest.mark.parametrize("name", ["armorm", "rubric"])
def test_weighed_objectives_add_to_the_reward(name: str) -> None:
    model = subjects.model(name)
    made = multi_objective(opened.inspection(model, opened.preferred(opened.pairs(24), model)))
    assert opened.value(made, "native") < 1e-5
    if name == "armorm":
        assert opened.value(made, "gates-sum") < 1e-6
    shares = [opened.value(made, key) for key in opened.fields(made) if key.endswith(".share")]
    assert len(shares) == opened.value(made, "objectives")
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)


def test_gates_sum_to_the_scale_on_every_text() -> None:
    model = subjects.model("armorm")
    gates = np.array(list(model.gates(subjects.encoded("armorm")).values()))
    assert gates.sum(axis=0) == pytest.approx(float(model.network.heads.scale[0]), abs=1e-6)
    assert (gates > 0).all()


def test_a_duplicate_objective_is_the_closest_with_one() -> None:
    model = subjects.model("armorm")
    network = copy.deepcopy(model.network)
    with torch.no_grad():
        network.heads.regression[3] = 2.5 * network.heads.regression[1]
    made = _read(dataclasses.replace(model, network=network, fingerprint="duplicate"))
    fields = opened.fields(made)
    assert fields["closest"].value == f"{model.names[1]} and {model.names[3]}"
    assert fields["closest.whitened"].value == pytest.approx(1.0, abs=1e-9)
    assert fields["closest.raw"].value == pytest.approx(1.0, abs=1e-9)
    assert fields["closest.null"].value < 0.95


def test_one_score_has_no_objectives() -> None:
    for model in (opened.model(), subjects.model("armorm-objective")):
        reading = _read(model).reading
        assert reading.reason == "not_applicable"


def test_terms_of_one_head_are_its_components_and_add_to_the_margin() -> None:
    inspection = opened.inspection(opened.model(), opened.pairs(24))
    found: Any = terms(inspection)
    assert found.kind == "components"
    assert len(found.names) == 1 + 2 * 3
    margins = found.rewards[:, 0] - found.rewards[:, 1]
    assert found.differences.sum(axis=1) == pytest.approx(margins, abs=1e-5)


def test_cancelled_is_known_where_it_is_planted() -> None:
    agree = np.abs(np.random.default_rng(0).normal(size=(40, 3)))
    assert cancelled(agree) == pytest.approx(0.0, abs=1e-12)
    assert cancelled(np.c_[agree[:, :1], -agree[:, :1]]) == pytest.approx(1.0)


def test_opposed_terms_are_found_and_independent_ones_are_not() -> None:
    draw = np.random.default_rng(1)
    one, other = draw.normal(size=(2, 200))
    opposed = np.c_[one, -one + 0.2 * draw.normal(size=200), other]
    least, most = extremes(opposed, range(200), seed=0, draws=300)
    table = correlations(opposed)
    assert table[0, 1] < least < table[0, 2]
    assert table[0, 2] < most
    assert table[1, 1] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["armorm", "llama"])
def test_the_instrument_reads_objectives_or_components(name: str) -> None:
    made = _read(subjects.model("armorm") if name == "armorm" else opened.model(), term_conflict)
    fields = opened.fields(made)
    assert fields["terms"].value == ("objectives" if name == "armorm" else "components")
    assert 0 <= opened.value(made, "cancelled") <= 1
    assert fields["cancelled"].interval.high <= 1.0
    count = len(made.tables["means"]["term"])
    assert fields["conflicting"].of <= count * (count - 1) // 2


def test_other_networks_decline() -> None:
    assert _read(opened.model("gpt2"), term_conflict).reading.reason == "not_applicable"
