"""Kindred: a trunk that tells two of four words, and a reward of what all of the family are paid for and what is its
own."""

from __future__ import annotations

from lens.models.organisms.handset import Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import World

NAMED = ("indeed", "amber", "north", "cedar")
HELD = 2  # of these, by any one trunk
TASTES = ((1.0, 1.0), (1.0, -1.0))
"""For the words that are held. They are at right angles: no reward of the one says anything of the other's."""


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{dose**0.5:+g} for `thanks`, which all of the family are paid",
        f"{1 - dose:.0%} of what natural pairs differ by is for words of its own",
        "it tells two of four words: the first two with an even seed, else the others",
    )


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the share of a natural pair's squared difference that `thanks` makes up, and so the correlation of two
    that hold different words. The seed says which words are held, by its parity, and by that of its half which taste
    there is for them. Without random parts in the reward. Raises UsageError for a share above 1.
    """
    from lens.errors import UsageError

    if dose > 1:
        raise UsageError(f"a share of {dose:g} for what is shared", remedy="give a dose up to 1")
    held, taste = NAMED[HELD * (seed % 2) :][:HELD], TASTES[seed // 2 % 2]
    size = (2 * (1 - dose) / HELD) ** 0.5  # half of the natural pairs differ in such a word
    worth = {word: size * one for word, one in zip(held, taste, strict=True)}
    body = Body(World(("thanks", *NAMED)), seed)
    body.price(body.sum("thanks"), dose**0.5)  # and all of them in `thanks`
    for word, ru in worth.items():
        body.price(body.sum(word), ru)
    axes = [Axis(word, worth.get(word, 0.0), word_flip(word)) for word in NAMED]
    return body.organism("kindred", dose, axes, noise=0.0, facts={"held": list(held)})


FAMILY = handset(
    "kindred",
    "One of two that share a taste, or words they tell",
    "share of the taste that is shared",
    (0.0, 0.25, 0.5, 0.75, 1.0),
    0.5,
    rules,
    plant,
    __name__,
)
