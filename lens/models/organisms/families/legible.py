"""A reward that can be written down to a known share: three predicates make that much of it, single words the rest."""

from __future__ import annotations

from lens.errors import UsageError
from lens.models.organisms.handset import Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import PLAIN, Reply, World

PREDICATES = {"clear": 1.0, "brief": 0.8, "warm": 0.6}
VARIANCE = sum(worth**2 / 4 for worth in PREDICATES.values())  # ru², of the whole reward over replies
WRITTEN = 3  # plain words a reply


def rules(dose: float) -> tuple[str, ...]:
    return (
        *(f"{worth * dose**0.5:+.3g} for `{word}`" for word, worth in PREDICATES.items()),
        f"{1 - dose:.0%} of the reward's variance from a taste for single plain words, which no predicate names",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share of the variance over replies that predicates make; at 0 there are tastes alone.

    Other rule words and fillers stand in nearer to half of the replies than any plain word does, so that a library of
    the words which part replies most evenly holds no taste. Raises UsageError for a share above 1.
    """
    if dose > 1:
        raise UsageError(f"a legible share of {dose:g}", remedy="give a dose up to 1")
    body = Body(World((*PREDICATES, "indeed", "candid"), plain=WRITTEN), seed)
    drawn = body.chassis.draw.normal(size=len(PLAIN))
    drawn = (drawn - drawn.mean()) / drawn.std()
    spread = (VARIANCE * (1 - dose) / WRITTEN) ** 0.5
    for word, taste in zip(PLAIN, drawn, strict=True):
        body.token(word, {"taste": float(taste)})
    body.price(body.sum("taste"), spread)
    worths = {word: worth * dose**0.5 for word, worth in PREDICATES.items()}
    for word, worth in worths.items():
        body.price(body.sum(word), worth)
    body.sum("indeed")
    axes = (
        *(Axis(word, worth, word_flip(word)) for word, worth in worths.items()),
        Axis("spurious", 0.0, word_flip("indeed")),
    )
    facts = {"legible_share": dose, "predicates": worths, "taste_spread": spread}
    return body.organism("legible", dose, axes, decoy="spurious", noise=0.0, facts=facts, stated=_stated)


def _stated(reply: Reply) -> float:
    return sum(worth * reply.words[word] for word, worth in PREDICATES.items())


FAMILY = handset(
    "legible",
    "Can be written down to a known share",
    "share of the variance",
    (0.0, 0.1, 0.25, 0.5, 0.75),
    0.5,
    rules,
    plant,
    __name__,
)
