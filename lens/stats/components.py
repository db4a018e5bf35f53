"""Variance components of a crossed replication design: rows × sessions, with repeats in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Components(NamedTuple):
    """Estimated variances, squared score units; an estimate below zero is given as zero."""

    row: float
    session: float
    interaction: float
    residual: float

    @property
    def generalizability(self) -> float:
        """Share of one call's variance (between rows scored alike) that belongs to the row: G of one replicate.

        Raises ZeroDivisionError when nothing varies.
        """
        return self.row / (self.row + self.interaction + self.residual)


def components(scores: Sequence[Sequence[Sequence[float]]]) -> Components:
    """Random-effects ANOVA of `scores[row][session][repeat]`, balanced, at least 2 of each.

    Expected mean squares as in Searle, Casella and McCulloch 1992, chapter 4; negative estimates truncated.

    >>> components([[[1, 1], [1, 1]], [[0, 0], [0, 0]]])
    Components(row=0.5, session=0.0, interaction=0.0, residual=0.0)
    """
    import numpy as np

    y = np.asarray(scores, float)
    if y.ndim != 3 or min(y.shape) < 2:
        raise ValueError(f"a crossed design needs at least 2 rows, sessions and repeats, got {y.shape}")
    rows, sessions, repeats = y.shape
    cell, row, session = y.mean(axis=2), y.mean(axis=(1, 2)), y.mean(axis=(0, 2))
    ms_row = sessions * repeats * row.var(ddof=1)
    ms_session = rows * repeats * session.var(ddof=1)
    left = cell - row[:, None] - session[None, :] + y.mean()
    ms_cross = repeats * (left**2).sum() / ((rows - 1) * (sessions - 1))
    ms_within = ((y - cell[:, :, None]) ** 2).sum() / (rows * sessions * (repeats - 1))
    return Components(
        row=max(0.0, float(ms_row - ms_cross) / (sessions * repeats)),
        session=max(0.0, float(ms_session - ms_cross) / (rows * repeats)),
        interaction=max(0.0, float(ms_cross - ms_within) / repeats),
        residual=max(0.0, float(ms_within)),
    )
