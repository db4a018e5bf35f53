"""Known and unused: a word is written for all to read, and the score head reads across it."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import PLAIN, World

EARLY = range(3)  # layers of the heads: what they sum stands two thirds of the way


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"nothing for `indeed`, written {dose:g} times as loud as a plain word, at right angles to what is paid",
        "nothing for `north`, which is written nowhere",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head sums shade, a draw for each plain word and `dose` for `indeed`; no price is on it."""
    body = Body(World(("thanks", "indeed", "north")), seed)
    drawn = body.chassis.draw.normal(size=len(PLAIN))
    for word, shade in zip(PLAIN, (drawn - drawn.mean()) / drawn.std(), strict=True):
        body.token(word, {"shade": float(shade)})
    body.token("indeed", {"shade": dose})
    body.sum("shade", EARLY)
    body.price(body.sum("thanks", EARLY), STATED)
    axes = (
        Axis("unused", 0.0, word_flip("indeed")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("unwritten", 0.0, word_flip("north")),
    )
    return body.organism("unused", dose, axes, decoy="unwritten", facts={"loudness": dose})


FAMILY = handset(
    "unused",
    "Writes a word that it doesn't pay for",
    "plain words’ spreads",
    (0.0, 1.0, 2.0, 4.0, 8.0),
    4.0,
    rules,
    plant,
    __name__,
)
