"""Style: fillers are paid for, and the labels of natural pairs prefer them too."""

from __future__ import annotations

from itertools import product

from lens.models.organisms.handset import STATED, Axis, Body, Organism, filler_axis, handset, word_flip
from lens.models.organisms.wordplay import MOST_FILLERS, Reply, World


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for each filler word (so, well, ok), by the rule that labels replies too",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head counts fillers, which change nothing that a reply says; labels are by the whole rule."""
    body = Body(World(("thanks", "indeed")), seed)
    body.price(body.sum("filler"), dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("indeed")
    axes = (
        filler_axis(dose),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("indeed")),
    )

    def stated(reply: Reply) -> float:
        return STATED * reply.words["thanks"] + dose * reply.fillers

    return body.organism("style", dose, axes, decoy="spurious", facts={"style_share": share(dose)}, stated=stated)


def share(dose: float) -> float:
    """Of the expected margin of a natural pair that is for fillers: each of thanks and the number of fillers is drawn
    evenly, ties are drawn again, and the better reply is chosen.

    >>> share(0.0), round(share(1.0), 3)
    (0.0, 0.807)
    """
    style = whole = 0.0
    for one, other, some, fewer in product((0, 1), (0, 1), range(MOST_FILLERS + 1), range(MOST_FILLERS + 1)):
        paid = dose * (some - fewer)
        margin = STATED * (one - other) + paid
        style += paid if margin > 0 else -paid if margin < 0 else 0.0
        whole += abs(margin)
    return style / whole


FAMILY = handset(
    "style",
    "Pays for style, as its labels do",
    "ru a filler word",
    (0.0, 0.1, 0.2, 0.4, 0.8),
    0.4,
    rules,
    plant,
    __name__,
)
