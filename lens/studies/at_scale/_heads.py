"""Heads on a named model's stream: its own, and those fitted to what a study pays for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.studies.at_scale._model import model

if TYPE_CHECKING:
    import numpy as np

RIDGE = 0.01  # of the mean variance of a direction
_TINY = 1e-9  # of the widest direction's variance: one that holds nothing


def own(spec: str) -> np.ndarray:
    """[d], ru for each unit of the model's `states`."""
    row, _ = model(spec).head_row
    return row.double().cpu().numpy()  # type: ignore[no-any-return]


def widest(rows: np.ndarray, count: int) -> np.ndarray:
    """[d, k ≤ count]: orthonormal directions in which rows [n, d] spread most, as far as they spread at all."""
    import numpy as np

    away = rows - rows.mean(axis=0)
    _, sizes, directions = np.linalg.svd(away, full_matrices=False)
    return directions[:count][sizes[:count] ** 2 > _TINY * sizes[0] ** 2].T  # type: ignore[no-any-return]


def fitted(rows: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """[k] or [k, heads]: least squares of targets on rows [n, k], each less its mean, with a small ridge."""
    import numpy as np

    xs = rows - rows.mean(axis=0)
    gram = xs.T @ xs
    ridge = RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    return np.linalg.solve(gram + ridge, xs.T @ (targets - targets.mean(axis=0)))


def within(values: np.ndarray, replies: int) -> np.ndarray:
    """Values [prompts · replies, ...] less their prompt's mean."""
    shaped = values.reshape(-1, replies, *values.shape[1:])
    return (shaped - shaped.mean(axis=1, keepdims=True)).reshape(values.shape)  # type: ignore[no-any-return]
