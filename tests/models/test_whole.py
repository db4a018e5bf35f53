"""Networks without exact forms, read by whole forwards."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.instruments.patching import patching
from lens.models.instruments.reward_lens import reward_lens
from lens.models.patch import naive, sites, whole
from lens.models.whole import curves, effects
from lens.reading import Declined, Label
from tests.models import opened, tiny
from tests.models.subjects import encoded, model

CLASS_B = (*tiny.ENCODERS, "dense", "armorm")


@pytest.mark.parametrize("name", CLASS_B)
def test_keeping_the_sources_values_changes_nothing(name: str) -> None:
    one, texts = model(name), encoded(name)
    some = [*sites.components(3), *sites.heads(3, 4), *sites.stream(3, 2)]
    assert whole.patched(one, texts[1], texts[3], some, 3) == naive.patched(one, texts[1], texts[3], some, 3)


@pytest.mark.parametrize("name", tiny.DECODERS)
def test_whole_forwards_agree_with_the_exact_schedule(name: str) -> None:
    from lens.models.grids import measure

    one, pair = opened.model(name), opened.pairs(4).pairs[0]
    exact = measure(one, pair, grid="component", reference=[(pair.prompt, pair.chosen)])
    made = effects(one, pair, grid="component")
    assert made["margin"] == pytest.approx(exact["margin"], abs=1e-5)
    if made["aligned"] == exact["aligned"]:
        for mode in ("noising", "denoising"):
            assert np.allclose(made[mode], exact["effects"][mode], atol=1e-5)


@pytest.mark.parametrize("name", CLASS_B)
def test_the_reward_lens_of_class_b_is_its_own_head(name: str) -> None:
    one = model(name)
    some = opened.pairs(10)
    result = reward_lens(opened.inspection(one, some))
    fields = opened.fields(result)
    assert opened.value(result, "identity.last") < 1e-5
    assert isinstance(fields["frozen.mode"], Declined)
    assert fields["frozen.mode"].reason == "not_applicable"
    assert isinstance(fields["own.mode"], Label)
    curve = result.tables["curve"]
    assert curve["layer"] == [0, 1, 2, 3]
    rewards = [[one.rewards([one.encode(p.prompt, reply)])[0] for reply in (p.chosen, p.rejected)] for p in some.unique]
    margin = float(np.mean([a - b for a, b in rewards]))
    assert curve["own"][-1] == pytest.approx(margin, abs=1e-5)
    assert opened.value(result, "margin") == pytest.approx(margin, abs=1e-5)
    assert curve["own-share"][-1] == pytest.approx(1)
    assert curve["untrained-own-share"][-1] == pytest.approx(1)
    assert {"own", "own-low", "own-high", "own-chosen", "own-rejected", "untrained-own-share-low"} <= set(curve)


def test_an_untrained_copy_is_another_network() -> None:
    pair = opened.pairs(2).pairs[0]
    assert curves(model("bert"), pair) != curves(model("bert"), pair, control=1)
    assert curves(model("bert"), pair, control=1) == curves(model("bert"), pair, control=1)


def test_class_b_is_patched_at_components_and_heads() -> None:
    result = patching(opened.inspection(model("modernbert"), opened.preferred(opened.pairs(24), model("modernbert"))))
    fields = opened.fields(result)
    for mode in ("noising", "denoising"):
        for grid in ("component", "head"):
            assert fields[f"{mode}.{grid}.top"].value.startswith(("embed", "attn", "mlp", "head"))
    assert fields["noising.component.share"].control == "untrained.noising.component.share"
    table = result.tables["components"]
    assert table["site"][:7] == ["embed", "attn.0", "mlp.0", "attn.1", "mlp.1", "attn.2", "mlp.2"]
    assert set(table["mode"]) == {"noising", "denoising"}
    assert not any(table["structural-zero"])
    assert "positions" not in result.tables


def test_a_composite_has_no_stream_to_read() -> None:
    for instrument in (reward_lens, patching):
        reading = instrument(opened.inspection(model("ensemble"), opened.pairs(10))).reading
        assert isinstance(reading, Declined)
        assert reading.reason == "not_applicable"
