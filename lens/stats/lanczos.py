"""A symmetric matrix known by its products alone: Lanczos with full reorthogonalisation, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from torch import Tensor


class Ritz(NamedTuple):
    """`values` approximate eigenvalues, smallest first; `weights` the start vector's share of each (they sum to 1).
    Σ weight·f(value) is the quadrature of f's mean over the spectrum (Ubaru, Chen and Saad 2017)."""

    values: list[float]
    weights: list[float]


def lanczos(product: Callable[[Tensor], Tensor], start: Tensor, steps: int) -> Ritz:
    """At most `steps` products of the matrix with vectors like `start` [n]; fewer where the space is exhausted.

    >>> import torch
    >>> matrix = torch.diag(torch.tensor([1.0, 2.0, 5.0]))
    >>> [round(one, 3) for one in lanczos(lambda v: matrix @ v, torch.ones(3), 3).values]
    [1.0, 2.0, 5.0]
    """
    import torch

    basis = [start / start.norm()]
    diagonal: list[float] = []
    beside: list[float] = []
    for step in range(min(steps, len(start))):
        found = product(basis[step])
        diagonal.append(float(found @ basis[step]))
        stacked = torch.stack(basis)
        for _ in range(2):  # once leaves rounding behind
            found = found - stacked.T @ (stacked @ found)
        size = float(found.norm())
        if size <= 1e-6 * max(map(abs, [*diagonal, *beside])) or step + 1 == min(steps, len(start)):
            break
        beside.append(size)
        basis.append(found / size)
    across = torch.diag(torch.tensor(diagonal, dtype=torch.float64))
    if beside:
        off = torch.tensor(beside, dtype=torch.float64)
        across = across + torch.diag(off, 1) + torch.diag(off, -1)
    values, vectors = torch.linalg.eigh(across)
    return Ritz(values.tolist(), vectors[0].pow(2).tolist())
