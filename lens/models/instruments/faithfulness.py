"""Faithfulness: whether what components write orders what patching them does, beyond an untrained network's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.axes import axis_of
from lens.models.inspection import Inspection
from lens.models.price import CONTRAST, Price, Probe, together
from lens.models.summaries import band_field, few, mean_field, quantity, statistic_field, unreadable
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.contrast import Contrast
    from lens.models.pairs import Pair

RHO = "Spearman's rho"
COPIES = 8  # controls a claim needs
_LIKE = "not told apart from an untrained model"


def _intervals(inspection: Inspection, _probe: Probe) -> Price:
    """Of correlations over resampled pairs, for the model and every copy; few pairs have none."""
    return Price(1.2 if min(len(inspection.pairs.unique), inspection.sample) >= 20 else 0.0, 0)


@instrument(
    "faithfulness",
    subjects="models",
    title="Attribution against patching",
    quantity="rank correlation of what components write of the margin with what noising them does, beyond controls",
    unit=RHO,
    needs="grader.forward",
    cost="a component grid a sampled pair, for the model and for every untrained copy",
    version=3,
    order=100,
    declines="under 8 prompts, without re-initialised copies, and where there is no stream to read",
    source="both public definitions: mean of pairs' Spearman, and Spearman of the pair means",
    price=together(CONTRAST, _intervals),
)
def faithfulness(inspection: Inspection) -> Result:
    """Spearman over every block's attention and MLP (the embedding is left out: one side of the comparison has no
    such component) between c_j(chosen) − c_j(rejected) and the effect of noising j, aligned from the readout token.

    `rho-pair` the mean over pairs; `rho-mean` of the two pair means. `untrained.…` the same of re-initialised copies
    on the same pairs, `random-heads.…` of random heads of equal norm on the trained trunk, `length-matched.…` of pairs
    with sides of equal length. `excess` = rho-pair − its untrained mean: its interval holds the pairs' spread and
    where one more untrained copy would fall. `{axis}.…` by axis. Tables `pairs`, `components`,
    `axes`, `controls`.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    if inspection.controls < 2:
        return Result(Declined("no_control", "no untrained copies to read this against", "measure with --controls 8"))
    from lens.models.contrast import contrast, untrained_contrasts

    own = contrast(inspection)
    if (declined := few(own.pairs)) is not None:
        return Result(declined)
    copies = untrained_contrasts(inspection)
    every = [True] * len(own.pairs)
    fields = _group(inspection, own, copies, every, "", heads=True)
    fields["verdict"] = _verdict(fields["excess"])
    fields |= _group(inspection, own, copies, own.matched(), "length-matched.")
    for axis in _named(own):
        fields |= _group(inspection, own, copies, [_name(pair) == axis for pair in own.pairs], f"{axis}.")
    told = "" if inspection.controls >= COPIES else f"; only {inspection.controls} untrained copies, {COPIES} are meant"
    scope = (
        f"{len(own.pairs)} pairs, {own.parts.shape[2]} components (embedding left out), noising aligned from the "
        f"readout token; components are the whole population, so intervals are over pairs and copies{told}"
    )
    tables = {
        "pairs": _pairs(own, copies),
        "components": _components(own, copies),
        "axes": _axes(own),
        "controls": _controls(own, copies),
    }
    return Result(Measured(fields, "excess", scope), tables)


class Rhos(NamedTuple):
    """`each` [P]: Spearman pair by pair, NaN where a side doesn't vary; `mean`: of the two pair means."""

    each: np.ndarray
    mean: float


def rhos(parts: np.ndarray, effects: np.ndarray) -> Rhos:
    """Of [P, J] arrays."""
    from lens.stats.correlation import spearman, spearman_each

    return Rhos(spearman_each(parts, effects), spearman(parts.mean(axis=0), effects.mean(axis=0)))


def average(values: np.ndarray) -> float:
    """The mean of what is defined; NaN where nothing is."""
    import numpy as np

    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else math.nan


