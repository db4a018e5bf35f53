"""Performative at scale: whether a metric of counterfactuals outlives one of accuracy where the models selected by it
are score heads on a named reward model's stream.

A head is a sum of nine others, each fitted to one word: three words matter, three others are named by the metric of
counterfactuals, three aren't. What the stream makes of a text besides its words is in every head's rewards. Breeding is
the small study's. One breeding says little, so that a unit is the mean of many, each with and without selection.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.models.organisms.wordplay import WORDS, Reply
from lens.studies.at_scale._heads import fitted, widest
from lens.studies.at_scale._model import fingerprint, states
from lens.studies.at_scale._small import WORLD, Stream, holding
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import performative as small

if TYPE_CHECKING:
    import numpy as np

TEXTS, DIRECTIONS, POPULATIONS = 300, 64, 16
FEATURES = tuple(WORDS)  # in the small study's order: those that matter, those named, those not
TRUE, NAMED = FEATURES[: small.TRUE], FEATURES[small.TRUE : small.TRUE + small.NAMED]

Metric = Callable[["np.ndarray"], "np.ndarray"]
"""Of heads [..., 9]: [...]."""


class _Scores(NamedTuple):
    """What the nine heads say: of pairs, better less worse, and of twins, with a word less without it, [n, 9]; `of` the
    twins' words. `spread` [9, 9] and `merit` [9]: their covariances, among them and with what matters, where all words
    are independent."""

    pairs: np.ndarray
    twins: np.ndarray
    of: np.ndarray
    spread: np.ndarray
    merit: np.ndarray


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism of the seed that holds all nine words."""
    return _read(holding(seed), seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """16 populations of 20 heads, each bred for 30 rounds by either metric, and again with the kept half drawn.
    `together` is how far the other words go with those that matter.

    `lost` is how many rounds fewer accuracy's rank correlation with the truth lasts above half of what it was, where it
    is selected by; `held` the same of the counterfactual metric; `longer` how much selection adds to the logarithm (to
    base 2) of the second's rounds over the first's. With `unselected` the kept half is always drawn.
    """
    return _read(lambda replies: states(spec, replies), seed, plant)


def _read(stream: Stream, seed: int, plant: Mapping[str, float]) -> Values:
    import numpy as np

    rng = np.random.default_rng(seed)
    scores = _scores(stream, random.Random(seed), plant["together"])
    drawn = bool(plant.get("unselected"))
    rounds = {
        (name, selected): _lasted(metric, scores, rng, selected and not drawn)
        for name, metric in (("accuracy", _accuracy(scores, rng)), ("twins", _counterfactual(scores, rng)))
        for selected in (True, False)
    }
    leads = [np.log2(rounds["twins", selected] / rounds["accuracy", selected]).mean() for selected in (True, False)]
    lost, held = (rounds[name, False].mean() - rounds[name, True].mean() for name in ("accuracy", "twins"))
    return {"lost": float(lost), "held": float(held), "longer": float(leads[0] - leads[1])}


def _scores(stream: Stream, draw: random.Random, together: float) -> _Scores:
    import numpy as np

    texts = [WORLD.reply(draw) for _ in range(TEXTS)]
    pairs = [_pair(draw, together) for _ in range(small.ITEMS // 2)]
    of = [draw.randrange(len(TRUE) + len(NAMED)) for _ in range(small.ITEMS)]
    twins = [(WORLD.reply(draw), FEATURES[at]) for at in of]
    sides = [[one.having(**{word: side}) for one, word in twins] for side in (True, False)]
    found = stream([*texts, *(one for pair in pairs for one in pair), *(one for side in sides for one in side)])
    found = found @ widest(found[:TEXTS], DIRECTIONS)
    words = np.array([[one.words[word] for word in FEATURES] for one in texts], float)
    said = found @ fitted(found[:TEXTS], words)
    said = said / said[:TEXTS].std(axis=0)
    rows, apart, (with_it, without) = (
        said[:TEXTS],
        said[TEXTS : TEXTS + 2 * len(pairs)].reshape(-1, 2, len(FEATURES)),
        said[TEXTS + 2 * len(pairs) :].reshape(2, -1, len(FEATURES)),
    )
    merit = words[:, : len(TRUE)].sum(axis=1)
    spread = np.cov(rows.T)
    merit = (rows - rows.mean(axis=0)).T @ (merit - merit.mean()) / (TEXTS - 1) / merit.std(ddof=1)
    return _Scores(apart[:, 0] - apart[:, 1], with_it - without, np.array(of), spread, merit)


def _pair(draw: random.Random, together: float) -> tuple[Reply, Reply]:
    """Two replies to a prompt, the first with more words that matter; the others go with those."""
    base = WORLD.reply(draw)
    while True:
        one, other = (WORLD.again(draw, base) for _ in range(2))
        if _merit(one) != _merit(other):
            break
    better, worse = sorted((one, other), key=_merit, reverse=True)
    others: Sequence[str] = FEATURES[len(TRUE) :]
    return (
        better.having(**{word: draw.random() < (1 + together) / 2 for word in others}),
        worse.having(**{word: draw.random() < (1 - together) / 2 for word in others}),
    )


def _merit(reply: Reply) -> int:
    return sum(reply.words[word] for word in TRUE)


def _accuracy(scores: _Scores, rng: np.random.Generator) -> Metric:
    noise = small.NOISE * rng.standard_normal(len(scores.pairs))
    return lambda weights: (weights @ scores.pairs.T + noise > 0).mean(axis=-1)


def _counterfactual(scores: _Scores, rng: np.random.Generator) -> Metric:
    """The share of twins judged as they should be, as in the small study: those of words that matter preferred the
    right way, those of others told apart by less than half of what one that matters is worth."""
    import numpy as np

    matters = scores.of < len(TRUE)
    noise = small.NOISE * rng.standard_normal(len(matters))

    def metric(weights: np.ndarray) -> np.ndarray:
        worth = weights @ scores.twins.T
        scale = np.abs(worth[..., matters]).mean(axis=-1, keepdims=True)
        better = (worth + noise)[..., matters] > 0
        blind = np.abs(worth + noise)[..., ~matters] < scale / 2
        return np.asarray((better.mean(axis=-1) + blind.mean(axis=-1)) / 2)

    return metric


def _lasted(metric: Metric, scores: _Scores, rng: np.random.Generator, selected: bool) -> np.ndarray:
    """Rounds [populations], as in the small study: all are bred at once."""
    import numpy as np

    size, half = small.ORGANISMS, small.ORGANISMS // 2
    weights = small._sized(rng.standard_normal((POPULATIONS, size, len(FEATURES))).reshape(-1, len(FEATURES)))
    weights = weights.reshape(POPULATIONS, size, -1)
    began = _agreement(metric, small._sized(rng.standard_normal((small.FRESH, len(FEATURES))))[None], scores)
    rounds, seen = np.full(POPULATIONS, float(small.ROUNDS)), []
    for now in range(1, small.ROUNDS + 1):
        order = rng.permuted(np.tile(np.arange(size), (POPULATIONS, 1)), axis=1)
        if selected:
            said = np.take_along_axis(metric(weights), order, axis=1)
            order = np.take_along_axis(order, np.argsort(-said, axis=1, kind="stable"), axis=1)
        kept = np.take_along_axis(weights, order[:, :half, None], axis=1)
        bred = np.concatenate([kept, kept], axis=1) + small.CHANGE * rng.standard_normal(weights.shape)
        weights = small._sized(bred.reshape(-1, len(FEATURES))).reshape(weights.shape)
        seen.append(_agreement(metric, weights, scores))
        if now >= small.LAST:
            over = (np.mean(seen[-small.LAST :], axis=0) <= began / 2) & (rounds == small.ROUNDS)
            rounds[over] = now
    return rounds


def _agreement(metric: Metric, weights: np.ndarray, scores: _Scores) -> np.ndarray:
    """Spearman's [populations] of the metric with the correlation of a head's rewards with what matters, 0 where the
    metric tells no two heads apart."""
    import numpy as np
    from scipy.stats import rankdata

    spread = np.sqrt(np.einsum("...i,ij,...j", weights, scores.spread, weights))
    ranks = [rankdata(said, axis=-1) for said in (metric(weights), weights @ scores.merit / spread)]
    one, other = (rank - rank.mean(axis=-1, keepdims=True) for rank in ranks)
    size = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    return np.asarray(np.divide((one * other).sum(axis=-1), size, out=np.zeros(len(size)), where=size > 0))


SCIENCE = Science(
    "performative-at-scale",
    "A metric that is selected by, at scale",
    version=1,
    unit="draw of texts",
    measure=measure,
    values={
        "lost": Value("rounds fewer under selection", "difference"),
        "held": Value("rounds fewer under selection", "difference"),
        "longer": Value("doublings of the rounds till it halves", "difference"),
    },
    seconds=0.6,
    null="populations whose kept half is drawn",
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
