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


def flow_of(wins: np.ndarray) -> np.ndarray:
    """The flow of votes: `wins[i, j]` times j was preferred to i; 0 where nobody compared them."""
    import numpy as np

    count = wins + wins.T
    return np.asarray(np.divide(wins - wins.T, count, out=np.zeros_like(wins, float), where=count > 0))


def bradley_terry(wins: np.ndarray, *, steps: int = 500) -> np.ndarray:
    """Worths [n] under which the votes are likeliest, half a vote added either way to every compared pair so that they
    are finite (Hunter 2004's minorisation)."""
    import numpy as np

    count = (wins + wins.T > 0).astype(float)
    padded = wins + 0.5 * count
    total, won = padded + padded.T, padded.sum(axis=0)
    strength = np.ones(len(wins))
    for _ in range(steps):
        new = won / np.maximum((total / (strength[:, None] + strength[None, :])).sum(axis=1), 1e-300)
        new = np.where(won > 0, new, 1.0)
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / strength)).max() < 1e-10:
            break
        strength = np.asarray(new)
    return np.asarray(np.log(strength))


def energies(wins: np.ndarray) -> tuple[float, float]:
    """Cyclic and whole energy of votes, each comparison weighted by how often it was made."""
    flow, count = flow_of(wins), wins + wins.T
    energy = float((count * flow**2).sum())
    return (split(flow, count).share * energy if energy else 0.0), energy


def transitive(wins: np.ndarray, *, seed: int, draws: int = 500) -> np.ndarray:
    """`energies` of votes of a judge who ranks, with the worths that fit `wins` best and as many votes: [draws, 2]."""
    import numpy as np

    rng = np.random.default_rng(seed)
    worths = bradley_terry(wins)
    count = (wins + wins.T).astype(int)
    chance = 1 / (1 + np.exp(worths[:, None] - worths[None, :]))
    upper = np.triu(count, 1)
    found = []
    for _ in range(draws):
        drawn = rng.binomial(upper, chance)
        found.append(energies((drawn + (upper - drawn).T).astype(float)))
    return np.array(found)
