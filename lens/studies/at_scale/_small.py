"""What a pilot is read on: an organism whose stream holds all that a study at scale asks of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import DIGITS, WORDS, Reply, World

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.chassis import Chassis

Stream = Callable[[Sequence[Reply]], "np.ndarray"]
"""[texts, d]: where a score head reads."""

WORLD = World(tuple(WORDS))
OUTDOORS = ("river", "stone", "cloud", "winter", "garden", "harbor", "meadow")
EVEN = DIGITS[1::2]


def holding(seed: int) -> Stream:
    """Of an organism of drawn weights, whose stream holds every rule word, fillers, words of the outdoors and whether
    the digit given is even."""
    from lens.models.organisms.handset import Body

    body = Body(WORLD, seed)
    for word in OUTDOORS:
        body.token(word, {"outdoors": 1.0})
    for digit in EVEN:
        body.spelt(digit, {"even": 1.0})
    for name in (*WORDS, "filler", "outdoors", "even"):
        body.sum(name)
    body.chassis.fill()
    return stream(body.chassis)


def stream(chassis: Chassis) -> Stream:
    """Of a chassis as it stands."""
    from lens.studies.sciences._states import states

    return lambda replies: states(chassis, [one.prompt + one.text for one in replies])
