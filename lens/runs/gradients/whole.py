"""A step's whole gradient by the trainer's own formula, to hold the rollouts' parts against.

It shares no code with them but the batch: ratios, clipping and the loss's own averaging are written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from lens.runs.gradients.products import Batch, Kl, with_gradients


def whole_gradient(
    model: Any,
    batch: Batch,
    advantages: Sequence[float],
    *,
    kind: str,
    longest: int | None,
    temperature: float = 1.0,
    clip: tuple[float, float] = (0.2, 0.2),
    kl: Kl | None = None,
) -> dict[str, torch.Tensor]:
    """The gradient of the clipped surrogate at the sampling policy, by parameter; `kind` as in gradients_loss."""
    with with_gradients(model) as parameters:
        loss = surrogate(
            model, batch, advantages, kind=kind, longest=longest, temperature=temperature, clip=clip, kl=kl
        )
        found = torch.autograd.grad(loss, list(parameters.values()), allow_unused=True)
        return {
            name: torch.zeros_like(one) if gradient is None else gradient
            for (name, one), gradient in zip(parameters.items(), found, strict=True)
        }


def surrogate(
    model: Any,
    batch: Batch,
    advantages: Sequence[float],
    *,
    kind: str,
    longest: int | None,
    temperature: float,
    clip: tuple[float, float],
    kl: Kl | None,
) -> torch.Tensor:
    mask = batch.asked.float()
    seen = torch.cat([mask.new_ones(len(mask), 1), mask.flip(1).cummax(1).values.flip(1)], dim=1).long()
    logits = model(input_ids=batch.ids, attention_mask=seen, use_cache=False).logits[:, :-1].float() / temperature
    logps = -cross_entropy(logits.transpose(1, 2), batch.ids[:, 1:], reduction="none")
    ratio = torch.exp(logps - logps.detach())
    factor = torch.tensor(advantages, device=logps.device)[:, None]
    each = -torch.min(ratio * factor, ratio.clamp(1 - clip[0], 1 + clip[1]) * factor)
    if kl is not None:
        less = kl.reference - logps
        estimate = less.exp() - less - 1
        each = each + kl.beta * (estimate * ratio if kl.corrected else estimate)
    each = torch.where(batch.asked, each, 0.0)
    if kind == "grpo":
        return (each.sum(-1) / mask.sum(-1).clamp(min=1.0)).mean()
    if kind == "dr_grpo":
        assert longest is not None
        return each.sum() / (len(each) * longest)
    return each.sum() / mask.sum().clamp(min=1.0)


def norm(gradient: dict[str, torch.Tensor]) -> float:
    return float(torch.stack([one.double().square().sum() for one in gradient.values()]).sum().sqrt())
