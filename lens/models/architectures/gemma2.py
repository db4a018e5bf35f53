"""Gemma-2: norms multiply by 1 + weight and stand after attention and MLP too, attention scores are soft-capped,
every other layer slides, the embedding is scaled by √d. The cap is in force only under eager attention.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from lens.models.architectures import _decoder
from lens.models.network import weight
from lens.models.trunk import Trunk

MODEL_TYPE = "gemma2"
ATTENTION = "eager"


def trunk(model: Any, w_r: Tensor, b: float) -> Trunk:
    norm = model.model.norm
    blocks = [
        _decoder.block(
            layer,
            attn_post=layer.post_attention_layernorm,
            mlp_norm=layer.pre_feedforward_layernorm,
            mlp_post=layer.post_feedforward_layernorm,
            softcap=layer.self_attn.attn_logit_softcapping,
        )
        for layer in model.model.layers
    ]
    gamma = 1.0 + weight(norm).float()
    scaled = hasattr(model.model.embed_tokens, "embed_scale")  # newer releases scale inside the embedding
    scale = None if scaled else model.config.hidden_size**0.5
    return _decoder.decoder(model, blocks, gamma, norm.eps, w_r, b, scale=scale)
