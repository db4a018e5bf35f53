"""Capacity: whether training keeps criteria out of each other's way where the trunk is wide enough to.

Interference of random directions falls with width by itself (as one over its root), so that a fall from a narrow trunk
to a wide one is seen in untrained models too. What training does is read against the same trunk before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Contrast, Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

CRITERIA, HELD_OUT, STEPS, BATCH, RATE = 12, 2000, 1500, 256, 0.01
_SPARSE = 0.3  # chance that an input calls for a criterion


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One trunk of `width`, on which 12 independent criteria are read, trained for `steps` times 1500 steps.

    `interference` is Σ|Δ criterion k| / Σ|Δ criterion j| on held-out inputs when the trunk is moved along criterion j,
    over all j and k that differ, a k; `kept` the same over that of the trunk before training.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    width = int(plant["width"])
    first = rng.standard_normal((width, CRITERIA)) / np.sqrt(width)
    weights, bias = _trained(first, round(STEPS * plant.get("steps", 1.0)), rng)
    held_out = _inputs(HELD_OUT, rng)
    after, before = _interference(weights, bias, held_out), _interference(first, np.zeros(CRITERIA), held_out)
    return {"interference": after, "kept": after / before}


def _inputs(count: int, rng: np.random.Generator) -> np.ndarray:
    """How much of each criterion an input has: [count, 12]."""
    import numpy as np

    return np.asarray(rng.random((count, CRITERIA)) * (rng.random((count, CRITERIA)) < _SPARSE))


def _trained(weights: np.ndarray, steps: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Criteria relu(WᵀW x + b) fitted to x by Adam (Elhage et al. 2022's toy model of superposition)."""
    import numpy as np

    parts = [weights.copy(), np.zeros(CRITERIA)]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in parts]
    for step in range(1, steps + 1):
        x = _inputs(BATCH, rng)
        read = np.maximum(x @ parts[0].T @ parts[0] + parts[1], 0.0)
        error = 2 * (read - x) * (read > 0) / BATCH
        flow = error.T @ x
        for at, slope in enumerate((parts[0] @ (flow + flow.T), error.sum(axis=0))):
            mean, square = moments[at]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            parts[at] -= RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return parts[0], parts[1]


def _interference(weights: np.ndarray, bias: np.ndarray, inputs: np.ndarray) -> float:
    import numpy as np

    hidden = inputs @ weights.T
    before = np.maximum(hidden @ weights + bias, 0.0)
    steered = others = 0.0
    for j in range(CRITERIA):
        along = weights[:, j] / max(float(np.linalg.norm(weights[:, j])), 1e-12)
        moved = np.abs(np.maximum((hidden + along) @ weights + bias, 0.0) - before).mean(axis=0)
        steered += float(moved[j])
        others += float(moved.sum() - moved[j]) / (CRITERIA - 1)
    return others / max(steered, 1e-12)


SCIENCE = Science(
    "capacity",
    "Criteria in each other's way",
    version=1,
    unit="trained trunk",
    measure=measure,
    values={
        "interference": Value("of a criterion's own move", "ratio"),
        "kept": Value("of the untrained trunk’s interference", "ratio"),
    },
    contrasts={
        "fall": Contrast("interference", "ratio", ("four", "thirty-two"), "times the wide trunk's", "ratio"),
        "rise": Contrast(
            "interference", "trend", ("thirty-two", "sixteen", "eight", "four"), "of pairs of trunks", "proportion"
        ),
    },
    seconds=0.4,
    null="re-initialised models",
    null_plant={"steps": 0.0},
    source="Elhage et al. 2022, Toy models of superposition",
)
