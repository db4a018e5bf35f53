"""Every kind of reward and every architecture keeps one contract."""

from __future__ import annotations

import pytest
import torch

from lens.access import Access
from lens.models.parity import compare
from tests.models import tiny
from tests.models.subjects import ARCHITECTURES, KINDS, TEXTS, encoded, model

ALL = (*ARCHITECTURES, *KINDS)
EXACT = (*tiny.DECODERS, "judge", "judge-plain", "dense-last", "readout", "armorm-objective")
FP32 = 1e-5


def close(here: list[float], there: list[float], tolerance: float = FP32) -> None:
    assert len(here) == len(there)
    for a, b in zip(here, there, strict=True):
        assert abs(a - b) <= tolerance * max(1.0, abs(b))


@pytest.mark.parametrize("name", ALL)
def test_it_says_what_it_is(name: str) -> None:
    one = model(name)
    assert one.family == ("A" if name in EXACT else one.family)
    assert one.family in ("A", "B", "opaque")
    assert (one.trunk is not None) == (one.family == "A") == (name in EXACT)
    assert (one.network is None) == (one.family == "opaque")
    granted = Access.parse(one.grants())
    assert not granted.missing(Access.parse("grader.query gold.record"))
    assert bool(granted.missing(Access.parse("grader.backward"))) == (one.family == "opaque")
    subject = one.as_subject()
    assert subject.kind == "models"
    assert subject.slug == one.slug
    assert subject.fingerprint == one.fingerprint
    assert len(subject.fingerprint) == 64
    assert one.device == "cpu"
    assert one.dtype == "float32"


@pytest.mark.parametrize("name", ALL)
def test_rewards_are_the_librarys_however_they_are_padded(name: str) -> None:
    found = compare(model(name), encoded(name))
    assert found.holds, found
    assert found.residual["right"] <= FP32
    assert found.residual["one"] <= FP32
    assert FP32 <= found.tolerance <= 3 * FP32
    assert {"right", "one"} <= set(found.residual)
    assert ("left" in found.residual) == (name not in ("modernbert", "bert", "gpt2", "dense-mean"))
    assert found.floor <= FP32


@pytest.mark.parametrize("name", ALL)
def test_rewards_tell_texts_apart(name: str) -> None:
    rewards = model(name).rewards(encoded(name))
    assert len({round(reward, 4) for reward in rewards}) > len(TEXTS) // 2


@pytest.mark.parametrize("name", ALL)
def test_a_reward_does_not_depend_on_the_texts_beside_it(name: str) -> None:
    one, texts = model(name), list(encoded(name))
    rewards = one.rewards(texts)
    close(one.rewards(texts[::-1])[::-1], rewards)
    close([one.rewards([text])[0] for text in texts], rewards)


@pytest.mark.parametrize("name", EXACT)
def test_the_trace_and_the_pair_give_the_reward(name: str) -> None:
    one, texts = model(name), encoded(name)
    pairs = [(texts[0], texts[1]), (texts[2], texts[3]), (texts[6], texts[7])]
    found = compare(one, texts, pairs)
    assert found.residual["trace"] <= FP32
    assert found.residual["pair"] <= FP32


@pytest.mark.parametrize("name", EXACT)
def test_what_is_added_to_the_stream_adds_up_to_the_reward(name: str) -> None:
    one = model(name)
    trunk = one.trunk
    for text in encoded(name)[:4]:
        trace = trunk.trace(one.scored(text))
        last = trace.h[-1][-1]
        parts = [trace.h[0][-1], *(attn[-1] for attn in trace.attn), *(mlp[-1] for mlp in trace.mlp)]
        readout = trunk.readout
        total = sum(float(part.float() @ readout.w / readout.sigma(last)) for part in parts) + readout.b
        close([total], [trace.reward])


@pytest.mark.parametrize("name", EXACT)
def test_heads_are_slices_of_the_output_projection(name: str) -> None:
    """Through the frozen post-norm where there is one (Gemma-2), the heads' slices add up to what attention adds."""
    one = model(name)
    trunk = one.trunk
    trace = trunk.trace(one.scored(encoded(name)[3]))
    for layer, block in enumerate(trunk.blocks):
        z, weight = trace.z[layer][-1], block.o.weight
        assert z.shape == (trunk.heads, trunk.head_dim)
        assert weight.shape == (trunk.width, trunk.heads * trunk.head_dim)
        slices = weight.view(trunk.width, trunk.heads, trunk.head_dim)
        each = torch.einsum("dhk,hk->hd", slices, z)
        whole = each.sum(0)
        added = trace.attn[layer][-1]
        if block.attn_post is not None:
            whole = block.attn_post(whole)
        assert torch.allclose(whole, added, atol=1e-5)


@pytest.mark.parametrize("name", tiny.DECODERS)
def test_query_heads_read_their_own_key_and_value_head(name: str) -> None:
    """At position 0 a head can only read its own value: z is the value of key-value head ⌊h · Hkv / H⌋."""
    trunk = model(name).trunk
    trace = trunk.trace(encoded(name)[0].ids[:1])
    for layer in range(trunk.layers):
        values = trace.keys[layer][1][0, :, 0]
        assert values.shape[0] == trunk.kv_heads == 2
        for head in range(trunk.heads):
            assert torch.allclose(trace.z[layer][0, head], values[head * trunk.kv_heads // trunk.heads], atol=1e-6)


@pytest.mark.parametrize("name", tiny.DECODERS)
def test_the_head_runs_in_fp32(name: str) -> None:
    half, whole = model(name, "bfloat16"), model(name)
    assert half.fingerprint != whole.fingerprint
    assert half.head_row[0].dtype == torch.float32
    texts = [half.encode(*text) for text in TEXTS]
    h = half._hidden(texts)
    assert h.dtype == torch.bfloat16
    expected = [
        float(h[row, half.readout_index(text)].float() @ half.network.score.weight[0].float())
        for row, text in enumerate(texts)
    ]  # fmt: skip
    close(half.rewards(texts), expected, 1e-6)
    assert any(reward != float(torch.tensor(reward).bfloat16()) for reward in half.rewards(texts))
    assert compare(half, texts).holds


def test_no_special_token_is_written_twice() -> None:
    one = model("llama")
    bos = one.writer.tokenizer.bos_token_id
    for text in encoded("llama"):
        assert text.ids[0] == bos
        assert text.ids.count(bos) == 1


def test_without_a_template_the_tokenizer_writes_its_own_special_tokens() -> None:
    text = model("judge-plain").writer.encode("ab", "cd")
    assert text.ids == (1, 4, 5, 6, 7)
    assert text.response == 3


def test_an_encoder_is_told_its_two_segments() -> None:
    text = model("bert").encode("ab", "cd")
    assert text.ids == (1, 4, 5, 2, 6, 7, 2)
    assert text.types == (0, 0, 0, 0, 1, 1, 1)
    assert text.response == 4


@pytest.mark.parametrize("name", ALL)
def test_the_reply_begins_where_texts_part(name: str) -> None:
    one = model(name)
    first, second = one.encode("Ask", "xyz."), one.encode("Ask", "qrs.")
    assert first.response == second.response
    assert first.ids[: first.response] == second.ids[: second.response]
    assert first.ids[first.response] != second.ids[second.response]
