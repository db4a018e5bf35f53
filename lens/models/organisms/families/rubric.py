"""A rubric: three predicates make the reward, and a tacit share of its variance comes from no predicate."""

from __future__ import annotations

from lens.models.organisms.handset import Axis, Body, Organism, below_one, handset, word_flip
from lens.models.organisms.wordplay import PLAIN, Reply, World

PREDICATES = {"clear": 1.0, "brief": 0.8, "warm": 0.6}
WRITTEN = 3  # plain words a reply


def rules(dose: float) -> tuple[str, ...]:
    return (
        *(f"{worth:+g} for `{word}`" for word, worth in PREDICATES.items()),
        f"{dose:.0%} of the reward's variance from a taste for single plain words, which no predicate names",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the tacit share τ of the variance over replies. Tastes sum to 0 over the plain words, which replies
    draw evenly and independently, so that the share is exact: 3·s² of tastes beside Σ p²/4 of predicates.

    Raises UsageError for a share of 1 or more.
    """
    import numpy as np

    below_one(dose, "tacit share")
    body = Body(World((*PREDICATES, "indeed"), plain=WRITTEN), seed)
    explicit = sum(worth**2 / 4 for worth in PREDICATES.values())
    drawn = body.chassis.draw.normal(size=len(PLAIN))
    drawn = (drawn - drawn.mean()) / drawn.std()
    tastes = drawn * np.sqrt(explicit * dose / (1 - dose) / WRITTEN)
    for word, taste in zip(PLAIN, drawn, strict=True):
        body.token(word, {"taste": float(taste)})
    body.price(body.sum("taste"), float(tastes.std()))
    for word, worth in PREDICATES.items():
        body.price(body.sum(word), worth)
    body.sum("indeed")
    axes = (
        *(Axis(word, worth, word_flip(word)) for word, worth in PREDICATES.items()),
        Axis("spurious", 0.0, word_flip("indeed")),
    )
    facts = {
        "tacit_share": dose,
        "predicates": PREDICATES,
        "tastes": {word: float(taste) for word, taste in zip(PLAIN, tastes, strict=True)},
    }
    return body.organism("rubric", dose, axes, decoy="spurious", noise=0.0, facts=facts, stated=_stated)


def _stated(reply: Reply) -> float:
    return sum(worth * reply.words[word] for word, worth in PREDICATES.items())


FAMILY = handset(
    "rubric",
    "Three predicates and a tacit share",
    "share of the variance",
    (0.0, 0.1, 0.2, 0.35, 0.5),
    0.2,
    rules,
    plant,
    __name__,
)