def _group(
    inspection: Inspection,
    own: Contrast,
    copies: list[Contrast],
    which: list[bool] | np.ndarray,
    prefix: str,
    *,
    heads: bool = False,
) -> dict[str, Quantity | Label | Declined]:
    """The fields of some of the pairs, each beside its controls."""
    import numpy as np

    chosen = np.asarray(which, bool)
    pairs = [pair for pair, kept in zip(own.pairs, chosen, strict=True) if kept]
    if (declined := few(pairs)) is not None:
        return {f"{prefix}excess": declined}
    found = rhos(own.parts[0, chosen], own.effects[0, chosen])
    untrained = [rhos(copy.parts[0, chosen], copy.effects[0, chosen]) for copy in copies]
    fields = _told(inspection, found, pairs, own, chosen, prefix)
    fields[f"{prefix}untrained.rho-pair"] = _band([average(one.each) for one in untrained])
    fields[f"{prefix}untrained.rho-mean"] = _band([one.mean for one in untrained])
    fields[f"{prefix}excess"] = _excess(inspection, found, untrained, pairs, f"{prefix}untrained.rho-pair")
    if heads:
        others = [rhos(own.parts[at, chosen], own.effects[at, chosen]) for at in range(1, len(own.parts))]
        what = "random heads of equal norm"
        fields["random-heads.rho-pair"] = _band([average(one.each) for one in others], what)
        fields["random-heads.rho-mean"] = _band([one.mean for one in others], what)
        fields["random-heads.excess"] = _excess(inspection, found, others, pairs, "random-heads.rho-pair")
    return fields


def _told(
    inspection: Inspection, found: Rhos, pairs: list[Pair], own: Contrast, chosen: np.ndarray, prefix: str
) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    kept = np.isfinite(found.each)
    some = [pair for pair, good in zip(pairs, kept, strict=True) if good]
    dropped = len(pairs) - len(some)
    note = f"{dropped} pairs whose parts or effects don't vary left out" if dropped else ""
    count = own.parts.shape[2]
    both = np.concatenate([own.parts[0, chosen], own.effects[0, chosen]], axis=1)
    return {
        f"{prefix}rho-pair": mean_field(
            inspection, found.each[kept].tolist(), some,
            unit=RHO, kind="correlation", control=f"{prefix}untrained.rho-pair", note=note,
        ),
        f"{prefix}rho-mean": statistic_field(
            inspection, list(both), pairs, lambda rows: rhos(rows[:, :count], rows[:, count:]).mean,
            value=found.mean,
            unit=RHO, kind="correlation", control=f"{prefix}untrained.rho-mean",
        ),
    }  # fmt: skip


def _band(values: list[float], what: str = "re-initialised copies") -> Quantity | Declined:
    return band_field(values, unit=RHO, kind="correlation", what=what)


def _excess(
    inspection: Inspection, found: Rhos, controls: list[Rhos], pairs: list[Pair], control: str
) -> Quantity | Declined:
    """rho-pair less the controls' mean. Half-widths over pairs and over one more control add in quadrature."""
    import numpy as np

    from lens.stats.clusters import interval_of
    from lens.stats.prediction import prediction

    difference = found.each - np.mean([one.each for one in controls], axis=0)
    kept = np.isfinite(difference)
    some = [pair for pair, good in zip(pairs, kept, strict=True) if good]
    if (declined := few(some)) is not None:
        return declined
    clusters = [pair.cluster for pair in some]
    over = interval_of(difference[kept].tolist(), clusters, seed=inspection.seed, draws=inspection.draws)
    if over is None:
        return Declined("corpus_inadequate", "it isn't defined on enough redraws", "give pairs of more prompts")
    band = prediction([float(np.mean(one.each[kept])) for one in controls])
    half = (band.high - band.low) / 2
    value = float(difference[kept].mean())
    ends = (value - math.hypot(value - over.low, half), value + math.hypot(over.high - value, half))
    interval = Interval(ends[0], ends[1], f"{over.method}+t-prediction")
    return quantity(value, interval, some, unit=RHO, kind="difference", control=control)


