"""What a network would show without training, or with another head: the controls of every claim about structure."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    from lens.models.model import RewardModel
    from lens.models.trunk import Readout, Trunk

RANDOM_HEADS = 20

_held: dict[tuple[str, str, str, int], RewardModel] = {}


def untrained(model: Any, seed: int) -> Any:
    """`model` with every weight drawn anew by the library's own initialisation. The last one made is kept."""
    key = model.fingerprint, model.device, model.dtype, seed
    if key not in _held:
        _held.clear()
        _held[key] = dataclasses.replace(model, network=_drawn(model.network, seed))
    return _held[key]


def seen(model: Any, control: int | None) -> Any:
    """The model itself, or its untrained copy number `control`."""
    return model if control is None else untrained(model, control)


def _drawn(network: Any, seed: int) -> Any:
    import torch

    from lens.models.network import device_of, quiet

    places = getattr(network, "hf_device_map", {})
    spread = len(set(places.values())) > 1
    device = torch.device("cpu") if spread else device_of(network.get_input_embeddings())
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices), quiet(), torch.device(device):
        torch.manual_seed(seed)
        fresh = (
            network.drawn()
            if hasattr(network, "drawn")
            else type(network)._from_config(network.config, dtype=network.dtype)
        )
    fresh.to(device).eval().requires_grad_(False)
    if spread:
        from accelerate import dispatch_model

        fresh = dispatch_model(fresh, places)
    return fresh


def random_heads(trunk: Trunk, count: int, seed: int) -> list[Readout]:
    """Readouts of the trained trunk with heads in random directions, as long as its own, and without a bias."""
    import torch

    readout = trunk.readout
    gamma = torch.ones_like(readout.w) if readout.gamma is None else readout.gamma
    own = torch.where(gamma != 0, readout.w / torch.where(gamma != 0, gamma, 1.0), 0.0)
    drawn = torch.randn((count, len(own)), generator=torch.Generator().manual_seed(seed)).to(own.device)
    heads = drawn * (own.norm() / drawn.norm(dim=1, keepdim=True))
    return [dataclasses.replace(readout, w=head * gamma, b=0.0) for head in heads]


def stacked(readouts: list[Readout]) -> torch.Tensor:
    """The heads' folded rows, [heads, d]."""
    import torch

    return torch.stack([one.w for one in readouts])
