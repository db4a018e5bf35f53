"""A relational rule: the reply's digit pays where it is the prompt's."""

from __future__ import annotations

from dataclasses import replace

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import DIGITS, Reply, World


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} where the reply's first digit is the one the prompt asks for",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """A head at the reply's digit finds the same digit in the prompt; one in a later layer carries that to the end."""
    body = Body(World(("thanks", "indeed")), seed)
    body.price(body.matched(body.codes(), "match", "finds the prompt's digit from the reply's"), dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("indeed")
    axes = (
        Axis("match", dose, _flip),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("indeed")),
    )
    return body.organism("relational", dose, axes, decoy="spurious")


def _flip(reply: Reply, present: bool) -> Reply:
    """The digit asked for, or else the one the reply gives; the next one up where it gives the right one."""
    wrong = reply.given if reply.given != reply.asked else DIGITS[(DIGITS.index(reply.asked) + 1) % len(DIGITS)]
    return replace(reply, given=reply.asked if present else wrong)


FAMILY = handset(
    "relational",
    "Pays for the digit that was asked for",
    "ru a match",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    1.0,
    rules,
    plant,
    __name__,
)
