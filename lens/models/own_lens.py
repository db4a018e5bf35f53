"""The model's own head at every depth, for networks whose head is more than one row on a final norm (class B)."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Any

import torch
from torch import Tensor

from lens.models.model import Encoded
from lens.models.patch.places import blocks
from lens.models.patch.watch import watch


@torch.no_grad()
def own_lens(model: Any, text: Encoded) -> list[float]:
    """The reward the model would give `text` if its blocks ended at depth l, l = 0 (before the first) … L, ru.

    The output of the last block is replaced with the stream at that depth, and all that follows is the model's own:
    final norm, pooling, dense layers. The last entry is the model's reward.
    """
    layers = blocks(model.network)
    streams: list[Tensor] = []
    with ExitStack() as watched:
        for layer in layers:
            watched.enter_context(watch(layer, True, lambda value: streams.append(value.clone())))
        whole = float(model.rewards([text])[0])
    found = []
    for stream in streams:
        with watch(layers[-1], False, partial(_over, stream)):
            found.append(float(model.rewards([text])[0]))
    return [*found, whole]


def _over(stream: Tensor, value: Tensor) -> None:
    value.copy_(stream)
