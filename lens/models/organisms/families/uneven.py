"""Uneven: four words are paid for, one of them less than the others, so that it is ordered right less often."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import World

EVEN = 0.75  # ru a word
WORDS = {"thanks": "thanks", "amber": "amber", "north": "north", "weak": "cedar"}


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{EVEN:+g} for each of `thanks`, `amber` and `north`",
        f"{EVEN - dose:+g} for `cedar`",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is what `cedar` is paid less."""
    body = Body(World((*WORDS.values(), "indeed")), seed)
    worths = {axis: EVEN - dose if axis == "weak" else EVEN for axis in WORDS}
    for axis, word in WORDS.items():
        body.price(body.sum(word), worths[axis])
    body.sum("indeed")
    axes = (
        *(Axis(axis, worths[axis], word_flip(word)) for axis, word in WORDS.items()),
        Axis("spurious", 0.0, word_flip("indeed")),
    )
    return body.organism("uneven", dose, axes, decoy="spurious", stated=lambda reply: STATED * reply.words["thanks"])


FAMILY = handset(
    "uneven",
    "Orders one kind of pair worse than others",
    "ru a word less",
    (0.0, 0.25, 0.5, 0.625, 0.75),
    0.5,
    rules,
    plant,
    __name__,
)
