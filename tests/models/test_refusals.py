"""Every bad input ends in an error or a decline that names the likely mistake and what to do."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import accelerate
import pytest
import torch
from safetensors.torch import load_file, save_file

from lens.errors import UsageError
from lens.models.fit import check_fit
from lens.models.network import pick_device, pick_dtype, weight
from lens.models.pairs import Pair
from lens.models.subject import open_model
from tests.models import tiny
from tests.models.subjects import encoded, folder, model


def copied(name: str, into: Path) -> Path:
    return Path(shutil.copytree(folder(name), into / "model"))


def refused(spec: Any, message: str, **how: Any) -> UsageError:
    with pytest.raises(UsageError, match=message) as caught:
        open_model(str(spec), **{"device": "cpu"} | how)
    assert caught.value.remedy
    return caught.value


def changed(path: Path, **config: Any) -> Path:
    file = path / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | config))
    return path


def weights(path: Path, change: Any) -> Path:
    file = path / "model.safetensors"
    tensors = load_file(file)
    change(tensors)
    save_file(tensors, file, {"format": "pt"})
    return path


def test_a_base_language_model_has_no_trained_head(tmp_path: Path) -> None:
    path = copied("llama-causal-0", tmp_path)
    error = refused(path, "no weights for score.weight: the library fills in random ones")
    assert "base model" in error.remedy


def test_an_encoder_without_a_head_is_refused(tmp_path: Path) -> None:
    network = tiny.random("bert").base_model
    network.save_pretrained(tmp_path)
    tiny.tokenizer(template=False, encoder=True).save_pretrained(tmp_path)
    refused(tmp_path, "no weights for classifier")


def test_weights_that_are_not_numbers(tmp_path: Path) -> None:
    def spoil(tensors: dict[str, torch.Tensor]) -> None:
        tensors["model.layers.1.mlp.up_proj.weight"][3, 4] = float("nan")

    refused(weights(copied("llama-reward-0", tmp_path), spoil), "layers.1.mlp.up_proj.weight holds NaN")


def test_weights_that_are_not_numbers_beside_the_trunk(tmp_path: Path) -> None:
    def spoil(tensors: dict[str, torch.Tensor]) -> None:
        tensors["gating.layers.2.bias"][0] = float("inf")

    refused(weights(copied("armorm", tmp_path), spoil), "gating.layers.2.bias holds NaN or infinite")


def test_weights_of_another_shape_than_the_config(tmp_path: Path) -> None:
    refused(changed(copied("llama-reward-0", tmp_path), intermediate_size=64), "model can't be loaded|another shape")


def test_quantised_weights(tmp_path: Path) -> None:
    path = changed(copied("llama-reward-0", tmp_path), quantization_config={"quant_method": "gptq", "bits": 4})
    assert "quantised from" in refused(path, "quantised by gptq").remedy


@pytest.mark.parametrize(("size", "said"), [(0, "0 bytes"), (5, "5 bytes"), (4000, "4,000 bytes")])
def test_a_torn_weights_file(tmp_path: Path, size: int, said: str) -> None:
    path = copied("llama-reward-0", tmp_path)
    file = path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:size])
    refused(path, f"{said} and is not a whole safetensors file")


def test_a_pickle_checkpoint(tmp_path: Path) -> None:
    path = copied("llama-reward-0", tmp_path)
    (path / "model.safetensors").unlink()
    torch.save({}, path / "pytorch_model.bin")
    assert "safe_serialization=True" in refused(path, "only pickled weights .pytorch_model.bin., which run code").remedy


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: (path / "model.safetensors").unlink(), "holds no .*safetensors"),
        (lambda path: (path / "config.json").unlink(), "holds no config.json"),
        (lambda path: (path / "config.json").write_text("{"), "is not JSON"),
        (lambda path: changed(path, model_type="novel"), "can't be loaded"),
        (lambda path: [one.unlink() for one in path.glob("tokenizer*")], "no tokenizer that opens"),
    ],
)
def test_a_folder_that_lacks_something(tmp_path: Path, spoil: Any, message: str) -> None:
    path = copied("llama-reward-0", tmp_path)
    spoil(path)
    refused(path, message)


def test_a_place_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    refused(tmp_path / "file", "is a file")
    refused(tmp_path / "nowhere", "there is no folder")
    refused("./org/name", "there is no folder")


def test_code_of_its_own_runs_only_when_asked(tmp_path: Path) -> None:
    path = copied("llama-reward-0", tmp_path)
    (path / "own.py").write_text("raise SystemExit('ran')\n")
    auto = {"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}
    error = refused(changed(path, model_type="novel", auto_map=auto), "trust_remote_code|can't be loaded")
    assert "--trust-remote-code" in error.remedy


@pytest.mark.parametrize(
    ("raised", "message", "remedy"),
    [
        ("GatedRepoError", "is gated and no token", "hf auth login"),
        ("RepositoryNotFoundError", "knows no model org/name", "spelling"),
        ("RevisionNotFoundError", "has no revision main", "without @main"),
        ("LocalEntryNotFoundError", "can't be reached", "hf download org/name"),
        ("OSError", "can't be reached", "hf download org/name"),
    ],
)
def test_the_hub(monkeypatch: pytest.MonkeyPatch, raised: str, message: str, remedy: str) -> None:
    import huggingface_hub
    from huggingface_hub import errors

    kind = getattr(errors, raised, OSError)

    def fail(*_: Any, **__: Any) -> None:
        raise kind.__new__(kind)  # without the answer of a server that it wants

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    assert remedy in refused("org/name@main", message).remedy


def test_a_device_or_dtype_that_is_not_here() -> None:
    if not torch.cuda.is_available():
        refused(folder("llama-reward-0"), "cuda was asked for and no CUDA device is here", device="cuda")
        assert pick_device("auto") == "cpu"
        assert pick_dtype("auto", "map") == "float32"
    refused(folder("llama-reward-0"), "unknown device 'tpu'", device="tpu")
    refused(folder("llama-reward-0"), "unknown dtype 'int8'", dtype="int8")
    assert pick_dtype("auto", "cuda:0") == "bfloat16"


@pytest.mark.parametrize("name", ["llama", "bert", "judge", "process"])
def test_a_text_beyond_the_context_is_not_cut(name: str) -> None:
    with pytest.raises(UsageError, match=f"beyond the model's context of {tiny.CONTEXT}; nothing is cut silently"):
        model(name).encode("a", "b" * tiny.CONTEXT)


def test_pairs_with_texts_that_do_not_fit_are_named_at_once() -> None:
    long = "b" * tiny.CONTEXT
    some = [Pair(number, f"q{number}", long if number in (3, 8) else "yes", "no") for number in range(1, 12)]
    with pytest.raises(UsageError, match=r"2 pairs can't be scored by this model \(row 3, 8\): a text of \d+ tokens"):
        check_fit(model("llama"), some)
    check_fit(model("llama"), [pair for pair in some if pair.number not in (3, 8)])


def test_a_reply_of_one_token() -> None:
    text = model("llama").encode("ab", "c")
    assert text.ids[text.response] == 6
    plain = model("judge-plain").writer.encode("ab", "c")
    assert plain.response == len(plain) - 1
    assert model("dpo").rewards([model("dpo").encode("ab", "c")])


def test_a_text_with_nothing_in_it(tmp_path: Path) -> None:
    path = tiny.build(tmp_path, "qwen2", template=False)
    with pytest.raises(UsageError, match="has no token to score"):
        open_model(str(path), device="cpu").encode("", "")


def test_messages_without_a_template() -> None:
    with pytest.raises(UsageError, match="this tokenizer has no chat template"):
        model("bert").encode(({"role": "user", "content": "Hi."},), "Hello")


def test_messages_the_template_refuses(tmp_path: Path) -> None:
    path = copied("llama-reward-0", tmp_path)
    strict = (
        "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}{% endfor %}"
    )
    (path / "chat_template.jinja").write_text(strict)
    with pytest.raises(UsageError, match="takes no messages of system, user: no system"):
        open_model(str(path), device="cpu").encode(
            ({"role": "system", "content": "x"}, {"role": "user", "content": "y"}), "z"
        )


def test_a_token_the_network_has_no_embedding_for(tmp_path: Path) -> None:
    path = copied("llama-reward-0", tmp_path)
    one = open_model(str(path), device="cpu")
    one.writer.tokenizer.add_tokens(["€"])
    with pytest.raises(UsageError, match=f"writes '€' as {tiny.VOCABULARY} and the network has {tiny.VOCABULARY} emb"):
        one.encode("a", "5€")


def test_a_pad_token_the_network_has_no_embedding_for(tmp_path: Path) -> None:
    network = tiny.random("llama")
    network.save_pretrained(tmp_path)
    tiny.tokenizer().save_pretrained(tmp_path)
    refused(changed(tmp_path, pad_token_id=200), "pad token 200 is beyond")


@pytest.mark.parametrize("architecture", ["llama", "gpt2"])
def test_without_a_pad_token_texts_are_scored_one_by_one(tmp_path: Path, architecture: str) -> None:
    one = open_model(str(tiny.build(tmp_path, architecture, pad_token_id=None)), device="cpu")
    texts = [one.encode(*text) for text in tiny.TEXTS]
    alone = [one.native([text], "right")[0] for text in texts]
    assert one.rewards(texts) == pytest.approx(alone, abs=1e-5)
    assert one.native(texts, "right") == alone


@pytest.mark.parametrize("name", ["llama", "gemma2", "qwen3"])
def test_weights_kept_elsewhere_are_read_through_their_hook(name: str, tmp_path: Path) -> None:
    one = open_model(str(copied(f"{name}-reward-0", tmp_path)), device="cpu")
    texts = encoded(name)
    network = accelerate.cpu_offload(one.network)
    assert network.score.weight.device.type == "meta"
    elsewhere = dataclasses.replace(one, network=network)
    assert elsewhere.rewards(texts) == model(name).rewards(texts)
    trace = elsewhere.trunk.trace(elsewhere.scored(texts[1]))
    assert trace.reward == pytest.approx(model(name).rewards(texts)[1], abs=1e-5)
    assert torch.equal(weight(network.score), model(name).network.score.weight)


def test_a_placeholder_without_data() -> None:
    with pytest.raises(UsageError, match="a placeholder without data"):
        weight(torch.nn.Linear(2, 2, device="meta"))


def test_gemma2_runs_with_its_cap_in_force() -> None:
    one = model("gemma2")
    assert one.network.config._attn_implementation == "eager"
    assert [block.softcap for block in one.trunk.blocks] == [5.0] * 3
    uncapped = dataclasses.replace(
        one.trunk, blocks=tuple(dataclasses.replace(b, softcap=None) for b in one.trunk.blocks)
    )
    text = one.scored(encoded("gemma2")[3])
    assert abs(uncapped.trace(text).reward - one.trunk.trace(text).reward) > 1e-3
