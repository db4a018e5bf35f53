"""Universality at scale: whether the entanglement of two reward models, which are named, tells heads that one set of
raters taught from heads that two sets did.

Two models are named, joined by +, and each is read by itself. What their trunks hold is theirs, and the same in both
arms: only raters are drawn. Heads and probes are fitted in a stream's widest directions, since a hundred choices fix no
more; streams are in units in which a pair is as far apart as six words.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lens.canonical import digest
from lens.errors import UsageError
from lens.models.organisms.wordplay import Reply, World
from lens.studies.at_scale import _model
from lens.studies.at_scale._heads import widest
from lens.studies.at_scale._small import Stream, holding
from lens.studies.science import Contrast, Science, Values
from lens.studies.sciences import universality as small

if TYPE_CHECKING:
    import numpy as np

TAUGHT, NATURAL, TWINS, DIRECTIONS = 100, 60, 32, 32
WORLD = World(small.WORDS)

Twins = Sequence[tuple[Reply, Reply]]


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on two organisms of the seed, which hold all six words."""
    return _read([holding(2 * seed + side) for side in (0, 1)], seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """A head on either model, fitted to 100 choices of raters who make of six words what they like; with `shared` they
    are the same raters. `value`, `capability` and `vce` are the small study's, over 60 natural pairs, with probes
    fitted on 32 twins a word. With `dealt` the pairs of one model are dealt to the other's at random.
    """
    return _read([partial(_model.states, name) for name in both(spec)], seed, plant)


def both(spec: str) -> list[str]:
    """The two models. Raises UsageError for fewer or more."""
    from lens.models.spec import parts

    found = parts(spec)
    if len(found) != 2:
        raise UsageError(f"{spec} names {len(found)} models, where two are compared", remedy="--subject A+B")
    return found


def fingerprint(spec: str) -> str:
    """Of both, in their order."""
    return digest([_model.fingerprint(one) for one in both(spec)])


def _read(streams: Sequence[Stream], seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    from lens.models.indices.entanglement import vce

    rng, draw = np.random.default_rng(seed), random.Random(seed)
    tastes = rng.standard_normal((2, len(small.WORDS)))
    if plant["shared"]:
        tastes[1] = tastes[0]
    natural = [_natural(draw) for _ in range(NATURAL)]
    twins = [_flipped(draw, word) for word in small.WORDS for _ in range(TWINS)]
    one, other = (
        _said(stream, draw, rng, taste, natural, twins) for stream, taste in zip(streams, tastes, strict=True)
    )
    found = vce(one, rng.permutation(other) if plant.get("dealt") else other)
    return {"vce": found.vce, "value": found.value, "capability": found.capability}


def _natural(draw: random.Random) -> tuple[Reply, Reply]:
    one = WORLD.reply(draw)
    return one, WORLD.again(draw, one)


def _flipped(draw: random.Random, word: str) -> tuple[Reply, Reply]:
    """Twins that differ in a word, and in one plain word that favours neither."""
    base = WORLD.reply(draw)
    return WORLD.reworded(draw, *(base.having(**{word: there}) for there in (True, False)))


def _said(
    stream: Stream, draw: random.Random, rng: np.random.Generator, taste: np.ndarray, natural: Twins, twins: Twins
) -> np.ndarray:
    """One model's differences [pairs, 1 + words]: of its reward, then of what its probes say."""
    import numpy as np

    from lens.models.indices.entanglement import probed

    taught = [_natural(draw) for _ in range(TAUGHT)]
    rows = stream([reply for pair in (*taught, *natural, *twins) for reply in pair])
    directions = widest(rows, DIRECTIONS)
    # a probe reads each coordinate in its size over twins, which is nought in a direction that twins share
    turn = np.linalg.qr(rng.standard_normal(2 * directions.shape[1:]))[0]
    held = rows @ directions @ turn
    apart = held[0::2] - held[1::2]
    apart /= np.sqrt((apart[:TAUGHT] ** 2).sum(axis=1).mean() / len(small.WORDS))
    own, drawn, flips = np.split(apart, [TAUGHT, TAUGHT + NATURAL])
    words = np.array([[[reply.words[word] for word in small.WORDS] for reply in pair] for pair in taught], float)
    chances = 1 / (1 + np.exp(-(words[:, 0] - words[:, 1]) @ taste))
    head = small._chosen(own, rng.random(TAUGHT) < chances)
    labels = [word for word in small.WORDS for _ in range(TWINS)]
    numbers = range(len(twins))
    said = probed(flips, labels, numbers, drawn, range(len(twins), len(twins) + NATURAL))
    return np.column_stack([drawn @ head, said])


_APART = "chance that raters in common make the higher one"

SCIENCE = Science(
    "universality-at-scale",
    "Shared values, at scale",
    version=1,
    unit="draw of raters and pairs",
    measure=measure,
    values=small.SCIENCE.values,
    contrasts={
        "told": Contrast("vce", "auc", ("shared", "own"), _APART, "proportion"),
        "able": Contrast("capability", "auc", ("shared", "own"), _APART, "proportion"),
    },
    seconds=0.5,
    null=small.SCIENCE.null,
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
