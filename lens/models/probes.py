"""Probes: can a concept be read from streams, on prompts the probe has not seen?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np

FOLDS = 5
HIDDEN = 64
STEPS = 100
_RIDGE = 1e-2  # of the mean variance

Fit = Callable[["np.ndarray", "np.ndarray"], Callable[["np.ndarray"], "np.ndarray"]]
"""From rows [n, d] and labels ±1 [n] to a score [m, d] -> [m], above 0 for +1."""


def held_out(h: np.ndarray, clusters: Sequence[Hashable], fit: Fit) -> np.ndarray:
    """Which rows a probe fitted on other clusters gets right: `h` [P, 2, d] with label + first, − second -> [P, 2].

    Source: convention A2, 5 folds over clusters.
    """
    import numpy as np

    right = np.zeros(h.shape[:2], bool)
    groups = grouped(clusters)
    for fold in range(min(FOLDS, len(groups))):
        inside = np.concatenate(groups[fold::FOLDS])
        others = np.setdiff1d(np.arange(len(h)), inside)
        rows, labels = h[others].reshape(-1, h.shape[-1]), np.tile([1.0, -1.0], len(others))
        centre, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-12
        score = fit((rows - centre) / scale, labels)
        found = score((h[inside].reshape(-1, h.shape[-1]) - centre) / scale).reshape(-1, 2)
        right[inside] = np.stack([found[:, 0] > 0, found[:, 1] <= 0], axis=1)
    return right


def linear(rows: np.ndarray, labels: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Ridge regression of the labels, a constant beside it."""
    import numpy as np

    centre = rows.mean(axis=0)
    xs, ys = rows - centre, labels - labels.mean()
    d = rows.shape[1]
    gram = xs.T @ xs
    weights = np.linalg.solve(gram + _RIDGE * np.trace(gram) / d * np.eye(d) + 1e-12 * np.eye(d), xs.T @ ys)
    return lambda some: (some - centre) @ weights + labels.mean()


def mlp(rows: np.ndarray, labels: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """One hidden layer of 64 rectified units, fitted by 100 whole-batch steps from a fixed draw."""
    import numpy as np
    import torch

    generator = torch.Generator().manual_seed(0)
    x, y = torch.tensor(rows, dtype=torch.float32), torch.tensor(labels, dtype=torch.float32)
    d = x.shape[1]
    parts = [torch.randn((d, HIDDEN), generator=generator) / d**0.5, torch.zeros(HIDDEN)]
    parts += [torch.randn(HIDDEN, generator=generator) / HIDDEN**0.5, torch.zeros(())]
    for part in parts:
        part.requires_grad_(True)

    def score(some: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.relu(some @ parts[0] + parts[1]) @ parts[2] + parts[3]
        return found

    optimizer = torch.optim.AdamW(parts, lr=2e-2, weight_decay=1e-2)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss: torch.Tensor = torch.nn.functional.softplus(-y * score(x)).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    def scored(some: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return score(torch.tensor(some, dtype=torch.float32)).numpy().astype(np.float64)

    return scored


def chance(right: np.ndarray, clusters: Sequence[Hashable], *, seed: int, draws: int = 2000) -> float:
    """The 95th percentile of accuracy had the two sides of every cluster been in random order: [P, 2] -> share.

    The probe stays: it was fitted on other clusters, whose labels say nothing about these.
    """
    import numpy as np

    away = np.array([(right[group].mean(axis=1) - 0.5).sum() for group in grouped(clusters)])
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (draws, len(away)))
    return 0.5 + float(np.quantile(signs @ away / len(right), 0.95))
