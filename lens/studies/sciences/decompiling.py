"""Decompiling: whether the held-out share of a reward that named predicates don't explain is what was planted.

The public share is read where its predicates were chosen and fitted, and shrinks with every predicate on offer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.stats.ratio import Ratio

PROMPTS, REPLIES, LIBRARY, RUBRIC, MOST, FOLDS = 40, 5, 60, 3, 6, 5
_SHARES = (0.2, 0.5)
_NEAR = 1e-9


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One reward on 40 prompts of 5 replies: 3 of a library's 60 predicates, and a tacit part with share `tacit` of its
    variance inside a prompt.

    `error` is the held-out tacit share less the planted one, predicates chosen inside the training folds and their
    number by the one-standard-error rule; `covered` 1 where its interval over prompts holds the planted share;
    `least` and `least-covered` the same where their number is that of the least error; `insample` and
    `insample-covered` those of a fit of the whole library to what it is read on; `kept` the predicates chosen.
    Where labels are `shuffled` the share is another draw, and `tacit` only what is said of it.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    predicates, reward = _planted(rng, rng.choice(_SHARES) if plant.get("shuffled") else plant["tacit"])
    prompts = np.repeat(np.arange(PROMPTS), REPLIES)
    fold = rng.permutation(PROMPTS)[prompts] % FOLDS
    missed = {rule: np.zeros(len(reward)) for rule in ("few", "least")}
    sizes = []
    for held in range(FOLDS):
        train = fold != held
        order = _order(predicates[train], reward[train], MOST)
        few, least = _sizes(predicates[train], reward[train], fold[train])
        sizes.append(few)
        for rule, size in (("few", few), ("least", least)):
            said = _fitted(predicates[train], reward[train], order[:size], predicates[~train])
            missed[rule][~train] = reward[~train] - said
    found, freer = (_share(missed[rule], reward, seed) for rule in missed)
    whole = reward - _fitted(predicates, reward, list(range(LIBRARY)), predicates)
    insample = _share(whole, reward, seed)
    return {
        "error": found.value - plant["tacit"],
        "least": freer.value - plant["tacit"],
        "insample": insample.value - plant["tacit"],
        "covered": _covered(found, plant["tacit"]),
        "least-covered": _covered(freer, plant["tacit"]),
        "insample-covered": _covered(insample, plant["tacit"]),
        "kept": float(np.mean(sizes)),
    }


def _share(missed: np.ndarray, reward: np.ndarray, seed: int) -> Ratio:
    """Σ missed² / Σ reward², drawn in prompts."""
    from lens.stats.ratio import ratio_of

    prompts = [at // REPLIES for at in range(len(reward))]
    return ratio_of((missed**2).tolist(), (reward**2).tolist(), prompts, seed=seed)


def _covered(found: Ratio, planted: float) -> float | None:
    if found.interval is None:
        return None
    return float(found.interval.low - _NEAR <= planted <= found.interval.high + _NEAR)


def _planted(rng: np.random.Generator, tacit: float) -> tuple[np.ndarray, np.ndarray]:
    """Predicates [rows, 60] and a reward [rows] of variance about one, both less their prompt's mean."""
    import numpy as np

    rows = PROMPTS * REPLIES
    predicates = _within((rng.random((rows, LIBRARY)) < 0.5).astype(float))
    rubric = _within(predicates[:, :RUBRIC] @ np.array([1.0, 0.8, 0.6]))
    scale = np.sqrt((1 - tacit) / (0.25 * (1 - 1 / REPLIES) * 2.0))  # a predicate's variance inside a prompt, weights²
    noise = _within(rng.standard_normal(rows)) / np.sqrt(1 - 1 / REPLIES)
    return predicates, np.asarray(scale * rubric + np.sqrt(tacit) * noise)


def _within(values: np.ndarray) -> np.ndarray:
    import numpy as np

    shaped = values.reshape(PROMPTS, REPLIES, *values.shape[1:])
    return np.asarray((shaped - shaped.mean(axis=1, keepdims=True)).reshape(values.shape))


def _order(predicates: np.ndarray, reward: np.ndarray, most: int) -> list[int]:
    """Predicates by how much each adds to those before it."""
    import numpy as np

    chosen: list[int] = []
    left = reward
    for _ in range(most):
        pull = np.abs(predicates.T @ left) / np.sqrt((predicates**2).sum(axis=0) + _NEAR)
        pull[chosen] = -1.0
        chosen.append(int(np.argmax(pull)))
        left = reward - _fitted(predicates, reward, chosen, predicates)
    return chosen


def _sizes(predicates: np.ndarray, reward: np.ndarray, fold: np.ndarray) -> tuple[int, int]:
    """How many predicates: the fewest whose held-out error is within a standard error of the least, and the least's."""
    import numpy as np

    errors = []
    for held in np.unique(fold):
        train = fold != held
        order = _order(predicates[train], reward[train], MOST)
        errors.append(
            [
                float(
                    (
                        (reward[~train] - _fitted(predicates[train], reward[train], order[:size], predicates[~train]))
                        ** 2
                    ).mean()
                )
                for size in range(MOST + 1)
            ]
        )
    means, spread = np.mean(errors, axis=0), np.std(errors, axis=0, ddof=1) / np.sqrt(len(errors))
    best = int(np.argmin(means))
    return int(np.argmax(means <= means[best] + spread[best] + _NEAR)), best


def _fitted(predicates: np.ndarray, reward: np.ndarray, chosen: list[int], at: np.ndarray) -> np.ndarray:
    """What a least-squares fit of the chosen predicates says at other rows."""
    import numpy as np

    if not chosen:
        return np.zeros(len(at))
    weights = np.linalg.lstsq(predicates[:, chosen], reward, rcond=None)[0]
    return np.asarray(at[:, chosen] @ weights)


SCIENCE = Science(
    "decompiling",
    "The part of a reward no predicate names",
    version=1,
    unit="planted reward",
    measure=measure,
    values={
        "error": Value("tacit share found less planted", "difference"),
        "least": Value("tacit share found less planted", "difference"),
        "insample": Value("tacit share found in sample less planted", "difference"),
        "covered": Value("planted rewards", "count", "share"),
        "least-covered": Value("planted rewards", "count", "share"),
        "insample-covered": Value("planted rewards", "count", "share"),
        "kept": Value("predicates kept", "score"),
    },
    seconds=0.1,
    null="planted shares shuffled",
    null_plant={"shuffled": 1.0},
    source="one-standard-error rule: Breiman et al. 1984; held-out share: trust conventions, A2",
)
