"""The lens in two modes, and the depth at which a curve settles."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.anatomy import anatomy
from lens.models.depth import crossed, crystallized
from lens.models.instruments.crystallization import crystallization
from lens.models.instruments.reward_lens import reward_lens
from lens.reading import Declined
from tests.models import opened, tiny


@pytest.mark.parametrize("architecture", tiny.DECODERS)
def test_the_last_entry_is_the_librarys_reward_and_frozen_steps_are_attribution(architecture: str) -> None:
    model = opened.model(architecture)
    result = reward_lens(opened.inspection(model, opened.pairs()))
    assert opened.value(result, "identity.last") < 2e-5
    assert opened.value(result, "identity.increments") < 2e-5
    curve = result.tables["curve"]
    assert curve["layer"] == list(range(model.trunk.layers + 1))
    assert curve["own"][-1] == pytest.approx(opened.value(result, "margin"), abs=1e-5)
    assert curve["frozen"][-1] == pytest.approx(curve["own"][-1], abs=1e-5)
    assert curve["own-share"][-1] == pytest.approx(1)


def test_the_own_curve_is_the_models_head_on_each_depths_stream() -> None:
    model = opened.model("llama")
    pair = opened.pairs().pairs[0]
    import torch

    with torch.no_grad():
        ids = torch.tensor([model.encode(pair.prompt, pair.chosen).ids])
        seen = model.network.model(ids, output_hidden_states=True).hidden_states
        expected = [float(model.network.score(model.network.model.norm(h[0, -1]))) for h in seen[:-1]]
    found = anatomy(opened.inspection(model, opened.pairs()))
    assert np.allclose(found.own[0, 0, :-1], expected, atol=1e-5)


def test_a_step_gives_its_layer_and_an_overshoot_tells_the_two_apart() -> None:
    step = [0.0, 0.1, 0.1, 2.0, 2.0]
    assert (crystallized(step), crossed(step)) == (3, 3)
    overshoot = [0.0, 3.0, 0.2, 1.1, 2.0]
    assert (crystallized(overshoot), crossed(overshoot)) == (3, 1)
    assert crystallized([1.0, -1.0]) is None


def test_crystallization_is_unchanged_by_a_scaled_reward() -> None:
    model = opened.model("llama")
    some = opened.preferred(opened.pairs(30), model)
    before = crystallization(opened.inspection(model, some))
    head = model.network.score.weight
    head.mul_(7.0)
    scaled = opened.again(model)
    try:
        assert scaled.trunk.readout.w == pytest.approx(7.0 * model.trunk.readout.w)
        after = crystallization(opened.inspection(scaled, some))
    finally:
        head.div_(7.0)
    for mode in ("own", "frozen"):
        assert after.tables["pairs"][f"{mode}-depth"] == before.tables["pairs"][f"{mode}-depth"]
        assert opened.value(after, f"{mode}.depth") == opened.value(before, f"{mode}.depth")


def test_a_block_that_alone_writes_the_reward_is_where_it_crystallizes() -> None:
    import torch

    model = opened.model("llama", seed=5)
    layers = model.network.model.layers
    with torch.no_grad():
        for at in (0, 2):
            layers[at].self_attn.o_proj.weight.zero_()
            layers[at].mlp.down_proj.weight.zero_()
        model.network.model.embed_tokens.weight.mul_(1e-2)  # the readout's embedding differs by text too
    result = crystallization(opened.inspection(model, opened.preferred(opened.pairs(30), model)))
    assert opened.value(result, "frozen.depth") == pytest.approx(2 / 3)
    assert opened.value(result, "own.depth") == pytest.approx(2 / 3)


def test_pairs_without_a_margin_are_left_out_and_counted() -> None:
    model = opened.model("llama")
    some = opened.preferred(opened.pairs(30), model)
    turned = [type(p)(p.number, p.prompt, p.rejected, p.chosen, p.axis) for p in some[:4]]
    mixed = type(some)("mixed", (*turned, *some[4:]), "mixed")
    field = opened.fields(crystallization(opened.inspection(model, mixed)))["left-out"]
    assert (field.value, field.of) == (4, 30)
    against = type(some)("against", tuple(type(p)(p.number, p.prompt, p.rejected, p.chosen) for p in some), "against")
    assert isinstance(crystallization(opened.inspection(model, against)).reading, Declined)


def test_few_prompts_decline() -> None:
    few = reward_lens(opened.inspection(opened.model("llama"), opened.pairs(24, prompts=5))).reading
    assert isinstance(few, Declined)
    assert few.reason == "corpus_inadequate"
