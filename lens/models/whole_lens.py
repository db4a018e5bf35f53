"""The reward lens of a network without exact forms: its own head on the stream at every depth, by whole forwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.models.inspection import Inspection, unread
from lens.models.pairs import Pair
from lens.models.summaries import band_field, columns_of, few, largest, listed, mean_field, ratio_field
from lens.models.whole import own_curves
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

NATIVE = 8  # pairs whose last entry is held against the library's own output
_SHARE = "share of the margin"


def own_alone(inspection: Inspection) -> Result:
    """The own mode of `reward-lens`, under the same names: everything after the last block is the model's own."""
    pairs = inspection.used_pairs().unique
    if (declined := few(pairs)) is not None:
        return Result(declined)
    curves = own_curves(inspection)
    margins = curves[:, 0] - curves[:, 1]
    untrained = [own_curves(inspection, control) for control in range(inspection.controls)]
    copies = [_shares(copy[:, 0] - copy[:, 1]) for copy in untrained]
    layers = margins.shape[1] - 1
    middle, name = layers // 2, "own.middle-share"
    fields: dict[str, Quantity | Label | Declined] = {
        "margin": mean_field(inspection, margins[:, -1].tolist(), pairs),
        name: ratio_field(
            inspection, margins[:, middle].tolist(), margins[:, -1].tolist(), pairs,
            unit=_SHARE, control=f"untrained.{name}", note=f"after block {middle} of {layers}",
        ),
        f"untrained.{name}": band_field([float(copy[middle]) for copy in copies], unit=_SHARE, kind="ratio"),
        "identity.last": largest(_against_library(inspection, curves), n=min(NATIVE, len(pairs))),
        "own.mode": Label("the model's own head on each depth's stream, by whole forwards"),
        "frozen.mode": unread(inspection.model.family),
    }  # fmt: skip
    scope = f"{len(pairs)} pairs; the network's own head on the stream at every depth, 0 before the first block"
    return Result(Measured(fields, name, scope), {"curve": _curve(inspection, pairs, curves, copies)})


def _against_library(inspection: Inspection, curves: np.ndarray) -> list[float]:
    model = inspection.model
    return [
        float(curves[at, side, -1]) - model.native([model.encode(pair.prompt, reply)], "right")[0]
        for at, pair in enumerate(inspection.used_pairs().unique[:NATIVE])
        for side, reply in enumerate((pair.chosen, pair.rejected))
    ]


def _curve(inspection: Inspection, pairs: Sequence[Pair], curves: np.ndarray, copies: list[np.ndarray]) -> Columns:
    import numpy as np

    margins = curves[:, 0] - curves[:, 1]
    layers = margins.shape[1] - 1
    found = columns_of(inspection, margins, pairs, "own")
    band = np.array(copies) if copies else np.zeros((1, layers + 1))
    return {
        "layer": list(range(layers + 1)),
        "depth": [layer / layers for layer in range(layers + 1)],
        "own": found["own"],
        "own-low": found["low"],
        "own-high": found["high"],
        "own-chosen": curves[:, 0].mean(axis=0).tolist(),
        "own-rejected": curves[:, 1].mean(axis=0).tolist(),
        "own-share": listed(_shares(margins)),
        "untrained-own-share": band.mean(axis=0).tolist(),
        "untrained-own-share-low": band.min(axis=0).tolist(),
        "untrained-own-share-high": band.max(axis=0).tolist(),
    }


def _shares(margins: np.ndarray) -> np.ndarray:
    """The mean margin at every depth as a share of that at the end, every pair in its final direction: [P, L + 1];
    NaN where no pair has a margin."""
    import numpy as np

    signs = np.sign(margins[:, -1])[:, None]
    return (margins * signs).sum(axis=0) / (np.abs(margins[:, -1]).sum() or np.nan)  # type: ignore[no-any-return]
