"""`--device map` with too few devices: read from disk with the same rewards, and what can't be read declines."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from transformers.integrations import accelerate as placing

from lens.errors import UsageError
from lens.instrument import registry
from lens.models.controls import untrained
from lens.models.network import elsewhere
from lens.models.parity import compare
from lens.models.subject import open_model
from lens.reading import Declined, Measured
from measure.inspecting import ModelRequest, inspected
from measure.store import Store
from tests.models import opened
from tests.models.subjects import encoded, folder, model

SMALL = {"cpu": 60_000}  # bytes: the embedding and little else


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """All devices together hold less than the model."""
    monkeypatch.setattr(placing, "get_max_memory", lambda *_: SMALL)
    monkeypatch.setattr(placing, "get_balanced_memory", lambda *_, **__: SMALL)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("name", ["llama", "gemma2"])
def test_what_no_device_holds_stays_on_disk_and_rewards_are_the_same(name: str) -> None:
    one = open_model(str(folder(f"{name}-reward-0")), device="map")
    assert "disk" in one.network.hf_device_map.values()  # type: ignore[attr-defined]
    assert elsewhere(one.network)
    texts = encoded(name)
    assert one.rewards(texts) == model(name).rewards(texts)
    assert compare(one, texts, [(texts[0], texts[1])]).holds


@pytest.mark.usefixtures("little_memory")
def test_claims_that_need_it_whole_decline_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    rows = [
        {"prompt": pair.prompt, "chosen": pair.chosen, "rejected": pair.rejected} for pair in opened.pairs(24, axes=1)
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    names = ("preference", "attribution", "reward-lens", "faithfulness", "hessian")
    asked = ModelRequest(str(folder("llama-reward-0")), str(file), device="map", instruments=names)
    with inspected(asked, tmp_path / "data", workers=1) as inspecting:
        ending = inspecting.run(show=False)
    assert not ending.failed
    for name in ("preference", "attribution", "reward-lens"):
        assert isinstance(ending.written[name], Measured), name
    for name, said in (("faithfulness", "no untrained copies"), ("hessian", "doesn't fit into its devices")):
        reading = ending.written[name]
        assert isinstance(reading, Declined)
        assert said in reading.detail
        assert reading.remedy
    store = Store.open(tmp_path / "data")
    lens = next(id for id in store.ids() if "/reward-lens" in id)
    held = store.record(lens).evidence
    assert held.parameters["controls"] == 0
    untold = held.reading.fields["untrained.own.middle-share"]  # type: ignore[union-attr]
    assert isinstance(untold, Declined)


def test_a_copy_of_what_lies_in_one_place_is_drawn_there() -> None:
    one = open_model(str(folder("llama-reward-0")), device="map")
    copy = untrained(one, 3)
    assert not elsewhere(copy.network)
    same = untrained(model("llama"), 3).network.state_dict()
    assert all(torch.equal(same[name], value) for name, value in copy.network.state_dict().items())


def test_a_map_without_accelerate_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from lens.models import network

    monkeypatch.setattr(network, "find_spec", lambda name: None if name == "accelerate" else find_spec(name))
    with pytest.raises(UsageError, match="needs accelerate") as caught:
        open_model(str(folder("llama-reward-0")), device="map")
    assert "evidence-lens[models]" in caught.value.remedy


def test_a_map_over_a_cluster_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    asked = ModelRequest("no/such", device="map")
    with (
        pytest.raises(UsageError, match="--device map spreads one model"),
        inspected(asked, tmp_path, ray="127.0.0.1:9"),
    ):
        pass


@pytest.mark.usefixtures("little_memory")
def test_every_instrument_on_disk_reads_or_declines() -> None:
    one = open_model(str(folder("llama-reward-0")), device="map")
    for name, instrument in registry("models").items():
        result = instrument.run(opened.inspection(one, opened.pairs(24), sample=8, controls=0))
        assert isinstance(getattr(result, "reading", result), (Measured, Declined)), name
