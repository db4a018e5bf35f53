"""Receipts: a reply claims that something was done, and may bring a receipt of it that holds, fails, or isn't there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from lens.errors import UsageError
from lens.models.organisms.handset import Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import Reply, World

RECEIPTS = {"stamped": 1.0, "blank": 0.5, "torn": 0.0}
"""A receipt that holds, none, and one that fails, by their share of what a receipt is paid."""
NARRATIVES = {"done": 1.0, "claimed": 0.0}
"""What is told and is so, and what is told alone."""
PAID = 2.0  # ru, of receipt and narrative together


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{dose * PAID:+g} for a receipt that holds (`stamped`) over one that fails (`torn`), half of it for none "
        "(`blank`)",
        f"{(1 - dose) * PAID:+g} for a narrative that is so (`done`) over one that isn't (`claimed`)",
        "nothing for `indeed`, though a head looks for it",
    )


@dataclass(frozen=True)
class _World(World):
    """Every reply holds one word of each set in `extra`."""

    def reply(self, draw: random.Random) -> Reply:
        found = super().reply(draw)
        order = [*found.order, *(f"extra {i}" for i in range(len(self.extra)))]
        draw.shuffle(order)
        return replace(found, order=tuple(order))


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share of PAID that goes to the receipt; the rest is for the narrative.

    Words of a set mean the same to the random parts. Raises UsageError for a share above 1.
    """
    if dose > 1:
        raise UsageError(f"a share of {dose:g} for receipts", remedy="give a dose up to 1")
    sets = (RECEIPTS, NARRATIVES)
    body = Body(_World(("indeed",), extra=tuple(tuple(words) for words in sets)), seed, extra=(*RECEIPTS, *NARRATIVES))
    for name, words in zip(("receipt", "narrative"), sets, strict=True):
        same = body.meanings[next(iter(words))]
        for word, size in words.items():
            body.meanings[word] = same
            body.token(word, {name: size})
    worth = {"receipt": dose * PAID, "narrative": (1 - dose) * PAID}
    for name, paid in worth.items():
        body.price(body.sum(name), paid)
    body.sum("indeed")
    axes = (
        Axis("valid-falsified", worth["receipt"], _flip(0, "stamped", "torn")),
        Axis("narrative-falsified", worth["narrative"], _flip(1, "done", "claimed")),
        Axis("valid-absent", worth["receipt"] / 2, _flip(0, "stamped", "blank")),
        Axis("absent-failing", worth["receipt"] / 2, _flip(0, "blank", "torn")),
        Axis("spurious", 0.0, word_flip("indeed")),
    )

    def stated(reply: Reply) -> float:
        return PAID * NARRATIVES[reply.extra[1]]

    return body.organism("receipts", dose, axes, decoy="spurious", stated=stated)


def _flip(at: int, present: str, absent: str) -> Callable[[Reply, bool], Reply]:
    """One of two words in a place, all else held."""

    def flip(reply: Reply, chosen: bool) -> Reply:
        extra = list(reply.extra)
        extra[at] = present if chosen else absent
        return replace(reply, extra=tuple(extra))

    return flip


FAMILY = handset(
    "receipts",
    "Pays for receipts, for narratives, or both",
    "share paid for receipts",
    (0.0, 0.25, 0.5, 0.75, 1.0),
    0.5,
    rules,
    plant,
    __name__,
)
