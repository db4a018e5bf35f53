"""What the reward would be with another stream at the readout token, from any depth on.

Only that one position is computed again: a causal network's earlier positions can't see it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lens.models.trunk import KeyValue, Trace, Trunk


def resume(trunk: Trunk, trace: Trace, shared: Sequence[KeyValue], layer: int, streams: Tensor) -> Tensor:
    """The reward of `trace`'s text with each row of `streams` [R, d] standing before block `layer` at its readout
    token (after the last block, as `layer` L), ru, [R]. `shared`: keys and values of the tokens before the trace."""
    return trunk.readout.reward(onward(trunk, trace, shared, streams, layer, trunk.layers))


@torch.no_grad()
def onward(trunk: Trunk, trace: Trace, shared: Sequence[KeyValue], streams: Tensor, start: int, stop: int) -> Tensor:
    """Those streams [R, d] before block `start` as they stand before block `stop`: [R, d]."""
    position = trace.start + len(trace.h[0]) - 1
    rotary = trunk.positions(position, position + 1)
    h = streams.to(trace.h[0].dtype)[:, None]
    for at in range(start, stop):
        z, _ = trunk.attend(at, h, rotary, _before(trace, shared, at))
        mid = h + trunk.project(at, z)
        h = mid + trunk.feed(at, mid)
    return h[:, 0]


def _before(trace: Trace, shared: Sequence[KeyValue], layer: int) -> KeyValue | None:
    """Keys and values of every token before the readout."""
    keys, values = (one[:, :, :-1] for one in trace.keys[layer])
    if shared:
        keys = torch.cat([shared[layer][0], keys], dim=2)
        values = torch.cat([shared[layer][1], values], dim=2)
    return (keys, values) if keys.shape[2] else None
