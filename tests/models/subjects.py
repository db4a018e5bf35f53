"""One small model of every kind and of every architecture, opened as a person would."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from lens.models.subject import open_model
from tests.models import tiny

MESSAGES = (
    {"role": "user", "content": "Hi."},
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": "2+2?"},
)
TEXTS: tuple[tuple[Any, str], ...] = (
    *tiny.TEXTS,
    ("Add 2 and 3.", "First, 2 and 3.\n\nThen 2 + 3 = 5.\n\nSo: 5."),
    ("Add 2 and 3.", "No idea.\n\nMaybe 6?"),
)
KINDS = {
    "dpo": "dpo:{llama-causal-0}+{llama-causal-1}?beta=0.2",
    "dpo-gemma2": "dpo:{gemma2-causal-0}+{gemma2-causal-1}",
    "judge": "judge:{llama-causal-0}?yes=Y&no=N",
    "judge-plain": "judge:{qwen3-causal-0-plain}?yes=Y&no=N",
    "judge-gemma2": "judge:{gemma2-causal-0}?yes=Y&no=N",
    "process": "process:{llama-tokens2-0}?reduce=prod",
    "process-one": "process:{qwen2-tokens-0}?reduce=min",
    "process-words": "process:{mistral-causal-0}?good=%2B&bad=-&reduce=mean&step=%0A",
    "dense": "dense:{llama-tokens-0}",
    "dense-last": "dense:{qwen3-tokens-0}?reduce=last",
    "dense-mean": "dense:{modernbert-tokens-0}?reduce=mean",
    "ensemble": "ensemble:{llama-reward-0}+{llama-reward-1}+{qwen3-reward-0}?reduce=mean-sd&k=0.5",
    "ensemble-of-options": "ensemble:[{llama-reward2-0}?readout=1-0]+{llama-reward-0}?reduce=min",
    "trajectory": "trajectory:{llama-reward-0}?discount=0.5",
    "trajectory-of-judge": "trajectory:[judge:{llama-causal-0}?yes=Y&no=N]?reduce=mean",
    "rubric": "rubric:{rubric}",
    "readout": "{llama-reward2-0}?readout=1-0",
    "armorm": "{armorm}",
    "armorm-objective": "armorm:{armorm}?objective=objective-2",
}
ARCHITECTURES = (*tiny.DECODERS, *tiny.ENCODERS)


@cache
def folder(name: str) -> Path:
    """`llama-reward-0`: architecture, head (a number after it is its rows) and seed; `-plain` has no template."""
    where = tiny.new_folder(name) / name
    if name == "rubric":
        return _rubric(where)
    if name == "armorm":
        return _armorm(where)
    architecture, head, seed, *plain = name.split("-")
    kind = head.rstrip("0123456789")
    labels = {"num_labels": int(head[len(kind) :])} if head[len(kind) :] else {}
    return tiny.build(where, architecture, kind, seed=int(seed), template=not plain, **labels)


def spec(name: str) -> str:
    """Of a kind above, or of an architecture's scalar head."""
    text = KINDS.get(name, "{" + name + "-reward-0}")
    names = {part.partition("}")[0] for part in text.split("{")[1:]}
    for one in names:
        text = text.replace("{" + one + "}", str(folder(one)))
    return text


@cache
def model(name: str, dtype: str = "float32") -> Any:
    torch.set_num_threads(1)
    return open_model(spec(name), device="cpu", dtype=dtype)


@cache
def encoded(name: str) -> tuple[Any, ...]:
    return tuple(model(name).encode(*text) for text in TEXTS)


def _rubric(where: Path) -> Path:
    criteria = [
        {"name": "good", "weight": 2.0, "model": f"judge:{folder('llama-causal-0')}?yes=Y&no=N"},
        {"name": "short", "weight": -0.5, "model": str(folder("qwen3-reward-0"))},
    ]
    where.mkdir(parents=True)
    (where / "rubric.json").write_text(json.dumps({"criteria": criteria}))
    return where / "rubric.json"


def _armorm(where: Path) -> Path:
    """A tiny model with the checkpoint's own names: five objectives, a gate of three hidden layers."""
    tiny.build(where, "llama", "causal")
    weights = {
        name: value for name, value in load_file(where / "model.safetensors").items() if name != "lm_head.weight"
    }
    draw = torch.Generator().manual_seed(7)

    def random(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=draw) * 0.3

    weights["regression_layer.weight"] = random(5, 32)
    weights["reward_transform_matrix"] = torch.eye(5) + random(5, 5)
    weights["gating.logit_scale"] = torch.tensor([1.7])
    for i, (out, into) in enumerate(((24, 32), (24, 24), (24, 24), (5, 24))):
        weights[f"gating.layers.{i}.weight"], weights[f"gating.layers.{i}.bias"] = random(out, into), random(out)
    save_file(weights, where / "model.safetensors", {"format": "pt"})
    config = json.loads((where / "config.json").read_text())
    config |= {
        "architectures": ["LlamaForRewardModelWithGating"],
        "auto_map": {"AutoModelForSequenceClassification": "modeling_custom.LlamaForRewardModelWithGating"},
        "gating_temperature": 4,
        "num_objectives": 5,
    }
    (where / "config.json").write_text(json.dumps(config))
    return where
