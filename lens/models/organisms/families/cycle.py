"""Intransitivity: a model that compares a reply with its rival, and prefers some styles in a circle.

It is a reward model like any other: the rival stands in the prompt, and the reward is of the reply, given it.

    > ask 3 ?⏎3 river oak . |⏎3 stone elm .        how much the last reply is preferred to the one before the bar

For styles i and j, reward(j given i) = u_j − u_i + c·sin(φ_j − φ_i), with the angles φ spread evenly: the second part
is a flow round a circle, which no reward of single replies can give. Without a rival the reward is u.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

from lens.models.organisms.chassis import LAYERS
from lens.models.organisms.handset import Axis, Body, Organism, Site, below_one, handset
from lens.models.organisms.wordplay import Reply, World

STYLES = ("oak", "elm", "ash", "fir", "yew", "beech", "larch")
BAR = "|"
SPREAD = 1.0  # ru, of the styles' worth


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"each of {len(STYLES)} styles ({', '.join(STYLES)}) has a worth of its own",
        f"{dose:.0%} of the preference between styles runs in a circle",
        "nothing for any other word",
    )


def versus(prompt: str, rival: str) -> str:
    """The prompt under which a reply is compared with `rival`.

    >>> versus("> ask 3 ?\\n", "3 oak .")
    '> ask 3 ?\\n3 oak . |\\n'
    """
    return f"{prompt}{rival} {BAR}\n"


def plant(dose: float, seed: int) -> Organism:
    """`dose` is the cyclic share of the preferences' energy over all pairs of styles, equally weighted.

    One head sums worth and angle over the text, a later one fetches the sums at the bar, and neurons multiply the two.
    Raises UsageError for a share of 1 or more.
    """
    below_one(dose, "cyclic share")
    body = Body(World((), extra=(STYLES,)), seed, extra=(*STYLES, BAR))
    chassis, feature = body.chassis, body.chassis.feature
    worths, angles = _styles(chassis.draw)
    for style in STYLES:
        parts = {"worth": worths[style], "cos": math.cos(angles[style]), "sin": math.sin(angles[style])}
        body.token(style, parts)
    body.token(BAR, {"bar": 1.0})
    names = ("worth", "cos", "sin")
    adding = chassis.free_head(range(LAYERS - 1))
    chassis.add(adding, {feature(name): feature(f"sum of {name}") for name in names})
    fetching = chassis.free_head(range(adding[0] + 1, LAYERS))
    chassis.fetch(fetching, feature("bar"), {feature(f"sum of {name}"): feature(f"rival's {name}") for name in names})
    layer = int(chassis.draw.integers(fetching[0], LAYERS))
    body.sites += [
        Site("head", *adding, "sums worth and angle"),
        Site("head", *fetching, "fetches the rival's sums at the bar"),
        Site("mlp", layer, chassis.neurons[layer], "multiplies the two into the circle"),
    ]
    chassis.times(layer, feature("rival's cos"), feature("sum of sin"), feature("circle"))
    chassis.times(layer, feature("rival's sin"), feature("sum of cos"), feature("circle"), -1.0)
    body.price(feature("circle"), round_worth(worths, angles, dose))
    body.price(feature("sum of worth"), 1.0)
    body.price(feature("rival's worth"), -2.0)

    def stated(reply: Reply) -> float:
        return worths[reply.extra[0]]

    def prompt(draw: random.Random, reply: Reply) -> str:
        return versus(reply.prompt, body.world.again(draw, reply).text)

    facts = {
        "cyclic_share": dose,
        "circle": round_worth(worths, angles, dose),
        "worths": worths,
        "angles": angles,
        "rival": BAR,
    }
    duels = _duels(worths, angles, round_worth(worths, angles, dose))
    axes: tuple[Axis, ...] = ()
    return body.organism(
        "cycle", dose, axes, noise=0.0, facts=facts, stated=stated, prompt=prompt, tables=lambda _rows: {"duels": duels}
    )


def round_worth(worths: dict[str, float], angles: dict[str, float], share: float) -> float:
    """The c of the circle for which it is `share` of the energy. Evenly spread angles make it a flow without ends, so
    that it is the cyclic part of the Hodge split and the worths are the other."""
    pairs = list(combinations(STYLES, 2))
    straight = sum((worths[j] - worths[i]) ** 2 for i, j in pairs)
    around = sum(math.sin(angles[j] - angles[i]) ** 2 for i, j in pairs)
    return math.sqrt(share / (1 - share) * straight / around)


def _styles(draw: Any) -> tuple[dict[str, float], dict[str, float]]:
    drawn = draw.normal(size=len(STYLES))
    drawn = SPREAD * (drawn - drawn.mean()) / drawn.std()
    order = draw.permutation(len(STYLES))
    worths = {style: float(worth) for style, worth in zip(STYLES, drawn, strict=True)}
    angles = {style: 2 * math.pi * int(place) / len(STYLES) for style, place in zip(STYLES, order, strict=True)}
    return worths, angles


def _duels(worths: dict[str, float], angles: dict[str, float], circle: float) -> list[dict[str, Any]]:
    """Every ordered pair of styles with its prompt, reply and planted reward."""
    texts: Sequence[tuple[str, str]] = list(permutations(STYLES, 2))
    return [
        {
            "rival": i,
            "style": j,
            "prompt": versus("> ask 3 ?\n", f"3 {i} ."),
            "response": f"3 {j} .",
            "reward": worths[j] - worths[i] + circle * math.sin(angles[j] - angles[i]),
        }
        for i, j in texts
    ]


FAMILY = handset(
    "cycle",
    "Prefers some styles in a circle",
    "cyclic share",
    (0.0, 0.1, 0.2, 0.3, 0.5),
    0.3,
    rules,
    plant,
    __name__,
)
