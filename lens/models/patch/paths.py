"""Path patching: one component's noised value reaches one later component and nothing else.

The receiver (an attention, an MLP, or the readout) reads the chosen text's stream with the sender's value taken from
the rejected text; what it then adds enters the otherwise clean stream, and the blocks after it run on.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from lens.models.patch.schedule import Base, room
from lens.models.patch.sites import Site, components
from lens.models.trunk import PairTrace, Trace, Trunk

READOUT = "readout"


class Path(NamedTuple):
    """`effect` is the margin lost, ru; `structural` where the receiver stands before the sender and can't read it."""

    sender: Site
    receiver: str
    effect: float
    structural: bool


@torch.no_grad()
def paths(trunk: Trunk, both: PairTrace) -> list[Path]:
    """Every sender into every receiver, in the order of the stream."""
    base = Base(both.chosen, both.shared)
    senders = components(trunk.layers)
    found = []
    for receiver in senders[1:]:
        able = [sender for sender in senders if _before(sender, receiver)]
        rewards = _received(trunk, base, receiver, torch.stack([change(both, sender) for sender in able]))
        lost = dict(zip(able, (both.chosen.reward - rewards).tolist(), strict=True))
        found += [Path(one, receiver.name, lost.get(one, 0.0), one not in lost) for one in senders]
    last = torch.stack([change(both, sender)[-1] for sender in senders])
    direct = both.chosen.reward - trunk.readout.reward(both.chosen.h[-1][-1] + last)
    return found + [Path(one, READOUT, value, False) for one, value in zip(senders, direct.tolist(), strict=True)]


def change(both: PairTrace, sender: Site) -> Tensor:
    """Rejected − chosen value of what the sender adds, at the aligned positions, zero before them: [T, d]."""
    one, other = (_added(side, sender) for side in (both.chosen, both.rejected))
    count = min(len(one), len(other))
    found = torch.zeros_like(one)
    found[-count:] = other[-count:] - one[-count:]
    return found


def _added(trace: Trace, site: Site) -> Tensor:
    if site.kind == "embed":
        return trace.h[0]
    return (trace.attn if site.kind == "attn" else trace.mlp)[site.layer]


def _before(sender: Site, receiver: Site) -> bool:
    """Whether the receiver reads a stream that the sender has written to."""
    return sender.layer < receiver.layer or (
        sender.layer == receiver.layer and sender.kind == "attn" and receiver.kind == "mlp"
    )


def _received(trunk: Trunk, base: Base, receiver: Site, changes: Tensor) -> Tensor:
    """The reward for each change [S, T, d] of what the receiver reads: [S]."""
    rows = room(trunk, base)
    parts = [_some(trunk, base, receiver, changes[at : at + rows]) for at in range(0, len(changes), rows)]
    return trunk.readout.reward(torch.cat(parts))


def _some(trunk: Trunk, base: Base, receiver: Site, changes: Tensor) -> Tensor:
    trace, layer = base.trace, receiver.layer
    rotary = trunk.positions(trace.start, trace.start + base.count)
    last = layer == trunk.layers - 1
    if receiver.kind == "attn":
        past = base.past[layer] if base.past else None
        z, _ = trunk.attend(layer, trace.h[layer] + changes, rotary, past, last=last)
        mid = (trace.h[layer][-1:] if last else trace.h[layer]) + trunk.project(layer, z)
        x = mid + trunk.feed(layer, mid)
    else:
        x = trace.mid[layer] + trunk.feed(layer, trace.mid[layer] + changes)
    for after in range(layer + 1, trunk.layers):
        last = after == trunk.layers - 1
        z, _ = trunk.attend(after, x, rotary, base.past[after] if base.past else None, last=last)
        mid = (x[:, -1:] if last else x) + trunk.project(after, z)
        x = mid + trunk.feed(after, mid)
    return x[:, -1]
