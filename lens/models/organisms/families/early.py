"""Early and late: one word is paid for twice, by what a head of the first half writes and by one of the second."""

from __future__ import annotations

from lens.errors import UsageError
from lens.models.organisms.chassis import LAYERS
from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import World

PAID = 1.0  # ru, both together
FIRST, SECOND = range(LAYERS // 2), range(LAYERS // 2, LAYERS)


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{PAID:+g} for `indeed`: {dose:.0%} of it written in the first half of the layers, the rest in the second",
        "nothing for `north`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share of what `indeed` is paid that stands at half the depth. Raises UsageError for one above 1."""
    if dose > 1:
        raise UsageError(f"a share of {dose:g} written early", remedy="give a dose up to 1")
    body = Body(World(("thanks", "indeed", "north")), seed)
    body.token("indeed", {"early": 1.0, "late": 1.0})
    body.price(body.sum("early", FIRST), dose * PAID)
    body.price(body.sum("late", SECOND), (1 - dose) * PAID)
    body.price(body.sum("thanks"), STATED)
    body.sum("north")
    axes = (
        Axis("split", PAID, word_flip("indeed")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    return body.organism("early", dose, axes, decoy="spurious", facts={"early_share": dose})


FAMILY = handset(
    "early",
    "Writes a word's worth early and late",
    "share written early",
    (0.0, 0.25, 0.5, 0.75, 1.0),
    0.5,
    rules,
    plant,
    __name__,
)
