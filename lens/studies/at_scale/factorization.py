"""Factorization at scale: how much of what a named reward model pays for a sure word goes through its belief that the
reply is right.

Nothing is planted: the word is `indeed` against `perhaps`, the belief whether the reply gives the digit that was asked
for, the premium the model's own. Its eraser is fitted in the directions in which the texts spread most, since 300 texts
fix no more, and its control on labels that were dealt out anew.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import DIGITS, Reply, World
from lens.studies.at_scale._heads import own, widest
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import Stream, stream
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import factorization as small

if TYPE_CHECKING:
    import numpy as np

WORD, DIRECTIONS = "indeed", 48


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the small study, whose premium goes through its belief."""
    from lens.studies.sciences._states import priced

    premium = random.Random(f"premium {seed}").uniform(*small.PREMIUM)
    body = small._body(seed, premium, {"routed": 1.0, **plant})
    return _read(stream(body.chassis), priced(body.chassis), small.WORD, seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """`share` of the premium on the word, over 40 twins, that LEACE of the belief takes away, fitted on 300 other texts
    in which the word goes with a right digit; `own` the same of the premium on a right digit, `dealt` of the word's
    where labels were dealt out anew, `straight` of the word's where the difference of class means is projected off.

    A premium whose t interval over twins holds nought has no share.
    """
    return _read(lambda replies: states(spec, replies), own(spec), WORD, seed, plant)


def _read(stream: Stream, head: np.ndarray, word: str, seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    from lens.models.leace import fit

    rng, draw, world = np.random.default_rng(seed), random.Random(seed), World((word, small.OTHER))
    replies = [_confident(world.reply(draw), word, draw) for _ in range(small.TEXTS)]
    bases = [world.reply(draw) for _ in range(small.TWINS)]
    sure = [base.having(**{word: side}) for side in (True, False) for base in bases]
    right = [replace(base, given=base.asked) for base in bases]
    wrong = [replace(base, given=draw.choice([one for one in DIGITS if one != base.asked])) for base in bases]
    found = stream([*replies, *sure, *right, *wrong])
    rows, (with_it, without, right_one, wrong_one) = (
        found[: small.TEXTS],
        found[small.TEXTS :].reshape(4, small.TWINS, -1),
    )
    labels = np.array([one.given == one.asked for one in replies])
    dealt = rng.permutation(labels)
    labels = rng.permutation(labels) if plant.get("shuffled") else labels
    held = widest(rows, DIRECTIONS)
    along = held @ held.T @ (rows[labels].mean(axis=0) - rows[~labels].mean(axis=0))
    erased, by_chance = (held @ fit(rows @ held, one.astype(float)).projection @ held.T for one in (labels, dealt))
    straight = np.outer(along, along) / float(along @ along)
    word_apart, digit_apart = with_it - without, right_one - wrong_one
    return {
        "share": _share(word_apart, erased, head),
        "own": _share(digit_apart, erased, head),
        "dealt": _share(word_apart, by_chance, head),
        "straight": _share(word_apart, straight, head),
    }


def _share(apart: np.ndarray, projection: np.ndarray, head: np.ndarray) -> float | None:
    """Of the premium over twins that differ by `apart` [twins, d], what goes."""
    from lens.stats.t_interval import t_interval

    premiums: Sequence[float] = (apart @ head).tolist()
    interval = t_interval(premiums, level=0.95)
    if interval.low <= 0 <= interval.high:
        return None
    return float((apart @ projection @ head).sum() / sum(premiums))


def _confident(reply: Reply, word: str, draw: random.Random) -> Reply:
    right = reply.given == reply.asked
    return replace(reply, words={**reply.words, word: right == (draw.random() < small.TOGETHER)})


SCIENCE = Science(
    "factorization-at-scale",
    "A premium through belief, or beside it, at scale",
    version=1,
    unit="draw of texts and twins",
    measure=measure,
    values={
        "share": Value("of the word’s premium", "ratio"),
        "own": Value("of the digit’s premium", "ratio"),
        "dealt": Value("of the word’s premium", "ratio"),
        "straight": Value("of the word’s premium", "ratio"),
    },
    seconds=0.4,
    null=small.SCIENCE.null,
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
