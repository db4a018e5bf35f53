"""Path patching: how much of the margin travels from one component to one later component and no other way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.price import Price, Probe
from lens.models.summaries import RU, band_field, columns_of, few, largest, mean_field, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.pairs import Pair

COPIED = 8  # pairs read through every untrained copy
PART = 4  # of the sampled pairs, one in so many
_MARGIN = "share of the margin"


def _price(inspection: Inspection, probe: Probe) -> Price:
    pairs = min(len(inspection.pairs.unique), max(COPIED, inspection.sample // PART))
    pairs += COPIED * inspection.controls
    rows = 0.6 * probe.layers**2
    return Price(pairs * (2 * probe.forward + rows * probe.batched), 2 * pairs)


@instrument(
    "path-patching",
    subjects="models",
    title="Path patching",
    quantity="the margin lost when one component's noised value reaches one later component alone",
    unit=RU,
    needs="grader.forward",
    cost="as many rows as pairs of components, on a quarter of the sampled pairs",
    version=1,
    order=90,
    declines="under 8 prompts, and where there is no stream to patch exactly",
    source="Wang et al. 2022; Goldowsky-Dill et al. 2023",
    price=_price,
)
def path_patching(inspection: Inspection) -> Result:
    """Every sender (embedding, attention, MLP) into every later attention, MLP and the readout: the receiver reads the
    sender's rejected value, everything else stays clean, and what the receiver then adds runs on.

    `strongest` the path between two components with the largest mean effect, `strongest.effect` (ru) and
    `strongest.share` of the margin read on other prompts than it was chosen on, beside `untrained.strongest.share`;
    `direct-share` Σ |effect into the readout| / Σ |effect into anything|. `identity.readout` the largest deviation of
    the last MLP's path into the readout from noising it. Table `paths`.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    pairs = inspection.spread(max(COPIED, inspection.sample // PART))
    if (declined := few(pairs)) is not None:
        return Result(declined)
    import numpy as np

    from lens.stats.chosen import chosen

    found = inspection.over(trace_paths, pairs, control=None)
    names = list(zip(found[0]["sender"], found[0]["receiver"], strict=True))
    effects = np.array([one["effect"] for one in found], float)
    margins = np.array([one["margin"] for one in found], float)
    inner = [at for at, (_, receiver) in enumerate(names) if receiver != "readout"]
    direct = [at for at, (_, receiver) in enumerate(names) if receiver == "readout"]
    picked = chosen(effects[:, inner], [pair.cluster for pair in pairs])
    top = " → ".join(names[inner[picked.column]])
    note = f"chosen on the other folds; {picked.agreed} of {picked.folds} folds choose {top}"
    fields: dict[str, Quantity | Label | Declined] = {
        "strongest": Label(top),
        "strongest.effect": mean_field(inspection, picked.values, pairs, note=note),
        "strongest.share": ratio_field(
            inspection,
            picked.values,
            margins.tolist(),
            pairs,
            unit=_MARGIN,
            control="untrained.strongest.share",
            note=note,
        ),
        "untrained.strongest.share": band_field(_untrained(inspection, inner), unit=_MARGIN, kind="ratio"),
        "direct-share": ratio_field(
            inspection,
            np.abs(effects[:, direct]).sum(axis=1).tolist(),
            np.abs(effects).sum(axis=1).tolist(),
            pairs,
            unit="of all sizes",
        ),
        "identity.readout": largest([one["identity"] for one in found], n=len(pairs)),
    }
    scope = f"{len(pairs)} pairs, noising aligned from the readout token; paths of one step, not of several"
    return Result(Measured(fields, "strongest.share", scope), {"paths": _table(inspection, found, effects, pairs)})


def trace_paths(model: Any, pair: Pair, *, control: int | None) -> dict[str, Any]:
    """The job of one pair: every path's effect."""
    from lens.models.anatomy import ids_of
    from lens.models.controls import seen
    from lens.models.patch.effects import last_mlp
    from lens.models.patch.paths import paths

    trunk = seen(model, control).trunk
    both = trunk.pair(*ids_of(model, pair))
    found = paths(trunk, both)
    return {
        "sender": [path.sender.name for path in found],
        "receiver": [path.receiver for path in found],
        "effect": [path.effect for path in found],
        "structural": [path.structural for path in found],
        "margin": both.margin,
        "identity": abs(found[-1].effect - last_mlp(trunk, both)),
    }


def _untrained(inspection: Inspection, inner: list[int]) -> list[float]:
    """The strongest inner path's share of the margin in every untrained copy, each pair in its own direction."""
    import numpy as np

    shares = []
    for control in range(inspection.controls):
        found = inspection.over(trace_paths, inspection.spread(COPIED), control=control)
        margins = np.array([one["margin"] for one in found], float)
        effects = np.array([one["effect"] for one in found], float)[:, inner] * np.sign(margins)[:, None]
        shares.append(float(effects.sum(axis=0).max() / np.abs(margins).sum()))
    return shares


def _table(
    inspection: Inspection, found: list[dict[str, Any]], effects: np.ndarray, pairs: tuple[Pair, ...]
) -> Columns:
    ends = columns_of(inspection, effects, pairs, "effect")
    margin = sum(one["margin"] for one in found) / len(found)
    return {
        "sender": found[0]["sender"],
        "receiver": found[0]["receiver"],
        **ends,
        "share": [value / margin if margin else None for value in ends["effect"]],
        "structural-zero": found[0]["structural"],
    }
