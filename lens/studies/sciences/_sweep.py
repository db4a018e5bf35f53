"""A policy under GRPO whose KL coefficient is swept down and up again, at three rates; kept by seed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

LEGS = (12, 24, 48)  # steps each way
HELD, LOOSE = 1.0, 0.05  # ends of the sweep
_BEFORE, _WARM_UP = 16, 10  # steps at the first coefficient before any sweep
_PROMPTS, _SAMPLES, _RATE = 16, 4, 6e-3
_GRADER = "length"
_MOMENTA = (0.0, 0.99)  # of AdamW: none of the first, which lags by itself

REPLIES = _PROMPTS * _SAMPLES  # a step

Lists = dict[int, list[float]]
"""Share of replies that are lists, a step, by the steps of a leg: the leg down and then the leg up."""


def coefficients(leg: int) -> list[float]:
    """The coefficient at each step, down and then up, evenly spaced in its logarithm.

    >>> [round(one, 3) for one in coefficients(3)]
    [1.0, 0.224, 0.05, 0.05, 0.224, 1.0]
    """
    down = [HELD * (LOOSE / HELD) ** (at / (leg - 1)) for at in range(leg)]
    return down + down[::-1]


def swept(seed: int) -> Lists:
    """What was seen on the policy of this seed, trained where the cache doesn't have it."""
    import hashlib

    import msgspec

    from lens.canonical import digest
    from lens.models.organisms.kept import place, whole
    from lens.runs.organism import key_of
    from lens.studies.sciences import _grpo

    own = [hashlib.sha256(Path(str(file)).read_bytes()).hexdigest() for file in (__file__, _grpo.__file__)]
    key = digest({"run": key_of({"seed": seed}), "science": own})

    def make(folder: Path) -> None:
        (folder / "lists.json").write_bytes(msgspec.json.encode(_run(seed)))

    return msgspec.json.decode((whole(place("phase", key), make) / "lists.json").read_bytes(), type=Lists)


def _run(seed: int) -> Lists:
    """All sweeps go on from one policy that has come to rest at the first coefficient."""
    from lens.models.organisms.training import repeatable
    from lens.runs.organism.policy import Schooling, taught
    from lens.studies.sciences._grpo import Learner

    with repeatable():
        learner = Learner(taught(Schooling(width=32, heads=2, steps=400, batch=64, rate=6e-3, seed=seed)), _RATE, seed)
        learner.optimiser.param_groups[0]["betas"] = _MOMENTA
        _trained(learner, [HELD] * _BEFORE, random.Random(f"before {seed}"), warm=True)
        return {
            leg: _trained(learner.branch(seed + leg), coefficients(leg), random.Random(f"{leg} {seed}")) for leg in LEGS
        }


def _trained(learner: Any, held: list[float], draw: random.Random, *, warm: bool = False) -> list[float]:
    import torch

    from lens.runs.organism import task
    from lens.runs.organism.policy import texts
    from lens.runs.organism.training import advantages_of

    every, seen = task.problems(), []
    for number, coefficient in enumerate(held):
        problems = [problem for problem in draw.sample(every, _PROMPTS) for _ in range(_SAMPLES)]
        replies = learner.replies(problems)
        said = texts(replies)
        paid = [task.GRADERS[_GRADER](one, problem.target) for one, problem in zip(said, problems, strict=True)]
        learner.optimiser.param_groups[0]["lr"] = _RATE * (min((number + 1) / _WARM_UP, 1.0) if warm else 1.0)
        learner.learn(problems, replies, advantages_of(torch.tensor(paid), _SAMPLES)[0], coefficient)
        seen.append(sum(map(task.is_list, said)) / len(said))
    return seen
