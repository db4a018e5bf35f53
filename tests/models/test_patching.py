"""Patch grids: equal to whole passes by hooks, and exact where the form is closed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from lens.models.anatomy import ids_of
from lens.models.grids import check, measure
from lens.models.instruments.patching import patching
from lens.models.model import Encoded
from lens.models.pairs import Pair
from lens.models.patch import naive
from lens.models.patch.effects import Given, Means, aligned, effects
from lens.models.patch.schedule import MODES, Base, Source, patched
from lens.models.patch.sites import Site, components, heads, stream
from lens.reading import Declined
from tests.models import opened, tiny

FAMILIES = pytest.mark.parametrize("architecture", tiny.DECODERS)


def _every(trunk: Any, count: int) -> list[Site]:
    return [*components(trunk.layers), *heads(trunk.layers, trunk.heads), *stream(trunk.layers, count)]


@FAMILIES
def test_restarting_gives_what_whole_passes_by_hooks_give(architecture: str) -> None:
    model = opened.model(architecture)
    trunk = model.trunk
    for pair in opened.pairs().pairs[:2]:
        ids = ids_of(model, pair)
        both = trunk.pair(*ids)
        count = aligned(both)
        assert len(ids[0]) != len(ids[1])
        assert both.prefix > 5
        sites = _every(trunk, count)
        fast = patched(trunk, Base(both.chosen, both.shared), Source.of(both.rejected), sites, rows=7)
        slow = naive.patched(model, *(Encoded(one, 0) for one in ids), sites, count)
        assert np.abs(np.subtract(fast, slow)).max() < 5e-6 * max(1, np.abs(slow).max())
        together = patched(trunk, Base(both.chosen, both.shared), Source.of(both.rejected), sites, rows=10_000)
        assert np.allclose(fast, together, atol=5e-6)


@FAMILIES
@pytest.mark.parametrize("equal", [False, True])
def test_identities(architecture: str, equal: bool) -> None:
    model = opened.model(architecture)
    for pair in opened.pairs(equal=equal).pairs[:3]:
        found = check(model, pair)
        assert set(found) == {"self", "joint", "last-residual", "last-mlp"}
        assert max(found.values()) < 1e-5


@FAMILIES
@pytest.mark.parametrize(("chosen", "rejected"), [("a", "b"), ("a", "ab"), ("abc", "")])
def test_replies_of_one_token_or_one_inside_the_other(architecture: str, chosen: str, rejected: str) -> None:
    model = opened.model(architecture)
    pair = Pair(0, "question: ", chosen, rejected)
    assert max(check(model, pair).values()) < 1e-5
    found = measure(model, pair, grid="position", reference=[("other: ", "red")])
    sides = [model.rewards([model.encode(pair.prompt, reply)])[0] for reply in (chosen, rejected)]
    assert found["margin"] == pytest.approx(sides[0] - sides[1], abs=1e-5)
    assert found["effects"]["noising"][-1] == pytest.approx(found["margin"], abs=1e-5)  # the last stream


def test_tokens_both_texts_begin_with_are_zero() -> None:
    model = opened.model("llama")
    pair = opened.pairs().pairs[0]
    chosen, rejected = (list(ids) for ids in ids_of(model, pair))
    width = min(len(chosen), len(rejected))
    chosen, rejected = chosen[-width:], rejected[-width:]
    chosen[:8] = rejected[:8]  # equal lengths, so that places in the prompt are each other's
    texts = [Encoded(tuple(ids), 0) for ids in (chosen, rejected)]
    clean = model.rewards(texts[:1])[0]
    sites = [Site("stream", layer, back) for layer in range(3) for back in range(width - 8, width)]
    assert np.abs(np.subtract(naive.patched(model, *texts, sites, width), clean)).max() < 1e-6


def test_ablations_put_in_nothing_the_mean_and_another_text() -> None:
    model = opened.model("llama")
    trunk = model.trunk
    pair, other = opened.pairs().pairs[:2]
    both = trunk.pair(*ids_of(model, pair))
    texts = [(ids_of(model, one)[0], 3) for one in (pair, other)]
    means = Means.over(trunk, texts)
    rows = torch.cat([trunk.trace(ids).mlp[1][reply:] for ids, reply in texts])
    assert torch.allclose(means.mlp[1], rows.mean(dim=0), atol=1e-5)
    given = Given(means, trunk.trace(ids_of(model, other)[1]))
    site = Site("mlp", 2)
    for mode, value in (
        ("zero", torch.zeros(trunk.width)),
        ("mean", means.mlp[2]),
        ("resample", given.other.mlp[2][-1]),
    ):
        left = [float(trunk.readout.reward(side.mid[2][-1] + value)) for side in (both.chosen, both.rejected)]
        found = float(effects(trunk, both, mode, [site], given))
        assert found == pytest.approx(both.margin - (left[0] - left[1]), abs=1e-5)


def test_a_planted_head_is_the_one_that_moves_the_margin() -> None:
    model = opened.model("llama", seed=11)
    width = model.trunk.head_dim
    with torch.no_grad():
        for layer in model.network.model.layers:
            layer.mlp.down_proj.weight.mul_(0.05)
            layer.self_attn.o_proj.weight.mul_(0.01)
        model.network.model.layers[1].self_attn.o_proj.weight[:, 3 * width :] *= 2000.0
    result = patching(opened.inspection(model, opened.preferred(opened.pairs(24, end="."), model)))
    found = opened.fields(result)
    for mode in ("noising", "denoising", "zero", "mean", "resample"):
        assert found[f"{mode}.head.top"].value == "head.1.3"
        assert found[f"{mode}.component.top"].value in ("attn.1", "embed")  # the head reads the embedding
    table = result.tables["components"]
    shares = {
        site: share
        for mode, site, share in zip(table["mode"], table["site"], table["share"], strict=True)
        if mode == "noising"
    }
    assert shares["attn.1"] > 0.8
    assert max(abs(shares[site]) for site in ("attn.0", "mlp.0", "mlp.1", "attn.2", "mlp.2")) < 0.2
    assert found["noising.component.share"].control == "untrained.noising.component.share"
    assert opened.value(result, "readout-depth") == pytest.approx(2 / 3)
    for name in ("self", "joint", "last-residual", "last-mlp"):
        assert opened.value(result, f"identity.{name}") < 1e-5
    _holds(result)


def _holds(result: Any) -> None:
    """Tables have every mode and site, structural zeros are zero, and the depth curve ends at the whole margin."""
    components, positions, depth = (result.tables[name] for name in ("components", "positions", "depth"))
    assert len(components["site"]) == 5 * 7
    assert list(dict.fromkeys(components["mode"])) == list(MODES)
    zeros = [effect for effect, zero in zip(positions["effect"], positions["structural-zero"], strict=True) if zero]
    assert zeros
    assert not any(zeros)
    prompt = {
        (m, layer)
        for m, layer, back in zip(*(positions[k] for k in ("mode", "layer", "back")), strict=True)
        if back == -1
    }
    assert prompt == {(mode, layer) for mode in ("noising", "denoising") for layer in range(4)}
    assert depth["share"][-1] == pytest.approx(1, abs=1e-5)
    assert depth["untrained-share"][-1] == pytest.approx(1, abs=1e-4)


def test_memory_is_bounded_by_rows_and_the_grid_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    from lens.models.patch import schedule

    model = opened.model("qwen3")
    pair = opened.pairs().pairs[3]
    whole = measure(model, pair, grid="head", reference=[(pair.prompt, pair.chosen)])
    most = []
    attend = type(model.trunk).attend

    def watched(self: Any, layer: int, h: Any, *rest: Any, **more: Any) -> Any:
        most.append(len(h))
        return attend(self, layer, h, *rest, **more)

    monkeypatch.setattr(schedule, "ROW_TOKENS", 1)
    monkeypatch.setattr(schedule, "LEAST_ROWS", 3)
    monkeypatch.setattr(type(model.trunk), "attend", watched)
    few = measure(model, pair, grid="head", reference=[(pair.prompt, pair.chosen)])
    assert max(most) <= 3
    for mode in MODES:
        assert np.allclose(whole["effects"][mode], few["effects"][mode], atol=5e-6)


def test_out_of_memory_halves_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from lens.models.patch import schedule

    model = opened.model("llama")
    trunk = model.trunk
    both = trunk.pair(*ids_of(model, opened.pairs().pairs[0]))
    base, source, sites = Base(both.chosen, both.shared), Source.of(both.rejected), components(3)
    whole = patched(trunk, base, source, sites)
    go, asked = schedule._Run.go, []

    def small(self: Any, copies: Any) -> Any:
        asked.append(len(copies))
        if len(copies) > 2:
            raise torch.OutOfMemoryError("made up")
        return go(self, copies)

    monkeypatch.setattr(schedule._Run, "go", small)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    assert np.allclose(patched(trunk, base, source, sites), whole, atol=5e-6)
    assert asked[:3] == [7, 3, 1]


def test_few_prompts_decline() -> None:
    few = patching(opened.inspection(opened.model("llama"), opened.pairs(12, prompts=4))).reading
    assert isinstance(few, Declined)
    assert few.reason == "corpus_inadequate"
