"""Failures met elsewhere, in the shared cases, each right here. Where a case names no weights, it is what makes the
right value right that is asserted, on a model of ours; where it names the value itself, the value."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import accelerate
import pytest
import torch

from lens.models.anatomy import dissect
from lens.models.interventions import Steer
from lens.models.parity import compare
from lens.models.subject import open_model
from tests.models import opened, tiny
from tests.models.subjects import TEXTS, encoded, folder, model

Case = Callable[[Path, dict[str, Any]], None]
CASES: dict[str, Case] = {}


def case(name: str) -> Callable[[Case], Case]:
    def register(function: Case) -> Case:
        CASES[name] = function
        return function

    return register


@pytest.fixture(scope="module")
def rows(shared: Path) -> dict[str, dict[str, Any]]:
    lines = (shared / "cases" / "models.jsonl").read_text("utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_every_shared_case_is_here(rows: dict[str, Any]) -> None:
    assert set(rows) == set(CASES)


@case("left-pad-mask-sum-index")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """Left-padded, the mask's sum less one points into the padding or the text, not at its end."""
    one, texts = model("llama"), encoded("llama")
    assert one.native(texts, "left") == pytest.approx(one.rewards(texts), abs=1e-5)
    given = one._given(texts, "left")
    with torch.no_grad():
        scores = one.network.score(one.network.model(**given).last_hidden_state)[..., 0]
    wrong = scores[torch.arange(len(texts)), given["attention_mask"].sum(1) - 1].tolist()
    longest = max(map(len, texts))
    off = [len(text) < longest for text in texts]
    moved = [abs(a - b) > 1e-3 for a, b in zip(wrong, one.rewards(texts), strict=True)]
    assert moved == off
    assert any(off)


@case("pad-is-eos-pooling")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """With pad = eos the library reads the token before a final eos; so is it read here, eos inside the text or not."""
    one = open_model(str(tiny.build(tmp, "llama", pad_token_id=2)), device="cpu")
    texts = [one.encode(*text) for text in TEXTS]
    assert all(text.ids[-1] == 2 and 2 in text.ids[:-1] for text in texts)
    assert all(one.readout_index(text) == len(text) - 2 for text in texts)
    found = compare(one, texts, [(texts[0], texts[1])])
    assert found.holds, found
    with torch.no_grad():
        hidden = one.network.model(torch.tensor([texts[0].ids])).last_hidden_state[0]
        by_mask = float(one.network.score(hidden[-1]))
    assert abs(one.rewards(texts[:1])[0] - by_mask) > 1e-3


@case("pad-none-batch2")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one = open_model(str(tiny.build(tmp, "llama", pad_token_id=None)), device="cpu")
    texts = [one.encode("ab", reply) for reply in ("cd", "ef")]
    given = one._given(texts, "right")
    with pytest.raises(ValueError, match=row["wrong"]):
        one.network(**given)
    alone = [float(one.network(torch.tensor([text.ids])).logits) for text in texts]
    assert one.rewards(texts) == pytest.approx(alone, abs=1e-5)


@case("bf16-head-ties")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """The same hiddens through a head in bf16 and in fp32: fp32 leaves no tie that isn't in the hiddens."""
    draw = torch.Generator().manual_seed(0)
    hidden = torch.randn(512, 4096, generator=draw).bfloat16()
    head = (torch.randn(4096, generator=draw) * 7.6 / 64).bfloat16()
    half, whole = (hidden @ head).tolist(), (hidden.float() @ head.float()).tolist()
    assert len(half) - len(set(half)) > 50
    assert len(whole) - len(set(whole)) == row["right"]["tied"] == 0
    assert model("llama", "bfloat16").head_row[0].dtype == torch.float32


@case("double-bos")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one = model("llama")
    text = one.encode("ab", "c")
    rendered = one.writer.tokenizer.apply_chat_template([{"role": "user", "content": "ab"}], tokenize=False)
    assert one.writer.tokenizer(rendered)["input_ids"][:2] == [1, 1]
    assert text.ids.count(1) == 1
    doubled = dataclasses.replace(text, ids=(1, *text.ids), response=text.response + 1)
    assert abs(one.rewards([doubled])[0] - one.rewards([text])[0]) > 1e-3


@case("hidden-states-last-already-normed")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """The trace's last stream is before the final norm: its readout is the reward, and norming the library's last
    hidden state once more is not."""
    one = model("llama")
    text = encoded("llama")[0]
    trace = one.trunk.trace(one.scored(text))
    (reward,) = one.native([text], "right")
    assert float(one.trunk.readout.reward(trace.h[-1][-1])) == pytest.approx(reward, abs=1e-5)
    with torch.no_grad():
        states = one.network(torch.tensor([text.ids]), output_hidden_states=True).hidden_states
        twice = float(one.network.score(one.network.model.norm(states[-1][0, -1])))
    assert abs(twice - reward) > 1e-3


