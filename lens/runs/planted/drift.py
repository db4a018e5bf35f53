"""Rewards that rise along a straight line by a planted amount, over prompts that differ and come back."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (40, 12, 4)  # steps, groups, rollouts
PROMPTS, APART = 60, 0.5  # how many, and the standard deviation of what they pay by themselves
LENGTH = (200.0, 40.0)  # mean and standard deviation, tokens


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """A rollout's reward is Gaussian of variance 1 around its prompt's mean, which rises by `dose` from the first step
    to the last. The answer key is the mean's change from the first tenth of the steps to the last. Length varies, and
    doesn't change."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    prompt = np.array([rng.permutation(PROMPTS)[:groups] for _ in range(steps)])
    pays = rng.normal(0, APART, PROMPTS)[prompt]
    risen = dose * np.arange(steps) / (steps - 1)
    reward = (risen[:, None] + pays)[..., None] + rng.standard_normal(SHAPE)
    length = np.maximum(1, rng.normal(*LENGTH, SHAPE)).round().astype(int)
    columns = {
        "reward": reward.ravel().tolist(),
        "tokens": length.ravel().tolist(),
        "prompt_text": [f"question {one}" for one in prompt.repeat(size).tolist()],
    }
    tenth = steps // 10
    change = float(risen[-tenth:].mean() - risen[:tenth].mean())
    return Made(rolled(folder, SHAPE, columns), {"dose": dose, "change": change, "decoy": "length"})


FAMILY = Family(
    "drift",
    "A reward that rises along a line",
    "standard deviations of a rollout's reward",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    plant,
    (__name__, "lens.runs.planted._records"),
)
