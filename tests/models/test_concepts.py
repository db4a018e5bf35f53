"""Concept vectors: identities at dose 0 and at the last block, and a planted slope against its nulls."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from lens.models.anatomy import ids_of
from lens.models.concept import cosine, halves
from lens.models.instruments.concepts import DOSES, read_concepts
from lens.models.pairs import Pair
from lens.models.resume import resume
from tests.models import opened, planted, tiny


@pytest.mark.parametrize("architecture", tiny.DECODERS)
def test_resuming_from_any_depth_is_the_whole_pass(architecture: str) -> None:
    model = opened.model(architecture)
    traces = model.trunk.pair(*ids_of(model, opened.pairs(1)[0]))
    for trace in (traces.chosen, traces.rejected):
        for layer in range(model.trunk.layers + 1):
            found = resume(model.trunk, trace, traces.shared, layer, trace.h[layer][-1:])
            assert float(found[0]) == pytest.approx(trace.reward, abs=1e-5)


def test_cosines() -> None:
    v, other = np.random.default_rng(0).normal(size=(2, 30))
    metric = np.diag(np.arange(1.0, 31.0))
    assert cosine(v, -v) == -1.0
    assert cosine(v, 2 * v) == 1.0
    assert cosine(v, -v, metric) == -1.0
    basis = np.random.default_rng(1).normal(size=(30, 30))
    inverse = np.linalg.inv(basis)
    moved = cosine(basis @ v, basis @ other, inverse.T @ metric @ inverse)
    assert moved == pytest.approx(cosine(v, other, metric), abs=1e-12)


def test_halves_share_no_prompt_and_depend_on_content_alone() -> None:
    pairs = [Pair(i, f"q {i % 10}", f"a{i}", "b") for i in range(30)]
    fit, read = halves(pairs)
    assert not {pair.prompt for pair in fit} & {pair.prompt for pair in read}
    assert len(fit) + len(read) == 30
    again = halves(pairs[::-1])[0]
    assert {pair.number for pair in again} == {pair.number for pair in fit}


def test_a_priced_concept_moves_the_reward_beyond_its_nulls() -> None:
    made = read_concepts(opened.inspection(planted.priced(), planted.signs()))
    fields = opened.fields(made)
    assert opened.value(made, "dose-zero") < 1e-5
    assert opened.value(made, "closed-form") < 1e-6
    slope = fields["sign.slope"]
    assert slope.interval.low > max(fields["sign.flipped"].value, fields["sign.random"].value)
    assert slope.value == pytest.approx(fields["sign.last"].value, rel=0.5)
    order = fields["order.slope"].interval
    assert not order.low > fields["order.random"].value
    assert (fields["moved"].value, fields["moved"].of) == (1, 2)


def test_the_slope_after_the_last_block_is_the_heads_own_form() -> None:
    model, pairs = planted.priced(), planted.signs()
    inspection = opened.inspection(model, pairs)
    table = read_concepts(inspection).tables["doses"]
    fit, read = halves([pair for pair in pairs if pair.axis == "sign"])
    last = {pair.number: [model.trunk.trace(ids).h[-1][-1] for ids in ids_of(model, pair)] for pair in [*fit, *read]}
    v = torch.stack([last[pair.number][0] - last[pair.number][1] for pair in fit]).mean(0)
    for dose in DOSES:
        clean = torch.stack([last[pair.number][1] for pair in read])
        change = (model.trunk.readout.reward(clean + dose * v) - model.trunk.readout.reward(clean)).mean()
        rows = zip(*(table[name] for name in ("concept", "layer", "dose", "change")), strict=True)
        told = next(row[3] for row in rows if row[:3] == ("sign", model.trunk.layers, dose))
        assert told == pytest.approx(float(change), abs=1e-5)


def test_cosine_table_is_symmetric_with_ones() -> None:
    table = read_concepts(opened.inspection(planted.priced(), planted.signs())).tables["cosines"]
    found = {(a, b, layer): c for a, b, layer, c in zip(*list(table.values())[:4], strict=True)}
    for (a, b, layer), value in found.items():
        assert value == pytest.approx(found[b, a, layer], abs=1e-12)
        assert a != b or value == pytest.approx(1.0, abs=1e-12)
