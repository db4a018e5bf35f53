"""Gauge at scale: whether the angle between two reward heads, once whitened, says how far their rewards agree, on the
trunk of a reward model that is named.

The trunk is its own; heads, texts and raters are those of the small study. Heads are fitted in the stream's widest
directions, since 300 choices fix no more.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.at_scale._model import SMALL, fingerprint, states
from lens.studies.science import Science, Values
from lens.studies.sciences import gauge as small

if TYPE_CHECKING:
    import numpy as np

DIRECTIONS = 48


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the seed."""
    return read(f"{SMALL}?seed={1 + seed % 8}", seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """Ten heads on the model's trunk, as in the small study: `whitened`, `raw` and `moved`, `white` and `same` are
    what they are there."""
    import numpy as np

    from lens.stats.within import correlations

    rng = np.random.default_rng(seed)
    together = 0.5 if plant.get("same") else small.TOGETHER
    first, second, moved, words = _streams(spec, seed, together)
    spread = small._spread(first)
    if plant.get("white"):
        turned = small._root(spread)
        first, second, moved = first @ turned, second @ turned, moved @ turned
        spread = small._spread(first)
    heads = np.stack(
        [small._trained(first, words @ rng.standard_normal(len(small.WORDS)), rng) for _ in range(small.HEADS)]
    )
    here, there = (correlations(small._within(part).reshape(-1, part.shape[-1]) @ heads.T) for part in (second, moved))
    off = np.triu_indices(small.HEADS, 1)
    whitened, raw = small._cosines(heads @ spread @ heads.T), small._cosines(heads @ heads.T)

    def missed(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.abs(one - other)[off].mean())

    return {"whitened": missed(whitened, here), "raw": missed(raw, here), "moved": missed(whitened, there)}


def _streams(spec: str, seed: int, together: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Streams [400, 4, k] of two halves of the prompts and of the other policy, and the words of the first half."""
    import numpy as np

    from lens.models.organisms.wordplay import World

    world, draw = World(small.WORDS), random.Random(seed)
    bases = [[world.reply(draw) for _ in range(small.PROMPTS)] for _ in range(3)]
    replies = [[world.again(draw, base) for base in some for _ in range(small.REPLIES)] for some in bases]
    replies[2] = [small._coined(reply, draw, together) for reply in replies[2]]
    found = states(spec, [reply for some in replies for reply in some])
    first, second, moved = found.reshape(3, small.PROMPTS, small.REPLIES, -1)
    spread = small._spread(first)
    widest = np.linalg.eigh(spread)[1][:, -DIRECTIONS:] / np.sqrt(np.trace(spread) / len(small.WORDS))
    words = np.array([[reply.words[word] for word in small.WORDS] for reply in replies[0]], float)
    return first @ widest, second @ widest, moved @ widest, words.reshape(small.PROMPTS, small.REPLIES, -1)


SCIENCE = Science(
    "gauge-at-scale",
    "The frame an angle is read in, at scale",
    version=1,
    unit="draw of ten heads",
    measure=measure,
    values=small.SCIENCE.values,
    seconds=3.0,
    null="whitened trunks read on one policy",
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
