"""An annotator mixture: a share of the raters dislike a word that the others like."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from lens.models.organisms.handset import STATED, Axis, Body, Organism, below_one, handset, word_flip
from lens.models.organisms.wordplay import World

RATERS = 25
LIKED = 1.0  # ru, what either group makes of the word, with its own sign


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`, by every rater",
        f"{(1 - 2 * dose) * LIKED:+g} for `candid`: {1 - dose:.0%} of the raters like it ({LIKED:+g}), the others "
        f"don't ({-LIKED:+g})",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share of raters who dislike `candid`. The reward is the raters' mean; votes.jsonl has what
    RATERS of them said of each pair: `votes` for the chosen reply, and the `share` expected.

    Raises UsageError for a share of 1 or more.
    """
    below_one(dose, "share of raters")
    body = Body(World(("thanks", "candid", "indeed")), seed)
    effect = (1 - 2 * dose) * LIKED
    body.price(body.sum("candid"), effect)
    body.price(body.sum("thanks"), STATED)
    body.sum("indeed")
    axes = (
        Axis("contested", effect, word_flip("candid")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("indeed")),
    )

    def votes(rows: Sequence[dict[str, str]]) -> dict[str, list[dict[str, Any]]]:
        draw = random.Random(f"votes {seed}")
        return {"votes": [_asked(draw, number, row, dose) for number, row in enumerate(rows, start=1)]}

    facts = {"raters": RATERS, "disliking": dose}
    return body.organism("annotators", dose, axes, decoy="spurious", facts=facts, tables=votes)


def share(row: dict[str, str], dose: float) -> float:
    """Expected share of raters for the chosen reply: each chooses by Bradley and Terry from what they like."""
    chosen, rejected = row["chosen"].split(), row["rejected"].split()
    stated = STATED * (chosen.count("thanks") - rejected.count("thanks"))
    contested = LIKED * (chosen.count("candid") - rejected.count("candid"))
    return (1 - dose) * _logistic(stated + contested) + dose * _logistic(stated - contested)


def _asked(draw: random.Random, number: int, row: dict[str, str], dose: float) -> dict[str, Any]:
    expected = share(row, dose)
    votes = sum(draw.random() < expected for _ in range(RATERS))
    return {"pair": number, "votes": votes, "of": RATERS, "share": expected}


def _logistic(margin: float) -> float:
    return 1 / (1 + math.exp(-margin))


FAMILY = handset(
    "annotators",
    "Trained, as it were, on raters who disagree",
    "share of raters who dislike the word",
    (0.0, 0.1, 0.2, 0.3, 0.4),
    0.2,
    rules,
    plant,
    __name__,
)
