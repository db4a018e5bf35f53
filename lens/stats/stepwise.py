"""Forward stepwise regression: predicates added one by one, each the one that explains most of what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_TINY = 1e-9


def path(x: np.ndarray, y: np.ndarray, new: np.ndarray, most: int) -> np.ndarray:
    """Predictions at `new` [m, K] with 0, 1, ... `most` columns of centred rows x [n, K] for y [n]: [most + 1, m].

    Where no column is left that says anything new, the last prediction stands. There is no constant.

    >>> import numpy as np
    >>> x = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> path(x, x @ [2.0, 1.0], np.array([[1.0, 1.0]]), 2).round(6).tolist()
    [[0.0], [2.0], [3.0]]
    """
    import numpy as np

    found = np.zeros((most + 1, len(new)))
    rest, left = np.array(x, float), np.array(y, float)
    size = (rest**2).sum(axis=0)
    chosen: list[int] = []
    for step in range(1, most + 1):
        energy = (rest**2).sum(axis=0)
        free = energy > _TINY * np.maximum(size, _TINY)
        gain = np.where(free, (rest.T @ left) ** 2 / np.where(free, energy, 1.0), -np.inf)
        at = int(np.argmax(gain))
        if not np.isfinite(gain[at]):
            found[step:] = found[step - 1]
            break
        chosen.append(at)
        unit = rest[:, at] / energy[at] ** 0.5
        left = left - unit * (unit @ left)
        rest = rest - np.outer(unit, unit @ rest)
        weights, *_ = np.linalg.lstsq(x[:, chosen], y, rcond=None)
        found[step] = new[:, chosen] @ weights
    return found


def one_error(scores: np.ndarray) -> int:
    """The fewest predicates within one standard error of the best mean: scores [folds, most + 1] -> K (Breiman 1984).

    >>> import numpy as np
    >>> one_error(np.array([[0.0, 0.7, 0.81, 0.80], [0.0, 0.9, 0.83, 0.86]]))
    1
    """
    import numpy as np

    means = scores.mean(axis=0)
    best = int(np.argmax(means))
    error = scores[:, best].std(ddof=1) / len(scores) ** 0.5
    return int(np.argmax(means >= means[best] - error))
