"""Crystallization: the depth after which the preference stays where it ends, beside where it first gets there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.depth import crossed, crystallized
from lens.models.inspection import Inspection
from lens.models.price import ANATOMY, COPIES, fixed, together
from lens.models.summaries import band_field, few, statistic_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    import numpy as np

    from lens.models.anatomy import Anatomy
    from lens.models.pairs import Pair

TINY = 1e-3  # of max(1, |r|): a margin that rounding could have made
TINY_HALF = 6e-2
_MODES = ("own", "frozen")


class _Depths(NamedTuple):
    pairs: list[Pair]
    stays: list[float]  # l/L
    first: list[float]


@instrument(
    "crystallization",
    subjects="models",
    title="Crystallization depth",
    quantity="the depth after which the margin stays at least half of what it ends at",
    unit="share of the depth",
    needs="grader.forward",
    cost="the reward lens's",
    version=1,
    order=65,
    declines="on fewer than 20 prompts whose chosen reply is preferred by more than rounding",
    source="on the lens curve in reward units; public indices on w_r·h at the first crossing are not comparable",
    price=together(ANATOMY, COPIES, fixed(0.4)),
)
def crystallization(inspection: Inspection) -> Result:
    """For each pair, the first depth l/L (0 the embedding, 1 the last block) after which its lens margin stays at or
    above half of its last value, and the first at which it is there at all; the median over pairs, by lens mode.

    `{mode}.depth`, `{mode}.first-crossing`, `{mode}.overshoot` k of n pairs whose margin fell back under half after
    crossing it, `left-out` k of n pairs with no margin to form; `untrained.{mode}.depth` the same of re-initialised
    copies, `length-matched.{mode}.depth` of pairs with sides of equal length.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    from lens.models.anatomy import anatomy, untrained_anatomy

    body = anatomy(inspection)
    kept = _formed(body, inspection.model.dtype)
    out = len(body.pairs) - int(kept.sum())
    if (declined := few(body.only(kept).pairs, "pairs with a margin above rounding", least=20)) is not None:
        return Result(declined)
    fields: dict[str, Quantity | Label | Declined] = {}
    for mode in _MODES:
        found = depths_of(body.only(kept), mode)
        fields |= _told(inspection, mode, found)
        control = [_median(depths_of(copy, mode, signed=False).stays) for copy in untrained_anatomy(inspection)]
        fields[f"untrained.{mode}.depth"] = band_field(control, unit="share of the depth", kind="proportion")
        matched = depths_of(body.only(kept & body.matched()), mode)
        fields[f"length-matched.{mode}.depth"] = _field(inspection, matched.stays, matched.pairs)
    fields["left-out"] = share(
        out, len(body.pairs), "pairs", note="their margin is below 0, or no larger than rounding could make it"
    )
    scope = f"{int(kept.sum())} of {len(body.pairs)} pairs, {body.layers} blocks; unchanged by a·r + b with a > 0"
    return Result(Measured(fields, "own.depth", scope), {"pairs": _table(body, kept)})


def depths_of(body: Anatomy, mode: str, *, signed: bool = True) -> _Depths:
    """Depths of every pair whose margin is above 0; unsigned, every pair is counted in its own direction."""
    import numpy as np

    curves = body.side_difference(getattr(body, mode))
    curves = curves if signed else curves * np.sign(body.margins)[:, None]
    found = _Depths([], [], [])
    for pair, curve in zip(body.pairs, curves.tolist(), strict=True):
        stays, first = crystallized(curve), crossed(curve)
        if stays is not None and first is not None:
            found.pairs.append(pair)
            found.stays.append(stays / body.layers)
            found.first.append(first / body.layers)
    return found


def _formed(body: Anatomy, dtype: str) -> np.ndarray:
    import numpy as np

    scale = np.maximum(1.0, np.abs(body.rewards).max(axis=1))
    return body.margins > (TINY if dtype == "float32" else TINY_HALF) * scale  # type: ignore[no-any-return]


def _told(inspection: Inspection, mode: str, found: _Depths) -> dict[str, Quantity | Label | Declined]:
    fell = sum(stays > first for stays, first in zip(found.stays, found.first, strict=True))
    return {
        f"{mode}.depth": _field(inspection, found.stays, found.pairs, control=f"untrained.{mode}.depth"),
        f"{mode}.first-crossing": _field(inspection, found.first, found.pairs),
        f"{mode}.overshoot": share(fell, len(found.pairs), "pairs"),
    }


def _field(inspection: Inspection, values: list[float], pairs: list[Pair], *, control: str = "") -> Quantity | Declined:
    return statistic_field(
        inspection, values, pairs, _median,
        value=_median(values), unit="share of the depth", kind="proportion", control=control,
    )  # fmt: skip


def _median(values: list[float] | np.ndarray) -> float:
    import numpy as np

    return float(np.median(values)) if len(values) else math.nan


def _table(body: Anatomy, kept: np.ndarray) -> Columns:
    table: Columns = {"pair": [], "digest": [], "axis": [], "margin": []}
    table |= {f"{mode}-{what}": [] for mode in _MODES for what in ("depth", "first-crossing")}
    found = {mode: depths_of(body.only(kept), mode) for mode in _MODES}
    for at, pair in enumerate(found["own"].pairs):
        row = [pair.number, pair.digest, pair.axis, float(body.margins[kept][at])]
        row += [value for mode in _MODES for value in (found[mode].stays[at], found[mode].first[at])]
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)
    return table
