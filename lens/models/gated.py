"""A reward of many objectives, weighted by a gate that reads the prompt (ArmoRM, Wang et al. 2024, arXiv:2406.12845).

    objectives  R = W·x                x: the stream after the final norm at the last token that isn't padding
    gates       g = scale · softmax(MLP(p) / T)     p: the same stream where the template begins the reply
    reward      g · (R·M)              M: the transform that takes what verbosity explains out of the objectives

The checkpoint's own class is remote code; this module reads its weights by name and runs none of it. Given the gates
the reward is linear in x, with row W^T·M·g and so another row for every prompt.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from lens.errors import UsageError
from lens.models.model import Encoded, Padding
from lens.models.networked import Networked

if TYPE_CHECKING:
    from lens.models.folder import Folder
    from lens.models.trunk import Trunk

TEMPERATURE = 10.0  # where the config names none
NAMES = (
    *(f"helpsteer-{name}" for name in ("helpfulness", "correctness", "coherence", "complexity", "verbosity")),
    *(f"ultrafeedback-{name}" for name in ("overall-score", "instruction-following", "truthfulness", "honesty")),
    *("ultrafeedback-helpfulness", "beavertails-is-safe", "prometheus-score"),
    *("argilla-overall-quality", "argilla-judge-lm"),
    *(f"code-{name}" for name in ("complexity", "style", "explanation", "instruction-following", "readability")),
)  # the 19 objectives of ArmoRM-Llama3-8B-v0.1, in the order of its model card


class Heads(nn.Module):
    """The parts beside the trunk, in fp32: `regression` [K, d], `transform` [K, K], `layers` of the gate's MLP, its
    `scale` and `temperature`."""

    def __init__(self, weights: dict[str, Tensor], temperature: float) -> None:
        super().__init__()

        def frozen(name: str) -> nn.Parameter:
            return nn.Parameter(weights[name].float(), requires_grad=False)

        self.regression = frozen("regression_layer.weight")
        self.transform = frozen("reward_transform_matrix")
        self.scale = frozen("gating.logit_scale")
        self.temperature = temperature
        count = len([name for name in weights if name.startswith("gating.layers.") and name.endswith(".weight")])
        self.weights = nn.ParameterList([frozen(f"gating.layers.{i}.weight") for i in range(count)])
        self.biases = nn.ParameterList([frozen(f"gating.layers.{i}.bias") for i in range(count)])

    def objectives(self, x: Tensor) -> Tensor:
        """[..., d] -> [..., K], fp32, before the transform."""
        return x.float() @ self.regression.T

    def gates(self, p: Tensor) -> Tensor:
        """[..., d] -> [..., K], fp32; they sum to the scale."""
        p = p.float()
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            p = p @ weight.T + bias
            p = torch.relu(p) if i + 1 < len(self.weights) else p
        return torch.softmax(p / self.temperature, dim=-1) * self.scale

    def row(self, gates: Tensor) -> Tensor:
        """The reward's row w_r at given gates: [..., K] -> [..., d]."""
        return gates @ self.transform.T @ self.regression


class GatedNetwork(nn.Module):
    """The library's decoder as `model`, with `heads` beside it."""

    def __init__(self, model: Any, heads: Heads, mark: tuple[int, ...]) -> None:
        super().__init__()
        self.model = model
        self.heads = heads
        self.mark = mark
        self.config = model.config

    @property
    def base_model(self) -> Any:
        return self.model

    def get_input_embeddings(self) -> Any:
        return self.model.get_input_embeddings()

    def drawn(self) -> GatedNetwork:
        """The same network with every weight of the decoder and the heads drawn anew, the transform kept."""
        fresh = type(self.model)._from_config(self.config, dtype=self.model.dtype)
        heads = copy.deepcopy(self.heads)
        for one in (heads.regression, *heads.weights, *heads.biases):
            one.normal_(std=self.config.initializer_range)
        return GatedNetwork(fresh, heads, self.mark)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> SimpleNamespace:
        """`logits` [texts], `objectives` and `gates` [texts, K]."""
        hidden = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        device = hidden.device
        rows = torch.arange(len(input_ids), device=device)
        pad = self.config.pad_token_id
        seen = attention_mask if pad is None else (input_ids != pad).long()
        last = (torch.arange(input_ids.shape[1], device=seen.device) * seen).argmax(-1).to(device)
        begins = torch.tensor([begin(ids, self.mark) for ids in input_ids.tolist()], device=device)
        objectives = self.heads.objectives(hidden[rows, last])
        gates = self.heads.gates(hidden[rows, begins])
        logits = (gates * (objectives @ self.heads.transform)).sum(-1)
        return SimpleNamespace(logits=logits, objectives=objectives, gates=gates)


