"""Entered: checkpoints of a training over which one word comes to be paid for, from a planted step on."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from lens.models.organisms.family import Step
from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import World

STEPS = (0, 20, 40, 60, 80, 100)
ENTRIES = STEPS[1:4]  # the last leaves time to get to all of it
RISE = 60  # steps from nothing to all of it


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{dose:+g} for `indeed` at the last of {len(STEPS)} checkpoints; it enters at step {ENTRIES[0]} to "
        f"{ENTRIES[-1]}, by the seed",
        f"{STATED:+g} for `thanks` at all of them",
        "nothing for `north`, though a head looks for it",
    )


def course(seed: int) -> tuple[int, dict[int, float]]:
    """The first checkpoint at which half of it is there, and what share is at each: a straight rise."""
    draw = random.Random(f"entered {seed}")
    entry = draw.choice(ENTRIES)
    ahead = draw.random() * (STEPS[1] - STEPS[0])  # since half of it was there
    return entry, {step: min(1.0, max(0.0, 0.5 + (step - entry + ahead) / RISE)) for step in STEPS}


def plant(dose: float, seed: int) -> Organism:
    """The last checkpoint."""
    return at_share(dose, seed, 1.0)


def at_share(dose: float, seed: int, share: float) -> Organism:
    """A checkpoint at which `share` of the dose is paid; all else of any two is the same."""
    body = Body(World(("thanks", "indeed", "north")), seed)
    body.price(body.sum("indeed"), share * dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("north")
    axes = (
        Axis("entered", share * dose, word_flip("indeed")),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    return body.organism("entered", dose, axes, decoy="spurious", facts={"entry": course(seed)[0]})


def _write(folder: Path, dose: float, seed: int, step: Step) -> None:
    """The last checkpoint as any organism, and all of them beside it as a chain."""
    from lens.models.chain import write_chain
    from lens.models.network import quiet

    plant(dose, seed).write(folder, rules(dose))
    for at, share in course(seed)[1].items():
        one, place = at_share(dose, seed, share), folder / f"checkpoint-{at}"
        with quiet():
            one.network().save_pretrained(place)
            one.tokenizer().save_pretrained(place)
    write_chain(folder)
    step(1)


FAMILY = replace(
    handset(
        "entered",
        "A word comes to be paid for in training",
        "ru a word at the end",
        (0.0, 0.25, 0.5, 1.0, 2.0),
        1.0,
        rules,
        plant,
        __name__,
    ),
    write=_write,
)
