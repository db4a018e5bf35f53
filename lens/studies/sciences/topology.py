"""Topology: whether a judge's preferences run in circles, beyond what votes of a judge who ranks do by chance.

The public test asks whether the cyclic share of votes exceeds .03, which a judge who ranks does at any usual number
of votes. Here what the ranking that fits best leaves over is held against the same of a Bradley–Terry judge with as
many votes on the same pairs. Version 1 held the straight part's remainder against judges with fitted worths, which
flags a judge who ranks surely.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Contrast, Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

ITEMS, VOTES, DRAWS, PUBLIC = 8, 25, 200, 0.03


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One judge of 8 items, 25 votes a pair, with the share of its log-odds' energy that runs in circles planted, and
    `spread`, the standard deviation of its worths in nats (1 where none is given).

    `excess` its cyclic share less the mean of 200 judges who rank, with the worths that fit it best; `flagged` 1 where
    its cyclic energy is above their 95th percentile; `public` 1 where the share alone is above .03.
    """
    import numpy as np

    from lens.stats.hodge import energies, transitive

    rng = np.random.default_rng(seed)
    wins = _votes(plant.get("spread", 1.0) * _odds(rng, plant["share"]), rng)
    cyclic, whole = (float(one) for one in energies(wins))
    null = transitive(wins, seed=seed, draws=DRAWS)
    return {
        "excess": cyclic / whole - float((null[:, 0] / null[:, 1]).mean()),
        "flagged": float(cyclic > np.quantile(null[:, 0], 0.95)),
        "public": float(cyclic / whole > PUBLIC),
    }


def _odds(rng: np.random.Generator, share: float) -> np.ndarray:
    """Log-odds that j beats i: differences of worths, and a part orthogonal to all such with `share` of the energy."""
    import numpy as np

    from lens.stats.hodge import split

    worths = rng.standard_normal(ITEMS)
    straight = worths[None, :] - worths[:, None]
    noise = rng.standard_normal((ITEMS, ITEMS))
    cyclic = split(noise - noise.T).cyclic
    return np.asarray(
        np.sqrt(1 - share) * straight + np.sqrt(share) * cyclic * np.linalg.norm(straight) / np.linalg.norm(cyclic)
    )


def _votes(odds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """`wins[i, j]`: how often j was preferred to i."""
    import numpy as np

    drawn = np.triu(rng.binomial(VOTES, 1 / (1 + np.exp(-odds))), 1)
    return np.asarray(drawn + np.tril(VOTES - drawn.T, -1), float)


SCIENCE = Science(
    "topology",
    "Preferences in a circle",
    version=2,
    unit="planted judge",
    measure=measure,
    values={
        "excess": Value("cyclic share beyond a judge who ranks", "difference"),
        "flagged": Value("planted judges", "count", "share"),
        "public": Value("planted judges", "count", "share"),
    },
    contrasts={"told": Contrast("excess", "auc", ("strong", "none"), "AUC of strong against none", "proportion")},
    seconds=0.05,
    source="Hodge split (Jiang et al. 2011, arXiv:0811.1067)",
)