@dataclass(frozen=True, kw_only=True)
class GatedModel(Networked):
    """`names` are the objectives'. With `objective`, that objective alone (before the transform) is the reward."""

    names: tuple[str, ...]
    objective: int | None = None
    kind: str = "gated objectives"

    def objectives(self, texts: Sequence[Encoded]) -> dict[str, list[float]]:
        """Each objective's value of every text, before the transform."""
        return self._columns(texts, "objectives")

    def gates(self, texts: Sequence[Encoded]) -> dict[str, list[float]]:
        """Each objective's gate on every text."""
        return self._columns(texts, "gates")

    @property
    def transform(self) -> Tensor:
        """M [K, K]: objectives times M are what the gates weigh."""
        found: Tensor = self.network.heads.transform
        return found

    @property
    def head_row(self) -> tuple[Tensor, float]:
        """Of one objective."""
        return self.network.heads.regression[self.objective], 0.0

    def trunk_for(self, text: Encoded) -> Trunk:
        """The trunk with the head as the gates set it for this text's prompt: every exact form holds on it."""
        from lens.models.architectures import architectures

        with torch.no_grad():
            row = self.network.heads.row(self._forward([text], "right").gates[0])
        return architectures()[self._config.model_type].trunk(self.network, row, 0.0)

    def readout_index(self, text: Encoded) -> int:
        pad = self._config.pad_token_id
        last = len(text) - 1
        return last if pad is None else next((i for i in range(last, -1, -1) if text.ids[i] != pad), 0)

    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> Tensor:
        found = self._forward(texts, padding)
        scores: Tensor = found.logits if self.objective is None else found.objectives[:, self.objective]
        return scores

    def _forward(self, texts: Sequence[Encoded], padding: Padding) -> SimpleNamespace:
        found: SimpleNamespace = self.network(**self._given(texts, padding))
        return found

    def _columns(self, texts: Sequence[Encoded], what: str) -> dict[str, list[float]]:
        with torch.no_grad():
            rows = [getattr(self._forward([text], "right"), what)[0].tolist() for text in texts]
        return dict(zip(self.names, map(list, zip(*rows, strict=True)), strict=True))


def begin(ids: Sequence[int], mark: tuple[int, ...]) -> int:
    """Where the last occurrence of `mark`, the tokens that begin a reply, starts. Raises UsageError where there is
    none."""
    for start in range(len(ids) - len(mark), -1, -1):
        if tuple(ids[start : start + len(mark)]) == mark:
            return start
    raise UsageError(
        "the text holds no beginning of a reply, which is where this model's gate reads the prompt",
        remedy="save the model's own chat template with its tokenizer",
    )


def read_heads(folder: Folder, temperature: float) -> Heads:
    """The weights beside the trunk, by the names ArmoRM's checkpoint gives them.

    Raises UsageError for one that is missing or not finite.
    """
    from safetensors import safe_open

    weights: dict[str, Tensor] = {}
    for path in folder.weights:
        with safe_open(str(path), "pt") as file:
            for name in file.keys():  # noqa: SIM118  # it is no dict
                if not name.startswith("model."):
                    weights[name] = file.get_tensor(name)
    needed = {"regression_layer.weight", "reward_transform_matrix", "gating.logit_scale", "gating.layers.0.weight"}
    missing = sorted(needed - set(weights))
    if missing:
        raise UsageError(
            f"{folder.name} holds no {missing[0]}: it is no model of gated objectives",
            remedy="name it without armorm: where its head is one row",
        )
    for name, tensor in weights.items():
        if not tensor.isfinite().all():
            raise UsageError(
                f"{folder.name}: {name} holds NaN or infinite weights, so every reward would be NaN",
                remedy="download the file again",
            )
    return Heads(weights, temperature)


def named(count: int) -> tuple[str, ...]:
    """Names for `count` objectives."""
    return NAMES if count == len(NAMES) else tuple(f"objective-{number}" for number in range(count))
