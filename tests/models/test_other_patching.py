"""Slopes, paths and thresholds: each equal to exact patching where it must be, and different where it should be."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from lens.models.anatomy import ids_of
from lens.models.instruments.attribution_patching import attribution_patching, exactly, screen
from lens.models.instruments.divergence_patching import THRESHOLDS, divergence, divergence_patching
from lens.models.instruments.path_patching import path_patching
from lens.models.patch.effects import aligned, effects
from lens.models.patch.gradient import estimates
from lens.models.patch.paths import READOUT, change, paths
from lens.models.patch.sites import Site, components
from lens.models.trunk import Trunk
from tests.models import opened, tiny

FAMILIES = pytest.mark.parametrize("architecture", tiny.DECODERS)


def _linear(trunk: Trunk) -> Trunk:
    """The trunk under a head that doesn't divide by what is added: ε dwarfs the stream."""
    readout = dataclasses.replace(trunk.readout, w=trunk.readout.w * 1e4, eps=1e8)
    return dataclasses.replace(trunk, readout=readout)


@FAMILIES
def test_slopes_are_exact_where_the_rest_is_linear(architecture: str) -> None:
    model = opened.model(architecture)
    trunk = _linear(model.trunk)
    pair = opened.pairs().pairs[1]
    ids = ids_of(model, pair)
    both = trunk.pair(*ids)
    found = estimates(trunk, *ids)
    assert found.margin == pytest.approx(both.margin, abs=1e-4)
    last = effects(trunk, both, "noising", components(3))[0].tolist()
    assert found.components[-1] == pytest.approx(last[-1], rel=1e-3, abs=1e-4)  # the last MLP
    assert found.positions[3][0] == pytest.approx(both.margin, rel=1e-3, abs=1e-4)
    heads = np.array(found.heads)
    if architecture != "gemma2":  # whose heads pass a norm together
        assert np.allclose(heads.sum(axis=1), found.components[1::2], atol=1e-3)


def test_slopes_are_those_of_small_changes() -> None:
    model = opened.model("gemma2")
    trunk, pair = model.trunk, opened.pairs().pairs[1]
    ids = ids_of(model, pair)
    both = trunk.pair(*ids)
    found = estimates(trunk, *ids)
    step = 1e-3
    for at, site in enumerate(components(3)):
        kind = "attn" if site.kind == "attn" else "mlp"
        near = dataclasses.replace(
            both.rejected, h=list(both.rejected.h), attn=list(both.rejected.attn), mlp=list(both.rejected.mlp)
        )
        own = both.chosen.h if site.kind == "embed" else getattr(both.chosen, kind)
        into = near.h if site.kind == "embed" else getattr(near, kind)
        place = 0 if site.kind == "embed" else site.layer
        count = aligned(both)
        into[place] = own[place].clone()[-count:] + step * (into[place][-count:] - own[place][-count:])
        moved = float(effects(trunk, dataclasses.replace(both, rejected=near), "noising", [site]))
        assert moved / step == pytest.approx(found.components[at], rel=0.1, abs=2e-2)


def test_a_saturated_head_is_missed_by_slopes_and_found_by_patching() -> None:
    model = opened.model("llama", seed=21)
    width = model.trunk.head_dim
    readout = model.network.score.weight[0] * model.network.model.norm.weight
    with torch.no_grad():
        for layer in model.network.model.layers:
            layer.mlp.down_proj.weight.mul_(0.02)
            layer.self_attn.o_proj.weight.mul_(0.02)
        out = model.network.model.layers[2].self_attn.o_proj.weight
        out[:, width : 2 * width] = (
            1e4 * readout[:, None] * torch.randn(width, generator=torch.Generator().manual_seed(0))
        )
    some = opened.preferred(opened.pairs(40), opened.again(model))
    result = attribution_patching(opened.inspection(opened.again(model), some, sample=80))
    table = result.tables["heads"]
    at = table["site"].index("head.2.1")
    assert table["exact"][at] == max(table["exact"])
    assert abs(table["sample-estimate"][at]) < 0.2 * table["exact"][at]
    assert opened.fields(result)["most-missed"].value == "head.2.1"
    assert opened.fields(result)["missed"].value >= 1


def test_the_screen_is_read_beside_its_exact_sample_and_a_mismatched_control() -> None:
    model = opened.model("llama")
    result = attribution_patching(opened.inspection(model, opened.pairs(40), sample=48))
    found = opened.fields(result)
    assert found["head.rho"].value > found["mismatched.head.rho"].value + 0.2
    assert found["head.rho"].control == "mismatched.head.rho"
    pair = opened.pairs(40).pairs[0]
    assert len(screen(model, pair)["component"]) == len(exactly(model, pair)["component"]) == 7
    assert len(result.tables["heads"]["site"]) == 12


