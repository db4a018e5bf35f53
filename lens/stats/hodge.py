"""How much of a set of comparisons no ranking can give: the cyclic part of a flow (Jiang, Lim, Yao and Ye 2011).

A flow F [n, n] is skew: F_ij says how much j is preferred to i. Its straight part is u_j − u_i for the worths u nearest
to it, its cyclic part what is left; `weight` [n, n] counts the comparisons behind each entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np


class Split(NamedTuple):
    """`worths` [n] with mean 0, the cyclic part [n, n], and its share of the flow's weighted energy, NaN for none."""

    worths: np.ndarray
    cyclic: np.ndarray
    share: float


def split(flow: np.ndarray, weight: np.ndarray | None = None) -> Split:
    """The Hodge split of a skew flow.

    >>> import numpy as np
    >>> rock_paper_scissors = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    >>> split(rock_paper_scissors).share
    1.0
    >>> worths = np.array([0.0, 1.0, 3.0])
    >>> abs(split(worths[None, :] - worths[:, None]).share) < 1e-12
    True
    """
    import numpy as np

    weight = np.ones_like(flow) if weight is None else weight
    weight = weight * ~np.eye(len(flow), dtype=bool)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    worths = np.linalg.pinv(laplacian) @ (weight * flow).sum(axis=0)
    worths = worths - worths.mean()
    cyclic = (flow - (worths[None, :] - worths[:, None])) * (weight > 0)
    energy = float((weight * flow**2).sum())
    return Split(worths, cyclic, float((weight * cyclic**2).sum() / energy) if energy else float("nan"))


def planes(skew: np.ndarray) -> np.ndarray:
    """The energy of a skew matrix in each of its planes of rotation, largest first: one of rank 2k is a sum of k of
    them, and a ranking alone is one.

    >>> import numpy as np
    >>> planes(np.array([[0.0, 2.0], [-2.0, 0.0]])).round(6).tolist()
    [8.0]
    """
    import numpy as np

    values = np.linalg.svd(skew, compute_uv=False)
    pairs = values[: len(values) // 2 * 2].reshape(-1, 2)
    return np.asarray((pairs**2).sum(axis=1))


def bradley_terry(wins: np.ndarray, *, steps: int = 100) -> np.ndarray:
    """Worths [..., n] with mean 0 under which the votes are likeliest (Bradley and Terry 1952), by Newton's steps of
    at most two nats; half a vote is added either way to every compared pair, so that they are finite.
    `wins[..., i, j]` times j was preferred to i.
    """
    import numpy as np

    padded = _padded(wins)
    total = padded + np.swapaxes(padded, -1, -2)
    worths = np.zeros(padded.shape[:-1])
    for _ in range(steps):
        flow = np.tanh((worths[..., None, :] - worths[..., :, None]) / 2)
        slope = (padded - total * (1 + flow) / 2).sum(axis=-2)
        curve = total * (1 - flow**2) / 4
        laplacian = curve.sum(axis=-1)[..., None] * np.eye(curve.shape[-1]) - curve
        step = (np.linalg.pinv(laplacian, hermitian=True) @ slope[..., None])[..., 0]
        step /= np.maximum(1.0, np.abs(step).max(axis=-1, keepdims=True) / 2)
        worths = worths + step
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(worths)


def residue(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What votes are beyond the ranking that fits them best: the flow left, the flow, and the weights, [..., n, n].

    A judge who ranks prefers j to i with chance 1/(1 + exp(u_i − u_j)): its flow is tanh((u_j − u_i)/2), which is no
    difference of worths, so that the straight part of a sure judge's flow leaves some of it over. What is left by this
    curve has no straight part, by the likelihood's own equations: it runs in circles. Half a vote is added either way.
    """
    import numpy as np

    worths = bradley_terry(wins)
    padded = _padded(wins)
    weight = padded + np.swapaxes(padded, -1, -2)
    met = weight > 0
    flow = np.divide(padded - np.swapaxes(padded, -1, -2), weight, out=np.zeros(weight.shape), where=met)
    ranked = np.tanh((worths[..., None, :] - worths[..., :, None]) / 2)
    return (flow - ranked) * met, flow, weight


def energies(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cyclic and whole energy [...] of votes [..., n, n], each comparison weighted by how often it was made."""
    left, flow, weight = residue(wins)
    return (weight * left**2).sum(axis=(-1, -2)), (weight * flow**2).sum(axis=(-1, -2))


def transitive(wins: np.ndarray, *, seed: int, draws: int = 500) -> np.ndarray:
    """`energies` [draws, 2] of votes [n, n] of a judge who ranks, with the worths that fit `wins` best and as many
    votes. Every draw is held against the ranking that fits it best, as `wins` is: the level holds however sure the
    judge is."""
    import numpy as np

    rng = np.random.default_rng(seed)
    worths = bradley_terry(wins)
    upper = np.triu((wins + wins.T).astype(int), 1)
    chance = 1 / (1 + np.exp(worths[:, None] - worths[None, :]))
    drawn = rng.binomial(np.broadcast_to(upper, (draws, *upper.shape)), chance)
    return np.stack(energies((drawn + np.swapaxes(upper - drawn, -1, -2)).astype(float)), axis=1)


def _padded(wins: np.ndarray) -> np.ndarray:
    """With half a vote more, either way, of every pair that was compared."""
    import numpy as np

    return np.asarray(wins + 0.5 * (wins + np.swapaxes(wins, -1, -2) > 0))
