"""Values at scale: whether a probe of a named reward model's stream finds that raters disagree beyond what one shared
utility would make of the same votes.

Raters are the small study's, who make of words what they make there; their head is fitted in the stream's widest
directions, since a few hundred choices fix no more. The probe reads six directions, fitted to the words on the texts
that the head is fitted on: in a wide stream the size of a coordinate's difference says little of any one word. Camps
are of one size, which no one utility takes up.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import World
from lens.studies.at_scale._heads import fitted, widest
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import Stream, holding
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import values as small

if TYPE_CHECKING:
    import numpy as np

TRAINED, READ, NULLS, DIRECTIONS = 200, 300, 19, 32
WORDS = (small.CONTESTED, *small.OTHERS)


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the seed that holds every word."""
    return _read(holding(seed), seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """A head on the model's stream, fitted to 200 choices, and 25 votes on each of 300 other pairs; a share `disliking`
    of the raters dislikes a word as much as the others like it.

    `partial` is Spearman's correlation of disagreement with what a cross-fitted probe on both replies says, given the
    head's margin; `excess` how far above the mean of votes cast by the one utility that fits them best, `naive` how far
    above the mean with disagreements dealt to pairs at random. Where votes are `dealt`, they belong to no pair.
    """
    return _read(lambda replies: states(spec, replies), seed, plant)


def _read(stream: Stream, seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    from lens.models.indices.contestedness import decoded, partial, symmetric

    rng = np.random.default_rng(seed)
    streams, words = _pairs(stream, random.Random(seed))
    apart = streams[:, 0] - streams[:, 1]
    shares = small._shares(words[:, 0] - words[:, 1], plant["disliking"], rng)
    chosen = (rng.random(TRAINED) < shares[:TRAINED]).astype(float)
    margins = np.abs(apart[TRAINED:] @ small._fitted(apart[:TRAINED], chosen))
    votes = rng.binomial(small.RATERS, shares[TRAINED:]) / small.RATERS
    if plant.get("dealt"):
        votes = rng.permutation(votes)
    utility = apart[TRAINED:] @ small._fitted(apart[TRAINED:], votes, small.RIDGE / small.RATERS)
    cast = rng.binomial(small.RATERS, 1 / (1 + np.exp(-utility)), (NULLS, READ)) / small.RATERS
    dealt = rng.permuted(np.tile(votes, (NULLS, 1)), axis=1)
    targets = 1 - np.abs(2 * np.vstack([votes, cast, dealt]).T - 1)
    of_words = fitted(*(some[:TRAINED].reshape(2 * TRAINED, -1) for some in (streams, words)))
    said = decoded(symmetric(streams[TRAINED:] @ of_words), targets, range(READ))
    real, *others = (partial(said[:, at], targets[:, at], margins) for at in range(targets.shape[1]))
    one, anyhow = np.array(others).reshape(2, NULLS)
    return {"partial": real, "excess": float(real - one.mean()), "naive": float(real - anyhow.mean())}


def _pairs(stream: Stream, draw: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """Streams [pairs, 2, k] of two replies to each prompt, in the widest directions, and which words they hold."""
    import numpy as np

    world = World(WORDS)
    bases = [world.reply(draw) for _ in range(TRAINED + READ)]
    replies = [reply for base in bases for reply in (base, world.again(draw, base))]
    rows = stream(replies)
    words = np.array([[reply.words[word] for word in WORDS] for reply in replies], float)
    return (rows @ widest(rows, DIRECTIONS)).reshape(len(bases), 2, -1), words.reshape(len(bases), 2, -1)


SCIENCE = Science(
    "values-at-scale",
    "Disagreement beyond one utility, at scale",
    version=1,
    unit="draw of raters and pairs",
    measure=measure,
    values={
        "partial": Value("given the margin", "correlation"),
        "excess": Value("correlation over one utility", "difference"),
        "naive": Value("correlation over dealt votes", "difference"),
    },
    seconds=0.5,
    null=small.SCIENCE.null,
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
