"""The Hessian of the preference loss in the last block and the head, by products with vectors.

Loss: the mean over pairs of −log σ(r(chosen) − r(rejected)). Parameters: every weight of the last block, and the head
folded with the final norm (w = w_r ⊙ γ). The stream before that block doesn't depend on them, so it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from lens.models.anatomy import ids_of
from lens.models.pairs import Pair
from lens.models.trunk import Trunk


@dataclass
class Curvature:
    """`stream` [2 P, T, d] before the last block, chosen sides first, padded at the end; `ends` the readout places."""

    trunk: Trunk
    stream: Tensor
    ends: Tensor
    head: Tensor
    weights: list[nn.Parameter]

    @classmethod
    def of(cls, model: Any, pairs: Sequence[Pair]) -> Curvature:
        trunk: Trunk = model.trunk
        sides = list(zip(*(ids_of(model, pair) for pair in pairs), strict=True))
        texts = [*sides[0], *sides[1]]
        streams = [trunk.trace(ids).h[trunk.layers - 1] for ids in texts]
        ends = torch.tensor([len(ids) - 1 for ids in texts], device=trunk.device)
        padded = nn.utils.rnn.pad_sequence(streams, batch_first=True)
        return cls(trunk, padded, ends, trunk.readout.w.clone(), _weights(trunk))

    @property
    def size(self) -> int:
        return sum(one.numel() for one in self.weights) + self.head.numel()

    def loss(self) -> Tensor:
        """A scalar, with a graph where the parameters ask for one."""
        trunk, layer = self.trunk, self.trunk.layers - 1
        z, _ = trunk.attend(layer, self.stream, trunk.positions(0, self.stream.shape[1]), None)
        mid = self.stream + trunk.project(layer, z)
        last = mid + trunk.feed(layer, mid)
        at = last[torch.arange(len(last), device=last.device), self.ends].float()
        rewards = at @ self.head / trunk.readout.sigma(at)
        chosen, rejected = rewards.chunk(2)
        return nn.functional.softplus(rejected - chosen).mean()

    def product(self, vector: Tensor) -> Tensor:
        """H·vector, [size]."""
        with _open([*self.weights, self.head]) as every, sdpa_kernel(SDPBackend.MATH):
            slopes = torch.autograd.grad(self.loss(), every, create_graph=True)
            along = torch.cat([one.reshape(-1) for one in slopes]) @ vector
            second = torch.autograd.grad(along, every)
        return torch.cat([one.reshape(-1) for one in second]).detach()


def _weights(trunk: Trunk) -> list[nn.Parameter]:
    block = trunk.blocks[-1]
    modules = [value for value in vars(block).values() if isinstance(value, nn.Module)]
    return list(dict.fromkeys(weight for module in modules for weight in module.parameters()))


@contextmanager
def _open(tensors: list[Any]) -> Iterator[list[Tensor]]:
    """The tensors as ones that take gradients, for as long as this lasts."""
    try:
        with torch.enable_grad():
            yield [one.requires_grad_() for one in tensors]
    finally:
        for one in tensors:
            one.requires_grad_(False)
