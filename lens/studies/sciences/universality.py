"""Universality: whether the entanglement of two reward models tells shared values from shared capability.

Entanglement is how far two rewards agree, less how far probes of named capabilities do. Of two models either the raters
or what their trunks hold may be the same. A trunk that lacks a word can't be paid for it, so that models blind to
different words disagree though one set of raters taught both.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.studies.science import Contrast, Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.handset import Body

WORDS = ("thanks", "candid", "indeed", "amber", "north", "cedar")
HELD = 4  # of the words, by either trunk
TAUGHT, NATURAL, TWINS = 200, 120, 24
RIDGE, STEPS = 0.01, 25


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """Two trunks of drawn weights, each of which holds four of six words, and a head on either, fitted to 200 choices.
    With `values` their raters have the same tastes, else tastes of their own; with `capability` both trunks hold the
    same words, else as few in common as can be.

    `value` is the correlation of the rewards over 120 natural pairs, `capability` the mean of that of what probes of
    the six words say, each fitted on 24 twins, and `vce` the first less the second. With `dealt` the pairs of one model
    are dealt to the other's at random.
    """
    import numpy as np

    from lens.models.indices.entanglement import vce

    rng, draw = np.random.default_rng(seed), random.Random(seed)
    order = rng.permutation(WORDS).tolist()
    held = [order[:HELD], order[:HELD] if plant["capability"] else order[-HELD:]]
    tastes = rng.standard_normal((2, len(WORDS)))
    if plant["values"]:
        tastes[1] = tastes[0]
    bodies = [_body(2 * seed + side, held[side]) for side in (0, 1)]
    pairs = [_natural(bodies[0], draw) for _ in range(NATURAL)]
    twins = [(word, *_flipped(bodies[0], draw, word)) for word in WORDS for _ in range(TWINS)]
    one, other = (_said(body, draw, rng, taste, pairs, twins) for body, taste in zip(bodies, tastes, strict=True))
    found = vce(one, rng.permutation(other) if plant.get("dealt") else other)
    return {"vce": found.vce, "value": found.value, "capability": found.capability}


def _body(seed: int, held: Sequence[str]) -> Body:
    """A trunk whose last token has these words; of the others it reads nothing."""
    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import World

    body = Body(World(WORDS), seed)
    for word in held:
        body.sum(word)
    body.chassis.fill()
    return body


def _natural(body: Body, draw: random.Random) -> tuple[str, str, np.ndarray]:
    """Two replies to one prompt as texts, and how they differ in words."""
    import numpy as np

    one = body.world.reply(draw)
    other = body.world.again(draw, one)
    apart = [float(one.words[word]) - float(other.words[word]) for word in WORDS]
    return one.prompt + one.text, other.prompt + other.text, np.array(apart)


def _flipped(body: Body, draw: random.Random, word: str) -> tuple[str, str]:
    """Twins that differ in a word, and in one plain word that favours neither."""
    base = body.world.reply(draw)
    one, other = body.world.reworded(draw, *(base.having(**{word: there}) for there in (True, False)))
    return one.prompt + one.text, other.prompt + other.text


def _said(
    body: Body,
    draw: random.Random,
    rng: np.random.Generator,
    taste: np.ndarray,
    pairs: Sequence[tuple[str, str, np.ndarray]],
    twins: Sequence[tuple[str, str, str]],
) -> np.ndarray:
    """One model's differences [pairs, 1 + words]: of its reward, then of what its probes say."""
    import numpy as np

    from lens.models.indices.entanglement import probed
    from lens.studies.sciences._states import states

    taught = [_natural(body, draw) for _ in range(TAUGHT)]
    texts = [text for one, other, *_ in (*taught, *pairs) for text in (one, other)]
    texts += [text for _, one, other in twins for text in (one, other)]
    found = states(body.chassis, texts)
    apart = found[0::2] - found[1::2]
    own, natural, flips = np.split(apart, [TAUGHT, TAUGHT + NATURAL])
    chances = 1 / (1 + np.exp(-np.array([words for *_, words in taught]) @ taste))
    head = _chosen(own, rng.random(TAUGHT) < chances)
    numbers = range(len(twins))
    said = probed(flips, [word for word, *_ in twins], numbers, natural, range(len(twins), len(twins) + NATURAL))
    return np.column_stack([natural @ head, said])


def _chosen(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """A head [d] fitted by Newton's steps to whether the first of two replies was chosen."""
    import numpy as np

    rows = rows * np.where(first, 1.0, -1.0)[:, None]
    n, d = rows.shape
    head = np.zeros(d)
    for _ in range(STEPS):
        missed = 1 / (1 + np.exp(np.clip(rows @ head, -30, 30)))
        slope = rows.T @ missed / n - RIDGE * head
        bend = (rows.T * (missed * (1 - missed))) @ rows / n + RIDGE * np.eye(d)
        head = head + np.linalg.solve(bend, slope)
    return head


_APART = "chance that a pair of the first kind has the higher one"

SCIENCE = Science(
    "universality",
    "Shared values, or shared capability",
    version=1,
    unit="pair of models",
    measure=measure,
    values={
        "vce": Value("within prompts", "difference"),
        "value": Value("within prompts", "correlation"),
        "capability": Value("within prompts", "correlation"),
    },
    contrasts={
        "told": Contrast("vce", "auc", ("values", "capability"), _APART, "proportion"),
        "plain": Contrast("value", "auc", ("values", "capability"), _APART, "proportion"),
        "unable": Contrast("vce", "auc", ("neither", "capability"), _APART, "proportion"),
        "bare": Contrast("value", "auc", ("neither", "capability"), _APART, "proportion"),
    },
    seconds=0.5,
    null="pairs of one model dealt to the other’s",
    null_plant={"dealt": 1.0},
    source="entanglement: lens.models.indices.entanglement, whose two terms are one statistic",
)