@case("gqa-kv-map")
def _(tmp: Path, row: dict[str, Any]) -> None:
    config = {"num_attention_heads": 8, "num_key_value_heads": 4, "hidden_size": 32}
    one = open_model(str(tiny.build(tmp, "llama", **config)), device="cpu")
    trace = one.trunk.trace(encoded("llama")[0].ids[:1])
    values = trace.keys[0][1][0, :, 0]  # at position 0 z = v
    read = [int((values - trace.z[0][0, head]).abs().sum(-1).argmin()) for head in range(8)]
    assert read == row["right"]
    assert max(float((values[kv] - trace.z[0][0, head]).abs().max()) for head, kv in enumerate(read)) < 1e-6


@case("o-proj-slice-width")
def _(tmp: Path, row: dict[str, Any]) -> None:
    for name in ("qwen3", "gemma2"):
        trunk = model(name).trunk
        assert trunk.head_dim == row["right"]
        assert trunk.width // trunk.heads == row["wrong"]
        assert trunk.blocks[0].o.weight.shape == (trunk.width, trunk.heads * row["right"])


@case("gated-head-loaded-flat")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """The gated sum, not a row of the regression layer nor the rows' mean."""
    one, texts = model("armorm"), encoded("armorm")
    gates, objectives = one.gates(texts), one.objectives(texts)
    columns = torch.tensor(list(objectives.values())).T
    weighed = (torch.tensor(list(gates.values())).T * (columns @ one.transform)).sum(1).tolist()
    rewards = one.rewards(texts)
    assert rewards == pytest.approx(weighed, abs=1e-5)
    for flat in (columns[:, 0].tolist(), columns.mean(1).tolist()):
        assert max(abs(a - b) for a, b in zip(rewards, flat, strict=True)) > 0.1


@case("gemma2-softcap-dropped")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one = model("gemma2")
    text = one.scored(encoded("gemma2")[3])
    blocks = tuple(dataclasses.replace(block, softcap=None) for block in one.trunk.blocks)
    (reward,) = one.native([encoded("gemma2")[3]], "right")
    assert one.trunk.trace(text).reward == pytest.approx(reward, abs=1e-5)
    assert abs(dataclasses.replace(one.trunk, blocks=blocks).trace(text).reward - reward) > 1e-3


@case("softcap-null-in-config-is-noop")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """What the module holds is in force and is what is read, whatever the config was told afterwards."""
    one = open_model(str(folder("gemma2-reward-0")), device="cpu")
    one.network.config.attn_logit_softcapping = None
    text = encoded("gemma2")[3]
    assert [block.softcap for block in one.trunk.blocks] == [5.0] * 3
    assert one.rewards([text]) == model("gemma2").rewards([text])
    assert one.trunk.trace(one.scored(text)).reward == pytest.approx(one.rewards([text])[0], abs=1e-5)


@case("batch-size-changes-reward")
def _(tmp: Path, row: dict[str, Any]) -> None:
    for name in tiny.DECODERS:
        assert compare(model(name), encoded(name)).floor < 1e-5
    half = compare(model("llama", "bfloat16"), encoded("llama"))
    assert half.floor > 1e-5  # what --dtype bfloat16 must be read against, and native-parity prints


@case("served-reward-squashed")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one, texts = model("llama"), encoded("llama")
    raw = [float(one.network(torch.tensor([text.ids])).logits) for text in texts]
    assert one.rewards(texts) == pytest.approx(raw, abs=1e-5)
    assert any(not 0 < reward < 1 for reward in raw)
    assert 1 / (1 + math.exp(-row["right"])) == pytest.approx(row["wrong"], abs=1e-6)


@case("offloaded-weight-is-meta")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one = open_model(str(folder("qwen3-reward-0")), device="cpu")
    away = dataclasses.replace(one, network=accelerate.cpu_offload(one.network))
    assert away.network.score.weight.device.type == row["wrong"]["device"]
    assert compare(away, encoded("qwen3"), [encoded("qwen3")[:2]]).holds
    assert torch.equal(away.head_row[0], model("qwen3").head_row[0])


@case("dla-does-not-sum")
def _(tmp: Path, row: dict[str, Any]) -> None:
    """Parts with the folded norm weight and the frozen scale sum to the margin: 2e-7 of the parts' own size."""
    for name in tiny.DECODERS:
        one = model(name)
        for pair in opened.pairs(8):
            found = dissect(one, pair)
            parts = torch.tensor(found["parts"])
            margin = found["rewards"][0] - found["rewards"][1]
            error = abs(float(parts[0].sum() - parts[1].sum()) - margin)
            assert error <= 2e-7 * max(1.0, float(parts.abs().sum()))


@case("patch-fingerprint-collision")
def _(tmp: Path, row: dict[str, Any]) -> None:
    one, other = Steer(torch.ones(4), 1), Steer(2 * torch.ones(4), 1)
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint == Steer(torch.ones(4), 1).fingerprint
    assert one.fingerprint != Steer(torch.ones(4), 2).fingerprint


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path, rows: dict[str, dict[str, Any]]) -> None:
    CASES[name](tmp_path, rows[name])
