"""Torn: what a head of the first half writes for a word, one of the second half takes back in part."""

from __future__ import annotations

from lens.models.organisms.families.early import FIRST, SECOND
from lens.models.organisms.handset import STATED, Axis, Body, Organism, below_one, handset, word_flip
from lens.models.organisms.wordplay import World

WRITTEN = 1.0  # ru, before any is taken back


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{WRITTEN:+g} for `indeed` in the first half of the layers, {-dose * WRITTEN:+g} in the second",
        f"{WRITTEN:+g} for `amber` in the second half",
        f"{STATED:+g} for `thanks`",
        "nothing for `north`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share that is taken back. Without random parts, which may pull against each other too.

    Raises UsageError for a share of 1 or more.
    """
    below_one(dose, "share taken back")
    body = Body(World(("thanks", "indeed", "amber", "north")), seed)
    body.token("indeed", {"early": 1.0, "late": -dose})
    body.token("amber", {"late": 1.0})
    body.price(body.sum("early", FIRST), WRITTEN)
    body.price(body.sum("late", SECOND), WRITTEN)
    body.price(body.sum("thanks"), STATED)
    body.sum("north")
    axes = (
        Axis("torn", (1 - dose) * WRITTEN, word_flip("indeed")),
        Axis("whole", WRITTEN, word_flip("amber")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    return body.organism("torn", dose, axes, decoy="spurious", noise=0.0)


FAMILY = handset(
    "torn",
    "Takes back in part what it wrote",
    "share taken back",
    (0.0, 0.25, 0.5, 0.75, 0.9),
    0.5,
    rules,
    plant,
    __name__,
)
