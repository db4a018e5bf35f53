"""Per-step inner products of rollouts' gradients, which hold everything the update partition needs and no model.

s_i is the gradient of rollout i's loss term with its advantage set to 1, its length and batch normalisation kept;
g_i = A_i s_i. `gram[i * n + j]` is <s_i, s_j>. Terms of the loss that are not linear in A (KL, entropy) have one
gradient of their own, t: `term[j]` is <t, s_j> and `term[n]` is <t, t>; empty where there are none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

SCHEMA: dict[str, pa.DataType] = {
    "step": pa.int64(),
    "row": pa.list_(pa.int64()),  # rollouts of the record, by `row`; -1 where one has no match there
    "advantage": pa.list_(pa.float64()),  # as the loss used it
    "gram": pa.list_(pa.float64()),
    "term": pa.list_(pa.float64()),
    "full_norm": pa.float64(),  # of the whole gradient, computed another way; NaN where nobody did
}


def square(gram: Any) -> np.ndarray:
    """The matrix of a flat list. Raises ValueError where its length is no square."""
    flat = np.asarray(gram, dtype=np.float64)
    size = round(len(flat) ** 0.5)
    return flat.reshape(size, size)
