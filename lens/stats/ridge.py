"""Ridge regression of many targets at once, its penalty chosen on the rows it is fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def ridge(x: np.ndarray, y: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Predictions at `new` [m, K] of targets y [n, P] from centred rows x [n, K]: [m, P]. There is no constant.

    Each target has the penalty that generalised cross-validation finds best (Golub, Heath and Wahba 1979).

    >>> import numpy as np
    >>> x = np.array([[1.0], [-1.0], [2.0], [-2.0]])
    >>> ridge(x, 3 * x, np.array([[1.0]])).round(3).tolist()
    [[3.0]]
    """
    import numpy as np

    size = np.sqrt((x**2).mean(axis=0))
    size[size == 0] = 1.0
    u, d, vt = np.linalg.svd(x / size, full_matrices=False)
    held = d > 1e-9 * d[0] if len(d) else d > 0
    u, d, vt = u[:, held], d[held], vt[held]
    along = u.T @ y
    away = (y**2).sum(axis=0) - (along**2).sum(axis=0)
    penalties = len(x) * np.geomspace(1e-6, 1e3, 28)
    shrink = d**2 / (d**2 + penalties[:, None])  # [penalties, held]
    left = np.maximum(away, 0.0) + ((1 - shrink) ** 2) @ along**2
    score = left / np.maximum(len(x) - shrink.sum(axis=1), 1e-9)[:, None] ** 2
    best = np.argmin(score, axis=0)
    weights = vt.T @ ((shrink[best].T / d[:, None]) * along)
    found: np.ndarray = (new / size) @ weights
    return found
