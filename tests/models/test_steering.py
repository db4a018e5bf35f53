"""Interventions are values: they compose, hold their numbers in their fingerprints, and change nothing when empty."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

from lens.models.anatomy import ids_of
from lens.models.instruments.steering import steering
from lens.models.interventions import Project, Silence, Steer, Turn, apply, fingerprint, turned
from lens.models.patch.sites import components
from tests.models import opened, planted, tiny


def _v(seed: int, d: int = 32) -> torch.Tensor:
    return torch.randn(d, generator=torch.Generator().manual_seed(seed))


def test_fingerprints_differ_wherever_the_payload_does() -> None:
    edits = [kind(_v(seed), layer) for kind in (Steer, Project) for seed in (0, 1) for layer in (1, 2)]
    edits += [Turn(_v(0)), Turn(_v(1)), Silence(tuple(components(2)[:1])), Silence(tuple(components(2)[:2]))]
    prints = [fingerprint([edit]) for edit in edits]
    assert len(set(prints)) == len(edits)
    near = _v(0)
    near[3] = torch.nextafter(near[3], torch.tensor(9.0))
    assert fingerprint([Steer(near, 1)]) != fingerprint([Steer(_v(0), 1)])
    assert fingerprint([Steer(_v(0), 1)]) == fingerprint([Steer(_v(0).clone(), 1)])
    one, other = edits[:2]
    assert fingerprint([one, other]) != fingerprint([other, one])


@pytest.mark.parametrize("architecture", tiny.DECODERS)
def test_edits_that_hold_nothing_change_nothing(architecture: str) -> None:
    model = opened.model(architecture)
    traces = model.trunk.pair(*ids_of(model, opened.pairs(1)[0]))
    zero = torch.zeros(32)
    for trace in (traces.chosen, traces.rejected):
        assert apply(model.trunk, trace, traces.shared, []) == pytest.approx(trace.reward, abs=1e-5)
        for layer in range(model.trunk.layers + 1):
            found = apply(model.trunk, trace, traces.shared, [Steer(zero, layer), Turn(zero)])
            assert found == pytest.approx(trace.reward, abs=1e-5)


def test_steering_there_and_back_is_clean_and_projecting_twice_is_once() -> None:
    model = opened.model()
    traces = model.trunk.pair(*ids_of(model, opened.pairs(1)[0]))

    def reward(*edits: Any) -> float:
        return apply(model.trunk, traces.chosen, traces.shared, edits)

    v = _v(0)
    assert reward(Steer(v, 1), Steer(-v, 1)) == pytest.approx(traces.chosen.reward, abs=1e-5)
    assert reward(Project(v, 1), Project(v, 1)) == pytest.approx(reward(Project(v, 1)), abs=1e-5)
    assert reward(Steer(v, 1), Project(v, 1)) == pytest.approx(reward(Project(v, 1)), abs=1e-4)
    assert abs(reward(Steer(v, 1)) - traces.chosen.reward) > 1e-3


def test_a_turned_head_reads_nothing_along_the_direction() -> None:
    readout = opened.model().trunk.readout
    v = _v(3)
    turned_away = turned(readout, v)
    assert float(turned_away.w @ v) == pytest.approx(0.0, abs=1e-5)
    h = _v(4)
    moved = turned_away.reward(h) * turned_away.sigma(h)
    again = turned_away.reward(h + v) * turned_away.sigma(h + v)
    offset = turned_away.b * (turned_away.sigma(h) - turned_away.sigma(h + v))
    assert float(moved - again - offset) == pytest.approx(0.0, abs=1e-4)


def test_silencing_every_component_leaves_the_heads_constant() -> None:
    model = opened.model()
    ids = ids_of(model, opened.pairs(1)[0])[0]
    trace = model.trunk.trace(ids)
    silence = Silence(tuple(components(model.trunk.layers)))
    assert apply(model.trunk, trace, (), [silence]) == pytest.approx(model.trunk.readout.b, abs=1e-6)
    with pytest.raises(ValueError, match="silenced"):
        apply(model.trunk, trace, (), [silence, Steer(_v(0), 1)])


def test_ablating_what_the_head_was_pointed_along_takes_the_margin() -> None:
    made = steering(opened.inspection(planted.priced(), planted.signs()))
    fields = opened.fields(made)
    assert opened.value(made, "zero-edit") < 1e-5
    assert abs(opened.value(made, "sign.head-edit")) < 1e-4
    assert opened.value(made, "sign.head-edit.control") > 0.5
    assert opened.value(made, "sign.ablate") < opened.value(made, "sign.ablate.control")
    assert 0 < fields["sign.steered"].value < fields["sign.steered"].of == 16
    prints = made.tables["edits"]["fingerprint"]
    assert all(one != other for one, other in itertools.combinations(prints, 2))
