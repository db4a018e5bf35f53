"""Factorization: whether a premium on a word goes through what a reward model believes, or stands beside it.

The belief is whether the reply gives the digit that was asked for. The word is paid either through it (it makes the
model believe more) or directly. Erasing the belief should take the first premium away and leave the second. In the
texts the eraser is fitted on, the word goes with the right digit, as confident replies do.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import Reply

WORD, OTHER = "clear", "thanks"
TEXTS, TWINS = 300, 40
TOGETHER = 0.75  # chance that the word stands where the digit is right, and is missing where it is wrong
MISTAKEN = 0.1  # of the labels
PREMIUM = (0.3, 1.5)  # what the word is worth, of what the digit is worth; drawn evenly
CUT = 0.5


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One organism that pays for a word, `routed` through its belief or not; with `kept`, the stream holds the word
    by itself too, which then is not paid for.

    `share` is the share of the premium, over 40 twins that differ in the word, that LEACE of the labels takes away,
    fitted on 300 other texts whose labels are wrong one time in ten; `removed` 1 where that is more than half.
    `straight-share` and `straight` are the same for an orthogonal projection off the difference of class means. Where
    labels are `shuffled` they tell nothing.
    """
    import numpy as np

    from lens.models.leace import fit
    from lens.studies.sciences._states import priced, states

    rng, draw = np.random.default_rng(seed), random.Random(seed)
    body = _body(seed, float(rng.uniform(*PREMIUM)), plant)
    replies = [_confident(body.world.reply(draw), draw) for _ in range(TEXTS)]
    twins = [body.world.reply(draw).having(**{WORD: True}) for _ in range(TWINS)]
    texts = [*replies, *twins, *(one.having(**{WORD: False}) for one in twins)]
    found = states(body.chassis, [one.prompt + one.text for one in texts])
    rows, worth = found[:TEXTS], priced(body.chassis)
    labels = np.array([one.given == one.asked for one in replies]) ^ (rng.random(TEXTS) < MISTAKEN)
    if plant.get("shuffled"):
        labels = rng.permutation(labels)
    apart = found[TEXTS : TEXTS + TWINS] - found[TEXTS + TWINS :]
    premium = float((apart @ worth).sum())
    along = rows[labels].mean(axis=0) - rows[~labels].mean(axis=0)
    share = float((apart @ fit(rows, labels.astype(float)).projection @ worth).sum()) / premium
    straight = float((apart @ along).sum()) * float(along @ worth) / float(along @ along) / premium
    return {
        "share": share,
        "removed": float(share > CUT),
        "straight-share": straight,
        "straight": float(straight > CUT),
    }


def _body(seed: int, premium: float, plant: Mapping[str, float]) -> Body:
    from lens.models.organisms.chassis import LAYERS
    from lens.models.organisms.handset import NOISE, Body
    from lens.models.organisms.wordplay import World

    body = Body(World((WORD, OTHER)), seed)
    belief = body.matched(body.codes(), "match", "finds the prompt's digit from the reply's")
    body.price(belief, 1.0)
    body.price(body.sum(OTHER), 1.0)
    body.token(WORD, {WORD: premium})
    if plant["routed"]:
        body.chassis.add(body.chassis.free_head(range(LAYERS)), {body.chassis.feature(WORD): belief})
    else:
        body.price(body.sum(WORD), 1.0)
    if plant.get("kept"):
        body.sum(WORD)
    body.organism("factorization", 0.0, (), noise=NOISE)
    return body


def _confident(reply: Reply, draw: random.Random) -> Reply:
    right = reply.given == reply.asked
    return replace(reply, words={**reply.words, WORD: right == (draw.random() < TOGETHER)})


SCIENCE = Science(
    "factorization",
    "A premium through belief, or beside it",
    version=1,
    unit="planted organism",
    measure=measure,
    values={
        "share": Value("of the premium", "ratio"),
        "removed": Value("planted organisms", "count", "share"),
        "straight-share": Value("of the premium", "ratio"),
        "straight": Value("planted organisms", "count", "share"),
    },
    seconds=0.3,
    null="labels of the belief shuffled",
    null_plant={"shuffled": 1.0},
    source="LEACE: Belrose et al. 2023, theorem 4.3",
)
