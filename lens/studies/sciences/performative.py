"""Performative: whether a metric of counterfactuals outlives one of accuracy once models are selected by it.

Reward models are linear in three features that matter and six that go with them in the texts both metrics are built
from. Accuracy is on natural pairs; the counterfactual metric flips one feature at a time, as far as features are named,
and some are not. Both are read on a few fixed items, as benchmarks are, so both can be selected for by luck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Contrast, Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

ORGANISMS, ROUNDS, ITEMS, TRUE, NAMED, UNNAMED = 20, 30, 200, 3, 3, 3
FEATURES = TRUE + NAMED + UNNAMED
FRESH, LAST = 200, 3
CHANGE = 0.3  # spread of a copy's weights about its parent's, whose root mean square is one
NOISE = 0.5  # of an item's reward, in weights

_ROUNDS, _DOUBLINGS = "rounds till it halves", "doublings of the rounds till it halves"

Metric = Callable[["np.ndarray"], "np.ndarray"]


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One world, in which 20 reward models are bred for 30 rounds by either metric: the better half is kept, and each
    kept one is copied with changes. `together` is how far the other features go with the true ones.

    `accuracy` and `counterfactual` are the rounds till the rank correlation of the metric with the truth, over the
    organisms and three rounds, is half of what it is before any selection, 30 where it never is; `longer` is the
    logarithm (to base 2) of their ratio. With `unselected` the kept half is drawn.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    together = plant["together"]
    first, fresh = (_sized(rng.standard_normal((size, FEATURES))) for size in (ORGANISMS, FRESH))
    lasted = {
        name: _lasted(metric, first, fresh, rng, bool(plant.get("unselected")))
        for name, metric in (("accuracy", _accuracy(together, rng)), ("counterfactual", _counterfactual(rng)))
    }
    return {**lasted, "longer": float(np.log2(lasted["counterfactual"] / lasted["accuracy"]))}


def truth(weights: np.ndarray) -> np.ndarray:
    """Correlation [organisms] of the reward with what matters where all features are independent."""
    import numpy as np

    worth = np.zeros(FEATURES)
    worth[:TRUE] = 1 / TRUE**0.5
    return np.asarray(weights @ worth / np.linalg.norm(weights, axis=1))


def _accuracy(together: float, rng: np.random.Generator) -> Metric:
    """The share of 200 natural pairs whose better reply is preferred."""
    import numpy as np

    merit = rng.standard_normal((ITEMS, TRUE))
    along = merit.mean(axis=1, keepdims=True) * TRUE**0.5
    others = together * along + (1 - together**2) ** 0.5 * rng.standard_normal((ITEMS, NAMED + UNNAMED))
    pairs = np.concatenate([merit, others], axis=1) * np.sign(along)
    noise = NOISE * rng.standard_normal(ITEMS)
    return lambda weights: np.asarray((weights @ pairs.T + noise > 0).mean(axis=1))


def _counterfactual(rng: np.random.Generator) -> Metric:
    """The share of twins judged as they should be: 100 that differ in a true feature preferred the right way, and 100
    that differ in a named other one by less than half of what a true one is worth."""
    import numpy as np

    half = ITEMS // 2
    true, named = rng.integers(TRUE, size=half), TRUE + rng.integers(NAMED, size=half)
    size, noise = rng.uniform(0.5, 1.5, (2, half)), NOISE * rng.standard_normal((2, half))

    def metric(weights: np.ndarray) -> np.ndarray:
        better = weights[:, true] * size[0] + noise[0] > 0
        scale = np.abs(weights[:, :TRUE]).mean(axis=1, keepdims=True)
        blind = np.abs(weights[:, named] * size[1] + noise[1]) < scale / 2
        return np.asarray((better.mean(axis=1) + blind.mean(axis=1)) / 2)

    return metric


def _lasted(metric: Metric, first: np.ndarray, fresh: np.ndarray, rng: np.random.Generator, unselected: bool) -> float:
    """Rounds till the mean of the last three rank correlations is half of that of fresh organisms, at most 30."""
    import numpy as np

    weights, began, seen = first, _agreement(metric, fresh), []
    for now in range(1, ROUNDS + 1):
        order = rng.permutation(ORGANISMS)
        if not unselected:
            order = order[np.argsort(-metric(weights)[order], kind="stable")]
        kept = weights[order[: ORGANISMS // 2]]
        weights = _sized(np.concatenate([kept, kept]) + CHANGE * rng.standard_normal(first.shape))
        seen.append(_agreement(metric, weights))
        if now >= LAST and float(np.mean(seen[-LAST:])) <= began / 2:
            return float(now)
    return float(ROUNDS)


def _agreement(metric: Metric, weights: np.ndarray) -> float:
    """Spearman's, 0 where the metric tells no two organisms apart."""
    import numpy as np
    from scipy.stats import spearmanr

    said = metric(weights)
    return float(spearmanr(said, truth(weights)).statistic) if np.ptp(said) else 0.0


def _sized(weights: np.ndarray) -> np.ndarray:
    """At a root mean square of one: rewards have no scale of their own."""
    import numpy as np

    return np.asarray(weights / np.sqrt((weights**2).mean(axis=1, keepdims=True)))


SCIENCE = Science(
    "performative",
    "A metric that is selected by",
    version=1,
    unit="bred population",
    measure=measure,
    values={
        "accuracy": Value(_ROUNDS, "score"),
        "counterfactual": Value(_ROUNDS, "score"),
        "longer": Value(_DOUBLINGS, "difference"),
    },
    contrasts={
        "bred-more": Contrast("longer", "difference", ("bred", "drifting"), _DOUBLINGS, "difference"),
        "loose-more": Contrast("longer", "difference", ("loose", "loose-drifting"), _DOUBLINGS, "difference"),
        "gained": Contrast("accuracy", "difference", ("bred", "drifting"), _ROUNDS, "difference"),
        "kept": Contrast("counterfactual", "difference", ("bred", "drifting"), _ROUNDS, "difference"),
    },
    seconds=0.03,
    null="populations whose kept half is drawn",
    null_plant={"unselected": 1.0},
    source="Perdomo et al. 2020, Performative prediction",
)
