"""Divergence-aware patching: only the positions at which the two sides' streams differ by more than a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import Price, Probe
from lens.models.summaries import few, largest, ratio_field, unreadable
from lens.names import kebab
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from lens.models.pairs import Pair
    from lens.models.trunk import PairTrace

THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)  # of 0 (alike) … 2 (opposite); above the last nothing is patched
SHOWN = 0.5
_MARGIN = "share of the margin"


def _price(inspection: Inspection, probe: Probe) -> Price:
    pairs = min(len(inspection.pairs.unique), max(1, inspection.sample // 2))
    rows = 0.6 * len(THRESHOLDS) * probe.layers
    return Price(pairs * (2 * probe.forward + rows * probe.batched), 2 * pairs)


@instrument(
    "divergence-patching",
    subjects="models",
    title="Divergence-aware patching",
    quantity="the share of the margin that moves with only those positions where the two texts' streams diverge",
    unit=_MARGIN,
    needs="grader.forward",
    cost="seven thresholds at every depth, on half the sampled pairs",
    version=1,
    order=95,
    declines="under 8 prompts, and where there is no stream to patch exactly",
    source="after the reward-lens paper's divergence-aware patching; divergence ‖a − b‖ over the mean of both norms",
    price=_price,
)
def divergence_patching(inspection: Inspection) -> Result:
    """Noising the stream at one depth, at the aligned positions where ‖h_c − h_r‖ / ½(‖h_c‖ + ‖h_r‖) exceeds τ.

    `share.{τ}` Σ effect / Σ margin at half the depth and `positions.{τ}` Σ patched / Σ aligned positions, for τ = 0.5;
    `random.{τ}` the effect of as many positions drawn at random; `full` the share at τ = 0. `identity.full` the largest
    deviation of τ = 0 from patching every aligned position, `identity.last` of it after the last block from the margin,
    ru. Table `thresholds` by depth and τ; τ above every divergence patches nothing and is listed as zero.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    pairs = inspection.spread(max(1, inspection.sample // 2))
    if (declined := few(pairs)) is not None:
        return Result(declined)
    import numpy as np

    found = inspection.over(thresholds, pairs, seed=inspection.seed)
    effect, random, kept = (np.array([one[key] for one in found], float) for key in ("effect", "random", "kept"))
    margins = np.array([one["margin"] for one in found], float)
    aligned = np.array([one["aligned"] for one in found], float)
    layers = effect.shape[1] - 1
    middle, at = layers // 2, THRESHOLDS.index(SHOWN)
    tau = kebab(str(SHOWN))

    def ratio(tops: np.ndarray, bottoms: np.ndarray, unit: str, control: str = "") -> Quantity | Declined:
        return ratio_field(inspection, tops.tolist(), bottoms.tolist(), pairs, unit=unit, control=control)

    fields: dict[str, Quantity | Label | Declined] = {
        f"share.{tau}": ratio(effect[:, middle, at], margins, _MARGIN, f"random.{tau}"),
        f"random.{tau}": ratio(random[:, middle, at], margins, _MARGIN),
        f"positions.{tau}": ratio(kept[:, middle, at], aligned, "of the aligned positions"),
        "full": ratio(effect[:, middle, 0], margins, _MARGIN),
        "identity.full": largest([one["full"] for one in found], n=len(pairs)),
        "identity.last": largest(effect[:, -1, 0] - margins, n=len(pairs)),
    }
    scope = f"{len(pairs)} pairs; fields at depth {middle} of {layers}, every depth in the table; readout included"
    return Result(
        Measured(fields, f"share.{tau}", scope), {"thresholds": _table(effect, random, kept, margins, aligned)}
    )


def thresholds(model: Any, pair: Pair, *, seed: int) -> dict[str, Any]:
    """The job of one pair: effect, effect of random positions, and positions patched, by depth and threshold."""
    import random

    from lens.models.anatomy import ids_of
    from lens.models.patch.effects import aligned
    from lens.models.patch.schedule import Base, Source, copied
    from lens.models.patch.sites import Site

    trunk = model.trunk
    both = trunk.pair(*ids_of(model, pair))
    count, draw = aligned(both), random.Random(f"{seed} {pair.digest}")
    groups: list[tuple[Site, ...]] = []
    for layer in range(trunk.layers + 1):
        apart = divergence(both, layer, count).tolist()
        everywhere = range(count) if layer < trunk.layers else range(1)  # the rest reaches no head any more
        picked = [[back for back in everywhere if apart[back] > tau] for tau in THRESHOLDS]
        drawn = [sorted(draw.sample(everywhere, len(some))) for some in picked]
        for backs in (*picked, *drawn, list(everywhere)):
            groups.append(tuple(Site("stream", layer, back) for back in backs))
    full = [group for group in groups if group]
    base = Base(both.chosen, both.shared)
    lost = (both.chosen.reward - trunk.readout.reward(copied(trunk, base, Source.of(both.rejected), full))).tolist()
    effects = iter(lost)
    values = [next(effects) if group else 0.0 for group in groups]
    width, levels = 2 * len(THRESHOLDS) + 1, len(THRESHOLDS)
    rows = [values[at : at + width] for at in range(0, len(values), width)]
    sizes = [len(group) for group in groups]
    return {
        "effect": [row[:levels] for row in rows],
        "random": [row[levels : 2 * levels] for row in rows],
        "kept": [sizes[at : at + levels] for at in range(0, len(sizes), width)],
        "full": max(abs(row[0] - row[-1]) for row in rows),
        "margin": both.margin,
        "aligned": count,
    }


def divergence(both: PairTrace, layer: int, count: int) -> Tensor:
    """‖a − b‖ / ½(‖a‖ + ‖b‖) of the two streams before block `layer`, readout first: [count]."""
    one, other = (side.h[layer][-count:].float().flip(0) for side in (both.chosen, both.rejected))
    apart: Tensor = (one - other).norm(dim=1) / (0.5 * (one.norm(dim=1) + other.norm(dim=1))).clamp_min(1e-12)
    return apart


def _table(
    effect: np.ndarray, random: np.ndarray, kept: np.ndarray, margins: np.ndarray, aligned: np.ndarray
) -> Columns:
    table: Columns = {name: [] for name in ("layer", "threshold", "effect", "share", "random-share", "positions")}
    total = float(margins.sum())

    def share(values: np.ndarray) -> float | None:
        return float(values.sum()) / total if total else None

    for layer in range(effect.shape[1]):
        for at, tau in enumerate(THRESHOLDS):
            row = (
                layer,
                tau,
                float(effect[:, layer, at].mean()),
                share(effect[:, layer, at]),
                share(random[:, layer, at]),
                float(kept[:, layer, at].sum() / aligned.sum()),
            )
            for column, value in zip(table.values(), row, strict=True):
                column.append(value)
        for column, value in zip(table.values(), (layer, None, 0.0, 0.0, 0.0, 0.0), strict=True):
            column.append(value)
    return table
