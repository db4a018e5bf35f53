"""A median over the steps of a run, with the interval that its steps allow."""

from __future__ import annotations

from collections.abc import Sequence

from lens.reading import Kind, Quantity
from lens.runs.review import Review


def median(
    review: Review, values: Sequence[float], unit: str, kind: Kind, *, control: str = "", note: str = ""
) -> Quantity:
    """The interval redraws blocks of neighbouring steps; where there are too few the note says so."""
    import numpy as np

    from lens.stats.moving import BLOCK, LEAST, moving_blocks

    interval = moving_blocks(values, lambda some: np.median(some, axis=1), seed=review.seed, draws=review.draws)
    told = f"interval: {BLOCK} steps redrawn together" if interval else f"no interval under {LEAST} steps"
    note = "; ".join(part for part in (note, told) if part)
    return Quantity(float(np.median(values)), unit, kind, interval=interval, n=len(values), control=control, note=note)
