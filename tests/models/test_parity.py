"""Native parity as a reading, what follows where it fails, and what a fingerprint changes with."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import accelerate
import pytest
import torch
from safetensors.torch import load_file, save_file

from lens.instrument import registry
from lens.models.combined import put_together
from lens.models.instruments.native_parity import WAYS, native_parity
from lens.models.pairs import Pair, Pairs
from lens.models.parity import compare, unsound
from lens.models.scalar import ScalarModel
from lens.models.subject import open_model
from lens.reading import Declined, Label, Measured, Quantity
from tests.models import opened, tiny
from tests.models.subjects import ARCHITECTURES, KINDS, encoded, folder, model

READABLE = {"residual", "tolerance", "right", "one", "batch-floor", "tied", "native-tied", "holds"}


def read(of: Any, some: Pairs) -> dict[str, Any]:
    reading = native_parity(opened.inspection(of, some))
    assert isinstance(reading, Measured)
    assert reading.headline == "residual"
    return reading.fields


def value(fields: dict[str, Any], name: str) -> float:
    field = fields[name]
    assert isinstance(field, Quantity)
    return float(field.value)


@pytest.mark.parametrize("name", [*ARCHITECTURES, *KINDS])
def test_every_kind_is_held_against_its_library(name: str) -> None:
    inspection = opened.inspection(model(name), opened.pairs(4))
    assert unsound(inspection) is None
    fields = native_parity(inspection).fields
    assert set(fields) >= READABLE
    assert ("trace" in fields) == ("pair" in fields) == (model(name).trunk is not None)
    assert fields["holds"] == Label("yes")
    assert 0 <= value(fields, "residual") <= value(fields, "tolerance") <= 1e-4
    assert value(fields, "residual") == max(value(fields, way) for way in WAYS if way in fields)
    assert value(fields, "batch-floor") <= 1e-5
    assert value(fields, "tied") == 0


def test_it_is_first_on_the_page() -> None:
    assert next(iter(registry("models"))) == "native-parity"


def test_the_shortest_and_the_longest_text_are_among_those_read() -> None:
    long, short = "x" * 150, "y"
    some = [Pair(i, f"q{i}", long if i == 5 else "some", short if i == 9 else "more", "") for i in range(30)]
    seen: list[int] = []

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Watched(ScalarModel):
        def rewards(self, texts: Any) -> list[float]:
            seen.extend(len(text) - text.response for text in texts)
            return super().rewards(texts)

    one = model("llama")
    watched = Watched(**{field.name: getattr(one, field.name) for field in dataclasses.fields(one)})
    read(watched, Pairs("made", tuple(some), "d"))
    assert (min(seen), max(seen)) == (2, 151)  # with the eos that the template closes a reply with


@dataclasses.dataclass(frozen=True, kw_only=True)
class Off(ScalarModel):
    """A model whose rewards here are a little more than the library's."""

    def rewards(self, texts: Any) -> list[float]:
        return [reward + 3e-4 for reward in super().rewards(texts)]


def test_where_it_fails_every_other_reading_declines() -> None:
    one = model("llama")
    off = Off(**{field.name: getattr(one, field.name) for field in dataclasses.fields(one)})
    inspection = opened.inspection(off, opened.pairs(10))
    declined = unsound(inspection)
    assert isinstance(declined, Declined)
    assert declined.reason == "assumption_violated"
    assert "0.0003" in declined.detail
    assert "(right" in declined.detail or "(left" in declined.detail or "(one" in declined.detail
    fields = read(off, opened.pairs(10))
    assert fields["holds"] == Label("no")
    assert value(fields, "residual") == pytest.approx(3e-4, rel=0.2)


def test_a_reward_that_is_no_number_is_no_parity() -> None:
    class Nan(Off):
        def rewards(self, texts: Any) -> list[float]:
            return [float("nan")] * len(texts)

    one = model("llama")
    nan = Nan(**{field.name: getattr(one, field.name) for field in dataclasses.fields(one)})
    assert not compare(nan, encoded("llama")).holds


