"""A tiny network whose head was pointed along what two signs differ in, and pairs that differ in them."""

from __future__ import annotations

import copy
import dataclasses
from functools import cache
from typing import Any

import torch

from lens.models.anatomy import ids_of
from lens.models.concept import halves
from lens.models.pairs import Pair, Pairs
from lens.models.work import hold
from tests.models import opened


@cache
def signs(count: int = 48) -> Pairs:
    """Replies that end in one sign or in another, and replies that differ in the order of their letters alone."""
    made = []
    for i in range(count):
        text = " ".join(opened.WORDS[(i * k) % 17] for k in (1, 3, 5))
        made.append(Pair(2 * i, f"q {i}: ", f"{text}!", f"{text}.", "sign"))
        made.append(Pair(2 * i + 1, f"q {i}: ", f"{text}!", f"{text[::-1]}!", "order"))
    return Pairs("signs", tuple(made), f"signs {count}")


@cache
def priced() -> Any:
    """Its reward is 2 along the unit of the signs' mean difference after the last block, over σ."""
    model = opened.model()
    fit, _ = halves([pair for pair in signs() if pair.axis == "sign"])
    ends = [[model.trunk.trace(ids).h[-1][-1] for ids in ids_of(model, pair)] for pair in fit]
    v = torch.stack([chosen - rejected for chosen, rejected in ends]).mean(0)
    network = copy.deepcopy(model.network)
    with torch.no_grad():
        network.score.weight.copy_(2 * v / v.norm() / network.model.norm.weight)
    found = dataclasses.replace(model, network=network, fingerprint="planted")
    hold(found)
    return found
