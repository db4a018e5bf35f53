"""Interventions on a class-A network as values: they compose, and are known by what they hold.

    Steer(l, v)      adds v to the stream before block l at the readout token
    Project(l, v)    takes out of that stream its part along v
    Turn(v)          takes v out of the head: w ← w − (w·v/v·v) v, whatever the stream holds
    Silence(sites)   what these components or heads add to the stream becomes 0, at every position of the reply's end

Steered and projected before the last block, everything after answers to it; the head is turned last.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from lens.models.patch.schedule import Base, Source, copied
from lens.models.patch.sites import Site
from lens.models.resume import onward
from lens.models.trunk import KeyValue, Readout, Trace, Trunk


@dataclass(frozen=True, eq=False)
class _Along:
    """An intervention along `v` [d]."""

    v: Tensor

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the kind, the place and every number held: equal fingerprints are equal interventions."""
        payload = self.v.detach().double().cpu().contiguous().numpy().tobytes()
        return _sha(type(self).__name__, str(getattr(self, "layer", "head")), str(tuple(self.v.shape)), payload)


@dataclass(frozen=True, eq=False)
class Steer(_Along):
    layer: int


@dataclass(frozen=True, eq=False)
class Project(_Along):
    layer: int


@dataclass(frozen=True, eq=False)
class Turn(_Along):
    """See this module's text."""


@dataclass(frozen=True)
class Silence:
    sites: tuple[Site, ...]

    @property
    def fingerprint(self) -> str:
        return _sha("Silence", *sorted(site.name for site in self.sites))


Intervention: TypeAlias = Steer | Project | Turn | Silence


def fingerprint(interventions: Sequence[Intervention]) -> str:
    """Of a composition: its parts' in the order they are given."""
    return _sha(*(one.fingerprint for one in interventions))


@torch.no_grad()
def apply(trunk: Trunk, trace: Trace, shared: Sequence[KeyValue], interventions: Sequence[Intervention]) -> float:
    """The reward of `trace`'s text under all of `interventions`, ru; without any, the clean reward.

    Along-vector interventions act at the readout token, in the order of layers and, in one layer, as given. Raises
    ValueError for components silenced together with a change of the stream: their order would not be told.
    """
    readout = trunk.readout
    for one in interventions:
        if isinstance(one, Turn):
            readout = turned(readout, one.v)
    seen = dataclasses.replace(trunk, readout=readout)
    silenced = [site for one in interventions if isinstance(one, Silence) for site in one.sites]
    moved = sorted((one for one in interventions if isinstance(one, Steer | Project)), key=lambda one: one.layer)
    if silenced and moved:
        raise ValueError("components are silenced and the stream is moved: do one of them, then the other")
    if silenced:
        zero = Source.constant(trace, lambda _kind, _layer, like: torch.zeros_like(like))
        (stream,) = copied(seen, Base(trace, shared), zero, [tuple(dict.fromkeys(silenced))])
        return float(readout.reward(stream))
    return _moved(seen, trace, shared, moved)


def _moved(trunk: Trunk, trace: Trace, shared: Sequence[KeyValue], moved: Sequence[Steer | Project]) -> float:
    """Block by block from the first moved layer on, so that a later move acts on what the earlier one made."""
    layers = trunk.layers
    start = min((one.layer for one in moved), default=layers)
    h = trace.h[start][-1].float()
    for layer in range(start, layers + 1):
        for one in moved:
            if one.layer == layer:
                v = one.v.to(h)
                h = h + v if isinstance(one, Steer) else h - (h @ v) / (v @ v) * v
        if layer == layers:
            break
        h = onward(trunk, trace, shared, h[None], layer, layer + 1)[0].float()
    return float(trunk.readout.reward(h))


def turned(readout: Readout, v: Tensor) -> Readout:
    """The head with its part along `v` [d], a direction of the stream, taken out; v = 0 changes nothing."""
    v = v.to(readout.w)
    length = v @ v
    return readout if length == 0 else dataclasses.replace(readout, w=readout.w - (readout.w @ v) / length * v)


def _sha(*parts: str | bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()
