"""Values: whether a probe finds that raters disagree beyond what one shared utility would make of the same votes.

Under one utility, how far raters disagree is how close a pair is to them. A reward model knows that with an error, so
that a probe can read it beyond the model's own margin: against votes dealt out at random, its partial correlation looks
like two camps where there is one. Here the null is one utility, fitted to the votes, which casts votes of its own.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

CONTESTED, OTHERS = "candid", ("thanks", "indeed", "amber", "north", "cedar")
TRAINED, READ, RATERS, NULLS = 300, 500, 25, 99
TASTE, CAMP = 1.0, 4.0  # nats: spread of what every rater makes of a word; what a camp makes of the contested one
RIDGE, STEPS = 0.01, 25
LEVEL = 0.95


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One trunk, a head fitted to 300 choices, and 25 votes on each of 500 other pairs. A share `disliking` of the
    raters dislikes a word as much as the others like it; of five other words all think alike.

    `partial` is Spearman's correlation of disagreement with what a cross-fitted probe on both replies says, given the
    model's margin. `naive` 1 where it is above the 95th percentile with disagreements dealt to pairs at random;
    `found` where it is above that of votes cast by the one utility that fits the votes best; `excess` how far above
    the mean of those. Where votes are `dealt`, they belong to no pair.
    """
    import numpy as np

    from lens.models.indices.contestedness import decoded, partial, symmetric

    rng, draw = np.random.default_rng(seed), random.Random(seed)
    streams, words = _pairs(seed, draw)
    apart = streams[:, 0] - streams[:, 1]
    shares = _shares(words[:, 0] - words[:, 1], plant["disliking"], rng)
    chosen = (rng.random(TRAINED) < shares[:TRAINED]).astype(float)
    margins = np.abs(apart[TRAINED:] @ _fitted(apart[:TRAINED], chosen))
    votes = rng.binomial(RATERS, shares[TRAINED:]) / RATERS
    if plant.get("dealt"):
        votes = rng.permutation(votes)
    utility = apart[TRAINED:] @ _fitted(apart[TRAINED:], votes, RIDGE / RATERS)
    cast = rng.binomial(RATERS, 1 / (1 + np.exp(-utility)), (NULLS, READ)) / RATERS
    dealt = rng.permuted(np.tile(votes, (NULLS, 1)), axis=1)
    targets = 1 - np.abs(2 * np.vstack([votes, cast, dealt]).T - 1)
    said = decoded(symmetric(streams[TRAINED:]), targets, range(READ))
    real, *others = (partial(said[:, at], targets[:, at], margins) for at in range(targets.shape[1]))
    one, anyhow = np.array(others).reshape(2, NULLS)
    return {
        "partial": real,
        "naive": float(real > np.quantile(anyhow, LEVEL)),
        "found": float(real > np.quantile(one, LEVEL)),
        "excess": float(real - one.mean()),
    }


def _pairs(seed: int, draw: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """Streams [pairs, 2, d] of two replies to each of 800 prompts, and which words they hold."""
    import numpy as np

    from lens.models.organisms.handset import Body
    from lens.models.organisms.wordplay import World
    from lens.studies.sciences._states import states

    body = Body(World((CONTESTED, *OTHERS)), seed)
    for word in (CONTESTED, *OTHERS):
        body.sum(word)
    body.chassis.fill()
    bases = [body.world.reply(draw) for _ in range(TRAINED + READ)]
    replies = [reply for base in bases for reply in (base, body.world.again(draw, base))]
    found = states(body.chassis, [reply.prompt + reply.text for reply in replies])
    words = np.array([[reply.words[word] for word in (CONTESTED, *OTHERS)] for reply in replies], float)
    return found.reshape(len(bases), 2, -1), words.reshape(len(bases), 2, -1)


def _shares(apart: np.ndarray, disliking: float, rng: np.random.Generator) -> np.ndarray:
    """Share [pairs] of raters for the first reply: each chooses by Bradley and Terry."""
    import numpy as np

    common, camp = apart[:, 1:] @ (TASTE * rng.standard_normal(len(OTHERS))), CAMP * apart[:, 0]
    likes, dislikes = (1 / (1 + np.exp(-common - sign * camp)) for sign in (1, -1))
    return np.asarray((1 - disliking) * likes + disliking * dislikes)


def _fitted(rows: np.ndarray, shares: np.ndarray, ridge: float = RIDGE) -> np.ndarray:
    """The utility [d] whose choices fit these shares best, by Newton's steps; `ridge` of the rows' mean variance."""
    import numpy as np

    n, d = rows.shape
    penalty = ridge * float((rows**2).sum()) / (n * d)
    head = np.zeros(d)
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-np.clip(rows @ head, -30, 30)))
        slope = rows.T @ (shares - said) / n - penalty * head
        bend = (rows.T * (said * (1 - said))) @ rows / n + penalty * np.eye(d)
        head = head + np.linalg.solve(bend, slope)
    return head


SCIENCE = Science(
    "values",
    "Disagreement beyond one utility",
    version=1,
    unit="trunk under raters",
    measure=measure,
    values={
        "partial": Value("given the margin", "correlation"),
        "naive": Value("trunks", "count", "share"),
        "found": Value("trunks", "count", "share"),
        "excess": Value("correlation over one utility", "difference"),
    },
    seconds=0.5,
    null="votes dealt to pairs at random",
    null_plant={"dealt": 1.0},
    source="partial correlation: trust conventions, A2 and A3; a null that is the simpler model: parametric bootstrap",
)