@pytest.mark.parametrize("name", tiny.DECODERS)
def test_half_precision_is_held_to_what_the_library_itself_keeps(name: str) -> None:
    fields = read(model(name, "bfloat16"), opened.pairs(10))
    assert fields["holds"] == Label("yes")
    assert 0.03 <= value(fields, "tolerance") <= 0.3
    assert value(fields, "residual") > 1e-5
    assert 16 <= fields["native-tied"].of == fields["tied"].of <= 20


def test_unknown_tokens_are_counted() -> None:
    some = tuple(Pair(i, "q", "€€", "ok" + "a" * i, "") for i in range(4))
    field = read(model("llama"), Pairs("made", some, "d"))["unknown"]
    assert (field.value, field.kind) == (8, "count")
    assert field.of > 8


def test_recorded_scores_have_no_library_to_ask() -> None:
    class Scores:
        family = "scores"

    inspection = opened.inspection(model("llama"), opened.pairs(4))
    inspection.model = Scores()  # type: ignore[assignment]
    assert isinstance(native_parity(inspection), Declined)
    assert unsound(inspection) is None


@pytest.mark.parametrize("name", tiny.DECODERS)
def test_parity_holds_on_a_device_map(name: str, tmp_path: Path) -> None:
    """Blocks on the CPU and on disk, as accelerate places a model that is larger than one device."""
    one = open_model(str(folder(f"{name}-reward-0")), device="cpu")
    places = {"model.embed_tokens": "cpu", "model.rotary_emb": "cpu", "model.norm": "disk", "score": "disk"}
    places |= {f"model.layers.{layer}": ("cpu", "disk", "cpu")[layer] for layer in range(3)}
    network = accelerate.dispatch_model(one.network, places, main_device="cpu", offload_dir=str(tmp_path))
    assert network.score.weight.device.type == "meta"
    spread = dataclasses.replace(one, network=network)
    texts = encoded(name)
    found = compare(spread, texts, [(texts[0], texts[1])])
    assert found.holds, found
    assert max(found.residual["trace"], found.residual["pair"]) <= 1e-5
    assert spread.rewards(texts) == model(name).rewards(texts)


def test_a_map_asked_for_is_placed_by_accelerate() -> None:
    one = open_model(str(folder("llama-reward-0")), device="map")
    assert one.device == "map"
    assert one.rewards(encoded("llama")) == pytest.approx(model("llama").rewards(encoded("llama")), abs=1e-5)
    assert compare(one, encoded("llama")).holds


def test_the_fingerprint_changes_with_what_decides_a_reward(tmp_path: Path) -> None:
    def again(change: Any, name: str, **how: Any) -> str:
        path = Path(shutil.copytree(folder("llama-reward-0"), tmp_path / name))
        change(path)
        return str(open_model(str(path), **({"device": "cpu"} | how)).fingerprint)

    def one_weight(path: Path) -> None:
        tensors = load_file(path / "model.safetensors")
        tensors["model.layers.2.mlp.down_proj.weight"][0, 0] += 1e-3
        save_file(tensors, path / "model.safetensors", {"format": "pt"})

    def template(path: Path) -> None:
        file = path / "chat_template.jinja"
        file.write_text(file.read_text() + " ")

    same = model("llama").fingerprint
    assert again(lambda path: (path / "README.md").write_text("---\nlicense: mit\n---\n"), "card") == same
    assert again(lambda path: None, "copy") == same
    others = [
        again(one_weight, "weight"),
        again(template, "template"),
        again(lambda path: None, "dtype", dtype="bfloat16"),
        open_model(f"{folder('llama-reward-0')}?readout=0", device="cpu").fingerprint,
    ]
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(threads + 1)
        others.append(again(lambda path: None, "threads"))
    finally:
        torch.set_num_threads(threads)
    assert len({same, *others}) == 6


@pytest.mark.parametrize(("name", "remedy"), [("ensemble", "look into a model it is made of"), ("dpo", "preference")])
def test_what_is_put_together_has_no_stream_and_says_so(name: str, remedy: str) -> None:
    declined = put_together(model(name))
    assert declined.reason == "not_applicable"
    assert remedy in declined.remedy
    if name == "ensemble":
        assert model(name).members[0].spec in declined.remedy
