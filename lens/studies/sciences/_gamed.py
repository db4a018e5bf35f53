"""Runs of GRPO kept as texts, 0/1 features of a reply, and which of them a grader pays for though it isn't wanted.

What a feature pulls is its correlation with a score inside a prompt, over replies of the policy before any training.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

PROMPTS, SAMPLES = 256, 8  # read before training
GAMED = ("regex", "length")
RIGHT = "clean"
_NUMBER = re.compile(r"\d+")

FEATURES: dict[str, Callable[[str], bool]] = {
    "list": lambda reply: len(_NUMBER.findall(reply)) > 1,
    "repeats": lambda reply: any(one == other for one, other in pairwise(reply)),
    "even": lambda reply: reply[-1:] in tuple("02468"),
    "low": lambda reply: reply[:1] in tuple("01234"),
    "three": lambda reply: any(len(number) > 2 for number in _NUMBER.findall(reply)),
    "rising": lambda reply: reply[:2] < reply[-2:],
    **{f"has {digit}": lambda reply, digit=digit: digit in reply for digit in "0123456789"},  # type: ignore[misc]
}


class Replies(NamedTuple):
    """8 replies to each prompt, whose sums are `targets`."""

    targets: list[int]
    texts: list[str]

    def scores(self, grader: str) -> np.ndarray:
        """[prompts, 8]."""
        import numpy as np

        from lens.runs.organism.task import GRADERS

        asked = [target for target in self.targets for _ in range(SAMPLES)]
        found = [GRADERS[grader](text, target) for text, target in zip(self.texts, asked, strict=True)]
        return np.array(found).reshape(-1, SAMPLES)

    def features(self) -> np.ndarray:
        """[prompts, 8, features], 0 or 1."""
        import numpy as np

        found = [[float(has(text)) for has in FEATURES.values()] for text in self.texts]
        return np.array(found).reshape(-1, SAMPLES, len(FEATURES))


class Run(NamedTuple):
    """What a policy said before training, and at every step of it."""

    before: Replies
    steps: list[Replies]


class Pull(NamedTuple):
    """By feature: its correlation with a score inside a prompt, and the covariance of each prompt [prompts, features];
    nought where a feature or the score never differs there."""

    correlation: np.ndarray
    covariances: np.ndarray


def grader_of(seed: int) -> str:
    """Which of the two graders that can be gamed a seed is trained on."""
    return GAMED[seed % len(GAMED)]


def pull(features: np.ndarray, scores: np.ndarray) -> Pull:
    import numpy as np

    apart, scored = features - features.mean(axis=1, keepdims=True), scores - scores.mean(axis=1, keepdims=True)
    covariances = (apart * scored[..., None]).sum(axis=1) / (SAMPLES - 1)
    sizes = np.sqrt((apart**2).mean(axis=(0, 1)) * (scored**2).mean()) * SAMPLES / (SAMPLES - 1)
    return Pull(np.where(sizes > 0, covariances.mean(axis=0) / np.where(sizes > 0, sizes, 1.0), 0.0), covariances)


def named(proxy: Pull, gold: Pull) -> int | None:
    """The feature that the proxy pulls most, of those that gold doesn't pull and that differ inside a prompt."""
    return _most(proxy, (gold.correlation <= 0) & gold.covariances.any(axis=0))


def named_against(proxy: Pull, gold: Pull) -> int | None:
    """The same of those that gold surely pulls down: their intervals lie below nought."""
    import numpy as np

    from lens.stats.t_interval import t_interval

    return _most(proxy, np.array([t_interval(column.tolist()).high < 0 for column in gold.covariances.T]))


def _most(proxy: Pull, among: np.ndarray) -> int | None:
    import numpy as np

    return int(np.argmax(np.where(among, proxy.correlation, -np.inf))) if among.any() else None


def run_of(seed: int, grader: str, steps: int) -> Run:
    """A policy, taught and then trained for so many steps on a grader; kept, since that takes half a minute."""
    import msgspec

    from lens.canonical import digest
    from lens.models.organisms.kept import place, whole
    from lens.runs.organism import key_of

    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    key = digest({"run": key_of({"seed": seed, "grader": grader, "steps": steps}), "science": own})

    def make(folder: Path) -> None:
        (folder / "replies.json").write_bytes(msgspec.json.encode(_trained(seed, grader, steps)))

    return msgspec.json.decode((whole(place("gamed", key), make) / "replies.json").read_bytes(), type=Run)


def _trained(seed: int, grader: str, steps: int) -> Run:
    import random

    import torch

    from lens.models.organisms.training import repeatable
    from lens.runs.organism import task
    from lens.runs.organism.policy import Schooling, sampled, taught, texts
    from lens.runs.organism.training import Recipe, trained

    schooling = Schooling(seed=seed)
    recipe = Recipe("kept", grader, "a run kept as texts", steps=steps, gradients=steps, schooling=schooling)
    with repeatable():
        reference = taught(schooling)
        drawn = random.Random(f"before {seed}").sample(task.problems(), PROMPTS)
        asked = [problem for problem in drawn for _ in range(SAMPLES)]
        said = texts(sampled(reference, asked, torch.Generator().manual_seed(seed + 1)))
        before = Replies([problem.target for problem in drawn], said)
        return Run(before, [_said(step.rollouts) for step in trained(recipe, reference, seed)])


def _said(rollouts: Mapping[str, Sequence[str]]) -> Replies:
    """A step's replies; a prompt is two operands of two digits."""
    prompts = rollouts["prompt_text"][::SAMPLES]
    return Replies([int(prompt[:2]) + int(prompt[3:5]) for prompt in prompts], list(rollouts["completion_text"]))
