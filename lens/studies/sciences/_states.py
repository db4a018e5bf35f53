"""The stream of a hand-set trunk at the last token, which its score head reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.chassis import Chassis

BATCH = 1024


def states(chassis: Chassis, texts: Sequence[str]) -> np.ndarray:
    """[texts, d], fp64, in units of features, less the carrier, which is always the same.

    A reward is `states @ priced(chassis)`, ru.
    """
    import numpy as np
    import torch

    at = {token: number for number, token in enumerate(chassis.tokens)}
    ids = [[at[token] for token in re.findall(r" ?[^ \n]+|[ \n]", text)] for text in texts]
    inside = chassis.network().model
    found = []
    for start in range(0, len(ids), BATCH):
        some = ids[start : start + BATCH]
        longest = max(map(len, some))
        padded = torch.tensor([[*row, *[0] * (longest - len(row))] for row in some])
        with torch.no_grad():
            out = inside(input_ids=padded, attention_mask=(padded > 0).long(), use_cache=False).last_hidden_state
        found.append(out[torch.arange(len(some)), torch.tensor([len(row) - 1 for row in some]), 1:].double().numpy())
    return np.concatenate(found) * _unit(chassis)


def priced(chassis: Chassis) -> np.ndarray:
    """[d], ru for each unit of `states`."""
    return chassis.score[1:] / _unit(chassis)


def _unit(chassis: Chassis) -> float:
    """What the last norm divides by: the carrier's size over the root of the width."""
    carrier = chassis.embedding[0, 0]
    return float(carrier / chassis.embedding.shape[1] ** 0.5)
