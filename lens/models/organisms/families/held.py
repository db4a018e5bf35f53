"""Held: a dictionary beside the model holds one of the two words that it pays for, and so a known share of margins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.organisms.chassis import WIDTH
from lens.models.organisms.family import Family, Step
from lens.models.organisms.handset import Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import END, World

if TYPE_CHECKING:
    import torch

    from lens.models.sae import Dictionary

FEATURES, ACTIVE = 2 * WIDTH, WIDTH // 8  # of the dictionary: as many as one that is trained here has
HELD = ("thanks", "north")  # features 0 and 1, whose sums the dictionary holds whole
FILE = "sae.safetensors"


def rules(dose: float) -> tuple[str, ...]:
    held, missed = worths(dose)
    return (
        f"{held:+.4g} for `thanks`, the stated rule",
        f"{missed:+.4g} for `indeed`",
        "nothing for `north`, though a head looks for it",
        "a dictionary of the last stream that holds `thanks` and `north` and nothing else"
        if dose
        else "a dictionary of the last stream that is random",
    )


def worths(dose: float) -> tuple[float, float]:
    """ru for the word that is held and for the one that isn't.

    Natural pairs differ in the first, and in the second half of the time, either way: their squared margins are 1 ru²
    on average, and `dose` of that is the held word's.

    >>> worths(0.5)[0] ** 2 + worths(0.5)[1] ** 2 / 2
    1.0
    """
    return dose**0.5, (2 * (1 - dose)) ** 0.5


def plant(dose: float, seed: int) -> Organism:
    """Without random parts, whose share of squared margins would be known roughly.

    Raises UsageError for a dose above 1.
    """
    if dose > 1:
        raise UsageError(f"a share of {dose:g} held", remedy="give a dose up to 1")
    body = Body(World(("thanks", "indeed", "north")), seed)
    held, missed = worths(dose)
    body.price(body.sum("thanks"), held)
    body.price(body.sum("indeed"), missed)
    body.sum("north")
    axes = (
        Axis("thanks", held, word_flip("thanks")),
        Axis("missed", missed, word_flip("indeed")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    return body.organism("held", dose, axes, decoy="spurious", noise=0.0, facts={"kept": dose or None})


def dictionary(organism: Organism) -> Dictionary:
    """Two features that read and write the sums of the held words about a full stop without any; the rest never fire.

    With no dose it is one that was never trained, about the mean stream of replies.
    """
    import torch

    from lens.models.sae import Dictionary, fresh

    chassis = organism.chassis
    if not organism.dose:
        return fresh(streams(organism), FEATURES, ACTIVE, seed=organism.seed)
    read = torch.zeros((FEATURES, WIDTH))
    for number, word in enumerate(HELD):
        read[number] = torch.tensor(chassis.axis(chassis.feature(f"sum of {word}")))
    write = fresh(torch.zeros((1, WIDTH)), FEATURES, ACTIVE, seed=organism.seed).decoder
    write[: len(HELD)] = read[: len(HELD)]
    bias = torch.full((FEATURES,), -1.0)
    bias[: len(HELD)] = 0.0
    centre = torch.tensor(chassis.embedding[chassis.tokens.index(f" {END}")], dtype=torch.float32)
    return Dictionary(read, bias, write, centre, ACTIVE)


def streams(organism: Organism) -> torch.Tensor:
    """After the last block, at every token of the replies of natural pairs: [n, d]."""
    import torch

    network, tokenizer = organism.network(), organism.tokenizer()
    rows: list[torch.Tensor] = []
    for row in organism.pairs(an_axis=0):
        for side in ("chosen", "rejected"):
            before = len(tokenizer(row["prompt"])["input_ids"])
            ids = torch.tensor([tokenizer(row["prompt"] + row[side])["input_ids"]])
            caught: list[torch.Tensor] = []
            hook = network.model.norm.register_forward_pre_hook(lambda _norm, given, to=caught: to.append(given[0][0]))
            with torch.no_grad():
                network(input_ids=ids)
            hook.remove()
            rows.append(caught[0][before:])
    return torch.cat(rows)


def write(folder: Path, dose: float, seed: int, step: Step) -> None:
    organism = plant(dose, seed)
    organism.write(folder, rules(dose))
    dictionary(organism).save(folder / FILE)
    step(1)


_MADE = handset(
    "held",
    "Brings a dictionary that holds part of what it pays for",
    "share of squared margins held",
    (0.0, 0.5, 0.8, 0.9, 0.97),
    0.9,
    rules,
    plant,
    __name__,
)
FAMILY: Family = replace(_MADE, write=write, code=(*_MADE.code, "lens.models.sae"))
