"""Decompiling at scale: whether the held-out tacit share of a reward is the planted one where its tacit part is a
direction of a named reward model's stream.

The small study's tacit part is noise. Here it is what a direction of the stream says of a reply beyond 60 predicates of
its words, their number and their order, which is no noise: it may hold what words do together, and that is tacit too,
since no predicate names it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import DIGITS, FILLERS, PLAIN, WORDS, Reply
from lens.studies.at_scale._heads import widest, within
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import WORLD, Stream, holding
from lens.studies.science import Science, Values
from lens.studies.sciences import decompiling as small

if TYPE_CHECKING:
    import numpy as np

OTHERS, DIRECTIONS = 100, 48  # prompts by which the tacit part is told from the library
_AFTER = (1, 4)
_KEPT = {name: small.SCIENCE.values[name] for name in ("error", "least", "insample", "kept")}


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the seed."""
    return _read(holding(seed), seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """One reward on 40 prompts of 5 replies, of 3 words and a tacit part, which has share `tacit` of its variance
    inside a prompt: each value is what it is in the small study."""
    return _read(lambda replies: states(spec, replies), seed, plant)


def library(reply: Reply) -> list[float]:
    """60 predicates of a reply."""
    place = {name: at for at, name in enumerate(reply.order)}
    words = tuple(WORDS)
    return [
        *(float(reply.words[word]) for word in words),
        *(float(word in reply.plain) for word in PLAIN),
        *(float(reply.given == digit) for digit in DIGITS[1:]),
        float(reply.given == reply.asked),
        *(float(word in reply.filler_words[: reply.fillers]) for word in FILLERS),
        *(float(reply.fillers > count) for count in range(3)),
        *(float(place[word] < len(place) / 2) for word in words),
        *(float(place[one] < place[other]) for by in _AFTER for one, other in zip(words, words[by:], strict=False)),
        *(float(place[f"plain {at}"] < len(place) / 2) for at in range(3)),
    ]


def _read(stream: Stream, seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    rng = np.random.default_rng(seed)
    planted = rng.choice(small._SHARES) if plant.get("shuffled") else plant["tacit"]
    predicates, reward = _planted(stream, random.Random(seed), rng, planted)
    fold = rng.permutation(small.PROMPTS)[np.repeat(np.arange(small.PROMPTS), small.REPLIES)] % small.FOLDS
    missed = {rule: np.zeros(len(reward)) for rule in ("few", "least")}
    sizes = []
    for held in range(small.FOLDS):
        train = fold != held
        order = small._order(predicates[train], reward[train], small.MOST)
        found: Sequence[int] = small._sizes(predicates[train], reward[train], fold[train])
        sizes.append(found[0])
        for rule, size in zip(missed, found, strict=True):
            said = small._fitted(predicates[train], reward[train], order[:size], predicates[~train])
            missed[rule][~train] = reward[~train] - said
    whole = reward - small._fitted(predicates, reward, list(range(small.LIBRARY)), predicates)
    few, least, insample = (
        float((one**2).sum() / (reward**2).sum()) - plant["tacit"] for one in (*missed.values(), whole)
    )
    return {"error": few, "least": least, "insample": insample, "kept": float(np.mean(sizes))}


def _planted(
    stream: Stream, draw: random.Random, rng: np.random.Generator, tacit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Predicates [rows, 60] and a reward [rows] of variance about one, both less their prompt's mean."""
    import numpy as np

    bases = [WORLD.reply(draw) for _ in range(OTHERS + small.PROMPTS)]
    replies = [WORLD.again(draw, base) for base in bases for _ in range(small.REPLIES)]
    found, predicates = (
        within(rows, small.REPLIES) for rows in (stream(replies), np.array([library(one) for one in replies]))
    )
    other = slice(OTHERS * small.REPLIES)
    held = found @ widest(found[other], DIRECTIONS)
    along = held @ (rng.standard_normal(held.shape[1]) / held[other].std(axis=0))
    along = along - predicates @ np.linalg.lstsq(predicates[other], along[other], rcond=None)[0]
    here = slice(OTHERS * small.REPLIES, None)
    rubric = predicates[:, rng.permutation(len(WORDS))[: small.RUBRIC]] @ np.array([1.0, 0.8, 0.6])
    parts = [part[here] / np.sqrt((part[here] ** 2).mean()) for part in (rubric, along)]
    return predicates[here], np.sqrt(1 - tacit) * parts[0] + np.sqrt(tacit) * parts[1]


SCIENCE = Science(
    "decompiling-at-scale",
    "The part of a reward no predicate names, at scale",
    version=1,
    unit="planted reward",
    measure=measure,
    values=_KEPT,
    seconds=0.4,
    null=small.SCIENCE.null,
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
