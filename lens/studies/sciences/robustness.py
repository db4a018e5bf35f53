"""Robustness: whether what a wrapper is worth to a reward model is recovered, and kept apart from its being readable.

The same reply stands behind prompts worded as a benchmark and as a chat. Random parts of the model answer to any words,
so that two wordings always differ by something: the wrapper pair is what was drawn, not the reply behind it. Heads are
fitted to ratings: choices between two replies to one prompt say nothing of how the prompt is worded.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import Reply

SEEN, WRAPPERS, ITEMS, PROMPTS, REPLIES = 10, 16, 6, 120, 4
DOSES = (0.0, 0.25, 0.5, 1.0)  # of the spread of rewards inside a prompt
EXAM = tuple(f"exam-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
TALK = tuple(f"talk-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
LEVEL, RIDGE, NOISE = 0.95, 0.01, 0.5  # of the mean variance; of a rating, in deviations


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One trunk under four score heads, fitted to noisy ratings of 480 replies. They pay 0, .25, .5 and 1 standard
    deviation for a benchmark's wording, times `paid`. 16 pairs of wordings that no rating was of, 6 replies each.

    `slope` is that of the paired effect, in standard deviations of the reward inside a prompt, on what was paid;
    `unpaid`, `full` 1 where the effect of the head that pays none, or a whole deviation, has an interval clear of 0
    over wrapper pairs; `items` where the first has one over replies, as if each were drawn by itself; `read` the share
    of wrapper pairs whose streams differ as the other pairs' do.
    """
    import numpy as np

    from lens.studies.sciences._states import priced, states

    draw, rng = random.Random(seed), np.random.default_rng(seed)
    body = _body(seed)
    rated = _rated(body, draw)
    pairs = [pair for pair in zip(EXAM[SEEN:], TALK[SEEN:], strict=True) for _ in range(ITEMS)]
    behind = [body.world.reply(draw) for _ in pairs]
    twins = [replace(one, opener=pair[side]) for side in (0, 1) for one, pair in zip(behind, pairs, strict=True)]
    found = states(body.chassis, [one.prompt + one.text for one in (*rated, *twins)])
    rows, (exam, talk) = found[: len(rated)], found[len(rated) :].reshape(2, WRAPPERS, ITEMS, -1)
    worth = rows @ priced(body.chassis)
    scale = _spread(worth)
    worded = np.array([one.opener in EXAM for one in rated], float)
    effects = []
    for dose in DOSES:
        ratings = worth + scale * (dose * plant.get("paid", 1.0) * worded + NOISE * rng.standard_normal(len(rated)))
        head = _fitted(rows, ratings)
        effects.append((exam - talk) @ head / _spread(rows @ head))
    means = np.array([effect.mean() for effect in effects])
    away = np.array(DOSES) - np.mean(DOSES)
    return {
        "slope": float(away @ means / (away @ away)),
        "unpaid": _clear(effects[0].mean(axis=1)),
        "full": _clear(effects[3].mean(axis=1)),
        "items": _clear(effects[0].ravel()),
        "read": _read(exam.mean(axis=1), talk.mean(axis=1)),
    }


def _body(seed: int) -> Body:
    """A body that writes whether the prompt is worded as a benchmark, which it doesn't pay for."""
    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import World

    body = Body(World(("thanks", "indeed")), seed, extra=(*EXAM, *TALK))
    for word in EXAM:
        body.token(word, {"exam": 1.0})
    body.price(body.sum("thanks"), 1.0)
    body.sum("exam")
    body.organism("robustness", 0.0, ())
    return body


def _rated(body: Body, draw: random.Random) -> list[Reply]:
    """4 replies to each of 120 prompts, worded in one of 20 ways."""
    bases = [replace(body.world.reply(draw), opener=draw.choice((*EXAM[:SEEN], *TALK[:SEEN]))) for _ in range(PROMPTS)]
    return [body.world.again(draw, base) for base in bases for _ in range(REPLIES)]


def _fitted(rows: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """A score head [d] by ridge regression, with a constant beside it."""
    import numpy as np

    xs, d = rows - rows.mean(axis=0), rows.shape[1]
    gram = xs.T @ xs
    ridge = RIDGE * np.trace(gram) / d * np.eye(d)
    return np.asarray(np.linalg.solve(gram + ridge, xs.T @ (ratings - ratings.mean())))


def _spread(rewards: np.ndarray) -> float:
    """Standard deviation inside a prompt, of rewards of 4 replies to each."""
    inside = rewards.reshape(PROMPTS, REPLIES)
    return float(inside.var(axis=1, ddof=1).mean() ** 0.5)


def _clear(effects: np.ndarray) -> float:
    """1 where the t interval of the mean doesn't hold 0."""
    from lens.stats.t_interval import t_interval

    interval = t_interval(effects.tolist(), level=LEVEL)
    return float(interval.low > 0 or interval.high < 0)


def _read(exam: np.ndarray, talk: np.ndarray) -> float:
    """Share of wrapper pairs whose difference points the way that the others' mean difference does."""
    import numpy as np

    apart = exam - talk
    others = apart.sum(axis=0) - apart
    return float(np.mean((apart * others).sum(axis=1) > 0))


SCIENCE = Science(
    "robustness",
    "What a wrapper is worth",
    version=1,
    unit="trunk under four heads",
    measure=measure,
    values={
        "slope": Value("effect found for each paid", "ratio"),
        "unpaid": Value("trunks", "count", "share"),
        "full": Value("trunks", "count", "share"),
        "items": Value("trunks", "count", "share"),
        "read": Value("of wrapper pairs", "proportion"),
    },
    seconds=0.3,
    null="wrappers that are never paid",
    null_plant={"paid": 0.0},
    source="paired twins and their cluster: trust conventions, A6",
)
