"""The update, parted among the rollouts that made it: identities on inner products, no model needed.

With S the inner products of grams.py and A the advantages, g_i = A_i s_i is what rollout i adds to the gradient.
A term of the loss that isn't linear in A (KL, entropy) is one more row with a factor of 1 that is never permuted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

TOLERANCE = {"float32": 1e-5, "bfloat16": 1e-2, "float16": 1e-2}  # of the norm, against a gradient taken otherwise


class Split(NamedTuple):
    """`norms` ||g_i|| and `projections`, the share of the summed gradient that lies in each g_i: they add to 1."""

    total: float  # ||sum of g||
    norms: np.ndarray
    projections: np.ndarray
    cancellation: float  # 1 - ||sum of g|| / sum of ||g_i||
    orthogonal: float  # the same if every two g were orthogonal: what unrelated gradients do


def split(factors: np.ndarray, gram: np.ndarray) -> Split | None:
    """Part one gradient; `factors` [n] are the advantages (1 for a row of other terms). None where no g_i is nonzero.

    >>> import numpy as np
    >>> one = split(np.array([1.0, -1.0]), np.eye(2))
    >>> round(one.cancellation - one.orthogonal, 12), one.projections.tolist()
    (0.0, [0.5, 0.5])
    """
    norms = np.abs(factors) * np.sqrt(np.maximum(np.diag(gram), 0.0))
    longest = float(norms.sum())
    if longest == 0.0:
        return None
    along = factors * (gram @ factors)
    square = max(float(along.sum()), 0.0)
    total = square**0.5
    orthogonal = 1 - float(np.sqrt((norms**2).sum())) / longest
    shares = along / square if square > 0 else np.full(len(factors), np.nan)
    return Split(total, norms, shares, 1 - total / longest, orthogonal)


def cosine(factors: np.ndarray, others: np.ndarray, gram: np.ndarray) -> float:
    """Cosine of two gradients that differ in their advantages alone; NaN where one of them is 0.

    >>> import numpy as np
    >>> cosine(np.array([1.0, 1.0]), np.array([1.0, -1.0]), np.eye(2))
    0.0
    """
    sizes = float(factors @ gram @ factors) * float(others @ gram @ others)
    return float(others @ gram @ factors) / sizes**0.5 if sizes > 0 else float("nan")


def extended(gram: np.ndarray, term: np.ndarray) -> np.ndarray:
    """The inner products with the row of other terms put last; `term` as in grams.py, empty where there are none."""
    if not len(term):
        return gram
    return np.block([[gram, term[:-1, None]], [term[None, :-1], term[None, -1:]]])


def permuted(
    factors: np.ndarray, gram: np.ndarray, groups: np.ndarray, rng: np.random.Generator, draws: int
) -> np.ndarray:
    """Cancellation [draws] with the factors permuted within groups; entries of group -1 stay where they are.

    >>> import numpy as np
    >>> made = permuted(np.array([1.0, -1.0]), np.eye(2), np.array([0, 0]), np.random.default_rng(0), 3)
    >>> np.allclose(made, 1 - 2**-0.5)
    True
    """
    drawn = np.tile(factors, (draws, 1))
    for group in np.unique(groups[groups >= 0]):
        places = np.flatnonzero(groups == group)
        drawn[:, places] = rng.permuted(drawn[:, places], axis=1)
    squares = np.einsum("di,di->d", drawn @ gram, drawn)
    longest = np.abs(drawn) @ np.sqrt(np.maximum(np.diag(gram), 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return 1 - np.sqrt(np.maximum(squares, 0.0)) / longest  # type: ignore[no-any-return]


def rank(value: float, among: np.ndarray) -> float:
    """The share of `among` below `value`, equal ones half: 0.5 where they are all alike.

    >>> import numpy as np
    >>> rank(2.0, np.array([1.0, 2.0, 3.0, 4.0]))
    0.375
    """
    known = among[np.isfinite(among)]
    near = np.isclose(known, value, rtol=1e-12, atol=1e-12)
    return float(((known < value) & ~near).mean() + near.mean() / 2) if len(known) else float("nan")