@FAMILIES
def test_a_path_is_a_hook_on_what_the_receiver_reads(architecture: str) -> None:
    model = opened.model(architecture)
    pair = opened.pairs().pairs[1]
    ids = ids_of(model, pair)
    both = model.trunk.pair(*ids)
    found = {(path.sender.name, path.receiver): path for path in paths(model.trunk, both)}
    layers = model.network.model.layers
    for sender, receiver in (("embed", "attn.1"), ("attn.0", "mlp.0"), ("mlp.0", "attn.2"), ("attn.1", "mlp.2")):
        site = next(one for one in components(3) if one.name == sender)
        kind, layer = receiver.split(".")
        block = layers[int(layer)]
        norm = block.input_layernorm
        if kind == "mlp":
            norm = getattr(block, "pre_feedforward_layernorm", None) or block.post_attention_layernorm
        added = change(both, site)

        def put(_module: Any, args: tuple[Any, ...], added: Any = added) -> Any:
            h = args[0].clone()
            h[0, -len(added) :] += added
            return (h, *args[1:])

        handle = norm.register_forward_pre_hook(put)
        try:
            with torch.no_grad():
                h = model.network.model(torch.tensor([ids[0]])).last_hidden_state[0, -1]
                reward = float(model.network.score(h))
        finally:
            handle.remove()
        assert found[sender, receiver].effect == pytest.approx(both.chosen.reward - reward, abs=1e-5)


def test_dead_receivers_and_paths_back_in_time_are_zero() -> None:
    model = opened.model("llama", seed=31)
    model.network.model.layers[1].mlp.down_proj.weight.zero_()
    both = model.trunk.pair(*ids_of(model, opened.pairs().pairs[1]))
    found = paths(model.trunk, both)
    assert all(abs(path.effect) < 1e-6 for path in found if path.receiver == "mlp.1")
    back = [path for path in found if path.structural]
    assert {(path.sender.name, path.receiver) for path in back} >= {
        ("mlp.0", "attn.0"),
        ("mlp.0", "mlp.0"),
        ("attn.2", "mlp.1"),
    }
    assert not any(path.effect for path in back)
    assert len(found) == 7 * 7
    assert len(back) == sum(range(1, 7))


def test_a_linear_circuit_is_its_product() -> None:
    """An MLP whose norm and gate are held still is a matrix: sender → MLP → readout is w·M·Δ."""
    model = opened.model("llama", seed=41)
    trunk = _linear(model.trunk)
    matrix = torch.randn(trunk.width, trunk.width, generator=torch.Generator().manual_seed(2))

    class Straight(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ matrix.T

    blocks = list(trunk.blocks)
    blocks[2] = dataclasses.replace(blocks[2], mlp_norm=torch.nn.Identity(), mlp=Straight())
    trunk = dataclasses.replace(trunk, blocks=tuple(blocks))
    both = trunk.pair(*ids_of(model, opened.pairs().pairs[1]))
    found = {(path.sender.name, path.receiver): path.effect for path in paths(trunk, both)}
    sender = Site("attn", 1)
    scale = trunk.readout.sigma(both.chosen.h[-1][-1])
    product = float(trunk.readout.w @ matrix @ -change(both, sender)[-1] / scale)
    assert found["attn.1", "mlp.2"] == pytest.approx(product, rel=2e-3)
    direct = float(trunk.readout.w @ -change(both, sender)[-1] / scale)
    assert found["attn.1", READOUT] == pytest.approx(direct, rel=2e-3)


def test_path_patching_reads_its_identity_and_its_control() -> None:
    model = opened.model("qwen3")
    result = path_patching(opened.inspection(model, opened.preferred(opened.pairs(16), model)))
    found = opened.fields(result)
    assert found["identity.readout"].value < 1e-5
    assert found["strongest.share"].control == "untrained.strongest.share"
    assert 0 < found["direct-share"].value < 1
    table = result.tables["paths"]
    assert sum(table["structural-zero"]) == 21


def test_no_threshold_patches_all_and_a_high_one_nothing() -> None:
    model = opened.model("mistral")
    result = divergence_patching(opened.inspection(model, opened.preferred(opened.pairs(24), model)))
    assert opened.value(result, "identity.full") < 1e-5
    assert opened.value(result, "identity.last") < 1e-5
    table = result.tables["thresholds"]
    for layer in range(4):
        rows = [row for row in zip(*table.values(), strict=True) if row[0] == layer]
        assert [row[1] for row in rows] == [*THRESHOLDS, None]
        assert rows[-1][2:] == (0.0, 0.0, 0.0, 0.0)
        positions = [row[5] for row in rows]
        assert positions == sorted(positions, reverse=True)
    assert table["share"][-8] == pytest.approx(1, abs=1e-5)  # the last depth, τ = 0
    assert table["share"] != table["random-share"]


def test_divergence_is_zero_for_a_text_with_itself_and_at_most_two() -> None:
    model = opened.model("llama")
    ids = ids_of(model, opened.pairs().pairs[1])
    both = model.trunk.pair(*ids)
    same = dataclasses.replace(both, rejected=both.chosen)
    assert float(divergence(same, 1, 5).max()) == 0.0
    assert 0 < float(divergence(both, 0, aligned(both)).max()) <= 2.0
