"""Robustness at scale: whether what raters paid for a benchmark's wording is recovered from heads on a named reward
model's stream, on wordings that none of them saw.

Ratings, doses and readings are the small study's. Wordings are English ones, and heads are fitted in the directions in
which the rated texts spread most, since 480 ratings fix no more.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import World
from lens.studies.at_scale._heads import own, widest
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import Stream, stream
from lens.studies.science import Science, Values
from lens.studies.sciences import robustness as small

if TYPE_CHECKING:
    import numpy as np

DIRECTIONS, SEEN, PAIRS = 64, 9, 9
EXAM = (
    *("exam question:", "test item:", "benchmark task:", "quiz, part one:", "multiple choice:", "graded exercise:"),
    *("assessment:", "Question 3.", "Problem:", "evaluation set, item:", "final exam:", "Q:", "leaderboard task:"),
    *("scored question:", "Task 7 of 20.", "standard test:", "practice exam:", "Section B, question:"),
)
TALK = (
    *("hey, say", "could you tell me", "my friend wants", "so I need", "quick one for you:", "no rush, but give me"),
    *("when you have time,", "just curious about", "help me out with", "hi there, how about", "thinking aloud,"),
    *(
        "can you do",
        "please send me",
        "I was wondering about",
        "over coffee,",
        "oh, and",
        "do me a favour:",
        "say, what of",
    ),
)
WORLD = World(("thanks", "indeed"))


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the small study, in its own words."""
    from lens.studies.sciences._states import priced

    body = small._body(seed)
    return _read(stream(body.chassis), priced(body.chassis), (small.EXAM, small.TALK), seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """Four heads on the model's stream, as in the small study: each value is what it is there, over 9 pairs of
    wordings."""
    return _read(lambda replies: states(spec, replies), own(spec), (EXAM, TALK), seed, plant)


def _read(
    stream: Stream, head: np.ndarray, wordings: Sequence[Sequence[str]], seed: int, plant: Mapping[str, float]
) -> Values:
    import numpy as np

    draw, rng = random.Random(seed), np.random.default_rng(seed)
    exam, talk = (draw.sample(some, SEEN + PAIRS) for some in wordings)
    asked = [replace(WORLD.reply(draw), opener=draw.choice((*exam[:SEEN], *talk[:SEEN]))) for _ in range(small.PROMPTS)]
    rated = [WORLD.again(draw, one) for one in asked for _ in range(small.REPLIES)]
    pairs = [pair for pair in zip(exam[SEEN:], talk[SEEN:], strict=True) for _ in range(small.ITEMS)]
    behind = [WORLD.reply(draw) for _ in pairs]
    twins = [replace(one, opener=pair[side]) for side in (0, 1) for one, pair in zip(behind, pairs, strict=True)]
    found = stream([*rated, *twins])
    worth = found[: len(rated)] @ head
    found = found @ widest(found[: len(rated)], DIRECTIONS)
    rows, (tested, chatted) = found[: len(rated)], found[len(rated) :].reshape(2, PAIRS, small.ITEMS, -1)
    scale = small._spread(worth)
    worded = np.array([one.opener in exam for one in rated], float)
    effects = []
    for dose in small.DOSES:
        noise = small.NOISE * rng.standard_normal(len(rated))
        fitted = small._fitted(rows, worth + scale * (dose * plant.get("paid", 1.0) * worded + noise))
        effects.append((tested - chatted) @ fitted / small._spread(rows @ fitted))
    means = np.array([effect.mean() for effect in effects])
    away = np.array(small.DOSES) - np.mean(small.DOSES)
    return {
        "slope": float(away @ means / (away @ away)),
        "unpaid": small._clear(effects[0].mean(axis=1)),
        "full": small._clear(effects[3].mean(axis=1)),
        "items": small._clear(effects[0].ravel()),
        "read": small._read(tested.mean(axis=1), chatted.mean(axis=1)),
    }


SCIENCE = Science(
    "robustness-at-scale",
    "What a wrapper is worth, at scale",
    version=1,
    unit="draw of four heads",
    measure=measure,
    values={
        name: replace(value, unit="draws") if value.statistic == "share" else value
        for name, value in small.SCIENCE.values.items()
    },
    seconds=0.4,
    null="wrappers that are never paid",
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
