"""A word written faintly: in one direction with what plain words bring, which is the louder the smaller the dose."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import PLAIN, World

TASTE = 0.25  # ru, spread of what plain words bring
WORTH = 0.5  # ru a unit of shade


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for `indeed`, along one direction with a taste for single plain words ({TASTE:g} ru)",
        "nothing for `north`, which is written nowhere that the head reads",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head sums shade: a draw for each plain word, and for `indeed` as much as is worth `dose` ru."""
    body = Body(World(("thanks", "indeed", "north")), seed)
    drawn = body.chassis.draw.normal(size=len(PLAIN))
    for word, taste in zip(PLAIN, (drawn - drawn.mean()) / drawn.std(), strict=True):
        body.token(word, {"shade": float(taste) * TASTE / WORTH})
    body.token("indeed", {"shade": dose / WORTH})
    body.price(body.sum("shade"), WORTH)
    body.price(body.sum("thanks"), STATED)
    axes = (
        Axis("faint", dose, word_flip("indeed")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("unwritten", 0.0, word_flip("north")),
    )
    return body.organism("faint", dose, axes, decoy="unwritten")


FAMILY = handset(
    "faint",
    "Writes a word among louder ones",
    "ru a word",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    1.0,
    rules,
    plant,
    __name__,
)
