"""A criterion that leans on another: it pays for its own word, and for that of the stated rule beside it."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import World

OWN = 1.0  # ru for its own word


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{OWN:+g} for `indeed`, its own criterion",
        f"{dose:+g} for `thanks`, which is another’s",
        "nothing for `north`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """Without random parts: beside a reward that pays for `thanks` it goes with that by the dose, and by nothing else.

    Labels are by `thanks`, as every family's are.
    """
    body = Body(World(("thanks", "indeed", "north")), seed)
    body.price(body.sum("indeed"), OWN)
    body.price(body.sum("thanks"), dose * STATED)
    body.sum("north")
    axes = (
        Axis("own", OWN, word_flip("indeed")),
        Axis("thanks", dose * STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    return body.organism("leaning", dose, axes, decoy="spurious", noise=0.0)


FAMILY = handset(
    "leaning",
    "A criterion that leans on another",
    "ru for the other’s word",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    0.5,
    rules,
    plant,
    __name__,
)