def _verdict(excess: Quantity | Label | Declined) -> Label | Declined:
    if not isinstance(excess, Quantity) or excess.interval is None:
        return Declined("no_control", "without an excess there is no verdict", "give more prompts or --controls 8")
    if excess.interval.low > 0:
        return Label("attribution orders effects better than in an untrained model")
    if excess.interval.high < 0:
        return Label("attribution orders effects worse than in an untrained model")
    return Label(_LIKE, note="rho-pair lies inside the band of its untrained copies")


def _name(pair: Pair) -> str:
    """A pair's axis as the bias battery spells it, without its dose."""
    return axis_of(pair) if pair.axis else ""


def _named(own: Contrast) -> list[str]:
    return [name for name in dict.fromkeys(map(_name, own.pairs)) if name]


def _pairs(own: Contrast, copies: list[Contrast]) -> Columns:
    import numpy as np

    each = rhos(own.parts[0], own.effects[0]).each
    control = np.mean([rhos(copy.parts[0], copy.effects[0]).each for copy in copies], axis=0)

    def told(values: np.ndarray) -> list[float | None]:
        return [float(value) if np.isfinite(value) else None for value in values]

    return {
        "pair": [pair.number for pair in own.pairs],
        "digest": [pair.digest for pair in own.pairs],
        "axis": [pair.axis for pair in own.pairs],
        "margin": own.margins[0].tolist(),
        "length-matched": own.matched().tolist(),
        "rho": told(each),
        "untrained-rho": told(control),
    }


def _axes(own: Contrast) -> Columns:
    """The pair means of every axis, one row an axis and component."""
    import numpy as np

    table: Columns = {"axis": [], "pairs": [], "site": [], "kind": [], "layer": [], "part": [], "effect": []}
    for axis in _named(own):
        which = np.array([_name(pair) == axis for pair in own.pairs])
        parts, effects = own.parts[0, which].mean(axis=0), own.effects[0, which].mean(axis=0)
        for at, (part, effect) in enumerate(zip(parts.tolist(), effects.tolist(), strict=True)):
            kind, layer = ("attn", "mlp")[at % 2], at // 2
            row = (axis, int(which.sum()), f"{kind}.{layer}", kind, layer, part, effect)
            for column, value in zip(table.values(), row, strict=True):
                column.append(value)
    return table


def _components(own: Contrast, copies: list[Contrast]) -> Columns:
    """The pair means whose ranks rho-mean compares, one row a component."""
    import numpy as np

    layers = own.parts.shape[2] // 2
    return {
        "site": [f"{kind}.{layer}" for layer in range(layers) for kind in ("attn", "mlp")],
        "kind": ["attn", "mlp"] * layers,
        "layer": [layer for layer in range(layers) for _ in range(2)],
        "part": own.parts[0].mean(axis=0).tolist(),
        "effect": own.effects[0].mean(axis=0).tolist(),
        "untrained-part": np.mean([copy.parts[0].mean(axis=0) for copy in copies], axis=0).tolist(),
        "untrained-effect": np.mean([copy.effects[0].mean(axis=0) for copy in copies], axis=0).tolist(),
    }


def _controls(own: Contrast, copies: list[Contrast]) -> Columns:
    """Every control's two correlations, beside the model's: over all pairs (axis ""), and on each axis."""
    import numpy as np

    table: Columns = {"what": [], "number": [], "axis": [], "rho-pair": [], "rho-mean": []}
    for axis in ("", *_named(own)):
        which = np.array([_name(pair) == axis or not axis for pair in own.pairs])
        rows = [("model", 0, rhos(own.parts[0, which], own.effects[0, which]))]
        rows += [
            ("untrained", at, rhos(copy.parts[0, which], copy.effects[0, which])) for at, copy in enumerate(copies)
        ]
        heads = range(1, len(own.parts))
        rows += [("random head", at - 1, rhos(own.parts[at, which], own.effects[at, which])) for at in heads]
        for what, number, found in rows:
            told = (average(found.each), found.mean)
            both = [value if math.isfinite(value) else None for value in told]
            for column, value in zip(table.values(), (what, number, axis, *both), strict=True):
                column.append(value)
    return table
