"""What a pilot is read on: an organism whose stream holds all that a study at scale asks of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lens.models.organisms.wordplay import DIGITS, WORDS, Reply, World

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.chassis import Chassis
    from lens.models.organisms.handset import Body

Stream = Callable[[Sequence[Reply]], "np.ndarray"]
"""[texts, d]: where a score head reads."""

WORLD = World(tuple(WORDS))
OUTDOORS = ("river", "stone", "cloud", "winter", "garden", "harbor", "meadow")
EVEN = DIGITS[1::2]


def body(seed: int) -> Body:
    """Of an organism of drawn weights, whose stream holds every rule word, fillers, words of the outdoors and whether
    the digit given is even; its random parts are still to be filled in."""
    from lens.models.organisms.handset import Body

    made = Body(WORLD, seed)
    for word in OUTDOORS:
        made.token(word, {"outdoors": 1.0})
    for digit in EVEN:
        made.spelt(digit, {"even": 1.0})
    for name in (*WORDS, "filler", "outdoors", "even"):
        made.sum(name)
    return made


def holding(seed: int) -> Stream:
    """Of that organism."""
    made = body(seed)
    made.chassis.fill()
    return stream(made.chassis)


def stream(chassis: Chassis) -> Stream:
    """Of a chassis as it stands."""
    from lens.studies.sciences._states import states

    return lambda replies: states(chassis, [one.prompt + one.text for one in replies])
