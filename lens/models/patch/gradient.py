"""Attribution patching: every site's noising effect to first order, from two forwards and one backward.

r(chosen) − r(patched) ≈ −∇r·(rejected's value − chosen's value), summed over the aligned positions of the site
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from lens.models.patch.schedule import Source
from lens.models.trunk import KeyValue, Trunk, common


@dataclass(frozen=True)
class Estimates:
    """First-order effects, ru: components [2 L + 1] (embed, attn.0, mlp.0, …), heads [L, H], and the stream by depth
    and position back from the readout [L + 1, T]."""

    components: list[float]
    heads: list[list[float]]
    positions: list[list[float]]
    margin: float


def estimates(trunk: Trunk, chosen: tuple[int, ...], rejected: tuple[int, ...]) -> Estimates:
    """Of a pair's texts, ids up to and with their readout tokens; the shared beginning is run once."""
    shared = common(chosen, rejected)
    past = trunk.trace(chosen[:shared]).keys if shared else None
    other = trunk.trace(rejected[shared:], shared, past)
    source, base = Source.of(other), _graded(trunk, chosen[shared:], shared, past)

    def effect(slopes: Tensor, values: Tensor, given: Tensor) -> Tensor:
        """−∇·Δ at every aligned position, readout first: [T]."""
        count = min(len(values), len(given))
        change = (given[-count:].float() - values[-count:].float()) * slopes[-count:].float()
        return -change.flip(0).flatten(1).sum(dim=1)

    parts = [effect(base.slopes.embed, base.values.embed, source.embed).sum()]
    heads, positions = [], []
    for layer in range(trunk.layers):
        for kind in ("attn", "mlp"):
            slope, value, given = (getattr(one, kind)[layer] for one in (base.slopes, base.values, source))
            parts.append(effect(slope, value, given).sum())
        z = [one.z[layer] for one in (base.slopes, base.values, source)]
        each = [effect(*(one[:, head] for one in z)).sum() for head in range(trunk.heads)]
        heads.append(torch.stack(each).tolist())
    for layer in range(trunk.layers + 1):
        found = effect(base.slopes.stream[layer], base.values.stream[layer], source.stream[layer])
        positions.append(found.tolist())
    return Estimates(torch.stack(parts).tolist(), heads, positions, base.reward - other.reward)


@dataclass(frozen=True)
class _Graded:
    """A pass's values at every site and the reward's slopes there."""

    values: Source
    slopes: Source
    reward: float


def _graded(trunk: Trunk, ids: tuple[int, ...], start: int, past: list[KeyValue] | None) -> _Graded:
    with torch.enable_grad():
        h = trunk.embed(torch.tensor([ids], device=trunk.device)).detach().requires_grad_()
        rotary = trunk.positions(start, start + len(ids))
        stream: list[Tensor] = [h]
        attns: list[Tensor] = []
        mlps: list[Tensor] = []
        zs: list[Tensor] = []
        for layer in range(trunk.layers):
            z, _ = trunk.attend(layer, h, rotary, past[layer] if past else None)
            attn = trunk.project(layer, z)
            mlp = trunk.feed(layer, h + attn)
            h = h + attn + mlp
            for into, tensor in zip((zs, attns, mlps, stream), (z, attn, mlp, h), strict=True):
                into.append(tensor)
        reward = trunk.readout.reward(h[0, -1])
        every = [*stream, *attns, *mlps, *zs]
        slopes = torch.autograd.grad(reward, every)

    def sorted_out(tensors: list[Tensor]) -> Source:
        flat, layers = [tensor[0].detach() for tensor in tensors], trunk.layers
        streams, rest = flat[: layers + 1], flat[layers + 1 :]
        return Source(streams[0], rest[:layers], rest[layers : 2 * layers], rest[2 * layers :], streams)

    return _Graded(sorted_out(every), sorted_out(list(slopes)), float(reward.detach()))
