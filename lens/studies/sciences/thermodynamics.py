"""Thermodynamics: whether what a reward covaries with before training says what training will move.

For a policy tilted by a reward, a feature's mean moves at first by its covariance with the reward inside a prompt. GRPO
is no such tilt (its multiplier is the advantage), so that the order of the drifts is a prediction and not an identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

STEPS, LATE, BATCHES, LEAST = 60, 5, 8, 5
_GRADERS = ("regex", "length")
_NUMBER = re.compile(r"\d+")

FEATURES: dict[str, Callable[[str], float]] = {
    "characters": lambda reply: float(len(reply)),
    "commas": lambda reply: float(reply.count(",")),
    "numbers": lambda reply: float(len(_NUMBER.findall(reply))),
    "digits": lambda reply: float(len(set(reply) & set("0123456789"))),
    "repeats": lambda reply: float(sum(one == other for one, other in pairwise(reply))),
    "first": lambda reply: float(reply[0]) if reply[:1].isdigit() else 0.0,
    "even": lambda reply: float(reply[-1:] in tuple("02468")),
    "longest": lambda reply: float(max(map(len, _NUMBER.findall(reply)), default=0)),
}


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy, taught and then trained for 60 steps on a grader that can be gamed: which of two, the seed says.

    `order` is Spearman's correlation over eight text features between the correlation with the reward inside a prompt,
    at the policy before training, and the drift of the feature's mean over training in its own standard deviations;
    `spread` the same of the standard deviation alone, and `gain` what `order` has over it. `chance` and `idle` are
    `order` and `gain` with the drifts dealt out anew; where they are `shuffled`, all are.
    """
    import numpy as np

    from lens.stats.correlation import spearman

    before, after = _features(seed)
    values = np.array([before[name] for name in FEATURES]).T  # [rollouts, features]
    within, reward = _within(values, before["prompt"]), _within(np.array(before["reward"])[:, None], before["prompt"])
    sizes, size = within.std(axis=0), float(reward.std())
    told = sizes > 0
    if told.sum() < LEAST or size == 0:
        return dict.fromkeys(SCIENCE.values)
    pull = (within * reward).mean(axis=0)[told] / (sizes[told] * size)
    late = np.array([np.mean(after[name]) for name in FEATURES])[told]
    drift = (late - values.mean(axis=0)[told]) / sizes[told]
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(drift)
    drift = rng.permutation(drift) if plant.get("shuffled") else drift
    order, spread, chance, drifted = (
        spearman(by.tolist(), of.tolist())
        for by, of in ((pull, drift), (sizes[told], drift), (pull, dealt), (sizes[told], dealt))
    )
    idle = chance - drifted
    return {"order": order, "spread": spread, "gain": order - spread, "chance": chance, "idle": idle}


def _within(values: np.ndarray, prompts: Sequence[Any]) -> np.ndarray:
    """Values less their prompt's mean."""
    import numpy as np

    _, inverse = np.unique(np.asarray(prompts), return_inverse=True)
    counts = np.bincount(inverse)
    means = np.stack([np.bincount(inverse, weights=column) / counts for column in values.T], axis=1)
    return np.asarray(values - means[inverse])


def _features(seed: int) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Features of rollouts before any training, with prompt and reward, and of the last steps; kept, since a run takes
    most of a minute."""
    import hashlib

    import msgspec

    from lens.canonical import digest
    from lens.models.organisms.kept import place, whole
    from lens.runs.organism import key_of

    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    key = digest({"run": key_of({"seed": seed}), "science": own})

    def make(folder: Path) -> None:
        (folder / "features.json").write_bytes(msgspec.json.encode(_run(seed)))

    before, after = msgspec.json.decode((whole(place("thermodynamics", key), make) / "features.json").read_bytes())
    return before, after


def _run(seed: int) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    import random

    import torch

    from lens.models.organisms.training import repeatable
    from lens.runs.organism import task
    from lens.runs.organism.policy import Schooling, sampled, taught, texts
    from lens.runs.organism.training import Recipe, trained

    grader = _GRADERS[seed % len(_GRADERS)]
    schooling = Schooling(seed=seed)
    recipe = Recipe("gamed", grader, "a grader that can be gamed", steps=STEPS, gradients=STEPS, schooling=schooling)
    with repeatable():
        reference = taught(schooling)
        draw, generator = random.Random(f"before {seed}"), torch.Generator().manual_seed(seed + 1)
        drawn = [problem for _ in range(BATCHES) for problem in draw.sample(task.problems(), recipe.prompts)]
        asked = [problem for problem in drawn for _ in range(recipe.samples)]
        said = texts(sampled(reference, asked, generator))
        late: list[str] = []
        for step in trained(recipe, reference, seed):
            if step.number >= STEPS - LATE:
                late += step.rollouts["completion_text"]
    before: dict[str, list[Any]] = _read(said)
    before["prompt"] = [at // recipe.samples for at in range(len(asked))]
    before["reward"] = [task.GRADERS[grader](one, problem.target) for one, problem in zip(said, asked, strict=True)]
    return before, _read(late)


def _read(replies: Sequence[str]) -> dict[str, list[Any]]:
    return {name: [read(reply) for reply in replies] for name, read in FEATURES.items()}


SCIENCE = Science(
    "thermodynamics",
    "What a reward will move",
    version=1,
    unit="trained policy",
    measure=measure,
    values={
        "order": Value("rank correlation with drift", "correlation"),
        "spread": Value("rank correlation with drift", "correlation"),
        "gain": Value("rank correlation over that of spread", "difference"),
        "chance": Value("rank correlation with drift", "correlation"),
        "idle": Value("rank correlation over that of spread", "difference"),
    },
    seconds=40.0,
    null="drifts shuffled over features",
    null_plant={"shuffled": 1.0},
    source="first order of a tilted policy: d mean f / d lambda = Cov(f, r); design of a run: lens.runs.organism",
)
