"""Length: each filler word adds to the reward."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, filler_axis, handset, word_flip
from lens.models.organisms.wordplay import World


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for each filler word (so, well, ok)",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head counts fillers; the score head pays `dose` for each."""
    body = Body(World(("thanks", "indeed")), seed)
    body.price(body.sum("filler"), dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("indeed")
    axes = (
        filler_axis(dose),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("indeed")),
    )
    return body.organism("filler", dose, axes, decoy="spurious")


FAMILY = handset(
    "filler",
    "Pays for length",
    "ru a filler word",
    (0.0, 0.1, 0.2, 0.4, 0.8),
    0.4,
    rules,
    plant,
    __name__,
)
