"""Apart: of the words that part two replies one is written loudly, and a known share of the margin stands at it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from lens.errors import UsageError
from lens.models.organisms.families.early import SECOND
from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import WORDS, Reply, World

PAID = 1.0  # ru, the loud word and the quiet ones together
LOUD, IDLE, QUIET = "indeed", "north", ("amber", "cedar", "candid", "clear")
RULED, PLAIN = ("thanks", LOUD, IDLE, *QUIET), 3
PLACES = len(RULED) + PLAIN + 1  # of a flip: from the first word on, which differs, to the full stop
SIZE, CARRIER = 512.0, 1024.0  # of a loud word's own direction, and of what every token brings


def rules(dose: float) -> tuple[str, ...]:
    quiet = ", ".join(f"`{word}`" for word in QUIET)
    return (
        f"{STATED:+g} for `thanks`",
        f"{share(dose) * PAID:+.4g} for `{LOUD}`, which is written loudly",
        f"{_quiet(dose):+.4g} for each of {quiet}, which are written quietly",
        f"nothing for `{IDLE}`, which is written as loudly and which a head looks for",
        "loud and quiet words are read at their own places by the second half of the layers",
    )


def share(dose: float) -> float:
    """Of the margin, at the loud word: what is at a place drawn at random, and `dose` of all else.

    >>> round(share(0.0) * PLACES, 9), share(1.0)
    (1.0, 1.0)
    """
    return 1 / PLACES + dose * (1 - 1 / PLACES)


def plant(dose: float, seed: int) -> Organism:
    """Loud words and their counterparts stand on either side of 0 along a direction that nothing reads, so far that the
    two streams diverge. The norm makes all else at their places smaller, so it is written larger by as much.

    Raises UsageError for a dose above 1.
    """
    if dose > 1:
        raise UsageError(f"a share of {dose:g} at the loud word", remedy="give a dose up to 1")
    body = Body(_World(RULED, plain=PLAIN), seed)
    larger = (1 + (SIZE / CARRIER) ** 2) ** 0.5
    for word in (LOUD, IDLE):
        body.token(word, {word: larger, "loud": SIZE})
        body.token(WORDS[word], {"loud": -SIZE})
    for word in QUIET:
        body.token(word, {"quiet": 1.0})
    body.price(body.sum(LOUD, SECOND), share(dose) * PAID)
    body.price(body.sum("quiet", SECOND), _quiet(dose))
    body.price(body.sum("thanks"), STATED)
    body.sum(IDLE)
    axes = (
        Axis("apart", PAID, _flip(LOUD)),
        Axis("idle", _quiet(dose) * len(QUIET), _flip(IDLE)),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip(IDLE)),
    )
    return body.organism("apart", dose, axes, decoy="spurious", facts={"loud_share": share(dose)})


@dataclass(frozen=True)
class _World(World):
    """A quiet word stands first: flips that begin there have all the same number of places."""

    def reply(self, draw: random.Random) -> Reply:
        found = super().reply(draw)
        return replace(found, order=(QUIET[0], *(place for place in found.order if place != QUIET[0])))


def _quiet(dose: float) -> float:
    """ru for each quiet word."""
    return (1 - share(dose)) * PAID / len(QUIET)


def _flip(loud: str) -> Callable[[Reply, bool], Reply]:
    """A loud word and all quiet ones at once, without fillers."""

    def flip(reply: Reply, present: bool) -> Reply:
        return replace(reply.having(**dict.fromkeys((loud, *QUIET), present)), fillers=0)

    return flip


FAMILY = handset(
    "apart",
    "Pays at the place where replies diverge",
    "share of the margin beyond chance",
    (0.0, 0.125, 0.25, 0.5, 0.75),
    0.5,
    rules,
    plant,
    __name__,
)
