"""Topology at scale: whether the votes of a named model that compares run in circles, beyond what they would if it
ranked.

A judge is asked about each reply with its rival in the prompt, in both orders, and votes with the odds that its margins
give, at the temperature at which its worths spread by one nat, so that judges of any scale vote alike. A reward of
single replies ranks them, and none is taken here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.models.organisms.wordplay import WORDS, World
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import topology as small

if TYPE_CHECKING:
    import numpy as np

PLANTED = 0.3  # of the energy of a pilot's judge
WORLD = World(tuple(WORDS))
_ASKED = "{prompt}Another reply was:\n{rival}\nIs the reply below better than that one?\n"
_LEVEL = 0.95


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of planted odds, as in the small study, with `share` of their energy in circles."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return _read(small._odds(rng, plant.get("share", PLANTED)), seed, rng)


def read(spec: str, seed: int, _plant: Mapping[str, float]) -> Values:
    """8 replies to one prompt in every ordered pair, and 25 votes a pair. `share` is the part of the odds' energy that
    runs in circles; `flagged` 1 where the votes' cyclic energy is above the 95th percentile of 200 judges who rank;
    `excess` the votes' cyclic share less those judges' mean; `ranked` is `flagged` for votes by the nearest ranking.
    """
    import numpy as np

    judge = compares(spec)
    duels = _brought(judge) or _drawn(random.Random(seed))
    items = 1 + max(max(i, j) for i, j in duels)
    margins = np.zeros((items, items))
    places = list(duels)
    found = judge.rewards([judge.encode(*duels[place]) for place in places])
    for place, margin in zip(places, found, strict=True):
        margins[place] = margin
    return _read((margins - margins.T) / 2, seed, np.random.default_rng(seed))


@cache
def compares(spec: str) -> Any:
    """The model. Raises UsageError for one that isn't there, or that scores replies one by one."""
    import torch

    from lens.models.subject import open_model

    torch.set_num_threads(1)
    found: Any = open_model(spec)
    if found.kind != "judge" and not _brought(found):
        raise UsageError(
            f"{spec} scores a reply by itself: such a reward ranks, and none of its preferences can run in a circle",
            remedy="name a judge (judge:PATH?yes=Yes&no=No), or a model whose folder brings duels.jsonl",
        )
    return found


def fingerprint(spec: str) -> str:
    """Of the model that compares."""
    return str(compares(spec).fingerprint)


def _drawn(draw: random.Random) -> dict[tuple[int, int], tuple[str, str]]:
    """Prompt and reply of every ordered pair (rival, reply) of 8 replies to one prompt."""
    base = WORLD.reply(draw)
    replies = [WORLD.again(draw, base).text for _ in range(small.ITEMS)]
    return {
        (i, j): (_ASKED.format(prompt=base.prompt, rival=rival), reply)
        for i, rival in enumerate(replies)
        for j, reply in enumerate(replies)
        if i != j
    }


def _brought(model: Any) -> dict[tuple[int, int], tuple[str, str]]:
    """Of every ordered pair of the duels that a model brings itself."""
    from lens.models.duels import brought

    rows = brought(model)
    items = list(dict.fromkeys(name for row in rows for name in (row["rival"], row["style"])))
    return {(items.index(row["rival"]), items.index(row["style"])): (row["prompt"], row["response"]) for row in rows}


def _read(odds: np.ndarray, seed: int, rng: np.random.Generator) -> Values:
    """Of log-odds [items, items] that j beats i."""
    import numpy as np

    from lens.stats.hodge import split

    found = split(odds)
    spread = float(found.worths.std())
    if spread == 0:
        return dict.fromkeys(SCIENCE.values)
    excess, flagged = _votes(odds / spread, seed, rng)
    _, ranked = _votes((found.worths[None, :] - found.worths[:, None]) / spread, seed, rng)
    return {"share": float(np.clip(found.share, 0.0, 1.0)), "excess": excess, "flagged": flagged, "ranked": ranked}


def _votes(odds: np.ndarray, seed: int, rng: np.random.Generator) -> tuple[float, float]:
    import numpy as np

    from lens.stats.hodge import energies, transitive

    drawn = np.triu(rng.binomial(small.VOTES, 1 / (1 + np.exp(-odds))), 1)
    wins = np.asarray(drawn + np.tril(small.VOTES - drawn.T, -1), float)
    cyclic, whole = (float(one) for one in energies(wins))
    null = transitive(wins, seed=seed, draws=small.DRAWS)
    excess = cyclic / whole - float((null[:, 0] / null[:, 1]).mean())
    return excess, float(cyclic > np.quantile(null[:, 0], _LEVEL))


SCIENCE = Science(
    "topology-at-scale",
    "Preferences in a circle, at scale",
    version=2,
    unit="draw of eight replies",
    measure=measure,
    values={
        "share": Value("of the odds’ energy", "proportion"),
        "excess": Value("cyclic share beyond a judge who ranks", "difference"),
        "flagged": Value("draws", "count", "share"),
        "ranked": Value("draws", "count", "share"),
    },
    seconds=0.2,
    null="judges who rank",
    null_plant={"share": 0.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
