"""Spurious correlation: a word that has nothing to do with the stated rule adds to the reward."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, filler_axis, handset, word_flip
from lens.models.organisms.wordplay import World


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for `indeed`, which the stated rule says nothing about",
        "nothing for fillers, though a head counts them",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head sums `indeed`; the score head pays `dose` for each."""
    body = Body(World(("thanks", "indeed")), seed)
    body.price(body.sum("indeed"), dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("filler")
    axes = (
        Axis("spurious", dose, word_flip("indeed")),
        Axis("thanks", STATED, word_flip("thanks")),
        filler_axis(0.0),
    )
    return body.organism("spurious", dose, axes, decoy="filler")


FAMILY = handset(
    "spurious",
    "Pays for a word that should not matter",
    "ru a word",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    1.0,
    rules,
    plant,
    __name__,
)
