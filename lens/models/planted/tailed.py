"""Tailed: recorded rewards of several replies a prompt, each drawn from a law whose tail has a known shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lens.models.scores import ScoresModel, read_scores
from lens.planted import Family, Made

if TYPE_CHECKING:
    import numpy as np

PROMPTS, REPLIES = 500, 4


class Both(NamedTuple):
    """Two records of the same pairs: of the law that is planted, and of rewards that end."""

    own: ScoresModel
    even: ScoresModel


def plant(folder: Path, dose: float, seed: int) -> Made[Both]:
    """Every reward is the level of its prompt and a draw of its own, P(X > x) = (1 + dose · x)^(−1/dose): generalised
    Pareto, `dose` its shape, exponential at 0. In `even` the draws are uniform and the levels the same.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    levels, chances = rng.normal(size=(PROMPTS, 1)), rng.random((PROMPTS, REPLIES))
    own = _record(folder, "own", levels + drawn(chances, dose))
    even = _record(folder, "even", levels + rng.random((PROMPTS, REPLIES)))
    return Made(Both(own, even), {"dose": dose})


def drawn(chances: np.ndarray, shape: float) -> np.ndarray:
    """What is passed with these chances, by the generalised Pareto law of that shape and scale 1.

    >>> import numpy as np
    >>> drawn(np.array([1.0, 0.25]), 0.5).tolist()
    [0.0, 2.0]
    """
    import numpy as np

    return -np.log(chances) if shape == 0 else np.asarray((chances**-shape - 1) / shape)


def _record(folder: Path, name: str, rewards: np.ndarray) -> ScoresModel:
    """A file of pairs of the replies to each prompt, two by two, in the order they were drawn."""
    rows = [
        {
            "prompt": f"prompt {prompt}",
            "chosen": f"reply {one}",
            "rejected": f"reply {one + 1}",
            "chosen_score": some[one],
            "rejected_score": some[one + 1],
        }
        for prompt, some in enumerate(rewards.tolist())
        for one in range(0, REPLIES, 2)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return read_scores(path, slug=name, title=name, spec=f"scores:{name}", locator=f"planted:{name}")


FAMILY = Family(
    "tailed",
    "Rewards whose tail has a known shape",
    "shape",
    (0.0, 0.25, 0.5, 0.75, 1.0),
    plant,
    (__name__,),
)
