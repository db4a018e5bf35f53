"""The stream of a hand-set trunk at the last token, which its score head reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from lens.models.organisms.chassis import Chassis

BATCH = 1024


def states(chassis: Chassis, texts: Sequence[str]) -> np.ndarray:
    """[texts, d], fp64, in units of features, less the carrier, which is always the same.

    A reward is `states @ priced(chassis)`, ru. On one thread, so that sums come out the same on any machine's count.
    """
    import numpy as np
    import torch

    at = {token: number for number, token in enumerate(chassis.tokens)}
    ids = [[at[token] for token in re.findall(r" ?[^ \n]+|[ \n]", text)] for text in texts]
    inside = chassis.network().model
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = [_last(inside, ids[start : start + BATCH]) for start in range(0, len(ids), BATCH)]
    finally:
        torch.set_num_threads(threads)
    return np.concatenate(found) * _unit(chassis)


def _last(inside: Any, ids: Sequence[Sequence[int]]) -> np.ndarray:
    """What the network's inside puts out at each text's last token, [texts, d]."""
    import torch

    longest = max(map(len, ids))
    padded = torch.tensor([[*row, *[0] * (longest - len(row))] for row in ids])
    with torch.no_grad():
        out = inside(input_ids=padded, attention_mask=(padded > 0).long(), use_cache=False).last_hidden_state
    last = torch.tensor([len(row) - 1 for row in ids])
    return out[torch.arange(len(ids)), last, 1:].double().numpy()  # type: ignore[no-any-return]


def priced(chassis: Chassis) -> np.ndarray:
    """[d], ru for each unit of `states`."""
    return chassis.score[1:] / _unit(chassis)


def _unit(chassis: Chassis) -> float:
    """What the last norm divides by: the carrier's size over the root of the width."""
    carrier = chassis.embedding[0, 0]
    return float(carrier / chassis.embedding.shape[1] ** 0.5)
