"""Gauge: whether the angle between two reward heads, once whitened, says how far their rewards agree.

On the replies it was whitened by it does so by algebra. Here the spread is of one half of the prompts and the agreement
of the other, and of another policy's replies, where the spread is another.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import Reply

WORDS = ("thanks", "candid", "indeed", "amber", "north", "cedar")
HEADS, PROMPTS, REPLIES, PAIRS = 10, 400, 4, 300
SIZES = (0.25, 4.0)  # of a word's part in the stream, drawn evenly on the logarithm
TOGETHER = 0.8  # chance that a word of the other policy's reply goes with the reply's coin
RIDGE, STEPS = 0.01, 25
_TINY = 1e-9  # of the largest eigenvalue: a direction that holds nothing


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One trunk of drawn weights, and 10 heads on it, each trained on 300 choices by raters of its own tastes.

    Each value is the mean, over the 45 pairs of heads, of |cosine less the correlation of rewards inside a prompt|:
    `whitened` by the spread of the first 400 prompts' replies, against 400 others; `raw` likewise, unwhitened; `moved`
    the whitened cosine against replies of a policy whose words go together. With `white` the stream is whitened first;
    with `same` the other policy is the first.
    """
    import numpy as np

    from lens.stats.within import correlations

    rng = np.random.default_rng(seed)
    first, second, moved, words = _streams(seed, rng, 0.5 if plant.get("same") else TOGETHER)
    spread = _spread(first)
    if plant.get("white"):
        turned = _root(spread)
        first, second, moved = first @ turned, second @ turned, moved @ turned
        spread = _spread(first)
    heads = np.stack([_trained(first, words @ rng.standard_normal(len(WORDS)), rng) for _ in range(HEADS)])
    here, there = (correlations(_within(part).reshape(-1, part.shape[-1]) @ heads.T) for part in (second, moved))
    off = np.triu_indices(HEADS, 1)
    whitened, raw = _cosines(heads @ spread @ heads.T), _cosines(heads @ heads.T)

    def missed(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.abs(one - other)[off].mean())

    return {"whitened": missed(whitened, here), "raw": missed(raw, here), "moved": missed(whitened, there)}


def _streams(
    seed: int, rng: np.random.Generator, together: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Streams [400, 4, d] of two halves of the prompts and of the other policy, and the words of the first half."""
    import numpy as np

    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import World
    from lens.studies.sciences._states import states

    body = Body(World(WORDS), seed)
    for word in WORDS:
        body.token(word, {word: float(np.exp(rng.uniform(*np.log(SIZES))))})
        body.sum(word)
    body.chassis.fill()
    draw = random.Random(seed)
    replies = [_replies(body, draw) for _ in range(2)]
    replies.append([_coined(reply, draw, together) for reply in _replies(body, draw)])
    found = states(body.chassis, [reply.prompt + reply.text for some in replies for reply in some])
    words = np.array([[reply.words[word] for word in WORDS] for reply in replies[0]], float)
    first, second, moved = found.reshape(3, PROMPTS, REPLIES, -1)
    return first, second, moved, words.reshape(PROMPTS, REPLIES, -1)


def _replies(body: Body, draw: random.Random) -> list[Reply]:
    bases = [body.world.reply(draw) for _ in range(PROMPTS)]
    return [body.world.again(draw, base) for base in bases for _ in range(REPLIES)]


def _coined(reply: Reply, draw: random.Random, together: float) -> Reply:
    coin = draw.random() < 0.5
    return reply.having(**{word: coin == (draw.random() < together) for word in WORDS})


def _trained(stream: np.ndarray, worth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A head [d] fitted by Newton's steps to choices between two replies by Bradley and Terry, `worth` [P, R] nats."""
    import numpy as np

    at = rng.integers(PROMPTS, size=PAIRS)
    one = rng.integers(REPLIES, size=PAIRS)
    other = (one + rng.integers(1, REPLIES, size=PAIRS)) % REPLIES
    chosen = rng.random(PAIRS) < 1 / (1 + np.exp(-2 * (worth[at, one] - worth[at, other])))
    rows = (stream[at, one] - stream[at, other]) * np.where(chosen, 1.0, -1.0)[:, None]
    head = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        missed = 1 / (1 + np.exp(np.clip(rows @ head, -30, 30)))
        slope = rows.T @ missed / PAIRS - RIDGE * head
        bend = (rows.T * (missed * (1 - missed))) @ rows / PAIRS + RIDGE * np.eye(len(head))
        head = head + np.linalg.solve(bend, slope)
    return head


def _within(stream: np.ndarray) -> np.ndarray:
    return stream - stream.mean(axis=1, keepdims=True)  # type: ignore[no-any-return]


def _spread(stream: np.ndarray) -> np.ndarray:
    """Covariance inside a prompt, [d, d]."""
    rows = _within(stream).reshape(-1, stream.shape[-1])
    return rows.T @ rows / (PROMPTS * (REPLIES - 1))  # type: ignore[no-any-return]


def _root(spread: np.ndarray) -> np.ndarray:
    """Its inverse square root, on the directions that hold something."""
    import numpy as np

    values, vectors = np.linalg.eigh(spread)
    kept = values > _TINY * values[-1]
    return (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T  # type: ignore[no-any-return]


def _cosines(products: np.ndarray) -> np.ndarray:
    import numpy as np

    size = np.sqrt(np.diag(products))
    return products / np.outer(size, size)  # type: ignore[no-any-return]


SCIENCE = Science(
    "gauge",
    "The frame an angle is read in",
    version=1,
    unit="frozen trunk",
    measure=measure,
    values={
        "whitened": Value("mean miss of the agreement", "score"),
        "raw": Value("mean miss of the agreement", "score"),
        "moved": Value("mean miss of the agreement", "score"),
    },
    seconds=1.5,
    null="whitened trunks read on one policy",
    null_plant={"white": 1.0, "same": 1.0},
    source="within-prompt correlation as a whitened cosine: trust conventions, A1",
)
