"""Qwen3: queries and keys normalised per head; head_dim need not be width / heads."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from lens.models.architectures import _decoder
from lens.models.network import weight
from lens.models.trunk import Trunk

MODEL_TYPE = "qwen3"
ATTENTION = "sdpa"


def trunk(model: Any, w_r: Tensor, b: float) -> Trunk:
    norm = model.model.norm
    blocks = [
        _decoder.block(layer, q_norm=layer.self_attn.q_norm, k_norm=layer.self_attn.k_norm)
        for layer in model.model.layers
    ]
    return _decoder.decoder(model, blocks, weight(norm), norm.variance_epsilon, w_r, b)
