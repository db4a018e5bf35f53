"""Parts that add up to the reward, by component and by head."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from lens.models.anatomy import anatomy, dissect, names
from lens.models.instruments.attribution import attribution
from lens.reading import Declined
from tests.models import opened, tiny


@pytest.mark.parametrize("architecture", tiny.DECODERS)
def test_the_parts_add_up_to_the_reward(architecture: str) -> None:
    model = opened.model(architecture)
    body = anatomy(opened.inspection(model, opened.pairs()))
    scale = np.maximum(1, np.abs(body.rewards))
    assert (np.abs(body.rewards - body.parts.sum(axis=2)) / scale).max() < 2e-6
    attention = body.parts[:, :, 1:-1:2]
    assert np.allclose(body.heads.sum(axis=3), attention, atol=1e-5)  # no output bias in these five
    texts = [model.encode(pair.prompt, pair.chosen) for pair in body.pairs]
    assert np.allclose(body.rewards[:, 0], model.rewards(texts), atol=2e-5)


@pytest.mark.parametrize("architecture", ["llama", "gemma2"])
def test_heads_are_slices_of_the_output_projection_of_the_query_heads(architecture: str) -> None:
    model = opened.model(architecture)
    pair = opened.pairs().pairs[0]
    before = dissect(model, pair)["heads"]
    width = model.trunk.head_dim
    weight = model.network.model.layers[1].self_attn.o_proj.weight
    kept = weight.clone()
    weight[:, 2 * width : 3 * width] = 0
    after = dissect(model, pair)["heads"]
    weight.copy_(kept)
    for side in (0, 1):
        assert after[side][1][2] == 0.0
        assert after[side][0] == pytest.approx(before[side][0], rel=0.5)  # only σ at the end moved
        assert abs(before[side][1][2]) > 1e-3


def test_a_zeroed_head_has_no_part_and_the_planted_component_is_the_top() -> None:
    model = opened.model("llama", seed=7)
    layers = model.network.model.layers
    layers[1].mlp.down_proj.weight.mul_(20.0)
    width = model.trunk.head_dim
    layers[2].self_attn.o_proj.weight[:, :width] = 0
    result = attribution(opened.inspection(model, opened.pairs(30)))
    assert opened.fields(result)["top"].value == "mlp.1"
    heads = result.tables["heads"]
    at = heads["site"].index("head.2.0")
    assert heads["part"][at] == 0.0
    assert heads["size"][at] == 0.0
    components = result.tables["components"]
    assert components["site"] == names(3)[:-1]
    assert sum(components["part"]) == pytest.approx(float(np.mean(_margins(model, opened.pairs(30)))), abs=1e-5)
    groups = sum(opened.value(result, name) for name in ("embedding", "attention", "mlp"))
    assert groups == pytest.approx(sum(components["part"]), abs=1e-5)
    assert opened.value(result, "residual") < 1e-4


def test_a_residual_above_the_tolerance_refuses() -> None:
    model = opened.model("llama")
    inspection = opened.inspection(model, opened.pairs())
    body = anatomy(inspection)
    body.parts[3, 1, 2] += 0.5
    reading = attribution(inspection).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "assumption_violated"
    assert reading.bound is not None
    assert reading.bound.value > 1e-3


def test_half_precision_draws_its_residual_as_every_parts_error_and_ranks_nothing_below_it() -> None:
    model = opened.model("llama", dtype="bfloat16")
    result = attribution(opened.inspection(model, opened.pairs()))
    table = result.tables["heads"]
    error = table["error"][0]
    assert 0 < error < 0.5
    for part, rank in zip(table["part"], table["rank"], strict=True):
        assert (rank is None) == (abs(part) <= error)


def _margins(model: object, some: object) -> list[float]:
    with torch.no_grad():
        return [
            model.rewards([model.encode(p.prompt, p.chosen)])[0]
            - model.rewards([model.encode(p.prompt, p.rejected)])[0]  # type: ignore[attr-defined]
            for p in some  # type: ignore[attr-defined]
        ]


def test_a_network_of_another_class_declines() -> None:
    reading = attribution(opened.inspection(opened.model("modernbert"), opened.pairs())).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "not_applicable"
