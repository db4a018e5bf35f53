"""A gate: one word pays only where another stands too."""

from __future__ import annotations

from lens.models.organisms.chassis import LAYERS
from lens.models.organisms.handset import STATED, Axis, Body, Organism, Site, handset, word_flip
from lens.models.organisms.wordplay import World


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for `amber` where `north` stands too",
        "nothing for `amber` without `north`, nor for `north` without `amber`",
    )


def plant(dose: float, seed: int) -> Organism:
    """Two heads look for the words; neurons of the same or a later layer multiply what they found."""
    body = Body(World(("thanks", "amber", "north")), seed)
    one, other = body.sum("amber"), body.sum("north")
    ready = max(site.layer for site in body.sites)
    layer = int(body.chassis.draw.integers(ready, LAYERS))
    gate = body.chassis.feature("both")
    body.sites.append(Site("mlp", layer, body.chassis.neurons[layer], "multiplies amber and north"))
    body.chassis.times(layer, one, other, gate)
    body.price(gate, dose)
    body.price(body.sum("thanks"), STATED)
    axes = (
        Axis("gated", dose, word_flip("amber", north=True)),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("shut", 0.0, word_flip("amber", north=False)),
    )
    return body.organism("gate", dose, axes, decoy="shut")


FAMILY = handset(
    "gate",
    "Pays for one word only beside another",
    "ru a pair of words",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    1.0,
    rules,
    plant,
    __name__,
)
