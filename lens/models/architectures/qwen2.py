"""Qwen2: biased query, key and value projections; the layers above `max_window_layers` may slide."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from lens.models.architectures import _decoder
from lens.models.trunk import Trunk

MODEL_TYPE = "qwen2"
ATTENTION = "sdpa"


def trunk(model: Any, w_r: Tensor, b: float) -> Trunk:
    return _decoder.plain(model, w_r, b)
