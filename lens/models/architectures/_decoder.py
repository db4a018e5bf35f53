"""What Llama, Mistral, Qwen and Gemma decoders share: where the library keeps their parts."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lens.models.network import device_of, weight
from lens.models.trunk import Block, Readout, Rotary, Trunk


def block(layer: Any, **parts: Any) -> Block:
    """A decoder layer's parts. What the module holds is read, not the config: the two can differ."""
    attention = layer.self_attn
    usual: dict[str, Any] = {
        "attn_norm": layer.input_layernorm,
        "q": attention.q_proj,
        "k": attention.k_proj,
        "v": attention.v_proj,
        "o": attention.o_proj,
        "mlp_norm": layer.post_attention_layernorm,
        "mlp": layer.mlp,
        "scaling": attention.scaling,
        "window": getattr(attention, "sliding_window", None),
        "device": device_of(attention.q_proj),
    }
    return Block(**usual | parts)


def decoder(
    model: Any, blocks: list[Block], gamma: Tensor, eps: float, w_r: Tensor, b: float, *, scale: float | None = None
) -> Trunk:
    """The trunk of `model` (a sequence classifier or a causal language model) with head row `w_r` [d] and bias `b`.

    `gamma` is the final norm's weight as it multiplies, `scale` what the embedding is multiplied by.
    """
    base = model.model
    table: nn.Embedding = base.embed_tokens
    attention = base.layers[0].self_attn
    home = device_of(table)
    like = torch.empty(0, dtype=base.dtype, device=home)  # tells the library the dtype of its rotary factors
    gamma = gamma.to(home, torch.float32).detach()

    def embed(ids: Tensor) -> Tensor:
        found: Tensor = table(ids).to(home)
        return found if scale is None else found * torch.tensor(scale, dtype=found.dtype, device=home)

    def rotary(positions: Tensor) -> Rotary:
        cos, sin = (one.to(home) for one in base.rotary_emb(like, positions[None]))
        return cos[:, None], sin[:, None]

    return Trunk(
        blocks=tuple(blocks),
        embed=embed,
        rotary=rotary,
        readout=Readout(w_r.to(home, torch.float32).detach() * gamma, b, eps, gamma),
        heads=model.config.num_attention_heads,
        kv_heads=model.config.num_key_value_heads,
        head_dim=attention.head_dim,
        width=model.config.hidden_size,
        device=home,
    )


def plain(model: Any, w_r: Tensor, b: float, **parts: Any) -> Trunk:
    """The trunk of a decoder whose blocks hold nothing beyond the usual."""
    norm = model.model.norm
    return decoder(model, [block(one, **parts) for one in model.model.layers], weight(norm), _eps(norm), w_r, b)


def _eps(norm: Any) -> float:
    return float(getattr(norm, "variance_epsilon", None) or norm.eps)
