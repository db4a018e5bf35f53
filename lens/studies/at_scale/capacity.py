"""Capacity at scale: whether a dozen criteria that a named reward model can read stay out of each other's way in few
directions of its stream, and in more.

The model is trained already, so that nothing is read before and after. What its criteria make of the directions that
they are given is held against as many heads that point anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from lens.models.organisms.wordplay import WORDS, Reply
from lens.studies.at_scale._heads import fitted, widest, within
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import EVEN, OUTDOORS, WORLD, Stream, holding
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import capacity as small

PROMPTS, REPLIES = 100, 4  # of either half
CRITERIA: tuple[Callable[[Reply], float], ...] = (
    *(lambda reply, word=word: float(reply.words[word]) for word in WORDS),
    lambda reply: float(reply.fillers > 1),
    lambda reply: float(sum(word in OUTDOORS for word in reply.plain) > 1),
    lambda reply: float(reply.given in EVEN),
)


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the seed that holds all 12."""
    return _read(holding(seed), seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """12 heads, fitted by least squares to whether a reply meets each criterion, in the `width` directions in which the
    model's stream spreads most inside a prompt, on 100 prompts of 4 replies.

    `interference` is the mean, over pairs, of how much a head moves in its own deviations where another is moved by one
    of its own, by the spread on 100 other prompts; `kept` the same over its mean for heads that point anywhere in so
    many directions. Where `shuffled`, criteria are dealt out over replies anew.
    """
    return _read(lambda replies: states(spec, replies), seed, plant)


def _read(stream: Stream, seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    draw, rng = random.Random(seed), np.random.default_rng(seed)
    bases = [WORLD.reply(draw) for _ in range(2 * PROMPTS)]
    replies = [WORLD.again(draw, base) for base in bases for _ in range(REPLIES)]
    found = within(stream(replies), REPLIES)
    half = PROMPTS * REPLIES
    directions = widest(found[:half], int(plant["width"]))
    met = np.array([[criterion(reply) for criterion in CRITERIA] for reply in replies[:half]])
    if plant.get("shuffled"):
        met = rng.permuted(met, axis=0)
    heads = fitted(found[:half] @ directions, within(met, REPLIES))
    rewards = found[half:] @ directions @ heads
    moved = np.abs(np.corrcoef(rewards.T))[np.triu_indices(small.CRITERIA, 1)].mean()
    return {"interference": float(moved), "kept": float(moved / _anywhere(directions.shape[1]))}


def _anywhere(width: int) -> float:
    """The mean |cosine| of two directions drawn evenly: Γ(k/2) / (√π Γ((k+1)/2))."""
    from math import exp, lgamma, pi, sqrt

    return exp(lgamma(width / 2) - lgamma((width + 1) / 2)) / sqrt(pi)


SCIENCE = Science(
    "capacity-at-scale",
    "Criteria in each other's way, at scale",
    version=1,
    unit="draw of a dozen heads",
    measure=measure,
    values={
        "interference": Value("of a criterion's own move", "ratio"),
        "kept": Value("of the interference of heads that point anywhere", "ratio"),
    },
    seconds=0.4,
    null="criteria dealt out over replies anew",
    null_plant={"shuffled": 1.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
