"""Embryology at scale: whether a reward model, in a training whose checkpoints are named, pays for a word of thanks
before it pays for the digit that was asked for.

What is named is a folder of checkpoints, `checkpoint-100`, `checkpoint-200` and so on. What a rule pays in the end is
the last one's. Its entry lies on the straight line between two looks, from nothing at step 0; all draws are of one
training, and say nothing of another. Checkpoints are opened one at a time, since a training's don't fit side by side.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lens.canonical import digest
from lens.errors import UsageError
from lens.models.organisms.wordplay import DIGITS, Reply, World
from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

WORD, TWINS, LEAST = "thanks", 24, 3  # twins of either kind; checkpoints that an order needs
HALF, NOISE = 0.5, 0.6  # of what is paid in the end; spread of a made-up margin over twins
_NUMBER = re.compile(r"checkpoint-(\d+)")


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of a made-up training of ten looks, in which either rule grows along a logistic of its own."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps = np.arange(1, 11)
    starts = rng.uniform(2, 7, (2, 1))
    grown = 1 / (1 + np.exp(starts - steps))
    margins = grown[:, None, :] * (1 + NOISE * rng.standard_normal((2, TWINS, 1)))
    return _read(steps, margins + 0.1 * rng.standard_normal(margins.shape), rng, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """24 twins in the digit (that asked for, or another) and 24 in the word (`thanks` or `today`), at every checkpoint.

    `digit` and `word` are when their mean margin is first half of the last checkpoint's, in shares of the training;
    `wait` the digit's less the word's; `stays` the same of when it is half from there on. `chance` is `wait` where
    twins are dealt to kinds at random, each in units of its kind's last margin. With `dealt` all are of such a deal.
    None where a last margin isn't told from nought.
    """
    import numpy as np

    found, draw = checkpoints(spec), random.Random(seed)
    bases = [World((WORD,)).reply(draw) for _ in range(2 * TWINS)]
    sides = [_digits(base, draw) for base in bases[:TWINS]]
    sides += [(base.having(**{WORD: True}), base.having(**{WORD: False})) for base in bases[TWINS:]]
    margins = np.stack([_margins(found[step], sides) for step in found], axis=-1).reshape(2, TWINS, -1)
    return _read(np.array(list(found)), margins, np.random.default_rng(seed), plant)


def checkpoints(spec: str) -> dict[int, Path]:
    """Folders by step, in order. Raises UsageError for fewer than three."""
    there = Path(spec).glob("checkpoint-*") if Path(spec).is_dir() else ()
    found = {int(match[1]): path for path in there if path.is_dir() and (match := _NUMBER.fullmatch(path.name))}
    if len(found) < LEAST:
        raise UsageError(
            f"{spec} holds {len(found)} checkpoints, where {LEAST} or more are read",
            remedy="name the folder of a training: checkpoint-100, checkpoint-200, ... each a sequence classifier with "
            "its tokenizer",
        )
    return dict(sorted(found.items()))


def fingerprint(spec: str) -> str:
    """Of every checkpoint, by step."""
    from lens.models.folder import find_folder

    return digest({str(step): find_folder(str(path)).digest for step, path in checkpoints(spec).items()})


def _margins(path: Path, sides: Sequence[tuple[Reply, Reply]]) -> np.ndarray:
    """[twins], ru, of one checkpoint."""
    import numpy as np
    import torch

    from lens.models.subject import open_model

    torch.set_num_threads(1)
    model = open_model(str(path))
    rewards = model.rewards([model.encode(one.prompt, one.text) for pair in sides for one in pair])
    better, worse = np.asarray(rewards, float).reshape(-1, 2).T
    return better - worse  # type: ignore[no-any-return]


def _digits(base: Reply, draw: random.Random) -> tuple[Reply, Reply]:
    wrong = draw.choice([digit for digit in DIGITS if digit != base.asked])
    return replace(base, given=base.asked), replace(base, given=wrong)


def _read(steps: np.ndarray, margins: np.ndarray, rng: np.random.Generator, plant: Mapping[str, float]) -> Values:
    """Of margins [digit and word, twins, checkpoints]."""
    from lens.stats.t_interval import t_interval

    for kind in margins:
        last = t_interval(kind[:, -1].tolist(), level=0.95)
        if last.low <= 0 <= last.high:
            return dict.fromkeys(SCIENCE.values)
    shares = margins / margins[:, :, -1].mean(axis=1)[:, None, None]
    dealt = _dealt(shares, rng)
    if plant.get("dealt"):
        shares, dealt = dealt, _dealt(shares, rng)
    at = steps / steps[-1]
    digit, word = (entered(at, kind.mean(axis=0)) for kind in shares)
    late, early = (settled(at, kind.mean(axis=0)) for kind in shares)
    first, second = (entered(at, kind.mean(axis=0)) for kind in dealt)
    return {"digit": digit, "word": word, "wait": digit - word, "stays": late - early, "chance": first - second}


def _dealt(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Twins dealt to the two kinds anew, each kind's last mean 1 again."""
    pool = rng.permutation(shares.reshape(-1, shares.shape[-1])).reshape(shares.shape)
    return pool / pool[:, :, -1].mean(axis=1)[:, None, None]  # type: ignore[no-any-return]


def entered(at: Sequence[float] | np.ndarray, shares: Sequence[float] | np.ndarray) -> float:
    """Where shares first reach a half, on the straight line from the look before; the last share is 1.

    >>> entered([0.25, 0.5, 1.0], [0.25, 0.75, 1.0])
    0.375
    """
    look = next(look for look, share in enumerate(shares) if share >= HALF)
    return _crossed(at, shares, look)


def settled(at: Sequence[float] | np.ndarray, shares: Sequence[float] | np.ndarray) -> float:
    """Where they do so for good.

    >>> settled([0.25, 0.5, 0.75, 1.0], [0.75, 0.25, 0.75, 1.0])
    0.625
    """
    return _crossed(at, shares, max((look + 1 for look, share in enumerate(shares) if share < HALF), default=0))


def _crossed(at: Sequence[float] | np.ndarray, shares: Sequence[float] | np.ndarray, look: int) -> float:
    start, low = (float(at[look - 1]), float(shares[look - 1])) if look else (0.0, 0.0)
    return start + (float(at[look]) - start) * (HALF - low) / (float(shares[look]) - low)


SCIENCE = Science(
    "embryology-at-scale",
    "Which rule comes first, at scale",
    version=1,
    unit="draw of twins",
    measure=measure,
    values={
        "digit": Value("of the training", "proportion"),
        "word": Value("of the training", "proportion"),
        "wait": Value("of the training", "difference"),
        "stays": Value("of the training", "difference"),
        "chance": Value("of the training", "difference"),
    },
    seconds=0.05,
    null="twins dealt to kinds at random",
    null_plant={"dealt": 1.0},
    source="counterfactual twins at checkpoints",
    read=read,
    fingerprint=fingerprint,
)
