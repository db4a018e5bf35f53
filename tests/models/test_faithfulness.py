"""Attribution's ranks against patching's, and never without their controls."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from lens.models.anatomy import dissect, ids_of
from lens.models.contrast import compare, contrast
from lens.models.controls import random_heads, untrained
from lens.models.instruments.faithfulness import faithfulness, rhos
from lens.models.patch.effects import effects
from lens.models.patch.sites import heads
from lens.reading import Declined
from lens.stats.correlation import spearman
from tests.models import opened


def test_ranks_of_effects_with_themselves_are_one() -> None:
    own = contrast(opened.inspection(opened.model("llama"), opened.pairs()))
    found = rhos(own.effects[0], own.effects[0])
    assert np.allclose(found.each, 1)
    assert found.mean == pytest.approx(1)
    assert rhos(own.effects[0], -own.effects[0]).mean == pytest.approx(-1)


def test_parts_are_the_anatomys_and_effects_are_the_own_heads() -> None:
    model, pair = opened.model("gemma2"), opened.pairs().pairs[1]
    found = compare(model, pair, control=None, heads=3, seed=0)
    body = dissect(model, pair)
    parts = np.subtract(*body["parts"])[1:-1]
    assert np.allclose(found["parts"][0], parts, atol=1e-5)
    assert np.shape(found["effects"]) == (4, 6)
    assert found["depths"][-1] == pytest.approx(found["margins"][0], abs=1e-5)


def test_random_heads_are_as_long_as_the_models_and_are_read_exactly() -> None:
    model, pair = opened.model("qwen2", seed=2), opened.pairs().pairs[1]
    trunk = model.trunk
    drawn = random_heads(trunk, 4, seed=1)
    own = model.network.score.weight[0].norm()
    gamma = model.network.model.norm.weight
    for head in drawn:
        assert (head.w / gamma).norm() == pytest.approx(float(own), rel=1e-5)
    found = compare(model, pair, control=None, heads=4, seed=1)
    kept = model.network.score.weight.clone()
    model.network.score.weight[0] = drawn[2].w / gamma
    try:
        again = compare(opened.again(model), pair, control=None, heads=0, seed=1)
    finally:
        model.network.score.weight.copy_(kept)
    assert np.allclose(again["effects"][0], found["effects"][3], atol=1e-5)
    assert np.allclose(again["parts"][0], found["parts"][3], atol=1e-5)


def test_an_untrained_copy_is_drawn_by_its_seed_and_leaves_the_model_alone() -> None:
    model = opened.model("llama")
    text = model.encode("question: ", "blue cat")
    before = model.rewards([text])[0]
    first, second = (untrained(model, seed).rewards([text])[0] for seed in (0, 1))
    assert first != second
    assert before not in (first, second)
    state = torch.random.get_rng_state()
    assert untrained(model, 0).rewards([text])[0] == first
    assert torch.equal(state, torch.random.get_rng_state())
    assert model.rewards([text])[0] == before


def test_where_nothing_reads_a_site_its_attribution_orders_its_effects() -> None:
    model = opened.model("llama", seed=3, num_attention_heads=16, num_key_value_heads=16, head_dim=8)
    layers = model.network.model.layers
    layers[1].mlp.down_proj.weight.zero_()
    layers[2].mlp.down_proj.weight.zero_()
    layers[2].self_attn.o_proj.weight.zero_()
    found = []
    for pair in opened.pairs(12).pairs:
        both = model.trunk.pair(*ids_of(model, pair))
        effect = effects(model.trunk, both, "noising", [site for site in heads(3, 16) if site.layer == 1])[0]
        part = np.subtract(*(np.array(side)[1] for side in dissect(model, pair)["heads"]))
        found.append(spearman(part.tolist(), effect.tolist()))
    assert np.mean(found) >= 0.8


def test_a_random_network_is_not_told_from_an_untrained_one_by_more_than_its_interval() -> None:
    model = untrained(opened.model("llama"), 99)
    inspection = opened.inspection(model, opened.pairs(24, equal=True), controls=8)
    result = faithfulness(inspection)
    found = opened.fields(result)
    excess = found["excess"]
    assert excess.interval.low < 0 < excess.interval.high
    assert found["verdict"].value == "not told apart from an untrained model"
    assert excess.control == "untrained.rho-pair"
    rho, control = (opened.value(result, name) for name in ("rho-pair", "untrained.rho-pair"))
    assert excess.value == pytest.approx(rho - control, abs=1e-9)
    assert opened.value(result, "length-matched.excess") == excess.value  # every pair is
    assert opened.value(result, "axis-0.rho-pair") != opened.value(result, "axis-1.rho-pair")
    controls = result.tables["controls"]
    for axis in ("", "axis-0", "axis-1"):
        assert controls["axis"].count(axis) == 1 + 8 + 20
    axes = result.tables["axes"]
    assert axes["site"].count("mlp.0") == 2
    assert set(axes["axis"]) == {"axis-0", "axis-1"}
    assert len(result.tables["pairs"]["rho"]) == 24


def test_without_controls_or_prompts_it_declines() -> None:
    model = opened.model("llama")
    alone = faithfulness(opened.inspection(model, opened.pairs(), controls=0)).reading
    assert isinstance(alone, Declined)
    assert alone.reason == "no_control"
    few = faithfulness(opened.inspection(model, opened.pairs(12, prompts=3))).reading
    assert isinstance(few, Declined)
    assert few.reason == "corpus_inadequate"
