"""A policy that leaves its reference by a planted number of nats half-way through the run."""

from __future__ import annotations

import math
from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (40, 12, 4)  # steps, groups, rollouts
PROMPTS, ROUNDING = 60, 0.3  # how many; nats by which two engines differ on one response


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """A response is a number that the reference draws from a standard Gaussian, and the policy, from half-way on, from
    one whose mean is √(2·dose) higher: its KL is `dose`. Both log-probabilities are rounded anew. The decoy: the first
    steps, on which the two are one policy."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    prompt = np.array([rng.permutation(PROMPTS)[:groups] for _ in range(steps)])
    mean = np.where(np.arange(steps) < steps // 2, 0.0, math.sqrt(2 * dose))[:, None, None]
    drawn = mean + rng.standard_normal(SHAPE)
    rounded = ROUNDING / math.sqrt(2) * rng.standard_normal((2, *SHAPE))
    own, reference = -((drawn - mean) ** 2) / 2 + rounded[0], -(drawn**2) / 2 + rounded[1]
    columns = {
        "reward": rng.standard_normal(SHAPE).ravel().tolist(),
        "logp_old": own.ravel().tolist(),
        "logp_ref": reference.ravel().tolist(),
        "prompt_text": [f"question {one}" for one in prompt.repeat(size).tolist()],
    }
    return Made(rolled(folder, SHAPE, columns), {"dose": dose, "decoy": "kl.first"})


FAMILY = Family(
    "parted",
    "A policy that leaves its reference",
    "nats",
    (0.0, 0.05, 0.1, 0.2, 0.4),
    plant,
    (__name__, "lens.runs.planted._records"),
)
